//! The parts of the corpus.

use mcp_assay::Direction;

use super::random::Random;
use super::{complex_tools, faults, large, lists, mix, small};

/// A message and the facts known before it is read.
#[derive(Clone, Debug)]
pub struct Message {
    /// The bytes, without a newline.
    pub bytes: Vec<u8>,
    /// The sender.
    pub direction: Direction,
    /// For a response the method that it answers.
    pub answers: Option<&'static str>,
    /// The definition that the baseline checks.
    pub definition: Definition,
}

/// A definition of the JSON Schema, by the name that it has in the official one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Definition {
    /// Of the whole message.
    Message(&'static str),
    /// Of its result; the rest of the response is implied.
    Result(&'static str),
}

/// Messages that are measured together.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name in the tables.
    pub name: &'static str,
    /// The class it counts for.
    pub class: Class,
    /// One message, or many that are checked in turn.
    pub messages: Vec<Message>,
}

/// Messages of about the same size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// Up to a kilobyte.
    Small,
    /// Lists.
    Medium,
    /// One long string.
    Large,
    /// A session.
    Mix,
    /// A list that no session has seen.
    FirstSight,
    /// With a fault.
    Invalid,
}

impl Message {
    pub(super) fn call(
        definition: &'static str,
        direction: Direction,
        text: impl Into<String>,
    ) -> Self {
        let definition = Definition::Message(definition);
        Self {
            bytes: text.into().into_bytes(),
            direction,
            answers: None,
            definition,
        }
    }

    /// A server's answer.
    pub(super) fn result(
        method: &'static str,
        definition: &'static str,
        text: impl Into<String>,
    ) -> Self {
        let (direction, definition) = (Direction::ServerToClient, Definition::Result(definition));
        Self {
            bytes: text.into().into_bytes(),
            direction,
            answers: Some(method),
            definition,
        }
    }

    /// A server's refusal.
    pub(super) fn error(method: &'static str, text: impl Into<String>) -> Self {
        let definition = Definition::Message("JSONRPCErrorResponse");
        Self {
            definition,
            ..Self::result(method, "", text)
        }
    }

    /// The same answer, sent by the client.
    pub(super) fn sent_by_client(self) -> Self {
        Self {
            direction: Direction::ClientToServer,
            ..self
        }
    }

    /// The message with the one occurrence of `old` replaced.
    pub(super) fn replacing(self, old: &str, new: &str) -> Self {
        let text = String::from_utf8(self.bytes).expect("the corpus is made of strings");
        assert_eq!(text.matches(old).count(), 1, "the corpus has {old} once");
        Self {
            bytes: text.replace(old, new).into_bytes(),
            ..self
        }
    }
}

impl Entry {
    /// All bytes of one pass.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.messages
            .iter()
            .map(|message| message.bytes.len())
            .sum()
    }

    fn one(name: &'static str, class: Class, message: Message) -> Self {
        Self {
            name,
            class,
            messages: vec![message],
        }
    }
}

impl Class {
    /// The name in the tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
            Self::Mix => "mix",
            Self::FirstSight => "first sight",
            Self::Invalid => "invalid",
        }
    }
}

/// The valid messages.
#[must_use]
pub fn valid() -> Vec<Entry> {
    let random = &mut Random::new(20_251_125);
    vec![
        Entry::one("ping", Class::Small, small::ping()),
        Entry::one("error", Class::Small, small::error()),
        Entry::one("progress", Class::Small, small::progress()),
        Entry::one("tools/call", Class::Small, small::tools_call()),
        Entry::one("initialize", Class::Small, small::initialize()),
        Entry::one(
            "initialize result",
            Class::Small,
            small::initialize_result(),
        ),
        Entry::one(
            "tools/call result 1 KB",
            Class::Small,
            small::tools_call_result(random, 1024),
        ),
        Entry::one("tools/list 20", Class::Medium, lists::tools(random, 42, 20)),
        Entry::one(
            "tools/list 100",
            Class::Medium,
            lists::tools(random, 42, 100),
        ),
        Entry::one(
            "resources/list 200",
            Class::Medium,
            lists::resources(random, 42, 200),
        ),
        Entry::one(
            "text 100 KB",
            Class::Large,
            large::text_result(random, 100_000),
        ),
        Entry::one(
            "image 1 MB",
            Class::Large,
            large::image_result(random, 1 << 20),
        ),
        Entry::one(
            "resource 5.2 MB",
            Class::Large,
            large::resource(random, 5_200_000),
        ),
        Entry {
            name: "mix of 1000",
            class: Class::Mix,
            messages: mix::messages(&mut Random::new(10)),
        },
        Entry::one(
            "1000 complex tools",
            Class::FirstSight,
            complex_tools::list(&mut Random::new(15), 42, 1000),
        ),
    ]
}

/// Messages with faults.
#[must_use]
pub fn invalid() -> Vec<Entry> {
    let random = &mut Random::new(11);
    vec![
        Entry::one("missing member", Class::Invalid, faults::missing_member()),
        Entry::one("wrong type", Class::Invalid, faults::wrong_type()),
        Entry::one(
            "deep in a list of 20",
            Class::Invalid,
            faults::deep_value(random),
        ),
        Entry::one(
            "failing union",
            Class::Invalid,
            faults::failing_union(random),
        ),
        Entry::one("several faults", Class::Invalid, faults::several_faults()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(class: Class) -> Vec<(&'static str, usize)> {
        let entries = valid();
        entries
            .iter()
            .filter(|entry| entry.class == class)
            .map(|entry| (entry.name, entry.bytes()))
            .collect()
    }

    fn mix() -> Vec<Message> {
        let mix = valid().into_iter().find(|entry| entry.class == Class::Mix);
        mix.expect("the mix is an entry").messages
    }

    #[test]
    fn sizes_are_those_of_real_messages() {
        let expected = [
            ("ping", 42..=42),
            ("error", 140..=156),
            ("progress", 141..=157),
            ("tools/call", 285..=305),
            ("initialize", 510..=560),
            ("initialize result", 510..=560),
            ("tools/call result 1 KB", 1100..=1200),
            ("tools/list 20", 13_000..=15_500),
            ("tools/list 100", 66_000..=76_000),
            ("resources/list 200", 50_000..=56_000),
            ("text 100 KB", 100_000..=100_300),
            ("image 1 MB", 1_048_576..=1_048_900),
            ("resource 5.2 MB", 5_200_000..=5_200_300),
        ];
        let found = [
            sizes(Class::Small),
            sizes(Class::Medium),
            sizes(Class::Large),
        ]
        .concat();
        for ((name, size), (expected_name, range)) in found.iter().zip(&expected) {
            assert_eq!(name, expected_name);
            assert!(
                range.contains(size),
                "{name} has {size} bytes, not {range:?}"
            );
        }
        assert_eq!(found.len(), expected.len());
    }

    #[test]
    fn the_mix_has_the_sizes_of_a_session() {
        let mut sizes: Vec<usize> = mix().iter().map(|message| message.bytes.len()).collect();
        sizes.sort_unstable();
        assert_eq!(sizes.len(), 1000);
        let mean = sizes.iter().sum::<usize>() / sizes.len();
        let found = [sizes[500], mean, sizes[900], sizes[990], sizes[999]];
        let ranges = [
            170..=200,
            1450..=1680,
            3000..=4000,
            15_000..=22_000,
            70_000..=90_000,
        ];
        assert!(
            found
                .iter()
                .zip(&ranges)
                .all(|(size, range)| range.contains(size)),
            "{found:?} not in {ranges:?}"
        );
    }

    #[test]
    fn the_mix_has_the_proportions_of_a_session() {
        let messages = mix();
        let count = |definition| {
            messages
                .iter()
                .filter(|message| message.definition == definition)
                .count()
        };
        assert_eq!(count(Definition::Message("CallToolRequest")), 310);
        assert_eq!(count(Definition::Result("CallToolResult")), 310);
        assert_eq!(count(Definition::Message("ProgressNotification")), 200);
        assert_eq!(count(Definition::Message("LoggingMessageNotification")), 60);
        assert_eq!(count(Definition::Message("JSONRPCErrorResponse")), 6);
    }

    #[test]
    fn messages_of_the_mix_are_distinct() {
        let mut messages: Vec<Vec<u8>> = mix().into_iter().map(|message| message.bytes).collect();
        messages.sort();
        messages.dedup();
        assert_eq!(messages.len(), 1000);
    }

    #[test]
    fn long_texts_have_escapes_and_foreign_letters() {
        let entries = valid();
        let entry = entries
            .iter()
            .find(|entry| entry.name == "resource 5.2 MB")
            .expect("it is in the corpus");
        let bytes = &entry.messages[0].bytes;
        let text = std::str::from_utf8(bytes).expect("the corpus is UTF-8");
        let escapes = text.matches('\\').count();
        let gap = bytes.len() / escapes;
        assert!((42..=48).contains(&gap), "an escape every {gap} bytes");
        let lines = text.split(r"\n");
        let (foreign, all) = lines.fold((0, 0), |(foreign, all), line| {
            (foreign + usize::from(!line.is_ascii()), all + 1)
        });
        let per_mille = foreign * 1000 / all;
        assert!(
            (30..=50).contains(&per_mille),
            "{per_mille} of 1000 lines are not ASCII"
        );
    }

    #[test]
    fn the_corpus_is_the_same_in_every_run() {
        let bytes = |entries: Vec<Entry>| {
            entries
                .into_iter()
                .flat_map(|entry| entry.messages)
                .map(|message| message.bytes)
        };
        assert!(bytes(valid()).eq(bytes(valid())));
        assert!(bytes(invalid()).eq(bytes(invalid())));
    }
}
