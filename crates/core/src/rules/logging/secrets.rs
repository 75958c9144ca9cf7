//! Detects credentials by forms that hardly anything else has. A mere mention of a credential is
//! none.

/// Whether a text contains a credential.
pub(super) fn has_secret(text: &str) -> bool {
    may_have_secret(text.as_bytes()) && has_some_secret(text)
}

/// Whether a text may have a credential. All but armoured keys and web tokens have a digit, and
/// most texts have none of the three.
fn may_have_secret(text: &[u8]) -> bool {
    // Without an early exit the compiler vectorises the loop.
    let marks = text.iter().fold(0u8, |marks, byte| {
        marks | u8::from(byte.is_ascii_digit()) | u8::from(*byte == b'J') | u8::from(*byte == b'-')
    });
    marks != 0
}

fn has_some_secret(text: &str) -> bool {
    is_private_key(text)
        || PREFIXES.iter().any(|prefix| has_prefixed(text, prefix))
        || has_bearer(text)
        || has_web_token(text)
        || has_assignment(text)
        || has_password_in_url(text)
}

/// Whether a member of this name and value is a credential.
pub(super) fn is_value_of(name: &str, value: &str) -> bool {
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known)) && looks_random(value)
}

/// Members and variables whose value is a credential.
const NAMES: &[&str] = &[
    "password",
    "passwd",
    "api_key",
    "apikey",
    "api-key",
    "secret_key",
    "client_secret",
    "access_token",
    "refresh_token",
    "private_key",
];

/// A kind of key with a fixed prefix.
struct Prefix {
    begins: &'static str,
    /// The minimum number of characters after the prefix.
    length: usize,
    /// The characters that may follow.
    follows: fn(u8) -> bool,
}

const PREFIXES: &[Prefix] = &[
    // Amazon Web Services.
    Prefix {
        begins: "AKIA",
        length: 16,
        follows: is_upper,
    },
    Prefix {
        begins: "ASIA",
        length: 16,
        follows: is_upper,
    },
    // GitHub.
    Prefix {
        begins: "ghp_",
        length: 36,
        follows: is_alphanumeric,
    },
    Prefix {
        begins: "gho_",
        length: 36,
        follows: is_alphanumeric,
    },
    Prefix {
        begins: "ghs_",
        length: 36,
        follows: is_alphanumeric,
    },
    Prefix {
        begins: "ghu_",
        length: 36,
        follows: is_alphanumeric,
    },
    Prefix {
        begins: "github_pat_",
        length: 40,
        follows: is_word,
    },
    // OpenAI, Anthropic, Stripe.
    Prefix {
        begins: "sk-",
        length: 32,
        follows: is_word,
    },
    Prefix {
        begins: "sk_live_",
        length: 16,
        follows: is_word,
    },
    // Slack.
    Prefix {
        begins: "xoxb-",
        length: 20,
        follows: is_word,
    },
    Prefix {
        begins: "xoxp-",
        length: 20,
        follows: is_word,
    },
];

fn is_upper(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// The number of bytes of a credential that are read: one text may have the beginnings of many. No
/// kind of credential needs as many to be recognised.
const MAX_CREDENTIAL: usize = 1024;

fn is_private_key(text: &str) -> bool {
    text.contains("-----BEGIN ") && text.contains("PRIVATE KEY-----")
}

/// The texts after each word that begins with a prefix.
fn words<'t>(text: &'t str, begins: &'static str) -> impl Iterator<Item = &'t str> {
    text.match_indices(begins)
        .filter(move |(at, _)| {
            let before = text
                .get(..*at)
                .and_then(|before| before.bytes().next_back());
            !before.is_some_and(is_word)
        })
        .filter_map(move |(at, _)| text.get(at + begins.len()..))
}

fn has_prefixed(text: &str, prefix: &Prefix) -> bool {
    words(text, prefix.begins).any(|rest| {
        let token = leading(rest, prefix.follows);
        token.len() >= prefix.length && has_digit_and_letter(token)
    })
}

fn leading(text: &str, follows: fn(u8) -> bool) -> &str {
    let text = head(text);
    let length = text.bytes().take_while(|byte| follows(*byte)).count();
    text.get(..length).unwrap_or_default()
}

/// The beginning of a text, of at most `MAX_CREDENTIAL` bytes.
fn head(text: &str) -> &str {
    let mut end = text.len().min(MAX_CREDENTIAL);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// `Bearer` and a token behind it.
fn has_bearer(text: &str) -> bool {
    fn is_token(byte: u8) -> bool {
        byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte)
    }
    ["Bearer ", "bearer "].into_iter().any(|scheme| {
        words(text, scheme).any(|rest| {
            let token = leading(rest, is_token);
            let web_token = token.starts_with("eyJ") && token.len() >= 8;
            web_token || (token.len() >= 20 && has_digit_and_letter(token))
        })
    })
}

/// A JSON Web Token: three parts of base64url, the first of which is a JSON object.
fn has_web_token(text: &str) -> bool {
    words(text, "eyJ").any(|rest| {
        let token = leading(rest, |byte| is_word(byte) || byte == b'.');
        let mut parts = token.split('.');
        let three: [Option<&str>; 3] = core::array::from_fn(|_| parts.next());
        three
            .iter()
            .all(|part| part.is_some_and(|part| part.len() >= 8))
    })
}

/// `password=…`, `api_key: …` and the like.
fn has_assignment(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    NAMES.iter().any(|name| {
        lower.match_indices(name).any(|(at, _)| {
            let rest = head(text.get(at + name.len()..).unwrap_or_default());
            let rest = rest.trim_start_matches(['"', '\'']);
            let Some(value) = rest.strip_prefix(['=', ':']) else {
                return false;
            };
            let value = value.trim_start_matches([' ', '"', '\'']);
            let end = value
                .find(|c: char| c.is_whitespace() || "\"',;&)}]".contains(c))
                .unwrap_or(value.len());
            looks_random(value.get(..end).unwrap_or_default())
        })
    })
}

/// `scheme://user:password@host`.
fn has_password_in_url(text: &str) -> bool {
    text.match_indices("://").any(|(at, _)| {
        let rest = head(text.get(at + 3..).unwrap_or_default());
        let end = rest
            .find(|c: char| c.is_whitespace() || "/?#\"'".contains(c))
            .unwrap_or(rest.len());
        let authority = rest.get(..end).unwrap_or_default();
        let password = authority
            .rsplit_once('@')
            .and_then(|(user, _)| user.split_once(':'));
        password.is_some_and(|(_, password)| looks_random(password))
    })
}

/// Whether a value may be a credential, and not a word, a placeholder or a mask.
fn looks_random(value: &str) -> bool {
    let is_placeholder = value.bytes().any(|byte| b"*<>[]{}$ ".contains(&byte))
        || value.to_ascii_lowercase().contains("redacted")
        || value.contains("...");
    value.len() >= 6 && !is_placeholder && has_digit_and_letter(value)
}

fn has_digit_and_letter(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_recognised() {
        for text in [
            "Authorization: Bearer eyJhbGci...",
            "bearer 0123456789abcdef0123",
            "token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl given",
            "password=hunter2",
            "login with api_key: 'a1b2c3d4e5'",
            "{\"client_secret\":\"a1b2c3d4e5\"}",
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE",
            "key AKIAIOSFODNN7EXAMPLE used",
            "postgres://app:s3cr3t@db/main",
        ] {
            assert!(has_secret(text), "{text}");
        }
        // Assembled here, so that scanners of source code do not find a key.
        for begins in ["sk-", "ghp_", "github_pat_", "xoxb-"] {
            let text = format!("key={begins}{}", "a1b2".repeat(12));
            assert!(has_secret(&text), "{text}");
        }
        assert!(is_value_of("Password", "hunter2-9f"));
    }

    #[test]
    fn mentions_and_masks_are_not() {
        for text in [
            "",
            "the password was refused",
            "password: required",
            "password=********",
            "api_key=${API_KEY}",
            "access_token=<redacted>",
            "Bearer token expired",
            "WWW-Authenticate: Bearer realm=example",
            "task-0123456789abcdef0123456789abcdef",
            "https://example.com/a:b@c",
            "http://user@example.com:8080/",
            "-----BEGIN PUBLIC KEY-----",
            "AKIA is the prefix",
            "eyJ",
            "reset_password took 12ms",
        ] {
            assert!(!has_secret(text), "{text}");
        }
        assert!(!is_value_of("password", "is too short"));
        assert!(!is_value_of("name", "hunter2-9f"));
    }
}
