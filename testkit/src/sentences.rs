//! Faults of sentences that programs put together: empty lists, plurals, stray blanks.

/// The faults of a sentence, in a few words each.
#[must_use]
pub fn faults(sentence: &str) -> Vec<&'static str> {
    let mut faults = Vec::new();
    let parts = [
        ("  ", "two blanks"),
        (" ,", "a blank before a comma"),
        (" .", "a blank before a full stop"),
        (" ;", "a blank before a semicolon"),
        (",,", "two commas"),
        ("()", "empty brackets"),
        ("``", "an empty name"),
        ("(s)", "an undecided plural"),
        ("; ;", "an empty clause"),
    ];
    // Examples of code may have any of them.
    let prose = without_code(sentence);
    for (part, fault) in parts {
        let text = if part == "``" { sentence } else { &prose };
        if text.contains(part) && !text.contains("...") {
            faults.push(fault);
        }
    }
    if sentence.trim() != sentence {
        faults.push("a blank at an end");
    }
    if [",", ";", ":", " of", " and", " or"]
        .iter()
        .any(|end| prose.ends_with(end))
    {
        faults.push("an end without a list");
    }
    if one_with_plural(&prose) {
        faults.push("a plural after 1");
    }
    faults
}

/// The sentence with each name in backticks as one letter.
fn without_code(sentence: &str) -> String {
    let parts = sentence.split('`').enumerate();
    parts
        .map(|(index, part)| if index % 2 == 1 { "x" } else { part })
        .collect()
}

fn one_with_plural(prose: &str) -> bool {
    let words: Vec<&str> = prose.split_whitespace().collect();
    words.windows(2).any(|pair| {
        let noun = pair[1].trim_end_matches(|c: char| !c.is_alphanumeric());
        let is_plural = [
            "messages",
            "bytes",
            "violations",
            "records",
            "levels",
            "responses",
            "sessions",
            "places",
            "events",
            "files",
            "rules",
            "requests",
            "characters",
        ]
        .contains(&noun);
        pair[0] == "1" && is_plural
    })
}

#[cfg(test)]
mod tests {
    use super::faults;

    #[test]
    fn sentences_put_together_badly_are_found() {
        for (sentence, fault) in [
            ("known are ", "a blank at an end"),
            ("expected one of", "an end without a list"),
            ("1 messages", "a plural after 1"),
            ("the member `` is missing", "an empty name"),
            ("found  two", "two blanks"),
            ("`a` , `b`", "a blank before a comma"),
            ("tools ()", "empty brackets"),
        ] {
            assert!(
                faults(sentence).contains(&fault),
                "{sentence}: {:?}",
                faults(sentence)
            );
        }
        for sentence in [
            "`a  b` is wrong",
            "1 message, 2 bytes",
            "at most 1 s",
            "call `f()`",
        ] {
            assert_eq!(faults(sentence), Vec::<&str>::new(), "{sentence}");
        }
    }
}
