//! Tokens in a URL.

/// Parameters that hold a token on any server: RFC 6750 section 2.3, and similar ones.
const PARAMETERS: [&str; 3] = ["access_token", "bearer_token", "bearer"];

/// Whether the query of a path has a token in it.
pub(super) fn token_in(path: &str) -> bool {
    let query = path.split_once('?').map_or("", |(_, query)| query);
    query.split('&').any(|parameter| {
        parameter.split_once('=').is_some_and(|(name, value)| {
            !value.is_empty()
                && PARAMETERS
                    .iter()
                    .any(|known| name.eq_ignore_ascii_case(known))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::token_in;

    #[test]
    fn only_parameters_that_are_tokens_are_taken_for_one() {
        assert!(token_in("/mcp?access_token=abc"));
        assert!(token_in("/mcp?a=1&Access_Token=abc"));
        for harmless in [
            "/mcp",
            "/mcp?access_token=",
            "/mcp?token_type=x",
            "/access_token=a",
        ] {
            assert!(!token_in(harmless), "{harmless}");
        }
    }
}
