//! Reads the text of `mcp-assay.toml`: every key and every name is known, or the fault has its
//! place and a suggestion.

use std::path::Path;

use mcp_assay::toml_keys::{self as keys, Fault, Name, Value};
use mcp_assay::{Layer, LevelOverride, RefusalStatus, Revision};
use mcp_assay_report::Format;
use toml::de::{DeTable, DeValue};

use super::choices::{Choices, LIMITS};
use super::gateway::GatewayTable;
use super::outputs::Outputs;
use crate::args::{Choice, MAX_MESSAGE_BYTES};
use crate::globs::Files;
use crate::profile::ChosenProfile;
use crate::rule_names::selectable;
use crate::suggest;

/// The content of the file.
#[derive(Debug, Default)]
pub(super) struct Content {
    /// For all files.
    pub(super) choices: Choices,
    pub(super) format: Option<Format>,
    /// `NAME[@VERSION]`.
    pub(super) sdk: Option<String>,
    /// As it is written.
    pub(super) baseline: Option<String>,
    /// As it is written.
    pub(super) schema: Option<String>,
    pub(super) schema_required: bool,
    /// In seconds.
    pub(super) schema_refresh: Option<u64>,
    pub(super) gateway: GatewayTable,
    pub(super) outputs: Outputs,
    /// For some files, in the order of the file.
    pub(super) paths: Vec<PathTable>,
}

/// A `[[path]]` table.
#[derive(Debug, Default)]
pub(super) struct PathTable {
    pub(super) files: Files,
    pub(super) choices: Choices,
}

/// The keys that a `[[path]]` table has, too.
pub(super) const CHOICES: [&str; 8] = [
    "select", "ignore", "levels", "layers", "strict", "revision", "limits", "profile",
];

/// The keys that hold for a whole run.
pub(super) const WHOLE: [&str; 14] = [
    "format",
    "sdk",
    "baseline",
    "schema_override",
    "schema_required",
    "schema_refresh",
    "http_status",
    "record_secrets",
    "redact",
    "rotate_size",
    "rotate_age",
    "rotate_keep",
    "path",
    "gateway",
];

/// The longest interval between two readings of the document: a year, in seconds.
pub(super) const MAX_REFRESH: u64 = 366 * 24 * 60 * 60;

/// Reads the text of a file in this folder; the fault begins with `line:column: `.
pub(super) fn read(text: &str, folder: &Path) -> Result<Content, String> {
    parse(text, folder).map_err(|fault| fault.located(text))
}

fn parse(text: &str, folder: &Path) -> Result<Content, Fault> {
    let root = DeTable::parse(text).map_err(|error| Fault::of_syntax(&error, text))?;
    let mut content = Content::default();
    for (key, value) in keys::members(root.get_ref()) {
        match key.text {
            "format" => {
                let formats = Format::ALL.map(|format| (format.name(), format));
                content.format = Some(one_of(value, "`format`", "format", &formats)?);
            }
            "sdk" => content.sdk = Some(keys::text(value, "`sdk`")?.text.to_owned()),
            "baseline" => content.baseline = Some(path(value, "`baseline`")?),
            "schema_override" => content.schema = Some(path(value, "`schema_override`")?),
            "schema_required" => {
                content.schema_required = keys::boolean(value, "`schema_required`")?;
            }
            "schema_refresh" => {
                let seconds = keys::count(value, "`schema_refresh`", MAX_REFRESH)?;
                content.schema_refresh = Some(seconds as u64);
            }
            "http_status" => {
                let known = RefusalStatus::ALL.map(|status| (status.name(), status));
                let status = one_of(value, "`http_status`", "HTTP status", &known)?;
                content.choices.refusal_status = Some(status);
            }
            "record_secrets" | "redact" | "rotate_size" | "rotate_age" | "rotate_keep" => {
                content.outputs.read(&key, value)?;
            }
            "gateway" => content.gateway = super::gateway::gateway(value)?,
            "path" => {
                for (_, table) in keys::tables(value, "path")? {
                    content.paths.push(path_table(value, table, folder)?);
                }
            }
            _ => choose(&mut content.choices, &key, value, folder, || {
                suggest::unknown_text("key", key.text, WHOLE.into_iter().chain(CHOICES))
            })?,
        }
    }
    Ok(content)
}

fn path_table(at: Value<'_>, table: &DeTable<'_>, folder: &Path) -> Result<PathTable, Fault> {
    let mut path = PathTable::default();
    let mut has_files = false;
    for (key, value) in keys::members(table) {
        if key.text == "files" {
            has_files = true;
            for pattern in keys::texts(value, "`files`")? {
                let added = path.files.add(pattern.text);
                added.map_err(|fault| {
                    pattern.fault(format!("`files` has a bad pattern: {fault}"))
                })?;
            }
            continue;
        }
        choose(&mut path.choices, &key, value, folder, || {
            if WHOLE.contains(&key.text) {
                format!(
                    "`{}` holds for the whole run: write it above the first table",
                    key.text
                )
            } else {
                let known = CHOICES.into_iter().chain(["files"]);
                suggest::unknown_text("key", key.text, known)
            }
        })?;
    }
    if has_files {
        return Ok(path);
    }
    let place = keys::members(table)
        .into_iter()
        .next()
        .map(|(first, _)| first);
    let text = "this `[[path]]` has no `files`";
    Err(place.map_or_else(|| keys::fault(at, text), |first| first.fault(text)))
}

/// Reads a key that tables and the whole file share; `unknown` is the fault for any other.
fn choose(
    choices: &mut Choices,
    key: &Name<'_>,
    value: Value<'_>,
    folder: &Path,
    unknown: impl FnOnce() -> String,
) -> Result<(), Fault> {
    match key.text {
        "select" => choices.select = Some(selectables(value, "`select`")?),
        "ignore" => choices.ignore = selectables(value, "`ignore`")?,
        "levels" => choices.levels = levels(value)?,
        "layers" => choices.layers = Some(layers(value)?),
        "strict" => choices.strict = Some(keys::strictness(value, "`strict`")?),
        "revision" => choices.revision = Some(revision(value)?),
        "profile" => choices.profile = Some(profile(value, folder)?),
        "limits" => {
            for (limit, value) in keys::members(keys::table(value, "`limits`")?) {
                let names = LIMITS.iter().map(|(name, _)| *name);
                let Some((name, _)) = LIMITS.iter().find(|(name, _)| *name == limit.text) else {
                    return Err(limit.fault(suggest::unknown_text("limit", limit.text, names)));
                };
                let count = keys::count(value, &format!("`{name}`"), max_of_limit(name))?;
                choices.limits.push((*name, count));
            }
        }
        _ => return Err(key.fault(unknown())),
    }
    Ok(())
}

/// The largest value of a limit. Offsets of bytes, and so everything that is counted in a message,
/// fit 32 bits.
pub(super) fn max_of_limit(name: &str) -> u64 {
    match name {
        "bytes" => u64::from(MAX_MESSAGE_BYTES),
        _ => u64::from(u32::MAX),
    }
}

fn selectables(value: Value<'_>, what: &str) -> Result<Vec<&'static str>, Fault> {
    keys::texts(value, what)?
        .iter()
        .map(|name| selectable(name.text).map_err(|unknown| name.fault(unknown.to_string())))
        .collect()
}

fn levels(value: Value<'_>) -> Result<Vec<(&'static str, LevelOverride)>, Fault> {
    keys::members(keys::table(value, "`levels`")?)
        .into_iter()
        .map(|(name, value)| {
            let what = selectable(name.text).map_err(|unknown| {
                // In TOML everything below `[levels]` belongs to it.
                if WHOLE.contains(&name.text) || CHOICES.contains(&name.text) {
                    name.fault(format!(
                        "`{}` is in the table `levels`: write it above all tables",
                        name.text
                    ))
                } else {
                    name.fault(unknown.to_string())
                }
            })?;
            // `progress/token-known.off` and the like: a table in place of a level.
            if let DeValue::Table(_) = value.get_ref() {
                return Err(keys::fault(
                    value,
                    format!("the level of `{what}` must be a string"),
                ));
            }
            let known = LevelOverride::ALL.map(|level| (level.name(), level));
            let level = one_of(value, &format!("the level of `{what}`"), "level", &known)?;
            Ok((what, level))
        })
        .collect()
}

fn layers(value: Value<'_>) -> Result<Vec<Layer>, Fault> {
    keys::texts(value, "`layers`")?
        .into_iter()
        .map(|name| {
            Layer::ALL
                .into_iter()
                .find(|layer| layer.name() == name.text)
                .ok_or_else(|| {
                    let known = Layer::ALL.into_iter().map(Layer::name);
                    name.fault(suggest::unknown_text("layer", name.text, known))
                })
        })
        .collect()
}

fn revision(value: Value<'_>) -> Result<Choice<Revision>, Fault> {
    let mut known = vec![("auto", Choice::Auto)];
    known.extend(Revision::ALL.map(|revision| (revision.name(), Choice::Given(revision))));
    // Unquoted it is a date, not a string.
    if value.get_ref().is_datetime() {
        return Err(keys::fault(
            value,
            "`revision` must be a string: put it in quotes",
        ));
    }
    one_of(value, "`revision`", "revision", &known)
}

/// A built-in profile, or a file beside the configuration.
fn profile(value: Value<'_>, folder: &Path) -> Result<ChosenProfile, Fault> {
    let name = keys::text(value, "`profile`")?;
    ChosenProfile::load_in(name.text, folder).map_err(|fault| name.fault(fault))
}

fn path(value: Value<'_>, what: &str) -> Result<String, Fault> {
    Ok(keys::text(value, what)?.text.to_owned())
}

fn one_of<T: Copy>(
    value: Value<'_>,
    key: &str,
    what: &str,
    known: &[(&str, T)],
) -> Result<T, Fault> {
    let name = keys::text(value, key)?;
    known
        .iter()
        .find(|(known, _)| *known == name.text)
        .map(|(_, value)| *value)
        .ok_or_else(|| {
            let names = known.iter().map(|(name, _)| *name);
            name.fault(suggest::unknown_text(what, name.text, names))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Content, String> {
        super::read(text, Path::new("."))
    }

    #[test]
    fn everything_is_read() {
        let content = read(
            r#"
            select = ["schema", "json"]
            ignore = "note"
            layers = ["json", "schema"]
            strict = "should"
            http_status = "canonical"
            revision = "2025-06-18"
            format = "ndjson"
            baseline = "known.json"
            schema_override = "schema.json"
            schema_required = true
            schema_refresh = 60
            record_secrets = true
            redact = ["^iban$"]
            rotate_size = 1000
            rotate_age = 60
            rotate_keep = 3
            limits = { bytes = 0x100_000, open_requests = 10 }

            [levels]
            schema = "warning"
            "json/no-bom" = "off"

            [[path]]
            files = ["legacy/**", "*.log"]
            revision = "auto"

            [path.levels]
            error = "note"
            "#,
        )
        .unwrap();
        let choices = &content.choices;
        assert_eq!(choices.select.as_deref(), Some(&["schema", "json"][..]));
        assert_eq!(choices.ignore, ["note"]);
        assert_eq!(
            choices.layers.as_deref(),
            Some(&[Layer::Json, Layer::Schema][..])
        );
        assert_eq!(choices.strict, Some(true));
        assert_eq!(choices.refusal_status, Some(RefusalStatus::Canonical));
        assert_eq!(choices.revision, Some(Choice::Given(Revision::V2025_06_18)));
        assert_eq!(content.format, Some(Format::Ndjson));
        assert_eq!(content.baseline.as_deref(), Some("known.json"));
        assert_eq!(content.schema.as_deref(), Some("schema.json"));
        assert!(content.schema_required);
        assert_eq!(content.schema_refresh, Some(60));
        let outputs = Outputs {
            record_secrets: true,
            redact: vec!["^iban$".to_owned()],
            rotate_size: Some(1000),
            rotate_age: Some(std::time::Duration::from_secs(60)),
            rotate_keep: Some(3),
        };
        assert_eq!(content.outputs, outputs);
        assert_eq!(choices.limits, [("bytes", 1 << 20), ("open_requests", 10)]);
        let levels = [
            ("schema", LevelOverride::Warning),
            ("json/no-bom", LevelOverride::Off),
        ];
        assert_eq!(choices.levels, levels);
        let [path] = &content.paths[..] else {
            panic!("{content:?}")
        };
        assert_eq!(path.choices.revision, Some(Choice::Auto));
        assert_eq!(path.choices.levels, [("error", LevelOverride::Note)]);
        assert_eq!(read("").unwrap().choices, Choices::default());
    }

    #[test]
    fn faults_name_place_and_what_was_meant() {
        for (text, fault) in [
            (
                "strict = true\nignroe = []",
                "2:1: unknown key `ignroe`; did you mean `ignore`?",
            ),
            (
                "select = [\n  \"json\",\n  \"shema\",\n]",
                "3:3: no rule, family, layer or level is called `shema`; did you mean `schema`?",
            ),
            (
                "[levels]\n\"schema/wrong-typ\" = \"off\"",
                "2:1: no rule, family, layer or level is called `schema/wrong-typ`; did you mean `schema/wrong-type`?",
            ),
            (
                "[levels]\nschema = \"of\"",
                "2:10: unknown level `of`; did you mean `off`?",
            ),
            (
                "levels.schema = 3",
                "1:17: the level of `schema` must be a string",
            ),
            (
                "[levels]\nstrict = true",
                "2:1: `strict` is in the table `levels`: write it above all tables",
            ),
            (
                "strict = \"yes\"",
                "1:10: `strict` must be `true`, `false`, `\"must\"` or `\"should\"`",
            ),
            (
                "layers = \"jsonrcp\"",
                "1:10: unknown layer `jsonrcp`; did you mean `jsonrpc`?",
            ),
            (
                "format = \"xml\"",
                "1:10: unknown format `xml`; known are human, concise, json, ndjson, junit, sarif, github, html",
            ),
            (
                "revision = 2025-06-18",
                "1:12: `revision` must be a string: put it in quotes",
            ),
            (
                "revision = \"2025-06-17\"",
                "1:12: unknown revision `2025-06-17`; did you mean `2025-06-18`?",
            ),
            (
                "limits.byte = 3",
                "1:8: unknown limit `byte`; did you mean `bytes`?",
            ),
            (
                "limits.depth = 0",
                "1:16: `depth` must be a whole number from 1 to 4294967295",
            ),
            ("redact = \"a[\"", "1:10: `redact` has a bad pattern"),
            ("limits = 3", "1:10: `limits` must be a table"),
            (
                "[[path]]\nstrict = true",
                "2:1: this `[[path]]` has no `files`",
            ),
            (
                "[[path]]\nfiles = \"a\"\nformat = \"json\"",
                "3:1: `format` holds for the whole run: write it above the first table",
            ),
            (
                "[[path]]\nfile = \"a\"",
                "2:1: unknown key `file`; did you mean `files`?",
            ),
            (
                "[gateway]\nlisen = \"a\"",
                "2:1: unknown key `lisen`; did you mean `listen`?",
            ),
            (
                "[gateway.upstreams]\nweather = \"http://a/mcp\"",
                "2:1: a path begins with `/`",
            ),
            (
                "[gateway.upstreams]\n\"/a\" = \"ftp://a/mcp\"",
                "2:8: the server's URL begins with neither http:// nor https://",
            ),
            (
                "[path]\nfiles = \"a\"",
                "1:1: `path` must be written as `[[path]]`",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), fault, "{text}");
        }
        for (text, place) in [
            ("é = [", "1:6: "),
            ("a = 1\na = 2", "2:1: "),
            ("[[path]]\nfiles = \"a[\"", "2:9: "),
        ] {
            let fault = read(text).unwrap_err();
            assert!(fault.starts_with(place), "{text}: {fault}");
        }
    }
}
