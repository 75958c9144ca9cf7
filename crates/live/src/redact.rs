//! Credentials in what is written down about traffic: the names that give them away, and the
//! placeholder in their place.
//!
//! A placeholder is a plain word, and equal credentials have equal placeholders within one run: a
//! recording without credentials is checked as the traffic was. Messages themselves stay as they
//! are.

use std::borrow::Cow;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher as _;
use std::sync::Arc;

use mcp_assay::syntax::{Kind, ScanLimits, Tape, scan};

/// Words in names whose values are secrets; `-` and `_` in a name do not count.
const SECRETS: [&str; 18] = [
    "authorization",
    "authenticat",
    "token",
    "secret",
    "passw",
    "passphrase",
    "apikey",
    "accesskey",
    "privatekey",
    "subscriptionkey",
    "functionskey",
    "cookie",
    "credential",
    "sessionid",
    "bearer",
    "signature",
    "codeverifier",
    "assertion",
];

/// Names that are secrets as a whole.
const SECRET_NAMES: [&str; 3] = ["pwd", "jwt", "xauth"];

/// Keys of the protocol that only sound like it.
const HARMLESS: [&str; 2] = ["progressToken", "maxTokens"];

/// Names in a query that are secrets besides the others: codes of authorisation, keys, signatures.
const QUERY_SECRETS: [&str; 6] = ["key", "code", "auth", "sig", "pass", "state"];

/// Headers that only sound like it: the session is part of the protocol, a challenge is no answer.
const HARMLESS_HEADERS: [&str; 3] = ["www-authenticate", "proxy-authenticate", "x-mcp-session-id"];

/// Headers whose value is a URL.
const URL_HEADERS: [&str; 5] = ["location", "content-location", "referer", "link", "refresh"];

/// Members of documents of authorisation that are secrets.
const DOCUMENT_SECRETS: [&str; 8] = [
    "access_token",
    "refresh_token",
    "id_token",
    "client_secret",
    "registration_access_token",
    "code_verifier",
    "assertion",
    "password",
];

/// Whether a value of this name is a secret, by the words in the name. Case does not matter.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    if HARMLESS.contains(&name) {
        return false;
    }
    let plain: String = name
        .chars()
        .filter(|character| !matches!(character, '-' | '_'))
        .map(|character| character.to_ascii_lowercase())
        .collect();
    SECRET_NAMES.contains(&plain.as_str()) || SECRETS.iter().any(|word| plain.contains(word))
}

/// Says which further names are those of secrets.
pub type FurtherNames = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// Replaces credentials in heads of HTTP and documents of authorisation.
#[derive(Clone)]
pub struct Redactor {
    further: Option<FurtherNames>,
    /// The key of the placeholders, which is different in every run.
    key: RandomState,
}

impl Redactor {
    /// Redacts values of the usual names.
    #[must_use]
    pub fn new() -> Self {
        Self {
            further: None,
            key: RandomState::new(),
        }
    }

    /// Redacts values of further names, too.
    #[must_use]
    pub fn with_names(mut self, further: FurtherNames) -> Self {
        self.further = Some(further);
        self
    }

    /// The value of a header without credentials.
    #[must_use]
    pub fn header<'v>(&self, name: &str, value: &'v str) -> Cow<'v, str> {
        let name = name.to_ascii_lowercase();
        // Headers that repeat members of the body must still be equal to them.
        if name.starts_with("mcp-") || HARMLESS_HEADERS.contains(&name.as_str()) {
            return Cow::Borrowed(value);
        }
        match name.as_str() {
            "cookie" => Cow::Owned(self.cookies(value)),
            "set-cookie" => Cow::Owned(self.set_cookie(value)),
            name if URL_HEADERS.contains(&name) => self.url(value),
            name if is_secret_name(name) || name.ends_with("-key") || self.is_further(name) => {
                Cow::Owned(self.credentials(value))
            }
            _ => Cow::Borrowed(value),
        }
    }

    /// A URL or path without its userinfo and without credentials in query and fragment.
    #[must_use]
    pub fn url<'u>(&self, url: &'u str) -> Cow<'u, str> {
        let mut url = Cow::Borrowed(url);
        if let Some(redacted) = self.userinfo(&url) {
            url = Cow::Owned(redacted);
        }
        let Some(start) = url.find(['?', '#']) else {
            return url;
        };
        let (before, after) = url.split_at(start + 1);
        let mut redacted = String::from(before);
        for pair in after.split_inclusive(['&', ';', '?', '#']) {
            let end = pair.trim_end_matches(['&', ';', '?', '#']).len();
            let (pair, separator) = pair.split_at(end);
            redacted.push_str(&self.pair(pair));
            redacted.push_str(separator);
        }
        Cow::Owned(redacted)
    }

    /// The body of a form without credentials.
    #[must_use]
    pub fn form(&self, body: &str) -> String {
        let pairs: Vec<_> = body.split('&').map(|pair| self.pair(pair)).collect();
        pairs.join("&")
    }

    /// A document of authorisation without its tokens; nothing if it has none, or is a message.
    #[must_use]
    pub fn document(&self, body: &str) -> Option<String> {
        let names_one = DOCUMENT_SECRETS.iter().any(|name| body.contains(name));
        if !names_one || !body.trim_start().starts_with('{') {
            return None;
        }
        let mut tape = Tape::new();
        scan(body.as_bytes(), &ScanLimits::DEFAULT, &mut tape).ok()?;
        let root = tape.root(body.as_bytes())?;
        if root.get("jsonrpc").is_some() {
            return None;
        }
        let (mut redacted, mut copied) = (String::new(), 0);
        for (key, value) in root.members() {
            let is_secret = key
                .text()
                .is_some_and(|name| DOCUMENT_SECRETS.contains(&&*name) || self.is_further(&name));
            if !is_secret || value.kind() != Kind::String {
                continue;
            }
            let span = value.span();
            let (start, end) = (span.start as usize, span.end as usize);
            redacted.push_str(body.get(copied..start)?);
            redacted.push('"');
            redacted.push_str(&self.placeholder(&value.text().unwrap_or_default()));
            redacted.push('"');
            copied = end;
        }
        redacted.push_str(body.get(copied..)?);
        Some(redacted)
    }

    /// The placeholder of a value: the same for equal ones.
    fn placeholder(&self, value: &str) -> String {
        if value.is_empty() {
            return String::new();
        }
        format!("redacted-{:016x}", self.key.hash_one(value))
    }

    fn is_further(&self, name: &str) -> bool {
        self.further.as_ref().is_some_and(|further| further(name))
    }

    /// Credentials of a header: the scheme stays.
    fn credentials(&self, value: &str) -> String {
        let trimmed = value.trim_start();
        match trimmed.split_once(' ') {
            Some((scheme, rest)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
                format!("{scheme} {}", self.placeholder(rest.trim()))
            }
            _ => self.placeholder(value),
        }
    }

    fn cookies(&self, value: &str) -> String {
        let cookies: Vec<_> = value
            .split(';')
            .map(|cookie| match cookie.split_once('=') {
                Some((name, value)) => format!("{name}={}", self.placeholder(value.trim())),
                None => self.placeholder(cookie.trim()),
            })
            .collect();
        cookies.join(";")
    }

    fn set_cookie(&self, value: &str) -> String {
        let (cookie, attributes) = match value.find(';') {
            Some(end) => value.split_at(end),
            None => (value, ""),
        };
        self.cookies(cookie) + attributes
    }

    /// A pair of a query or form.
    fn pair<'p>(&self, pair: &'p str) -> Cow<'p, str> {
        let Some((name, value)) = pair.split_once('=') else {
            return Cow::Borrowed(pair);
        };
        let decoded = decoded(name);
        let plain = decoded.to_ascii_lowercase().replace(['-', '_'], "");
        // The older transport has its session there.
        let is_session = plain == "sessionid";
        let is_secret = QUERY_SECRETS.contains(&plain.as_str()) || is_secret_name(&decoded);
        if self.is_further(&decoded) || (is_secret && !is_session) {
            Cow::Owned(format!("{name}={}", self.placeholder(value)))
        } else {
            Cow::Borrowed(pair)
        }
    }

    /// A URL with a placeholder for its userinfo, if it has some.
    fn userinfo(&self, url: &str) -> Option<String> {
        let start = url.find("//")? + 2;
        let rest = url.get(start..)?;
        let end = rest.find(['/', '?', '#', '>']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        let (userinfo, host) = authority.rsplit_once('@')?;
        let before = url.get(..start)?;
        Some(format!(
            "{before}{}@{host}{rest}",
            self.placeholder(userinfo)
        ))
    }
}

impl Default for Redactor {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redactor").finish_non_exhaustive()
    }
}

/// A name of a query with its escapes decoded; bytes that are no text are left out.
fn decoded(name: &str) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escaped = after.get(..2).and_then(|digits| {
            let digits = std::str::from_utf8(digits).ok()?;
            u8::from_str_radix(digits, 16).ok()
        });
        match escaped {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text with its placeholders shortened.
    fn plain(text: &str) -> String {
        let mut parts = text.split("redacted-");
        let mut plain = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            plain.push('*');
            plain.push_str(part.get(16..).expect("a placeholder has 16 digits"));
        }
        plain
    }

    #[test]
    fn headers_keep_their_form_and_lose_their_secrets() {
        let redactor = Redactor::new().with_names(Arc::new(|name| name == "x-tenant"));
        for (name, value, expected) in [
            ("Authorization", "Bearer abc.def", "Bearer *"),
            ("authorization", "Basic dXNlcjpwYXNz", "Basic *"),
            ("authorization", "abc", "*"),
            ("authorization", "", ""),
            (
                "Proxy-Authorization",
                "Digest username=\"a\", b=1",
                "Digest *",
            ),
            ("cookie", "a=1; b=2", "a=*; b=*"),
            (
                "set-cookie",
                "sid=1; Path=/; HttpOnly",
                "sid=*; Path=/; HttpOnly",
            ),
            ("x-api-key", "k", "*"),
            ("X-Goog-Api-Key", "k", "*"),
            ("x-functions-key", "k", "*"),
            ("x-auth-token", "k", "*"),
            ("x-tenant", "k", "*"),
            (
                "location",
                "https://u:p@host/cb?code=1&x=2",
                "https://*@host/cb?code=*&x=2",
            ),
            (
                "www-authenticate",
                "Bearer realm=\"a\"",
                "Bearer realm=\"a\"",
            ),
            ("mcp-session-id", "s1", "s1"),
            ("mcp-param-token", "t", "t"),
            ("content-type", "application/json", "application/json"),
        ] {
            assert_eq!(plain(&redactor.header(name, value)), expected, "{name}");
        }
        let equal = |value| redactor.header("authorization", value).into_owned();
        assert_eq!(equal("Bearer a"), equal("Bearer a"));
        assert_ne!(equal("Bearer a"), equal("Bearer b"));
    }

    #[test]
    fn urls_and_forms_keep_their_names() {
        let redactor = Redactor::new();
        for (url, expected) in [
            ("/mcp", "/mcp"),
            ("/mcp?a=1", "/mcp?a=1"),
            (
                "/mcp?access_token=x&a=1;api_key=y#id_token=z",
                "/mcp?access_token=*&a=1;api_key=*#id_token=*",
            ),
            (
                "/mcp?access%5Ftoken=x&key=y&TOKEN=z",
                "/mcp?access%5Ftoken=*&key=*&TOKEN=*",
            ),
            ("/messages?sessionId=1", "/messages?sessionId=1"),
            (
                "http://user:secret@host:80/?client_secret=s",
                "http://*@host:80/?client_secret=*",
            ),
            ("/a?token=", "/a?token="),
            ("/a?%zz=%&code", "/a?%zz=%&code"),
        ] {
            assert_eq!(plain(&redactor.url(url)), expected, "{url}");
        }
        let form = redactor.form("grant_type=authorization_code&code=1&client_secret=2");
        assert_eq!(
            plain(&form),
            "grant_type=authorization_code&code=*&client_secret=*"
        );
    }

    #[test]
    fn documents_lose_tokens_and_messages_stay() {
        let redactor = Redactor::new();
        let document = r#"{"access_token": "a\"b", "expires_in": 1, "refresh_token":"r"}"#;
        let expected = r#"{"access_token": "*", "expires_in": 1, "refresh_token":"*"}"#;
        assert_eq!(plain(&redactor.document(document).unwrap()), expected);
        for other in [
            r#"{"jsonrpc":"2.0","result":{},"access_token":"a"}"#,
            r#"["access_token"]"#,
            r#"{"access_token"#,
            r#"{"token_endpoint":"https://a/token"}"#,
        ] {
            assert_eq!(redactor.document(other), None, "{other}");
        }
    }
}
