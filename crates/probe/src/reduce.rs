//! Leaves out of a capture what it does not need to show its fault.

use crate::record::Record;

/// Records worth the work, which grows with their square.
const MOST: usize = 2_000;
/// Times that a capture is checked.
const MOST_TRIES: usize = 2_000;

/// The fewest records that still show it, as far as leaving out one or several at a time gets.
pub(crate) fn reduce(mut records: Vec<Record>, shows: impl Fn(&[Record]) -> bool) -> Vec<Record> {
    if records.len() > MOST {
        return records;
    }
    let mut tries = 0;
    let mut size = records.len() / 2;
    while size > 0 {
        let mut left_out = false;
        let mut start = 0;
        while start < records.len() && tries < MOST_TRIES {
            let end = (start + size).min(records.len());
            let shorter: Vec<Record> = [&records[..start], &records[end..]].concat();
            tries += 1;
            if shows(&shorter) {
                records = shorter;
                left_out = true;
            } else {
                start = end;
            }
        }
        // What was needed before may have been needed only by what is gone.
        if !left_out || tries >= MOST_TRIES {
            size /= 2;
        }
    }
    records
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mcp_assay::Direction;

    use super::*;
    use crate::record::Content;

    fn records(texts: &str) -> Vec<Record> {
        texts
            .chars()
            .map(|text| Record {
                time: Duration::ZERO,
                content: Content::Line {
                    direction: Direction::ServerToClient,
                    bytes: text.to_string().into_bytes(),
                    unterminated: false,
                },
            })
            .collect()
    }

    fn texts(records: &[Record]) -> String {
        let bytes = records.iter().flat_map(|record| record.bytes().to_vec());
        String::from_utf8(bytes.collect()).unwrap()
    }

    #[test]
    fn only_what_is_needed_stays() {
        for (all, needed) in [
            ("a", "a"),
            ("abcdefg", "g"),
            ("abcdefg", "a"),
            ("abcdefg", "bf"),
            ("abcdefghijklmnopq", "adgq"),
            ("abc", "abc"),
        ] {
            let reduced = reduce(records(all), |records| {
                needed.chars().all(|text| texts(records).contains(text))
            });
            assert_eq!(texts(&reduced), needed, "{all}");
        }
    }
}
