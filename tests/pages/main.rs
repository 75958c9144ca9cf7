//! The examples on the pages of the rules are run: a good one is silent, a bad one raises its rule
//! and no other, at the caret.
//!
//! A block is ` ```mcp,good,<revision> ` or ` ```mcp,bad,<revision> `, followed by options: `only`
//! (run in this revision alone), `stdio` (lines of a recorded stream, of which nothing is missing),
//! `auto` (the revision is found in the traffic), `raw` (`\xHH` stands for a byte), `without:` (a
//! rule that is not looked for), limits such as `bytes:59`, and `member:` (a schema of one's own
//! that demands this member of every `params`). `mcp_assay_testkit::dialogue` says how a dialogue
//! is drawn.
//!
//! `RULES=progress/ cargo test -p mcp-assay-tests --test pages` runs only the rules whose names
//! begin so.

mod sentences;

use std::ops::ControlFlow;
use std::sync::Arc;

use mcp_assay::syntax::Tape;
use mcp_assay::{Definitions, Exchange, Revision, Rule, Sink, Validator, Violation, rules};
use mcp_assay_testkit::dialogue::{Dialogue, Found, Outcome};
use mcp_assay_testkit::sections::blocks;

#[test]
fn every_page_says_what_is_wrong_and_shows_it() {
    for rule in wanted() {
        let name = rule.name;
        let lines: Vec<_> = rule.page().collect();
        assert!(
            lines[0].ends_with('.') && lines.get(1) == Some(&""),
            "{name}: the first line is not a sentence of its own"
        );
        let why = lines.iter().skip(2).take_while(|line| !line.is_empty());
        assert!(
            why.last().is_some_and(|line| line.ends_with('.')),
            "{name}: the page does not say why it hurts"
        );
        assert!(
            !rule.help.is_empty() && !rule.help.ends_with('.'),
            "{name}: help is a clause without full stop"
        );
        assert!(!pairs(rule).is_empty(), "{name}: the page has no example");
        assert!(
            rule.recommended.intersection(rule.revisions) == rule.recommended,
            "{name}: recommended where it is not stated"
        );
    }
}

#[test]
fn names_are_unique_and_those_of_the_files() {
    let mut names: Vec<_> = rules::all().map(|rule| rule.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn good_examples_are_silent_and_bad_ones_raise_their_rule_at_the_caret() {
    let mut wrong = Vec::new();
    for rule in wanted() {
        for (good, bad) in pairs(rule) {
            let outcome = good.run(good.dialogue.revision, rule);
            if !outcome.found.is_empty() {
                wrong.push(format!(
                    "{} {}: the good example raises {:?}",
                    rule.name, good.dialogue.revision, outcome.found
                ));
            }
            wrong.extend(bad.disagreement(rule, bad.dialogue.revision));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A revision in which the good example is silent is one that its messages belong to; so the bad
/// one must speak there, too.
#[test]
fn examples_hold_in_every_revision_that_their_messages_allow() {
    let mut wrong = Vec::new();
    for rule in wanted() {
        for (good, bad) in pairs(rule)
            .into_iter()
            .filter(|(good, bad)| good.also_holds_with(bad))
        {
            for revision in rule
                .revisions
                .iter()
                .filter(|revision| good.run(*revision, rule).found.is_empty())
            {
                wrong.extend(bad.disagreement(rule, revision));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_rule_is_raised_outside_its_revisions() {
    for rule in wanted() {
        for (good, bad) in pairs(rule) {
            for revision in Revision::ALL
                .into_iter()
                .filter(|revision| !rule.revisions.contains(*revision))
            {
                for example in [&good, &bad] {
                    let found = example.run(revision, rule).found;
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

/// A dialogue raises no rule that only probing shows, and the messages of the party at fault raise
/// nothing else: the drawn place is all that is wrong.
#[test]
fn examples_of_probed_rules_show_their_fault_and_no_other() {
    let probed: Vec<&Rule> = mcp_assay_probe::probed_rules().collect();
    let mut shown = 0;
    for rule in probed {
        for (good, bad) in pairs(rule) {
            let revision = good.dialogue.revision;
            assert!(rule.revisions.contains(revision), "{}", rule.name);
            let at_fault = bad.dialogue.marked_direction().expect("a mark");
            for example in [&good, &bad] {
                let found = example.run(revision, rule).found;
                let of_party =
                    |found: &&Found| example.dialogue.direction_of(found.step) == Some(at_fault);
                let found: Vec<_> = found.iter().filter(of_party).collect();
                assert!(found.is_empty(), "{}: {found:?}", rule.name);
            }
            shown += 1;
        }
    }
    assert!(shown >= 10, "{shown}");
}

/// The rules that are looked at: all, or those that `RULES` names.
fn wanted() -> impl Iterator<Item = &'static Rule> {
    let prefix = std::env::var("RULES").unwrap_or_default();
    rules::all().filter(move |rule| rule.name.starts_with(&prefix))
}

/// The examples of a page, a good one and then a bad one.
fn pairs(rule: &Rule) -> Vec<(Example, Example)> {
    let blocks = blocks(rule.page()).unwrap_or_else(|error| panic!("{}: {error}", rule.name));
    let mut examples = blocks
        .iter()
        .map(|block| Example::read(rule.name, block.info, &block.lines));
    let mut pairs = Vec::new();
    while let Some(good) = examples.next() {
        let bad = examples
            .next()
            .unwrap_or_else(|| panic!("{}: a good example without a bad one", rule.name));
        assert!(
            good.dialogue.marks() == 0,
            "{}: a caret in a good example",
            rule.name
        );
        assert!(
            bad.dialogue.marks() > 0,
            "{}: a bad example without a caret",
            rule.name
        );
        pairs.push((good, bad));
    }
    pairs
}

struct Example {
    dialogue: Dialogue,
    demanded: Option<String>,
}

impl Example {
    fn read(rule: &str, info: &str, lines: &[&str]) -> Self {
        let options = info
            .strip_prefix("mcp,good,")
            .or_else(|| info.strip_prefix("mcp,bad,"))
            .unwrap_or_else(|| panic!("{rule}: a block that is not run: `{info}`"));
        let dialogue = Dialogue::read(rule, options, lines.iter().copied());
        let demanded = dialogue
            .options
            .iter()
            .find_map(|option| option.strip_prefix("member:"))
            .map(str::to_owned);
        for option in &dialogue.options {
            assert!(
                option == "raw" || option.starts_with("member:"),
                "{rule}: unknown option `{option}`"
            );
        }
        Self { dialogue, demanded }
    }

    /// Whether the pair may be tried in other revisions: neither is about one, and both are about
    /// the same.
    fn also_holds_with(&self, bad: &Self) -> bool {
        let (good, bad) = (&self.dialogue, &bad.dialogue);
        !good.only && !bad.only && good.revision == bad.revision
    }

    fn run(&self, revision: Revision, rule: &Rule) -> Outcome {
        self.dialogue
            .run_with(revision, Some(rule.name), |validator: &mut Validator| {
                if let Some(member) = &self.demanded {
                    validator.replace_definitions(Arc::new(Demands(member.clone())));
                }
            })
    }

    /// The place where a bad example raises anything but its rule at its carets.
    fn disagreement(&self, rule: &Rule, revision: Revision) -> Option<String> {
        let outcome = self.run(revision, rule);
        (!outcome.agrees()).then(|| {
            format!(
                "{} {revision}: drawn {:?}, found {:?}",
                rule.name, outcome.drawn, outcome.found
            )
        })
    }
}

/// A schema of one's own: every `params` has this member.
struct Demands(String);

impl Definitions for Demands {
    fn check(&self, exchange: &Exchange<'_>, _: &Tape, sink: &mut dyn Sink) -> ControlFlow<()> {
        match exchange.envelope.params() {
            Some(params) if params.get(&self.0).is_none() => {
                sink.push(Violation::by_override(params))
            }
            _ => ControlFlow::Continue(()),
        }
    }
}
