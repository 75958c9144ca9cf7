//! The profiles that are part of the program. They are files like any other, and read like any
//! other.

use std::path::Path;

use mcp_assay::profile::Profile;

use super::read::{self, Content};

/// A profile that is part of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    /// The file.
    pub(crate) text: &'static str,
}

/// The profile in the file of this name.
macro_rules! builtin {
    ($name:literal) => {
        Self {
            name: $name,
            text: include_str!(concat!("../../profiles/", $name, ".toml")),
        }
    };
}

impl Builtin {
    /// All of them, the protocol itself first.
    pub(crate) const ALL: [Self; 7] = [
        builtin!("spec"),
        builtin!("strict"),
        builtin!("erlmcp"),
        builtin!("base-stack"),
        builtin!("openai"),
        builtin!("anthropic"),
        builtin!("gemini"),
    ];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|builtin| builtin.name == name)
    }

    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.into_iter().map(|builtin| builtin.name)
    }

    /// Its description of itself, in one line.
    pub(crate) fn description(self) -> Result<String, String> {
        Ok(self.content()?.description)
    }

    pub(crate) fn profile(self) -> Result<Profile, String> {
        Ok(self.content()?.profile)
    }

    fn content(self) -> Result<Content, String> {
        // It names no files, so that the folder does not matter.
        read::read(self.text, self.name, Path::new(""), 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read_and_says_what_it_is() {
        for builtin in Builtin::ALL {
            let content = builtin.content();
            let content = content.unwrap_or_else(|fault| panic!("{}:{fault}", builtin.name));
            assert!(!content.description.is_empty(), "{}", builtin.name);
            assert_eq!(content.profile.name(), builtin.name);
        }
    }

    #[test]
    fn every_rule_of_a_provider_says_where_it_is_from_and_when() {
        for name in ["openai", "anthropic", "gemini"] {
            let builtin = Builtin::named(name).unwrap();
            let content = builtin.content().unwrap();
            assert!(content.profile.rules().count() > 0);
            for rule in content.profile.rules() {
                let dated = rule.spec.ends_with(')') && rule.spec.contains("(202");
                assert!(rule.spec.starts_with("https://") && dated, "{}", rule.spec);
                assert!(rule.name.starts_with(name), "{}", rule.name);
            }
        }
    }
}
