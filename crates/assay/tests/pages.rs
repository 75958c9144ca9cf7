//! The examples on the rule pages are run: a good one is silent, a bad one raises its rule and no other, at the caret.
//!
//! A block is ` ```mcp,good,<revision> ` or ` ```mcp,bad,<revision> `, followed by options: `only` (run in this revision
//! alone), `raw` (`\xHH` stands for a byte), `bytes:`, `depth:`, `tokens:`, `open-requests:`, `violations:` (limits), `member:` (a schema of
//! one's own that demands this member of every `params`). `-->` is sent by the client, `<--` by the server, and carets mark
//! the offending characters of the line above.

use std::ops::ControlFlow;
use std::sync::Arc;

use mcp_assay::syntax::Tape;
use mcp_assay::{
    Definitions, Direction, Exchange, Frame, Policy, Revision, Rule, Session, Sink, Span,
    Validator, Violation, rules,
};

#[test]
fn every_page_says_what_is_wrong_and_shows_it() {
    for rule in rules::all() {
        let name = rule.name;
        let lines: Vec<_> = rule.page().collect();
        assert!(
            lines[0].ends_with('.') && lines.get(1) == Some(&""),
            "{name}: the first line is not a sentence of its own"
        );
        assert!(
            lines.get(2).is_some_and(|why| why.ends_with('.')),
            "{name}: the page does not say why it hurts"
        );
        assert!(
            !rule.help.is_empty() && !rule.help.ends_with('.'),
            "{name}: help is a clause without full stop"
        );
        assert!(!pairs(rule).is_empty(), "{name}: the page has no example");
    }
}

#[test]
fn good_examples_are_silent_and_bad_ones_raise_their_rule_at_the_caret() {
    let mut wrong = Vec::new();
    for rule in rules::all() {
        for (good, bad) in pairs(rule) {
            let found = good.run(good.revision);
            if !found.is_empty() {
                wrong.push(format!(
                    "{} {}: the good example raises {found:?}",
                    rule.name, good.revision
                ));
            }
            wrong.extend(bad.disagreement(rule, bad.revision));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A revision in which the good example is silent is one that its messages belong to; so the bad one must speak there, too.
#[test]
fn examples_hold_in_every_revision_that_their_messages_allow() {
    let mut wrong = Vec::new();
    for rule in rules::all() {
        for (good, bad) in pairs(rule)
            .into_iter()
            .filter(|(good, bad)| good.also_holds_with(bad))
        {
            for revision in rule
                .revisions
                .iter()
                .filter(|revision| good.run(*revision).is_empty())
            {
                wrong.extend(bad.disagreement(rule, revision));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_rule_is_raised_outside_its_revisions() {
    for rule in rules::all() {
        for (good, bad) in pairs(rule) {
            for revision in Revision::ALL
                .into_iter()
                .filter(|revision| !rule.revisions.contains(*revision))
            {
                for example in [&good, &bad] {
                    let found = example.run(revision);
                    assert!(
                        found.iter().all(|found| found.rule != rule.name),
                        "{} is raised in {revision}",
                        rule.name
                    );
                }
            }
        }
    }
}

/// The examples of a page, a good one and then a bad one.
fn pairs(rule: &Rule) -> Vec<(Example, Example)> {
    let mut examples = Vec::new();
    let mut open: Option<(&str, Vec<&str>)> = None;
    for line in rule.page() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some((info, Vec::new())),
            (None, None) => {}
            (Some((_, lines)), None) => lines.push(line),
            (Some((info, lines)), Some(_)) => {
                examples.push(Example::read(rule.name, info, lines));
                open = None;
            }
        }
    }
    assert!(open.is_none(), "{}: a block is not closed", rule.name);
    let mut pairs = Vec::new();
    let mut examples = examples.into_iter();
    while let Some(good) = examples.next() {
        let bad = examples
            .next()
            .unwrap_or_else(|| panic!("{}: a good example without a bad one", rule.name));
        assert!(
            good.lines.iter().all(|line| line.caret.is_none()),
            "{}: a caret in a good example",
            rule.name
        );
        assert!(
            bad.lines.iter().any(|line| line.caret.is_some()),
            "{}: a bad example without a caret",
            rule.name
        );
        pairs.push((good, bad));
    }
    pairs
}

struct Example {
    revision: Revision,
    only: bool,
    policy: Policy,
    demanded: Option<&'static str>,
    lines: Vec<Line>,
}

struct Line {
    direction: Direction,
    bytes: Vec<u8>,
    caret: Option<Span>,
}

#[derive(PartialEq, Debug)]
struct Found {
    line: usize,
    rule: &'static str,
    span: Span,
}

impl Example {
    fn read(rule: &str, info: &'static str, lines: &[&str]) -> Self {
        let mut words = info.split(',');
        assert_eq!(words.next(), Some("mcp"), "{rule}: a block that is not run");
        assert!(
            matches!(words.next(), Some("good" | "bad")),
            "{rule}: `{info}` is neither good nor bad"
        );
        let revision = words
            .next()
            .unwrap_or_default()
            .parse()
            .unwrap_or_else(|error| panic!("{rule}: `{info}`: {error}"));
        let mut example = Self {
            revision,
            only: false,
            policy: Policy::default(),
            demanded: None,
            lines: Vec::new(),
        };
        let mut raw = false;
        for option in words {
            let (key, value) = option.split_once(':').unwrap_or((option, ""));
            let number = || {
                value
                    .parse()
                    .unwrap_or_else(|error| panic!("{rule}: `{option}`: {error}"))
            };
            match key {
                "only" => example.only = true,
                "raw" => raw = true,
                "bytes" => example.policy.limits.bytes = number(),
                "depth" => example.policy.limits.depth = number(),
                "tokens" => example.policy.limits.tokens = number(),
                "open-requests" => example.policy.limits.open_requests = number(),
                "violations" => example.policy.limits.violations = number(),
                "member" => example.demanded = Some(value),
                _ => panic!("{rule}: unknown option `{option}`"),
            }
        }
        let mut columns = Vec::new();
        for line in lines {
            let direction = match line.get(..4) {
                Some("--> ") => Direction::ClientToServer,
                Some("<-- ") => Direction::ServerToClient,
                _ => {
                    let start = line
                        .find('^')
                        .unwrap_or_else(|| panic!("{rule}: neither message nor caret: {line}"));
                    let length = line[start..]
                        .bytes()
                        .take_while(|byte| *byte == b'^')
                        .count();
                    let above = example
                        .lines
                        .last_mut()
                        .unwrap_or_else(|| panic!("{rule}: a caret under nothing"));
                    above.caret = Some(Span {
                        start: columns[start - 4],
                        end: columns[start - 4 + length],
                    });
                    continue;
                }
            };
            let bytes = decode(&line[4..], raw, &mut columns);
            example.lines.push(Line {
                direction,
                bytes,
                caret: None,
            });
        }
        example
    }

    /// Whether the pair may be tried in other revisions: neither is about one, and both are about the same.
    fn also_holds_with(&self, bad: &Self) -> bool {
        !self.only && !bad.only && self.revision == bad.revision
    }

    fn run(&self, revision: Revision) -> Vec<Found> {
        let mut policy = self.policy.clone();
        policy.revision = Some(revision);
        let mut validator = Validator::new(policy);
        if let Some(member) = self.demanded {
            validator.replace_definitions(Arc::new(Demands(member)));
        }
        let mut session = Session::new();
        let mut found = Vec::new();
        for (line, message) in self.lines.iter().enumerate() {
            let frame = Frame::new(&message.bytes).direction(message.direction);
            let checked = validator.check(&mut session, frame);
            found.extend(checked.violations().iter().map(|violation| Found {
                line,
                rule: violation.rule.name,
                span: violation.span,
            }));
        }
        found
    }

    /// Where a bad example raises anything but its rule at its carets.
    fn disagreement(&self, rule: &Rule, revision: Revision) -> Option<String> {
        let found = self.run(revision);
        let drawn = self
            .lines
            .iter()
            .enumerate()
            .filter_map(|(line, message)| Some((line, message.caret?)));
        let mut expected = drawn.map(|(line, caret)| {
            // One caret also stands for the place before its character, where something is missing.
            let empty = Span {
                start: caret.start,
                end: caret.start,
            };
            let at_nothing = found
                .iter()
                .any(|found| found.line == line && found.span == empty);
            Found {
                line,
                rule: rule.name,
                span: if at_nothing { empty } else { caret },
            }
        });
        let agree = expected.by_ref().collect::<Vec<_>>();
        (agree != found).then(|| {
            format!(
                "{} {revision}: expected {agree:?}, found {found:?}",
                rule.name
            )
        })
    }
}

/// The bytes of a message, and the offset of each of its columns, one past the last included.
fn decode(text: &str, raw: bool, columns: &mut Vec<u32>) -> Vec<u8> {
    let mut bytes = Vec::new();
    columns.clear();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let start = u32::try_from(bytes.len()).expect("examples are short");
        let escape = rest
            .get(..4)
            .filter(|escape| raw && escape.starts_with("\\x"));
        if let Some(escape) = escape {
            bytes.push(
                u8::from_str_radix(&escape[2..], 16).expect("two hexadecimal digits follow \\x"),
            );
            columns.extend([start; 4]);
            rest = &rest[4..];
        } else {
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            columns.push(start);
            rest = &rest[character.len_utf8()..];
        }
    }
    // A caret may stand one past the end, where the text breaks off.
    let end = u32::try_from(bytes.len()).expect("examples are short");
    columns.extend([end, end]);
    bytes
}

/// A schema of one's own: every `params` has this member.
struct Demands(&'static str);

impl Definitions for Demands {
    fn check(&self, exchange: &Exchange<'_>, _: &Tape, sink: &mut dyn Sink) -> ControlFlow<()> {
        match exchange.envelope.params() {
            Some(params) if params.get(self.0).is_none() => {
                sink.push(Violation::by_override(params))
            }
            _ => ControlFlow::Continue(()),
        }
    }
}
