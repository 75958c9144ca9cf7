//! The `[[rule]]` tables of a profile.

use toml::de::DeTable;

use super::json;
use super::read::{unknown_key, unknown_method};
use crate::catalogue::profile::{CustomRule, Profile};
use crate::catalogue::{Layer, Level};
use crate::model::method_named;
use crate::similar::unknown_text;
use crate::toml_keys::{self as keys, Fault, Value};
use crate::{Direction, MessageKind};

const KEYS: [&str; 11] = [
    "name",
    "at",
    "schema",
    "message",
    "help",
    "source",
    "level",
    "layer",
    "method",
    "kind",
    "direction",
];

pub(super) fn read(profile: &mut Profile, value: Value<'_>) -> Result<(), Fault> {
    for (at, table) in keys::tables(value, "rule")? {
        let rule = rule(profile, at, table)?;
        profile.add_rule(&rule).map_err(|fault| {
            let place = table.get(fault.part()).unwrap_or(at);
            keys::fault(place, fault.to_string())
        })?;
    }
    Ok(())
}

fn rule(profile: &Profile, at: Value<'_>, table: &DeTable<'_>) -> Result<CustomRule, Fault> {
    let mut rule = CustomRule::new("", "", "", "");
    for (key, value) in keys::members(table) {
        let what = format!("`{}`", key.text.escape_debug());
        let text = || keys::text(value, &what).map(|name| name.text.to_owned());
        match key.text {
            "name" => rule.name = text()?,
            "at" => rule.at = text()?,
            "schema" => rule.schema = json::schema(value, &what)?,
            "message" => rule.message = text()?,
            "help" => rule.help = text()?,
            "source" => rule.source = text()?,
            "level" => {
                let levels = [Level::Note, Level::Warning, Level::Error];
                rule.level = one_of(value, "level", levels.map(|level| (level.name(), level)))?;
            }
            "layer" => {
                let layers = Layer::ALL.map(|layer| (layer.name(), layer));
                rule.layer = one_of(value, "layer", layers)?;
            }
            "method" => {
                for name in keys::texts(value, &what)? {
                    let known = method_named(name.text.as_bytes()).is_some();
                    if !known && !profile.has_method(name.text) {
                        return Err(name.fault(unknown_method(name.text)));
                    }
                    rule.applies.methods.push(name.text.to_owned());
                }
            }
            "kind" => {
                for name in keys::texts(value, &what)? {
                    let kind = KINDS.into_iter().find(|kind| kind.name() == name.text);
                    let kind = kind.ok_or_else(|| {
                        let known = KINDS.into_iter().map(MessageKind::name);
                        name.fault(unknown_text("kind", name.text, known))
                    })?;
                    rule.applies.kinds.push(kind);
                }
            }
            "direction" => {
                let directions = [
                    ("c2s", Direction::ClientToServer),
                    ("s2c", Direction::ServerToClient),
                ];
                rule.applies.direction = Some(one_of(value, "direction", directions)?);
            }
            _ => return Err(unknown_key(&key, &KEYS)),
        }
    }
    for wanted in ["name", "schema", "message"] {
        if table.get(wanted).is_none() {
            return Err(keys::fault(at, format!("this rule has no `{wanted}`")));
        }
    }
    Ok(rule)
}

const KINDS: [MessageKind; 4] = [
    MessageKind::Request,
    MessageKind::Notification,
    MessageKind::Response,
    MessageKind::Error,
];

fn one_of<T: Copy, const N: usize>(
    value: Value<'_>,
    what: &str,
    known: [(&str, T); N],
) -> Result<T, Fault> {
    let name = keys::text(value, &format!("`{what}`"))?;
    known
        .iter()
        .find(|(known, _)| *known == name.text)
        .map(|(_, value)| *value)
        .ok_or_else(|| {
            let names = known.iter().map(|(name, _)| *name);
            name.fault(unknown_text(what, name.text, names))
        })
}
