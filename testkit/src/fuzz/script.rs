//! From a dialogue to a script of the fuzz target `session`.

use mcp_assay::{Direction, Limits, Revision};

use crate::dialogue::Dialogue;
use crate::traffic::{Carried, Head, Record};

/// A dialogue as a script.
pub(super) fn script(dialogue: &Dialogue) -> Vec<u8> {
    let mut script = settings(dialogue).into_bytes();
    script.extend(groups(dialogue).concat());
    script
}

/// Two dialogues as the two sessions of one script, which has the settings of the first.
pub(super) fn interleaved(first: &Dialogue, second: &Dialogue) -> Vec<u8> {
    let mut script = settings(first).into_bytes();
    let mut others = groups(second).into_iter().map(in_second_session);
    for group in groups(first) {
        script.extend(group);
        script.extend(others.next().unwrap_or_default());
    }
    script.extend(others.flatten());
    script
}

/// The lines of one record.
type Group = Vec<u8>;

/// Capitals are for the second session.
fn in_second_session(mut group: Group) -> Group {
    let mut begins = true;
    for byte in &mut group {
        if std::mem::replace(&mut begins, *byte == b'\n') {
            byte.make_ascii_uppercase();
        }
    }
    group
}

/// The first line.
fn settings(dialogue: &Dialogue) -> String {
    let mut words = Vec::new();
    if !dialogue.auto {
        let mut revisions = Revision::ALL.into_iter();
        let position = revisions.position(|revision| revision == dialogue.revision);
        words.extend(position.map(|position| format!("R{}", position + 1)));
    }
    let (own, usual) = (&dialogue.policy.limits, &Limits::DEFAULT);
    for (letter, own, usual) in [
        ('b', own.bytes, usual.bytes),
        ('d', own.depth, usual.depth),
        ('n', own.tokens, usual.tokens),
        ('f', own.violations, usual.violations),
        ('o', own.open_requests, usual.open_requests),
        ('i', own.ids, usual.ids),
        ('p', own.progress_tokens, usual.progress_tokens),
        ('c', own.cursors, usual.cursors),
        ('l', own.listed, usual.listed),
        ('u', own.subscriptions, usual.subscriptions),
        ('k', own.tasks, usual.tasks),
        ('g', own.elicitations, usual.elicitations),
        ('h', own.streams, usual.streams),
    ] {
        if own != usual {
            words.push(format!("{letter}{own}"));
        }
    }
    words.join(" ") + "\n"
}

/// The lines of each record.
fn groups(dialogue: &Dialogue) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut clock = 0.0;
    for record in dialogue.records() {
        let mut group = Group::new();
        // Each record takes a millisecond.
        let passed = ((record.time - clock) * 1000.0).round() - 1.0;
        if passed >= 1.0 {
            line(&mut group, 't', format!("{passed:.0}").as_bytes());
        }
        clock = record.time;
        write(&record, &mut group);
        groups.push(group);
    }
    groups
}

fn write(record: &Record, group: &mut Group) {
    let from_client = record.direction == Direction::ClientToServer;
    match &record.carrier {
        Carried::Line {
            stdio,
            unterminated,
        } => {
            let letter = match (unterminated, stdio, from_client) {
                (true, _, true) => 'j',
                (true, _, false) => 'p',
                (false, true, true) => 'i',
                (false, true, false) => 'o',
                (false, false, true) => 'c',
                (false, false, false) => 's',
            };
            text(group, letter, &record.bytes);
        }
        Carried::Http {
            exchange,
            head,
            headers,
        } => {
            let (letter, mut words) = head_of(head);
            words.extend(exchange.map(|number| format!("#{number}")));
            if from_client != (letter == 'q') {
                words.push(if from_client { "c2s" } else { "s2c" }.to_owned());
            }
            line(group, letter, words.join(" ").as_bytes());
            for (name, value) in headers {
                line(group, 'h', format!("{name}:{value}").as_bytes());
            }
            if !record.bytes.is_empty() {
                text(group, 'b', &record.bytes);
            }
        }
    }
}

/// The letter and the words of the head of a part of an HTTP exchange.
fn head_of(head: &Head) -> (char, Vec<String>) {
    match head {
        Head::Request { method, path } => ('q', vec![method.clone(), path.clone()]),
        Head::Response { status, streamed } => {
            let mut words = vec![status.to_string()];
            words.extend(streamed.then(|| "stream".to_owned()));
            ('r', words)
        }
        Head::Event { name, id, retry } => {
            let fields = [
                name.as_ref().map(|name| format!("name:{name}")),
                id.as_ref().map(|id| format!("id:{id}")),
                retry.map(|retry| format!("retry:{retry}")),
            ];
            ('e', fields.into_iter().flatten().collect())
        }
        Head::End { by } => {
            let by = by.map(|party| format!("by:{}", party.name()));
            ('z', by.into_iter().collect())
        }
    }
}

/// A message, whose newlines begin lines of their own.
fn text(group: &mut Group, letter: char, bytes: &[u8]) {
    let mut letter = letter;
    for part in bytes.split(|byte| *byte == b'\n') {
        line(group, letter, part);
        letter = 'n';
    }
}

fn line(group: &mut Group, letter: char, bytes: &[u8]) {
    group.push(letter as u8);
    group.extend_from_slice(bytes);
    group.push(b'\n');
}
