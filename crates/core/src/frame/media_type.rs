//! Media types, RFC 6838 and RFC 9110 section 8.3.1.

/// Whether a text is `type/subtype`, with parameters or without.
pub(crate) fn is_media_type(text: &str) -> bool {
    let (essence, parameters) = text
        .split_once(';')
        .map_or((text, None), |(essence, parameters)| {
            (essence, Some(parameters))
        });
    let Some((kind, subtype)) = essence.trim().split_once('/') else {
        return false;
    };
    is_token(kind) && is_token(subtype) && parameters.is_none_or(are_parameters)
}

/// Whether a text is a token of HTTP.
pub(crate) fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

fn are_parameters(text: &str) -> bool {
    text.split(';').all(|parameter| {
        let parameter = parameter.trim();
        parameter.is_empty()
            || parameter.split_once('=').is_some_and(|(name, value)| {
                is_token(name) && (is_token(value) || (value.len() >= 2 && value.starts_with('"')))
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_have_two_parts() {
        for good in [
            "image/png",
            "image/svg+xml",
            "text/plain; charset=utf-8",
            "application/vnd.api+json;v=\"1 2\"",
        ] {
            assert!(is_media_type(good), "{good}");
        }
        for bad in [
            "png",
            "",
            "/",
            "image/",
            "/png",
            "image/p ng",
            "image/png/x",
            "im age/png",
        ] {
            assert!(!is_media_type(bad), "{bad}");
        }
    }
}
