//! The profiles that are part of the library. They are files like any other, and read like any
//! other.

use std::sync::Arc;

use crate::catalogue::Policy;
use crate::catalogue::profile::{Profile, ProfileFault};
use crate::similar::unknown_text;

/// A profile that is part of the library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
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
    pub const ALL: [Self; 7] = [
        builtin!("spec"),
        builtin!("strict"),
        builtin!("erlmcp"),
        builtin!("base-stack"),
        builtin!("openai"),
        builtin!("anthropic"),
        builtin!("gemini"),
    ];

    /// The profile of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|builtin| builtin.name == name)
    }

    /// The names of all.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.into_iter().map(|builtin| builtin.name)
    }

    /// The profile, read from its text.
    ///
    /// # Errors
    ///
    /// Rules of profiles are kept for the life of the program: there are too many of them.
    pub fn profile(self) -> Result<Profile, ProfileFault> {
        Profile::parse(self.name, self.text)
    }
}

impl Policy {
    /// The default policy under a built-in profile.
    ///
    /// # Errors
    ///
    /// No built-in profile has this name.
    ///
    /// ```
    /// use mcp_assay::{Policy, Session, Validator, Verdict};
    ///
    /// let mut validator = Validator::new(Policy::profile("erlmcp")?);
    /// let message = br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#;
    /// assert_eq!(validator.check(&mut Session::new(), message).verdict(), Verdict::Pass);
    ///
    /// let unknown = Policy::profile("erlmpc").unwrap_err();
    /// assert_eq!(unknown.to_string(), "unknown profile `erlmpc`; did you mean `erlmcp`?");
    /// # Ok::<(), mcp_assay::profile::ProfileFault>(())
    /// ```
    pub fn profile(name: &str) -> Result<Self, ProfileFault> {
        let unknown = || unknown_text("profile", name, Builtin::names());
        let builtin = Builtin::named(name).ok_or_else(|| ProfileFault::new(unknown()))?;
        Ok(Self::with_profile(Arc::new(builtin.profile()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::profile::Example;

    #[test]
    fn every_file_is_read_and_says_what_it_is() {
        for builtin in Builtin::ALL {
            let profile = builtin.profile();
            let profile = profile.unwrap_or_else(|fault| panic!("{}:{fault}", builtin.name));
            assert!(!profile.description().is_empty(), "{}", builtin.name);
            assert_eq!(profile.name(), builtin.name);
        }
    }

    #[test]
    fn every_file_has_examples_that_do_what_they_say() {
        for builtin in Builtin::ALL {
            let profile = Arc::new(builtin.profile().unwrap());
            let allowed = profile.examples().iter().filter(|it| it.is_allowed());
            assert!(allowed.count() > 0, "{} allows nothing", builtin.name);
            let refused = profile.examples().iter().filter(|it| !it.is_allowed());
            assert!(refused.count() > 0, "{} refuses nothing", builtin.name);
            for example in profile.examples() {
                let fault = example.run(&profile).err();
                assert_eq!(fault, None, "{} {example:?}", builtin.name);
            }
        }
    }

    #[test]
    fn examples_of_a_dialect_differ_from_the_protocol() {
        for name in ["erlmcp", "base-stack"] {
            let profile = Builtin::named(name).unwrap().profile().unwrap();
            let spec = Arc::new(Builtin::named("spec").unwrap().profile().unwrap());
            let differ = |example: &&Example| example.run(&spec).is_err();
            let all = profile.examples().iter();
            let (allowed, refused): (Vec<_>, Vec<_>) =
                all.filter(differ).partition(|it| it.is_allowed());
            assert!(allowed.len() > 3 && !refused.is_empty(), "{name}");
        }
    }

    #[test]
    fn every_rule_of_a_provider_says_where_it_is_from_and_when() {
        for name in ["openai", "anthropic", "gemini"] {
            let builtin = Builtin::named(name).unwrap();
            let profile = builtin.profile().unwrap();
            assert!(profile.rules().count() > 0);
            for rule in profile.rules() {
                let dated = rule.spec.ends_with(')') && rule.spec.contains("(202");
                assert!(rule.spec.starts_with("https://") && dated, "{}", rule.spec);
                assert!(rule.name.starts_with(name), "{}", rule.name);
            }
        }
    }
}
