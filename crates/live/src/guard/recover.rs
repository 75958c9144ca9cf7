//! The id in bytes that are not JSON: whoever waits for that answer is told that it did not come through.

/// How far an id is looked for; it stands near the beginning or near the end.
const FAR: usize = 4096;

/// The first thing that looks like the member `id` of a message, as JSON. A guess: what it names must be looked up.
pub(super) fn id(bytes: &[u8]) -> Option<String> {
    let head = bytes.get(..FAR).unwrap_or(bytes);
    let tail = bytes.get(bytes.len().saturating_sub(FAR)..)?;
    [head, tail].into_iter().find_map(id_in)
}

fn id_in(bytes: &[u8]) -> Option<String> {
    let mut from = 0;
    while let Some(found) = memchr::memmem::find(bytes.get(from..)?, b"\"id\"") {
        from += found + 4;
        let rest = bytes.get(from..)?.trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b":").map(<[u8]>::trim_ascii_start)
            && let Some(id) = value_at(value)
        {
            return Some(id);
        }
    }
    None
}

/// An integer or a plain string at the beginning of these bytes.
fn value_at(bytes: &[u8]) -> Option<String> {
    let length = match bytes.first()? {
        b'"' => {
            let end = memchr::memchr2(b'"', b'\\', bytes.get(1..)?)?;
            if bytes.get(end + 1) != Some(&b'"') {
                return None;
            }
            end + 2
        }
        b'-' | b'0'..=b'9' => bytes
            .iter()
            .take_while(|byte| matches!(byte, b'-' | b'0'..=b'9'))
            .count(),
        _ => return None,
    };
    let text = core::str::from_utf8(bytes.get(..length)?).ok()?;
    (text != "-" && !text.contains(char::is_control)).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::id;

    #[test]
    fn finds_ids_in_broken_messages() {
        let cases: [(&str, Option<&str>); 7] = [
            (r#"{"jsonrpc":"2.0","id":7,"result":{"x":NaN}}"#, Some("7")),
            (
                r#"{"jsonrpc":"2.0","id" : "a-1","result":{,}}"#,
                Some("\"a-1\""),
            ),
            (r#"{"result":{"id":{}},"id":-3"#, Some("-3")),
            (r#"{"id":"a\"b","result"#, None),
            (r#"{"id":"#, None),
            (r#"{"id":nul"#, None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(id(text.as_bytes()).as_deref(), expected, "{text}");
        }
    }
}
