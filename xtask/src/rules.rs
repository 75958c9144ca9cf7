//! The lists of rules: `rules/mod.rs` and the `mod.rs` of each family, from the files that are
//! there; and the file of a new rule.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::files::{self, Mode};

const FOLDER: &str = "crates/core/src/rules";

/// Folders that are no family.
const OTHERS: &[&str] = &["support"];

const FIRST_LINE: &str = "// Written by `cargo xtask codegen`: do not edit.\n";

/// Writes or compares the lists.
pub(crate) fn run(mode: Mode) -> Result<()> {
    let mut families = Vec::new();
    for family in names(Path::new(FOLDER), "")? {
        if OTHERS.contains(&family.as_str()) {
            continue;
        }
        let folder = format!("{FOLDER}/{family}");
        let text = family_list(&family, &folder)?;
        files::settle(&format!("{folder}/mod.rs"), &text, mode, "codegen")?;
        families.push(family);
    }
    files::settle(
        &format!("{FOLDER}/mod.rs"),
        &root_list(&families),
        mode,
        "codegen",
    )
}

/// Writes the file of a new rule, to be filled in.
pub(crate) fn scaffold(family: &str, name: &str) -> Result<()> {
    for word in [family, name] {
        let well_named = word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        ensure!(
            well_named && !word.is_empty(),
            "`{word}` is not a name: lower case, digits and hyphens"
        );
    }
    let path = format!(
        "{FOLDER}/{}/{}.rs",
        family.replace('-', "_"),
        name.replace('-', "_")
    );
    if files::root().join(&path).exists() {
        bail!("{path} is there already");
    }
    files::settle(
        &path,
        &TEMPLATE.replace("FAMILY", family).replace("NAME", name),
        Mode::Write,
        "new-rule",
    )?;
    run(Mode::Write)
}

fn root_list(families: &[String]) -> String {
    let mut text = String::from(FIRST_LINE);
    text.push_str(
        "//! The rules: the page of each, and how it is found.\n//!\n\
         //! A rule is a file `<family>/<requirement>.rs` with its page and its check. Rules that the stages raise while they\n\
         //! read a message are in `inline`; functions that several rules need are in `support/`.\n\n",
    );
    let mut mods: Vec<String> = families
        .iter()
        .map(|family| format!("pub mod {family};"))
        .collect();
    for own in [
        "mod applies;",
        "pub(crate) mod check;",
        "mod dialect;",
        "mod list;",
        "mod prelude;",
        "mod selectable;",
        "pub(crate) mod support;",
    ] {
        mods.push(own.to_owned());
    }
    mods.sort_by_key(|line| line.rsplit(' ').next().map(str::to_owned));
    text.push_str(&mods.join("\n"));
    text.push_str(
        "\n\nuse self::check::Check;\npub(crate) use self::dialect::GROUP as DIALECT;\npub(crate) use self::list::{Listed, listed};\npub use self::list::{all, find};\n\
         pub use self::selectable::{UnknownName, selectable};\npub use crate::catalogue::{Parties, Rule, inline};\n\n\
         /// The rules of each family.\n#[rustfmt::skip]\nstatic FAMILIES: &[&[(&Rule, &Check)]] = &[\n",
    );
    for family in families {
        let _ = writeln!(text, "    {family}::ALL,");
    }
    text.push_str("];\n");
    text
}

fn family_list(family: &str, folder: &str) -> Result<String> {
    let files = names(Path::new(folder), ".rs")?;
    let mut rules = Vec::new();
    let mut mods = String::new();
    for file in files.iter().filter(|file| *file != "mod") {
        let path = format!("{folder}/{file}.rs");
        let text = fs::read_to_string(files::root().join(&path))
            .with_context(|| format!("cannot read {path}"))?;
        if text.contains("\n    RULE = {\n") {
            rules.push(file);
        }
        let _ = writeln!(mods, "mod {file};");
    }
    let mut text = format!(
        "{FIRST_LINE}//! Rules of the family `{}`.\n\n{mods}\n",
        family.replace('_', "-")
    );
    for rule in &rules {
        let _ = writeln!(
            text,
            "pub use self::{rule}::RULE as {};",
            rule.to_uppercase()
        );
    }
    text.push_str(
        "use super::Rule;\nuse super::check::Check;\n\n/// All of them, by name.\n#[rustfmt::skip]\n\
         pub(super) static ALL: &[(&Rule, &Check)] = &[\n",
    );
    for rule in rules {
        let _ = writeln!(text, "    (&{}, &{rule}::CHECK),", rule.to_uppercase());
    }
    text.push_str("];\n");
    Ok(text)
}

/// The files that end so, or the folders, in a folder; sorted, without the ending.
fn names(folder: &Path, ending: &str) -> Result<Vec<String>> {
    let full = files::root().join(folder);
    let mut found = Vec::new();
    for entry in fs::read_dir(&full).with_context(|| format!("cannot read {}", full.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if ending.is_empty() == entry.file_type()?.is_dir()
            && let Some(name) = name.strip_suffix(ending)
        {
            found.push(name.to_owned());
        }
    }
    found.sort();
    Ok(found)
}

/// The outline of a new rule. It does not compile until its check is written.
const TEMPLATE: &str = r#"//! `FAMILY/NAME`

use crate::rules::prelude::*;

rule! {
    /// One sentence: what is wrong.
    ///
    /// Why it hurts.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    ///                           ^ what to see here
    /// ```
    RULE = {
        name: "FAMILY/NAME",
        layer: Session,
        level: Error,
        spec: "basic#messages",
        help: "what to do about it",
        check: Check::Message(&[On::AnyRequest], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    compile_error!("report the fault, if there is one");
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_name_the_rules_that_are_there() {
        run(Mode::Check).unwrap();
    }
}
