//! The members that are ignored.

/// Members that differ from run to run. Spelling does not matter: `traceId`, `trace_id` and
/// `trace-id` are one.
const VOLATILE: &[&str] = &[
    "ts",
    "timestamp",
    "durationms",
    "duration",
    "path",
    "paths",
    "source",
    "file",
];

/// The ids that are drawn for each run.
const IDS: &[&str] = &["traceid", "spanid", "requestid"];

/// The treatment of the ids of traces and requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ids {
    /// They were drawn, and differ from run to run.
    Ignored,
    /// They were derived from the input, and are compared.
    Compared,
}

/// The members that are ignored.
pub(super) struct Ignored {
    names: Vec<String>,
    pointers: Vec<Vec<String>>,
}

impl Ignored {
    /// Those that differ from run to run.
    pub(super) fn volatile(ids: Ids) -> Self {
        let ids = match ids {
            Ids::Ignored => IDS,
            Ids::Compared => &[],
        };
        let names = VOLATILE.iter().chain(ids);
        Self {
            names: names.map(|name| (*name).to_owned()).collect(),
            pointers: Vec::new(),
        }
    }

    /// Adds further ones: names of members at any depth, or JSON Pointers in which `*` is any name
    /// or position.
    pub(super) fn and(mut self, fields: &[String]) -> Self {
        for field in fields {
            if let Some(pointer) = field.strip_prefix('/') {
                let segments = pointer.split('/').map(str::to_owned).collect();
                self.pointers.push(segments);
            } else {
                self.names.push(plain(field));
            }
        }
        self
    }

    /// Whether the member of this name at this place is ignored.
    pub(super) fn has_member(&self, name: &str, pointer: &str) -> bool {
        self.names.iter().any(|known| is_spelling(name, known)) || self.has_place(pointer)
    }

    /// Whether the value at this place is ignored.
    pub(super) fn has_place(&self, pointer: &str) -> bool {
        self.pointers.iter().any(|pattern| {
            let mut segments = pointer.split('/').skip(1);
            pattern.iter().all(|wanted| {
                segments
                    .next()
                    .is_some_and(|found| wanted == "*" || wanted == found)
            }) && segments.next().is_none()
        })
    }
}

/// A name in lower case, without separators of words.
fn plain(name: &str) -> String {
    letters(name).collect()
}

fn is_spelling(name: &str, plain: &str) -> bool {
    letters(name).eq(plain.chars())
}

fn letters(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars()
        .filter(|letter| !matches!(letter, '_' | '-'))
        .map(|letter| letter.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_count_at_any_depth_and_pointers_at_one_place() {
        let fields = ["bytes", "/rules/*/pointer", "/line"].map(str::to_owned);
        let ignored = Ignored::volatile(Ids::Ignored).and(&fields);
        for (name, pointer) in [
            ("ts", "/ts"),
            ("trace_id", "/meta/trace_id"),
            ("spanId", "/envelope/meta/spanId"),
            ("bytes", "/a/bytes"),
            ("pointer", "/rules/3/pointer"),
            ("line", "/line"),
        ] {
            assert!(ignored.has_member(name, pointer), "{pointer}");
        }
        for (name, pointer) in [
            ("id", "/id"),
            ("tst", "/tst"),
            ("pointer", "/pointer"),
            ("x", "/rules/3/pointer/x"),
            ("line", "/a/line"),
        ] {
            assert!(!ignored.has_member(name, pointer), "{pointer}");
        }
        let with_ids = Ignored::volatile(Ids::Compared);
        assert!(
            !with_ids.has_member("traceId", "/meta/traceId") && with_ids.has_member("ts", "/ts")
        );
    }
}
