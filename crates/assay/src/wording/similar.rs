//! "Did you mean": the known name that a misspelt one resembles.

/// The candidate nearest to a name, if it is near enough to be meant: another spelling (`input_schema`), or few typing errors.
pub(super) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (name.chars().count() / 3).clamp(1, 3);
    candidates
        .filter(|candidate| *candidate != name)
        .map(|candidate| {
            let distance = if folded(candidate) == folded(name) { 0 } else { strsim::osa_distance(name, candidate) };
            (distance, candidate)
        })
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The letters and digits alone, in lower case.
fn folded(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_other_spellings_and_typing_errors_only() {
        let known = ["inputSchema", "name", "description"];
        assert_eq!(nearest("input_schema", known.into_iter()), Some("inputSchema"));
        assert_eq!(nearest("descripton", known.into_iter()), Some("description"));
        assert_eq!(nearest("nmae", known.into_iter()), Some("name"));
        assert_eq!(nearest("uri", known.into_iter()), None);
    }
}
