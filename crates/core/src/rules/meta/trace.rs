//! W3C Trace Context and Baggage.

/// Whether a text is a `traceparent`: version, trace id, parent id and flags, each in lower-case
/// hexadecimal.
pub(super) fn is_traceparent(text: &str) -> bool {
    let mut parts = text.split('-');
    let mut part = |length: usize| {
        parts
            .next()
            .filter(|part| part.len() == length && part.bytes().all(is_lower_hex))
    };
    let (Some(version), Some(trace), Some(parent), Some(_)) =
        (part(2), part(32), part(16), part(2))
    else {
        return false;
    };
    let is_set = |id: &str| id.bytes().any(|byte| byte != b'0');
    // Later versions may add parts.
    let ends = version != "00" || parts.next().is_none();
    version != "ff" && is_set(trace) && is_set(parent) && ends
}

/// Whether a text is a `tracestate`: up to 32 members `key=value`.
pub(super) fn is_tracestate(text: &str) -> bool {
    let members = || {
        text.split(',')
            .map(|member| member.trim_matches([' ', '\t']))
            .filter(|member| !member.is_empty())
    };
    members().count() <= 32
        && members().all(|member| {
            member
                .split_once('=')
                .is_some_and(|(key, value)| is_state_key(key) && is_state_value(value))
        })
}

/// Whether a text is a `baggage`: members `key=value`, with properties behind semicolons.
pub(super) fn is_baggage(text: &str) -> bool {
    text.split(',').all(|member| {
        let mut parts = member.split(';').map(|part| part.trim_matches([' ', '\t']));
        let first = parts.next().is_some_and(is_assignment);
        first && parts.all(|property| is_assignment(property) || is_token(property))
    })
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(key, value)| {
        is_token(key.trim_matches([' ', '\t']))
            && value.trim_matches([' ', '\t']).bytes().all(is_baggage_byte)
    })
}

fn is_token(text: &str) -> bool {
    crate::frame::is_token(text)
}

fn is_baggage_byte(byte: u8) -> bool {
    matches!(byte, 0x21 | 0x23..=0x2b | 0x2d..=0x3a | 0x3c..=0x5b | 0x5d..=0x7e)
}

fn is_lower_hex(byte: u8) -> bool {
    byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)
}

fn is_state_key(key: &str) -> bool {
    let is_part = |part: &str| {
        part.bytes()
            .next()
            .is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            && part.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-*/".contains(&byte)
            })
    };
    key.len() <= 256 && key.split('@').count() <= 2 && key.split('@').all(is_part)
}

fn is_state_value(value: &str) -> bool {
    (1..=256).contains(&value.len())
        && !value.ends_with(' ')
        && value
            .bytes()
            .all(|byte| matches!(byte, 0x20..=0x2b | 0x2d..=0x3c | 0x3e..=0x7e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traceparent_has_four_parts() {
        let good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        assert!(is_traceparent(good));
        assert!(is_traceparent(
            "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more"
        ));
        for bad in [
            "abc",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
        ] {
            assert!(!is_traceparent(bad), "{bad}");
        }
    }

    #[test]
    fn tracestate_and_baggage_are_lists() {
        assert!(is_tracestate("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE") && is_tracestate(""));
        assert!(is_tracestate("fw529a3039@dt=FfAAA"));
        assert!(!is_tracestate("Rojo=1") && !is_tracestate("a") && !is_tracestate("a="));
        assert!(is_baggage(
            "userId=alice,serverNode=DF%2028;secure;ttl=1,isProduction=false"
        ));
        assert!(!is_baggage("user id=x") && !is_baggage("a=b c") && !is_baggage("a=\"b\""));
    }
}
