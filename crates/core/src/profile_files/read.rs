//! Reads the text of a profile: every key and every name is known, or the fault has its place and a
//! suggestion.

use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::builtin::Builtin;
use super::{json, rules};
use crate::catalogue::profile::{
    Content as Body, Example, OwnMethod, Profile, ProfileFault, Tolerance,
};
use crate::catalogue::{LevelOverride, RefusalStatus};
use crate::model::{METHODS, method_named};
use crate::similar::unknown_text;
use crate::toml_keys::{self as keys, Fault, Name, Value};
use crate::{Direction, Party, Revision};

/// The longest chain of profiles that extend one another.
const MAX_DEPTH: usize = 8;

/// The largest number of profiles that are read for one.
const MAX_READ: usize = 64;

/// The text of a profile, and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProfileText {
    /// The name of the profile, for messages.
    pub name: String,
    /// The place as faults name it.
    pub place: String,
    /// The folder where the paths in it begin.
    pub folder: PathBuf,
    /// The text.
    pub text: String,
}

/// Finds a profile that is not built in, by its name and the folder where paths begin.
type Find<'f> = &'f dyn Fn(&str, &Path) -> Result<ProfileText, String>;

impl Profile {
    /// Reads the text of a profile that extends none but built-in ones.
    ///
    /// # Errors
    ///
    /// The first fault, with line, column and a suggestion.
    ///
    /// ```
    /// use mcp_assay::profile::Profile;
    ///
    /// let profile = Profile::parse("house", "extends = \"openai\"\nstrict = true")?;
    /// assert!(profile.raises_warnings());
    ///
    /// let fault = Profile::parse("house", "strct = true").unwrap_err();
    /// assert_eq!(fault.to_string(), "1:1: unknown key `strct`; did you mean `strict`?");
    /// # Ok::<(), mcp_assay::profile::ProfileFault>(())
    /// ```
    pub fn parse(name: &str, text: &str) -> Result<Self, ProfileFault> {
        let none = |name: &str, _: &Path| Err(unknown_text("profile", name, Builtin::names()));
        Reader::new(&none)
            .read(text, name, Path::new(""), 0)
            .map_err(ProfileFault::new)
    }

    /// Reads a built-in profile by its name, or another one that `find` returns for a name and the
    /// folder where paths begin; likewise those that it extends.
    ///
    /// # Errors
    ///
    /// The error of `find`, or the first fault, with its place.
    pub fn load(
        chosen: &str,
        folder: &Path,
        find: &dyn Fn(&str, &Path) -> Result<ProfileText, String>,
    ) -> Result<Self, ProfileFault> {
        Reader::new(find)
            .find(chosen, folder, 0)
            .map_err(ProfileFault::new)
    }
}

/// Reads a profile and those that it extends.
struct Reader<'f> {
    files: Find<'f>,
    /// The number of profiles that were read.
    read: usize,
}

/// The keys in the order in which they are read: ranges of codes before those of other profiles,
/// which are weaker; methods before the rules that name them, and these before their levels.
const KEYS: [&str; 20] = [
    "description",
    "error_codes",
    "other_error_codes",
    "extends",
    "strict",
    "http_status",
    "expected_revision",
    "null_ids",
    "fractional_ids",
    "positional_params",
    "any_results",
    "batches",
    "method_names",
    "resource_uris",
    "methods",
    "notifications",
    "rule",
    "levels",
    "allowed",
    "refused",
];

impl<'f> Reader<'f> {
    fn new(files: Find<'f>) -> Self {
        Self { files, read: 0 }
    }

    /// Reads a built-in profile or a file; `depth` counts those that extend it.
    fn find(&mut self, chosen: &str, folder: &Path, depth: usize) -> Result<Profile, String> {
        if let Some(builtin) = Builtin::named(chosen) {
            let read = self.read(builtin.text, builtin.name, folder, depth);
            return read.map_err(|fault| format!("profile {chosen}:{fault}"));
        }
        let found = (self.files)(chosen, folder)?;
        self.read(&found.text, &found.name, &found.folder, depth)
            .map_err(|fault| format!("{}:{fault}", found.place))
    }

    /// Reads a text; paths begin at the folder. The fault begins with `line:column: `.
    fn read(
        &mut self,
        text: &str,
        name: &str,
        folder: &Path,
        depth: usize,
    ) -> Result<Profile, String> {
        self.parse(text, name, folder, depth)
            .map_err(|fault| fault.located(text))
    }

    fn parse(
        &mut self,
        text: &str,
        name: &str,
        folder: &Path,
        depth: usize,
    ) -> Result<Profile, Fault> {
        let root = DeTable::parse(text).map_err(|error| Fault::of_syntax(&error, text))?;
        let members = keys::members(root.get_ref());
        let mut profile = Profile::new(name);
        if let Some((key, _)) = members.iter().find(|(key, _)| !KEYS.contains(&key.text)) {
            return Err(key.fault(unknown_text("key", key.text, KEYS.into_iter())));
        }
        for wanted in KEYS {
            let found = members.iter().find(|(key, _)| key.text == wanted);
            match found {
                Some((_, value)) if wanted == "extends" => {
                    self.extend(&mut profile, value, folder, depth)?;
                }
                Some((_, value)) => set(&mut profile, wanted, value)?,
                None => {}
            }
        }
        Ok(profile)
    }

    fn extend(
        &mut self,
        profile: &mut Profile,
        value: Value<'_>,
        folder: &Path,
        depth: usize,
    ) -> Result<(), Fault> {
        for name in keys::texts(value, "`extends`")? {
            self.read += 1;
            if depth >= MAX_DEPTH || self.read > MAX_READ {
                let text = format!(
                    "more than {MAX_DEPTH} profiles extend one another, or more than {MAX_READ} are read"
                );
                return Err(name.fault(text));
            }
            let other = self.find(name.text, folder, depth + 1);
            let other = other.map_err(|fault| name.fault(fault))?;
            let taken = profile.extend(&other);
            taken.map_err(|fault| name.fault(fault.to_string()))?;
        }
        Ok(())
    }
}

/// Takes the value of a key.
fn set(profile: &mut Profile, key: &str, value: Value<'_>) -> Result<(), Fault> {
    let what = format!("`{key}`");
    if let Some((_, tolerance)) = TOLERANCES.into_iter().find(|(name, _)| *name == key) {
        if keys::boolean(value, &what)? {
            profile.allow(tolerance);
        } else {
            profile.refuse(tolerance);
        }
        return Ok(());
    }
    match key {
        "description" => {
            let text = keys::text(value, &what)?;
            if text.text.chars().any(char::is_control) {
                return Err(text.fault("`description` is one line"));
            }
            profile.describe(text.text);
        }
        "strict" if keys::boolean(value, &what)? => profile.raise_warnings(),
        "strict" => profile.keep_warnings(),
        "http_status" => profile.set_refusal_status(refusal_status(value, &what)?),
        "method_names" if keys::boolean(value, &what)? => profile.demand_method_names(),
        "method_names" => profile.accept_empty_methods(),
        "expected_revision" => expected_revision(profile, value)?,
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
        "allowed" | "refused" => {
            for (at, table) in keys::tables(value, key)? {
                let example = example(at, table, key == "refused")?;
                let added = profile.add_example(example);
                added.map_err(|fault| keys::fault(at, fault.to_string()))?;
            }
        }
        _ => levels(profile, keys::table(value, &what)?)?,
    }
    Ok(())
}

/// The keys of messages that the protocol does not allow.
const TOLERANCES: [(&str, Tolerance); 5] = [
    ("null_ids", Tolerance::NullIds),
    ("fractional_ids", Tolerance::FractionalIds),
    ("positional_params", Tolerance::PositionalParams),
    ("any_results", Tolerance::AnyResults),
    ("batches", Tolerance::Batches),
];

fn expected_revision(profile: &mut Profile, value: Value<'_>) -> Result<(), Fault> {
    if keys::text(value, "`expected_revision`").is_ok_and(|name| name.text == "latest-common") {
        profile.expect_latest_common_revision();
        return Ok(());
    }
    profile.expect_revision(revision(
        value,
        "expected_revision",
        &["latest", "latest-common"],
    )?);
    Ok(())
}

/// A table of `[[allowed]]` or `[[refused]]`.
fn example(at: Value<'_>, table: &DeTable<'_>, is_refused: bool) -> Result<Example, Fault> {
    let (mut messages, mut rule, mut in_force) = (Vec::new(), None, None);
    for (key, value) in keys::members(table) {
        match key.text {
            "messages" => {
                for line in keys::texts(value, "`messages`")? {
                    let sent = [
                        ("--> ", Direction::ClientToServer),
                        ("<-- ", Direction::ServerToClient),
                    ];
                    let sent = sent.into_iter().find_map(|(arrow, direction)| {
                        Some((direction, line.text.strip_prefix(arrow)?.to_owned()))
                    });
                    let text = "a message begins with `--> ` (of the client) or `<-- `";
                    messages.push(sent.ok_or_else(|| line.fault(text))?);
                }
            }
            "by" if is_refused => rule = Some(keys::text(value, "`by`")?.text),
            "revision" => in_force = Some(revision(value, "revision", &[])?),
            _ => {
                let known = ["messages", "revision", "by"];
                let known = if is_refused { &known[..] } else { &known[..2] };
                return Err(unknown_key(&key, known));
            }
        }
    }
    if messages.is_empty() {
        return Err(keys::fault(at, "this example has no `messages`"));
    }
    let example = match rule {
        Some(rule) => Example::refused(messages, rule),
        None if is_refused => {
            let text = "this example does not name the rule that refuses it: `by`";
            return Err(keys::fault(at, text));
        }
        None => Example::allowed(messages),
    };
    Ok(match in_force {
        Some(revision) => example.revision(revision),
        None => example,
    })
}

/// A revision by its name; `also` are other words that the key knows, the first of which is the
/// latest.
fn revision(value: Value<'_>, key: &str, also: &[&'static str]) -> Result<Revision, Fault> {
    if value.get_ref().is_datetime() {
        let text = format!("`{key}` must be a string: put it in quotes");
        return Err(keys::fault(value, text));
    }
    let name = keys::text(value, &format!("`{key}`"))?;
    if also.first() == Some(&name.text) {
        return Ok(Revision::latest());
    }
    Revision::ALL
        .into_iter()
        .find(|revision| revision.name() == name.text)
        .ok_or_else(|| {
            let known = Revision::ALL.into_iter().map(Revision::name);
            let known = known.chain(also.iter().copied());
            name.fault(unknown_text("revision", name.text, known))
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
            name.fault(unknown_text("HTTP status", name.text, known))
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
            name.fault(unknown_text("level", name.text, known))
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
            Err(name.fault(unknown_text("sender", other, known)))
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
    unknown_text("method", name, known)
}

pub(super) fn unknown_key(key: &Name<'_>, known: &[&str]) -> Fault {
    key.fault(unknown_text("key", key.text, known.iter().copied()))
}
