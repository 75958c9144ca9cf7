//! Profiles of SDKs: files below `profiles/sdk`, embedded.

use std::fmt;
use std::sync::LazyLock;

use toml::Table;

/// An SDK, its version if that is known, and how it is known.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sdk {
    /// The name of its profile.
    pub name: &'static str,
    /// Its version.
    pub version: Option<String>,
    /// The source of this knowledge, in words.
    pub known_by: String,
}

/// A name that is no SDK with a profile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownSdk(String);

impl fmt::Display for UnknownSdk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = PROFILES.iter().map(|profile| profile.name).collect();
        let known = names.join(", ");
        write!(
            f,
            "no SDK is called `{}`; known are {known}",
            self.0.escape_debug()
        )
    }
}

impl std::error::Error for UnknownSdk {}

/// A profile of an SDK.
pub(super) struct Profile {
    pub(super) name: &'static str,
    title: String,
    issues: String,
    pub(super) npm: Vec<String>,
    pub(super) python: Vec<String>,
    pub(super) rust: Vec<String>,
    pub(super) imports: Vec<String>,
    pub(super) wording: Vec<Wording>,
    habits: Vec<Habit>,
}

/// The beginning of an error message of the SDK, and the versions that write it.
pub(super) struct Wording {
    pub(super) begins: String,
    /// The first numbers of the version, if only some versions write it.
    pub(super) version: Option<String>,
}

/// Findings that are those of the SDK.
struct Habit {
    rules: Vec<String>,
    since: Option<String>,
    before: Option<String>,
    says: String,
    reason: String,
}

/// `FastMCP` is built on the Python SDK and installed beside it, so it comes first.
pub(super) static PROFILES: LazyLock<Vec<Profile>> = LazyLock::new(|| {
    [
        ("fastmcp", include_str!("../../profiles/sdk/fastmcp.toml")),
        ("python", include_str!("../../profiles/sdk/python.toml")),
        (
            "typescript",
            include_str!("../../profiles/sdk/typescript.toml"),
        ),
        ("rmcp", include_str!("../../profiles/sdk/rmcp.toml")),
    ]
    .map(|(name, text)| read(name, text))
    .into()
});

fn read(name: &'static str, text: &str) -> Profile {
    let table: Table = text.parse().expect("embedded profiles are tested");
    let habits = table.get("does").and_then(|does| does.as_array());
    let habits = habits
        .into_iter()
        .flatten()
        .filter_map(|one| one.as_table());
    Profile {
        name,
        title: string(&table, "title"),
        issues: string(&table, "issues"),
        npm: strings(&table, "npm"),
        python: strings(&table, "python"),
        rust: strings(&table, "rust"),
        imports: strings(&table, "imports"),
        wording: wordings(&table),
        habits: habits
            .map(|one| Habit {
                rules: strings(one, "rules"),
                since: one.get("since").map(|_| string(one, "since")),
                before: one.get("before").map(|_| string(one, "before")),
                says: string(one, "says"),
                reason: string(one, "reason"),
            })
            .collect(),
    }
}

fn wordings(table: &Table) -> Vec<Wording> {
    let wordings = table.get("wording").and_then(|wording| wording.as_table());
    let wordings = wordings.into_iter().flatten();
    let wordings = wordings.map(|(begins, version)| Wording {
        begins: begins.clone(),
        version: version
            .as_str()
            .filter(|text| !text.is_empty())
            .map(str::to_owned),
    });
    wordings.collect()
}

fn string(table: &Table, key: &str) -> String {
    let value = table.get(key).and_then(|value| value.as_str());
    value.unwrap_or_default().to_owned()
}

fn strings(table: &Table, key: &str) -> Vec<String> {
    let values = table.get(key).and_then(|value| value.as_array());
    let values = values
        .into_iter()
        .flatten()
        .filter_map(|value| value.as_str());
    values.map(str::to_owned).collect()
}

impl Sdk {
    /// The SDK that a user names, `NAME` or `NAME@VERSION`.
    ///
    /// ```
    /// let sdk = mcp_assay_probe::Sdk::named("typescript@1.32.2", "--sdk")?;
    /// assert_eq!(sdk.to_string(), "MCP TypeScript SDK 1.32.2 (named by --sdk)");
    /// assert!(mcp_assay_probe::Sdk::named("cobol", "--sdk").is_err());
    /// # Ok::<(), mcp_assay_probe::UnknownSdk>(())
    /// ```
    pub fn named(text: &str, by: &str) -> Result<Self, UnknownSdk> {
        let (name, version) = match text.split_once('@') {
            Some((name, version)) => (name, Some(version.to_owned())),
            None => (text, None),
        };
        let profile = PROFILES.iter().find(|profile| profile.name == name);
        let profile = profile.ok_or_else(|| UnknownSdk(name.to_owned()))?;
        Ok(Self {
            name: profile.name,
            version,
            known_by: format!("named by {by}"),
        })
    }

    /// The behaviour of the SDK itself that leads to a finding of a rule.
    #[must_use]
    pub fn reason(&self, rule: &str, message: &str) -> Option<&'static str> {
        let habit = self.profile().habits.iter().find(|habit| {
            habit.rules.iter().any(|one| one == rule)
                && message.contains(&habit.says)
                && self.is_within(habit)
        });
        habit.map(|habit| habit.reason.as_str())
    }

    /// The place where its authors want to hear of faults.
    #[must_use]
    pub fn issues(&self) -> &'static str {
        &self.profile().issues
    }

    fn profile(&self) -> &'static Profile {
        let known = PROFILES.iter().find(|profile| profile.name == self.name);
        known.expect("an SDK is made from its profile")
    }

    /// Without a version the SDK is taken to have the habit, and with its first numbers alone that
    /// of any version that begins so.
    fn is_within(&self, habit: &Habit) -> bool {
        let Some(version) = &self.version else {
            return true;
        };
        let version = numbers(version);
        let since = habit.since.as_deref().map(numbers);
        let before = habit.before.as_deref().map(numbers);
        let is_since = |mut since: Vec<u64>| {
            since.truncate(version.len());
            version >= since
        };
        since.is_none_or(is_since) && before.is_none_or(|before| version < before)
    }
}

impl fmt::Display for Sdk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.profile().title)?;
        if let Some(version) = &self.version {
            write!(f, " {version}")?;
        }
        write!(f, " ({})", self.known_by)
    }
}

/// The numbers of a version: `1.32.2-beta` is 1, 32, 2.
fn numbers(version: &str) -> Vec<u64> {
    let parts = version.split(['.', '-', '+']);
    parts.map_while(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requirements::find_rule;

    #[test]
    fn habits_name_rules_and_reasons() {
        for profile in PROFILES.iter() {
            assert!(!profile.title.is_empty() && profile.issues.starts_with("https://"));
            assert!(!profile.habits.is_empty(), "{}", profile.name);
            for habit in &profile.habits {
                assert!(
                    !habit.reason.is_empty(),
                    "{}: {:?}",
                    profile.name,
                    habit.rules
                );
                for rule in &habit.rules {
                    assert!(find_rule(rule).is_some(), "{}: {rule}", profile.name);
                }
            }
        }
    }

    #[test]
    fn a_habit_ends_with_the_version_that_no_longer_has_it() {
        let reason = |sdk: &str| {
            let sdk = Sdk::named(sdk, "--sdk").unwrap();
            sdk.reason(
                "jsonrpc/unknown-method-reply",
                "was answered with error -32602",
            )
        };
        assert!(reason("python@1.30.0").is_some());
        assert!(reason("python").is_some());
        assert!(reason("python@2.3.0").is_none());
        assert!(reason("typescript@1.0").is_none());
    }

    #[test]
    fn the_first_numbers_of_a_version_may_be_known_alone() {
        let habit = |since: &str, before: &str| Habit {
            rules: Vec::new(),
            since: Some(since.to_owned()),
            before: Some(before.to_owned()),
            says: String::new(),
            reason: String::new(),
        };
        let is_within = |version: &str, since: &str, before: &str| {
            let sdk = Sdk::named(&format!("python@{version}"), "--sdk").unwrap();
            sdk.is_within(&habit(since, before))
        };
        assert!(is_within("1", "1.10", "2"));
        assert!(is_within("1.12", "1.10", "2"));
        assert!(!is_within("1.9", "1.10", "2"));
        assert!(!is_within("2", "1.10", "2"));
        assert!(!is_within("1", "2", "3"));
    }
}
