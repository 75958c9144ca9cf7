//! Recovers the id from bytes that are not JSON, so that the request that waits gets an error.

/// Bytes at both ends of a message in which an id is searched.
const FAR: usize = 4096;

/// The first thing that looks like the member `id` of a message, as JSON. A guess: what it names
/// must be looked up.
pub(super) fn id(bytes: &[u8]) -> Option<String> {
    ids(bytes).next()
}

/// All things that look like it.
pub(super) fn ids(bytes: &[u8]) -> impl Iterator<Item = String> {
    let head = bytes.get(..FAR).unwrap_or(bytes);
    let tail = bytes.get(bytes.len().saturating_sub(FAR)..);
    [head, tail.unwrap_or_default()]
        .into_iter()
        .flat_map(ids_in)
}

fn ids_in(bytes: &[u8]) -> impl Iterator<Item = String> {
    memchr::memmem::find_iter(bytes, b"\"id\"").filter_map(|found| {
        let rest = bytes.get(found + 4..)?.trim_ascii_start();
        value_at(rest.strip_prefix(b":").map(<[u8]>::trim_ascii_start)?)
    })
}

/// The id at the beginning of these bytes, if it is a whole integer or a whole plain string.
fn value_at(bytes: &[u8]) -> Option<String> {
    let length = match bytes.first()? {
        b'"' => plain_string(bytes)?,
        _ => integer(bytes)?,
    };
    let text = core::str::from_utf8(bytes.get(..length)?).ok()?;
    (!text.contains(char::is_control)).then(|| text.to_owned())
}

/// The length of a string without escapes, quotes included.
fn plain_string(bytes: &[u8]) -> Option<usize> {
    let end = memchr::memchr2(b'"', b'\\', bytes.get(1..)?)?;
    (bytes.get(end + 1) == Some(&b'"')).then_some(end + 2)
}

/// The length of an integer as JSON writes it. At the end of the bytes more digits may be missing,
/// so it has to be followed by something that ends it.
fn integer(bytes: &[u8]) -> Option<usize> {
    let sign = usize::from(bytes.first() == Some(&b'-'));
    let digits = bytes.get(sign..)?;
    let count = digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let is_number = count == 1 || (count > 1 && digits.first() != Some(&b'0'));
    let is_ended = matches!(
        digits.get(count)?,
        b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n'
    );
    (is_number && is_ended).then_some(sign + count)
}

#[cfg(test)]
mod tests {
    use super::id;

    #[test]
    fn finds_ids_in_broken_messages() {
        let cases = [
            (r#"{"jsonrpc":"2.0","id":7,"result":{"x":NaN}}"#, Some("7")),
            (
                r#"{"jsonrpc":"2.0","id" : "a-1","result":{,}}"#,
                Some("\"a-1\""),
            ),
            (r#"{"result":{"id":{}},"id":-3,"x"#, Some("-3")),
            (r#"{"id":0}"#, Some("0")),
            (r#"{"id":"a\"b","result"#, None),
            (r#"{"id":"#, None),
            (r#"{"id":nul"#, None),
            ("", None),
            // Not JSON, or perhaps only the beginning of the number.
            (r#"{"id":00,"method":"ping"}"#, None),
            (r#"{"id":5-0,"method":"ping"}"#, None),
            (r#"{"id":--5,"method":"ping"}"#, None),
            (r#"{"id":-,"method":"ping"}"#, None),
            (r#"{"id":-01,"method":"ping"}"#, None),
            (r#"{"id":5.5,"method":"ping"}"#, None),
            (r#"{"id":5e1,"method":"ping"}"#, None),
            (r#"{"id":12"#, None),
        ];
        for (text, expected) in cases {
            assert_eq!(id(text.as_bytes()).as_deref(), expected, "{text}");
        }
    }
}
