//! Texts that are too much: they end in a fault, never in a crash.

use mcp_assay::syntax::FaultKind::{TooDeep, TooLarge, TooManyTokens, UnexpectedEnd};
use mcp_assay::syntax::{FaultKind, Tape, scan};
use mcp_assay::{Frame, Limits, Revision, Session, Validator, Verdict};

use crate::support::{accepts, fault_within, refuses};

fn with(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::DEFAULT;
    change(&mut limits);
    limits
}

fn kind_and_start(bytes: &[u8], limits: &Limits) -> Option<(FaultKind, u32)> {
    fault_within(bytes, limits).map(|fault| (fault.kind, fault.start))
}

#[test]
fn depth() {
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    accepts(nested(Limits::DEFAULT.depth).as_bytes());
    let limit = Limits::DEFAULT.depth;
    refuses(nested(limit + 1).as_bytes(), TooDeep, limit, limit + 1);
    for limit in 0..70 {
        let limits = with(|limits| limits.depth = limit);
        assert_eq!(
            kind_and_start(nested(limit).as_bytes(), &limits),
            if limit == 0 {
                Some((FaultKind::Empty, 0))
            } else {
                None
            }
        );
        assert_eq!(
            kind_and_start(nested(limit + 1).as_bytes(), &limits),
            Some((TooDeep, limit as u32))
        );
        // Siblings are not nested.
        let row = format!("[{}0]", "[],".repeat(200));
        assert_eq!(
            kind_and_start(row.as_bytes(), &limits).is_none(),
            limit >= 2
        );
    }
    assert_eq!(kind_and_start(b"1", &with(|limits| limits.depth = 0)), None);
}

#[test]
fn a_million_levels() {
    const LEVELS: usize = 1_000_000;
    let arrays = "[".repeat(LEVELS) + &"]".repeat(LEVELS);
    let objects = "{\"a\":".repeat(LEVELS) + "1" + &"}".repeat(LEVELS);
    let open = "[{\"a\":".repeat(LEVELS / 2);
    let limit = Limits::DEFAULT.depth;
    for text in [&arrays, &objects, &open] {
        assert_eq!(
            fault_within(text.as_bytes(), &Limits::DEFAULT).map(|fault| fault.kind),
            Some(TooDeep)
        );
        let checked_limit = with(|limits| limits.depth = limit);
        assert!(fault_within(text.as_bytes(), &checked_limit).is_some());
    }
    // Whoever lifts the limit gets an answer too: nothing recurses on the input.
    let lifted = with(|limits| limits.depth = LEVELS);
    let mut tape = Tape::new();
    assert_eq!(
        scan(arrays.as_bytes(), &lifted.for_scan(), &mut tape),
        Ok(())
    );
    assert_eq!(tape.tokens().len(), LEVELS);
    let innermost = tape.node(arrays.as_bytes(), LEVELS as u32 - 1);
    assert_eq!(innermost.items().count(), 0);
    assert_eq!(
        scan(objects.as_bytes(), &lifted.for_scan(), &mut tape),
        Ok(())
    );
    assert_eq!(
        kind_and_start(open.as_bytes(), &lifted),
        Some((UnexpectedEnd, open.len() as u32))
    );
}

#[test]
fn size() {
    let limits = with(|limits| limits.bytes = 10);
    assert_eq!(kind_and_start(b"\"12345678\"", &limits), None);
    assert_eq!(
        kind_and_start(b"\"123456789\"", &limits),
        Some((TooLarge, 10))
    );
    assert_eq!(
        kind_and_start(b"           ", &limits),
        Some((TooLarge, 10))
    );
    assert_eq!(
        kind_and_start(b"", &with(|limits| limits.bytes = 0)),
        Some((FaultKind::Empty, 0))
    );
}

#[test]
fn tokens() {
    // The array, and one token an item.
    let row = |items: usize| format!("[{}0]", "0,".repeat(items - 1));
    for limit in [2, 3, 64, 100] {
        let limits = with(|limits| limits.tokens = limit);
        assert_eq!(kind_and_start(row(limit - 1).as_bytes(), &limits), None);
        assert_eq!(
            kind_and_start(row(limit).as_bytes(), &limits).map(|(kind, _)| kind),
            Some(TooManyTokens)
        );
    }
    let limits = with(|limits| limits.tokens = 5);
    assert_eq!(kind_and_start(br#"{"a":1,"b":2}"#, &limits), None);
    assert_eq!(
        kind_and_start(br#"{"a":1,"b":2,"c":3}"#, &limits).map(|(kind, _)| kind),
        Some(TooManyTokens)
    );
}

const FIFTY_MEGABYTES: usize = 50 << 20;

#[test]
fn a_line_of_fifty_megabytes_of_text() {
    let mut line =
        br#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":""#.to_vec();
    line.resize(FIFTY_MEGABYTES, b'x');
    line.extend_from_slice(br#""}]}}"#);
    let frame = |line| {
        Frame::new(line)
            .revision(Revision::V2025_06_18)
            .answers("tools/call")
    };
    let mut validator = Validator::default();
    assert_eq!(
        validator.check(&mut Session::new(), frame(&line)).verdict(),
        Verdict::Pass
    );
    // Broken in the last bytes.
    line.truncate(line.len() - 2);
    check_rule(&line, "json/well-formed");
    // Beyond the limit.
    line.resize(Limits::DEFAULT.bytes + 1, b'x');
    check_rule(&line, "json/size-limit");
}

#[test]
fn lines_of_fifty_megabytes_of_trifles() {
    let fill = |piece: &[u8]| {
        piece
            .iter()
            .copied()
            .cycle()
            .take(FIFTY_MEGABYTES)
            .collect::<Vec<u8>>()
    };
    check_rule(&fill(b"["), "json/depth-limit");
    check_rule(&[b"[".to_vec(), fill(b"0,")].concat(), "json/token-limit");
    check_rule(
        &[b"{".to_vec(), fill(b"\"a\":0,")].concat(),
        "json/token-limit",
    );
    check_rule(&fill(b" "), "json/well-formed");
    check_rule(&fill(b"9"), "json/top-level-object");
    check_rule(&fill(b"\""), "json/well-formed");
    check_rule(&fill(b"\\"), "json/well-formed");
    check_rule(
        &[b"\"".to_vec(), fill(b"\\\\")].concat(),
        "json/well-formed",
    );
    check_rule(&fill(b"\x00"), "json/well-formed");
    check_rule(&fill(b"\xff"), "framing/utf8");
    check_rule(&fill(b"{}"), "framing/newline-delimited");
}

/// Fails unless the first violation of a message is of this rule, for the stopping and for the
/// collecting check.
fn check_rule(bytes: &[u8], rule: &str) {
    let mut validator = Validator::default();
    let first = validator
        .first_violation(&Session::new(), bytes)
        .map(|violation| violation.rule.name);
    assert_eq!(first, Some(rule));
    let mut session = Session::new();
    let checked = validator.check(&mut session, bytes);
    assert_eq!(checked.verdict(), Verdict::Block);
    assert_eq!(
        checked
            .violations()
            .first()
            .map(|violation| violation.rule.name),
        Some(rule)
    );
}
