//! Reads the text of a profile: every key and every name is known, or the fault has its place and a
//! suggestion.

use std::path::Path;

use mcp_assay::model::METHODS;
use mcp_assay::profile::{Content as Body, OwnMethod, Profile, ProfileFault};
use mcp_assay::{LevelOverride, Party, RefusalStatus, Revision, method_named};
use toml::de::{DeTable, DeValue};

use super::{chosen, json, rules};
use crate::suggest;
use crate::toml_keys::{self as keys, Fault, Name, Value};

/// The longest chain of profiles that extend one another.
const MAX_DEPTH: usize = 8;

/// The content of a file.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) profile: Profile,
    pub(super) description: String,
}

/// The keys in the order in which they are read: ranges of codes before those of other profiles,
/// which are weaker; methods before the rules that name them, and these before their levels.
const KEYS: [&str; 14] = [
    "description",
    "error_codes",
    "other_error_codes",
    "extends",
    "strict",
    "http_status",
    "expected_revision",
    "null_ids",
    "positional_params",
    "resource_uris",
    "methods",
    "notifications",
    "rule",
    "levels",
];

/// Reads the text; paths begin at the folder, `depth` counts the profiles that extend this one. The
/// fault begins with `line:column: `.
pub(super) fn read(text: &str, name: &str, folder: &Path, depth: usize) -> Result<Content, String> {
    parse(text, name, folder, depth).map_err(|fault| fault.located(text))
}

fn parse(text: &str, name: &str, folder: &Path, depth: usize) -> Result<Content, Fault> {
    let root = DeTable::parse(text).map_err(|error| Fault::of_syntax(&error, text))?;
    let members = keys::members(root.get_ref());
    let mut content = Content {
        profile: Profile::new(name),
        description: String::new(),
    };
    if let Some((key, _)) = members.iter().find(|(key, _)| !KEYS.contains(&key.text)) {
        return Err(key.fault(suggest::unknown_text("key", key.text, KEYS.into_iter())));
    }
    for wanted in KEYS {
        let found = members.iter().find(|(key, _)| key.text == wanted);
        if let Some((_, value)) = found {
            content.take(wanted, value, folder, depth)?;
        }
    }
    Ok(content)
}

impl Content {
    fn take(
        &mut self,
        key: &str,
        value: Value<'_>,
        folder: &Path,
        depth: usize,
    ) -> Result<(), Fault> {
        let profile = &mut self.profile;
        let what = format!("`{key}`");
        match key {
            "description" => {
                let text = keys::text(value, &what)?;
                if text.text.chars().any(char::is_control) {
                    return Err(text.fault("`description` is one line"));
                }
                text.text.clone_into(&mut self.description);
            }
            "extends" => {
                for name in keys::texts(value, &what)? {
                    if depth >= MAX_DEPTH {
                        return Err(name
                            .fault(format!("more than {MAX_DEPTH} profiles extend one another")));
                    }
                    let other = chosen::find(name.text, folder, depth + 1);
                    let other = other.map_err(|fault| name.fault(fault))?;
                    let taken = profile.extend(&other.profile);
                    taken.map_err(|fault| name.fault(fault.to_string()))?;
                }
            }
            "strict" if keys::boolean(value, &what)? => profile.raise_warnings(),
            "strict" => profile.keep_warnings(),
            "http_status" => profile.set_refusal_status(refusal_status(value, &what)?),
            "null_ids" if keys::boolean(value, &what)? => profile.allow_null_ids(),
            "null_ids" => profile.refuse_null_ids(),
            "positional_params" if keys::boolean(value, &what)? => {
                profile.allow_positional_params();
            }
            "positional_params" => profile.refuse_positional_params(),
            "expected_revision" => profile.expect_revision(revision(value)?),
            "other_error_codes" => profile.set_other_error_codes(level(value, &what)?),
            "error_codes" => {
                for (at, table) in keys::tables(value, "error_codes")? {
                    error_codes(profile, at, table)?;
                }
            }
            "resource_uris" => resource_uris(profile, keys::table(value, &what)?)?,
            "methods" => methods(profile, value, &OwnMethod::REQUEST)?,
            "notifications" => methods(profile, value, &OwnMethod::NOTIFICATION)?,
            "rule" => rules::read(profile, value)?,
            _ => levels(profile, keys::table(value, &what)?)?,
        }
        Ok(())
    }
}

fn revision(value: Value<'_>) -> Result<Revision, Fault> {
    if value.get_ref().is_datetime() {
        return Err(keys::fault(
            value,
            "`expected_revision` must be a string: put it in quotes",
        ));
    }
    let name = keys::text(value, "`expected_revision`")?;
    if name.text == "latest" {
        return Ok(Revision::latest());
    }
    Revision::ALL
        .into_iter()
        .find(|revision| revision.name() == name.text)
        .ok_or_else(|| {
            let known = Revision::ALL.into_iter().map(Revision::name);
            let known = known.chain(["latest"]);
            name.fault(suggest::unknown_text("revision", name.text, known))
        })
}

/// `protocol` or `canonical`.
fn refusal_status(value: Value<'_>, what: &str) -> Result<RefusalStatus, Fault> {
    let name = keys::text(value, what)?;
    let mut known = RefusalStatus::ALL.into_iter();
    known
        .find(|status| status.name() == name.text)
        .ok_or_else(|| {
            let known = RefusalStatus::ALL.into_iter().map(RefusalStatus::name);
            name.fault(suggest::unknown_text("HTTP status", name.text, known))
        })
}

/// `off`, `note`, `warning` or `error`.
pub(super) fn level(value: Value<'_>, what: &str) -> Result<LevelOverride, Fault> {
    let name = keys::text(value, what)?;
    LevelOverride::ALL
        .into_iter()
        .find(|level| level.name() == name.text)
        .ok_or_else(|| {
            let known = LevelOverride::ALL.into_iter().map(LevelOverride::name);
            name.fault(suggest::unknown_text("level", name.text, known))
        })
}

fn error_codes(profile: &mut Profile, at: Value<'_>, table: &DeTable<'_>) -> Result<(), Fault> {
    let (mut from, mut to, mut grave) = (None, None, LevelOverride::Off);
    for (key, value) in keys::members(table) {
        match key.text {
            "from" => from = Some(keys::integer(value, "`from`")?),
            "to" => to = Some(keys::integer(value, "`to`")?),
            "level" => grave = level(value, "`level`")?,
            _ => return Err(unknown_key(&key, &["from", "to", "level"])),
        }
    }
    let Some(from) = from else {
        return Err(keys::fault(at, "this range of error codes has no `from`"));
    };
    let codes = from..=to.unwrap_or(from);
    let added = profile.add_error_codes(codes, grave);
    added.map_err(|fault| keys::fault(at, fault.to_string()))
}

fn resource_uris(profile: &mut Profile, table: &DeTable<'_>) -> Result<(), Fault> {
    for (key, value) in keys::members(table) {
        let restricted = match key.text {
            "prefix" => {
                let prefixes = keys::texts(value, "`prefix`")?;
                let prefixes: Vec<_> = prefixes.iter().map(|prefix| prefix.text).collect();
                profile.restrict_uris_to_prefixes(&prefixes)
            }
            "pattern" => {
                let pattern = keys::text(value, "`pattern`")?;
                profile.restrict_uris_to_pattern(pattern.text)
            }
            _ => return Err(unknown_key(&key, &["prefix", "pattern"])),
        };
        restricted.map_err(|fault| keys::fault(value, fault.to_string()))?;
    }
    Ok(())
}

fn methods(profile: &mut Profile, value: Value<'_>, usual: &OwnMethod) -> Result<(), Fault> {
    let table = keys::table(value, "`methods` and `notifications`")?;
    for (name, value) in keys::members(table) {
        let table = keys::table(value, &format!("`{}`", name.text.escape_debug()))?;
        method(profile, &name, table, usual)?;
    }
    Ok(())
}

const METHOD_KEYS: [&str; 6] = [
    "stands_for",
    "renames",
    "sender",
    "params",
    "params_required",
    "result",
];

fn method(
    profile: &mut Profile,
    name: &Name<'_>,
    table: &DeTable<'_>,
    usual: &OwnMethod,
) -> Result<(), Fault> {
    let at_name = |fault: ProfileFault| name.fault(fault.to_string());
    let members = keys::members(table);
    let other_name = members
        .iter()
        .find(|(key, _)| ["stands_for", "renames"].contains(&key.text));
    if let Some((key, value)) = other_name {
        if let Some((other, _)) = members.iter().find(|(other, _)| other.text != key.text) {
            return Err(other.fault(format!(
                "a method that has `{}` has nothing else: the rest is the protocol's",
                key.text
            )));
        }
        let meant = known_method(value, &format!("`{}`", key.text))?;
        return if key.text == "renames" {
            profile.rename(meant, name.text).map_err(at_name)
        } else {
            profile.stands_for(name.text, meant).map_err(at_name)
        };
    }
    let mut own = usual.clone();
    for (key, value) in members {
        match key.text {
            "sender" => own.sender = sender(value)?,
            "params" => own.params = body(value, "`params`")?,
            "params_required" => own.params_required = keys::boolean(value, "`params_required`")?,
            "result" if usual.kind == OwnMethod::REQUEST.kind => {
                own.result = body(value, "`result`")?;
            }
            "result" => return Err(key.fault("a notification has no result")),
            _ => return Err(unknown_key(&key, &METHOD_KEYS)),
        }
    }
    profile.add_method(name.text, &own).map_err(at_name)
}

/// `client`, `server` or `both`.
fn sender(value: Value<'_>) -> Result<Option<Party>, Fault> {
    let name = keys::text(value, "`sender`")?;
    match name.text {
        "client" => Ok(Some(Party::Client)),
        "server" => Ok(Some(Party::Server)),
        "both" => Ok(None),
        other => {
            let known = ["client", "server", "both"].into_iter();
            Err(name.fault(suggest::unknown_text("sender", other, known)))
        }
    }
}

/// `any`, `like METHOD` or a JSON Schema.
fn body(value: Value<'_>, what: &str) -> Result<Body, Fault> {
    if let DeValue::String(text) = value.get_ref() {
        if text == "any" {
            return Ok(Body::Any);
        }
        if let Some(method) = text.strip_prefix("like ") {
            let method = method.trim();
            return match method_named(method.as_bytes()) {
                Some(_) => Ok(Body::Like(method.to_owned())),
                None => Err(keys::fault(value, unknown_method(method))),
            };
        }
        if !text.trim_start().starts_with('{') {
            return Err(keys::expected(
                value,
                what,
                "`any`, `like METHOD` or a JSON Schema",
            ));
        }
    }
    Ok(Body::Schema(json::schema(value, what)?))
}

/// A method of the protocol.
fn known_method<'t>(value: Value<'t>, what: &str) -> Result<&'t str, Fault> {
    let name = keys::text(value, what)?;
    match method_named(name.text.as_bytes()) {
        Some(_) => Ok(name.text),
        None => Err(name.fault(unknown_method(name.text))),
    }
}

fn levels(profile: &mut Profile, table: &DeTable<'_>) -> Result<(), Fault> {
    for (name, value) in keys::members(table) {
        let level = level(
            value,
            &format!("the level of `{}`", name.text.escape_debug()),
        )?;
        let set = profile.set_level(name.text, level);
        set.map_err(|unknown| {
            if KEYS.contains(&name.text) {
                name.fault(format!(
                    "`{}` is in the table `levels`: write it above all tables",
                    name.text
                ))
            } else {
                name.fault(unknown.to_string())
            }
        })?;
    }
    Ok(())
}

pub(super) fn unknown_method(name: &str) -> String {
    let known = METHODS.iter().map(|method| method.name);
    suggest::unknown_text("method", name, known)
}

pub(super) fn unknown_key(key: &Name<'_>, known: &[&str]) -> Fault {
    key.fault(suggest::unknown_text(
        "key",
        key.text,
        known.iter().copied(),
    ))
}
