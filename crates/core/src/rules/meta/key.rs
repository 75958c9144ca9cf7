//! The grammar of keys in `_meta`, and of identifiers of extensions.

/// A key in its two parts.
#[derive(Debug)]
pub(crate) struct Key<'a> {
    /// The labels of the prefix, if there is one.
    prefix: Option<&'a str>,
    name: &'a str,
}

/// The part at fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KeyFault {
    /// The prefix.
    Prefix,
    /// The name.
    Name,
}

/// Keys that the specification and its extensions define under prefixes of MCP.
const DEFINED: &[&str] = &[
    "protocolVersion",
    "clientCapabilities",
    "clientInfo",
    "serverInfo",
    "logLevel",
    "subscriptionId",
    "related-task",
    "tasks",
    "ui",
];

/// Top-level domains that end a domain name, and hardly ever a reversed one.
const DOMAINS: &[&str] = &["com", "org", "net", "io", "dev", "ai", "app", "co"];

impl<'a> Key<'a> {
    /// Reads a key.
    pub(crate) fn read(key: &'a str) -> Result<Self, KeyFault> {
        let (prefix, name) = match key.split_once('/') {
            Some((prefix, name)) => (Some(prefix), name),
            None => (None, key),
        };
        if prefix.is_some_and(|prefix| !prefix.split('.').all(is_label)) {
            return Err(KeyFault::Prefix);
        }
        if !is_name(name) {
            return Err(KeyFault::Name);
        }
        Ok(Self { prefix, name })
    }

    /// Whether it is defined under the prefix of MCP.
    pub(crate) fn is_defined(&self) -> bool {
        self.prefix == Some("io.modelcontextprotocol") && DEFINED.contains(&self.name)
    }

    /// Whether the second label is that of MCP.
    pub(crate) fn is_reserved_by_second(&self) -> bool {
        self.label(|mut labels| labels.nth(1))
    }

    /// Whether the label before the last is that of MCP.
    pub(crate) fn is_reserved_by_last_but_one(&self) -> bool {
        self.label(|mut labels| labels.nth_back(1))
    }

    /// Whether the prefix plainly is a domain name that is not reversed.
    pub(crate) fn is_forward_domain(&self) -> bool {
        let Some((first, rest)) = self.prefix.and_then(|prefix| prefix.split_once('.')) else {
            return false;
        };
        let last = rest.rsplit('.').next().unwrap_or(rest);
        DOMAINS.contains(&last) && !DOMAINS.contains(&first) && first.len() > 3
    }

    fn label(&self, pick: impl Fn(core::str::Split<'a, char>) -> Option<&'a str>) -> bool {
        let picked = self.prefix.and_then(|prefix| pick(prefix.split('.')));
        matches!(picked, Some("modelcontextprotocol" | "mcp"))
    }
}

fn is_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

fn is_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    let inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    bytes.is_empty()
        || (bytes.first().is_some_and(u8::is_ascii_alphanumeric)
            && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
            && bytes.iter().all(inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_labels_and_names_are_words() {
        for good in [
            "progressToken",
            "com.example/x",
            "com.example-1.a/",
            "",
            "a-b_c.d",
            "x/y",
        ] {
            assert!(Key::read(good).is_ok(), "{good}");
        }
        for bad in [
            "-bad-/x",
            "1com/x",
            "com..example/x",
            "/x",
            "com.example-/x",
            "com_a/x",
        ] {
            assert_eq!(Key::read(bad).err(), Some(KeyFault::Prefix), "{bad}");
        }
        for bad in ["com.example/a b", "_x", "x-", "a/b/c", "é"] {
            assert_eq!(Key::read(bad).err(), Some(KeyFault::Name), "{bad}");
        }
    }

    #[test]
    fn reserved_prefixes_and_reversed_domains_are_told() {
        let key = |text| Key::read(text).expect("a key");
        for reserved in ["io.modelcontextprotocol/x", "dev.mcp/x", "com.mcp.tools/x"] {
            assert!(key(reserved).is_reserved_by_second(), "{reserved}");
        }
        assert!(!key("com.example.mcp/x").is_reserved_by_second());
        for reserved in ["modelcontextprotocol.io/x", "tools.mcp.com/x"] {
            assert!(key(reserved).is_reserved_by_last_but_one(), "{reserved}");
        }
        assert!(!key("io.modelcontextprotocol/x").is_reserved_by_last_but_one());
        assert!(key("example.com/x").is_forward_domain());
        for reversed in ["com.example/x", "io.github.someone/x", "dev.app/x", "org/x"] {
            assert!(!key(reversed).is_forward_domain(), "{reversed}");
        }
    }
}
