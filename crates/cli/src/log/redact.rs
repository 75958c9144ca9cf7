//! The values of bodies and headers that are secrets, by their keys.

use mcp_assay::syntax::Node;
use mcp_assay_live::redact::is_secret_name;
use regex::{RegexSet, RegexSetBuilder};

use crate::json;

/// The text in place of a secret.
pub(super) const REDACTED: &str = "[redacted]";

/// A pattern for keys, as a flag gives it.
pub(crate) fn key_pattern(pattern: &str) -> Result<String, String> {
    match set(&[pattern]) {
        Ok(_) => Ok(pattern.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Finds secrets.
#[derive(Clone, Debug)]
pub(crate) struct Redaction {
    asked_for: RegexSet,
}

impl Redaction {
    /// The usual patterns and these. Case does not matter.
    pub(crate) fn new(patterns: &[String]) -> anyhow::Result<Self> {
        Ok(Self {
            asked_for: set(patterns)?,
        })
    }

    /// Whether the value of this key is a secret.
    pub(super) fn hides(&self, key: &str) -> bool {
        self.is_asked_for(key) || is_secret_name(key)
    }

    /// Whether one of the given patterns finds this key.
    pub(crate) fn is_asked_for(&self, key: &str) -> bool {
        self.asked_for.is_match(key)
    }

    /// A value on one line, without secrets.
    pub(super) fn body(&self, value: Node<'_>, out: &mut Vec<u8>) {
        json::write(value, out, |key, _| self.hides(key).then_some(REDACTED));
    }

    /// A path with its query, of which only the keys are kept: authorisation codes have names that
    /// reveal nothing.
    pub(super) fn path(path: &str) -> String {
        let Some((path, query)) = path.split_once('?') else {
            return path.to_owned();
        };
        let pairs = query.split('&').map(|pair| match pair.split_once('=') {
            Some((key, _)) => format!("{key}={REDACTED}"),
            None => REDACTED.to_owned(),
        });
        format!("{path}?{}", pairs.collect::<Vec<_>>().join("&"))
    }
}

fn set(patterns: &[impl AsRef<str>]) -> anyhow::Result<RegexSet> {
    let set = RegexSetBuilder::new(patterns)
        .case_insensitive(true)
        .build()?;
    Ok(set)
}

#[cfg(test)]
mod tests {
    use mcp_assay::Limits;
    use mcp_assay::syntax::{Tape, scan};

    use super::*;

    #[test]
    fn secrets_are_found_by_key_at_any_depth() {
        let redaction = Redaction::new(&["^iban$".to_owned()]).unwrap();
        let text = r#"{"params":{"API_key":"a","list":[{"Password":{"x":1}},{"IBAN":2,"ibanity":3}],"_meta":{"progressToken":"p"},
            "set-cookie":["c"],"maxTokens":9,"accessToken":null,"pass\u0077ord":"e"}}"#;
        let (mut tape, mut out) = (Tape::new(), Vec::new());
        scan(text.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).unwrap();
        redaction.body(tape.root(text.as_bytes()).unwrap(), &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            concat!(
                r#"{"params":{"API_key":"[redacted]","list":[{"Password":"[redacted]"},{"IBAN":"[redacted]","ibanity":3}],"#,
                r#""_meta":{"progressToken":"p"},"set-cookie":"[redacted]","maxTokens":9,"accessToken":"[redacted]","#,
                r#""password":"[redacted]"}}"#
            )
        );
        assert!(redaction.hides("Authorization"));
        assert!(redaction.hides("Mcp-Session-Id"));
        assert!(!redaction.hides("content-type"));
    }

    #[test]
    fn queries_lose_their_values() {
        assert_eq!(Redaction::path("/mcp"), "/mcp");
        assert_eq!(
            Redaction::path("/mcp?code=abc&x=1&plain"),
            "/mcp?code=[redacted]&x=[redacted]&[redacted]"
        );
    }

    #[test]
    fn a_pattern_that_is_none_is_refused() {
        assert!(key_pattern("a[b").is_err());
        assert!(Redaction::new(&["a(".to_owned()]).is_err());
    }
}
