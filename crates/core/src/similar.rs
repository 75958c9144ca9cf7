//! "Did you mean": the known name that a misspelt one resembles.

/// The candidate nearest to a name, if it is near enough to be meant: another spelling
/// (`input_schema`), few typing errors, or a common beginning (`warn`).
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let allowed = (name.chars().count() / 3).clamp(1, 3);
    candidates
        .filter(|candidate| *candidate != name)
        .map(|candidate| {
            let distance = if folded(candidate) == folded(name) {
                0
            } else {
                strsim::osa_distance(name, candidate)
            };
            (
                if begins_alike(name, candidate) {
                    distance.min(allowed)
                } else {
                    distance
                },
                candidate,
            )
        })
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn begins_alike(name: &str, candidate: &str) -> bool {
    name.len().min(candidate.len()) >= 4
        && (name.starts_with(candidate) || candidate.starts_with(name))
}

/// The letters and digits alone, in lower case.
fn folded(name: &str) -> String {
    name.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_other_spellings_and_typing_errors_only() {
        let known = ["inputSchema", "name", "description"];
        assert_eq!(
            nearest("input_schema", known.into_iter()),
            Some("inputSchema")
        );
        assert_eq!(
            nearest("descripton", known.into_iter()),
            Some("description")
        );
        assert_eq!(nearest("nmae", known.into_iter()), Some("name"));
        assert_eq!(nearest("uri", known.into_iter()), None);
        assert_eq!(
            nearest("warn", ["info", "warning"].into_iter()),
            Some("warning")
        );
    }
}
