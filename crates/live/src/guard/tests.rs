//! Decisions about good and bad messages.

use core::ops::ControlFlow;
use std::sync::Arc;

use mcp_assay::syntax::Tape;
use mcp_assay::{
    Carrier, Definitions, Direction, Exchange, Frame, Level, LevelOverride, Policy, Revision,
    Session, Sink, Validator, Verdict,
};

use super::{Action, Decision, Guard, Mode, RepairKind, Repairs, UnknownTools, Values};

const TO_SERVER: Direction = Direction::ClientToServer;
const TO_CLIENT: Direction = Direction::ServerToClient;

const OPENING: [(Direction, &str); 3] = [
    (
        TO_SERVER,
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
    ),
    (
        TO_CLIENT,
        r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#,
    ),
    (
        TO_SERVER,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    ),
];

fn opened(mode: Mode) -> (Guard, Session) {
    let (mut guard, mut session) = (Guard::new(Policy::default(), mode), Session::new());
    for (direction, text) in OPENING {
        assert_eq!(
            act(&mut guard, &mut session, direction, text),
            "forward",
            "{text}"
        );
    }
    (guard, session)
}

fn act(guard: &mut Guard, session: &mut Session, direction: Direction, text: &str) -> String {
    let frame = Frame::new(text.as_bytes())
        .direction(direction)
        .carrier(Carrier::Stdio);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("answers are UTF-8");
    match guard.judge(session, frame).action {
        Action::Forward => "forward".to_owned(),
        Action::Drop => "drop".to_owned(),
        Action::Divert => "divert".to_owned(),
        Action::Refuse(bytes) => format!("refuse {}", text(bytes)),
        Action::Replace(bytes) => format!("replace {}", text(bytes)),
        Action::Split { on, back } => format!("split {} {}", text(on), text(back)),
    }
}

#[test]
fn shadow_forwards_everything() {
    let (mut guard, mut session) = opened(Mode::Shadow);
    for text in [
        "Server ready",
        "{",
        r#"{"jsonrpc":"2.0","id":9,"result":1}"#,
    ] {
        assert_eq!(
            act(&mut guard, &mut session, TO_CLIENT, text),
            "forward",
            "{text}"
        );
    }
}

#[test]
fn a_bad_request_is_refused_and_the_session_goes_on() {
    let (mut guard, mut session) = opened(Mode::Enforce);
    let call = r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"arguments":{}}}"#;
    let refused = act(&mut guard, &mut session, TO_SERVER, call);
    assert!(
        refused
            .starts_with(r#"refuse {"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"#),
        "{refused}"
    );
    assert!(
        refused.contains(r#""rule":"schema/missing-member""#)
            && refused.contains(r#""pointer":"/params""#)
            && refused.contains(r#""canonical":"INVALID_INPUT","httpStatus":400"#),
        "{refused}"
    );
    assert_eq!(
        session.open_requests(TO_SERVER),
        0,
        "the server never saw it"
    );
    let ping = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
    assert_eq!(act(&mut guard, &mut session, TO_SERVER, ping), "forward");
    let answer = r#"{"jsonrpc":"2.0","id":2,"result":{}}"#;
    assert_eq!(act(&mut guard, &mut session, TO_CLIENT, answer), "forward");
}

#[test]
fn a_refusal_is_itself_a_valid_message() {
    let (mut guard, mut session) = opened(Mode::Enforce);
    guard.values = Values::Quoted;
    let call = "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/\\u0007\\\"x\",\"params\":{}}";
    let refused = act(&mut guard, &mut session, TO_SERVER, call);
    let answer = refused.strip_prefix("refuse ").expect("it is refused");
    let mut validator = mcp_assay::Validator::default();
    let mut other = Session::new();
    let checked = validator.check(
        &mut other,
        Frame::new(answer.as_bytes()).answers("tools/call"),
    );
    assert_eq!(checked.verdict(), Verdict::Pass, "{answer}");
}

#[test]
fn bad_notifications_are_dropped_and_text_is_diverted() {
    let (mut guard, mut session) = opened(Mode::Enforce);
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":"half"}}"#;
    assert_eq!(act(&mut guard, &mut session, TO_CLIENT, progress), "drop");
    assert_eq!(
        act(&mut guard, &mut session, TO_CLIENT, "Listening on stdio"),
        "divert"
    );
}

#[test]
fn whoever_waits_for_a_bad_answer_gets_an_error() {
    let answers = [
        // The result has the wrong shape.
        r#"{"jsonrpc":"2.0","id":3,"result":{"tools":1}}"#,
        // The id changed its type.
        r#"{"jsonrpc":"2.0","id":"3","result":{"tools":[]}}"#,
        // Not JSON, but the id can be seen.
        r#"{"jsonrpc":"2.0","id":3,"result":{"tools":[NaN]}}"#,
        // Not JSON, and only one request waits.
        r#"{"jsonrpc":"2.0","result":{"tools":[,]}}"#,
        // Both result and error.
        r#"{"jsonrpc":"2.0","id":3,"result":{"tools":[]},"error":{"code":1,"message":"x"}}"#,
    ];
    for answer in answers {
        let (mut guard, mut session) = opened(Mode::Enforce);
        let list = r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#;
        assert_eq!(act(&mut guard, &mut session, TO_SERVER, list), "forward");
        let replaced = act(&mut guard, &mut session, TO_CLIENT, answer);
        assert!(
            replaced.starts_with(
                r#"replace {"jsonrpc":"2.0","id":3,"error":{"code":-32062,"message":"#
            ),
            "{answer}\n{replaced}"
        );
        assert_eq!(session.open_requests(TO_SERVER), 0, "{answer}");
    }
}

#[test]
fn an_answer_that_nobody_waits_for_is_dropped() {
    let (mut guard, mut session) = opened(Mode::Enforce);
    let stray = r#"{"jsonrpc":"2.0","id":77,"result":{}}"#;
    assert_eq!(act(&mut guard, &mut session, TO_CLIENT, stray), "drop");
}

#[test]
fn an_unreadable_request_is_answered_with_the_id_that_can_be_seen() {
    let (mut guard, mut session) = opened(Mode::Enforce);
    let seen = act(
        &mut guard,
        &mut session,
        TO_SERVER,
        r#"{"jsonrpc":"2.0","id":8,"method":"ping",}"#,
    );
    assert!(
        seen.starts_with(r#"refuse {"jsonrpc":"2.0","id":8,"error":{"code":-32700"#),
        "{seen}"
    );
    let unseen = act(&mut guard, &mut session, TO_SERVER, r#"{"method":"ping",}"#);
    assert!(
        unseen.starts_with(r#"refuse {"jsonrpc":"2.0","id":null,"error":{"code":-32700"#),
        "{unseen}"
    );
}

#[test]
fn nulls_and_empty_arrays_are_mended() {
    let (mut guard, mut session) = opened(Mode::Enforce);
    guard.repairs.values = true;
    let cases = [
        (
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":null}}"#,
            r#"replace {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{}}"#,
        ),
        (
            r#"{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":[],"cursor":null}}"#,
            r#"replace {"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":{}}}"#,
        ),
    ];
    for (sent, expected) in cases {
        assert_eq!(act(&mut guard, &mut session, TO_SERVER, sent), expected);
    }
    assert_eq!(guard.done.len(), 2);
}

#[test]
fn a_broken_tool_is_left_out_of_the_list() {
    let good = r#"{"name":"a","inputSchema":{"type":"object"}}"#;
    let bad = r#"{"name":"b"}"#;
    let last = r#"{"name":"c","inputSchema":{"type":"object"},"title":null}"#;
    for (list, left) in [
        (format!("{bad}, {good}"), format!(" {good}")),
        (format!("{good},{bad},{last}"), good.to_owned()),
        (bad.to_owned(), String::new()),
    ] {
        let (mut guard, mut session) = opened(Mode::Enforce);
        guard.repairs = Repairs {
            quarantine: true,
            ..Repairs::default()
        };
        let request = r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#;
        assert_eq!(act(&mut guard, &mut session, TO_SERVER, request), "forward");
        let answer = format!(r#"{{"jsonrpc":"2.0","id":3,"result":{{"tools":[{list}]}}}}"#);
        let expected =
            format!(r#"replace {{"jsonrpc":"2.0","id":3,"result":{{"tools":[{left}]}}}}"#);
        assert_eq!(act(&mut guard, &mut session, TO_CLIENT, &answer), expected);
        let removed = guard
            .done
            .iter()
            .all(|repair| repair.kind == RepairKind::ToolRemoved && repair.tool.is_some());
        assert!(removed, "{:?}", guard.done);
    }
}

/// Fails on messages that hold `defect`.
struct Defect;

impl Definitions for Defect {
    fn check(&self, exchange: &Exchange<'_>, _: &Tape, _: &mut dyn Sink) -> ControlFlow<()> {
        let raw = exchange.envelope.root().raw();
        assert!(memchr::memmem::find(raw, b"defect").is_none(), "a defect");
        ControlFlow::Continue(())
    }
}

fn defective(mode: Mode) -> (Guard, Session) {
    let mut validator = Validator::default();
    validator.replace_definitions(Arc::new(Defect));
    (Guard::with_validator(validator, mode), Session::new())
}

#[test]
fn enforce_lets_nothing_pass_whose_check_fails() {
    let error = r#""error":{"code":-32603,"message":"Internal error","data":{"canonical":"INTERNAL_ERROR","httpStatus":500,"message":"the message could not be checked, so it was not forwarded","retryable":true}}"#;
    let cases = [
        (
            TO_SERVER,
            r#"{"jsonrpc":"2.0","id":"a","method":"ping","params":{"defect":1}}"#,
            format!(r#"refuse {{"jsonrpc":"2.0","id":"a",{error}}}"#),
        ),
        (
            TO_CLIENT,
            r#"{"jsonrpc":"2.0","id":7,"result":{"defect":1}}"#,
            format!(r#"replace {{"jsonrpc":"2.0","id":7,{error}}}"#),
        ),
        (
            TO_SERVER,
            r#"{"jsonrpc":"2.0","method":"notifications/defect"}"#,
            "drop".to_owned(),
        ),
    ];
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for (direction, sent, expected) in cases {
        let (mut guard, mut session) = defective(Mode::Enforce);
        assert_eq!(act(&mut guard, &mut session, direction, sent), expected);
        let frame = Frame::new(sent.as_bytes()).direction(direction);
        assert!(guard.judge(&mut session, frame).failed);
        // It goes on.
        assert_eq!(act(&mut guard, &mut session, TO_SERVER, ping), "forward");
        let frame = Frame::new(ping.as_bytes()).direction(TO_CLIENT);
        assert!(!guard.judge(&mut session, frame).failed);

        let (mut guard, mut session) = defective(Mode::Shadow);
        assert_eq!(act(&mut guard, &mut session, direction, sent), "forward");
        let frame = Frame::new(sent.as_bytes()).direction(direction);
        let judged = guard.judge(&mut session, frame);
        assert!(judged.failed);
        let told: Vec<_> = judged.in_words().collect();
        assert!(
            told[0].ends_with(": the check failed, please report this"),
            "{told:?}"
        );
    }
}

#[test]
fn a_batch_is_judged_as_it_will_be_tracked() {
    // An id that is used twice is answered once: neither goes on.
    let pairs = [
        (
            r#"[{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","id":7,"method":"ping"}]"#,
            Decision::Refuse,
        ),
        (
            r#"[{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":1}}},{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":1}}}]"#,
            Decision::Split,
        ),
    ];
    for (batch, decision) in pairs {
        let mut guard = Guard::new(Policy::default(), Mode::Enforce);
        let mut session = Session::new();
        for (direction, text) in OPENING {
            let text = text.replace("2025-06-18", "2025-03-26");
            act(&mut guard, &mut session, direction, &text);
        }
        let frame = Frame::new(batch.as_bytes()).direction(TO_SERVER);
        let judged = guard.judge(&mut session, frame);
        assert_eq!(judged.checked.verdict(), Verdict::Block, "{batch}");
        assert_eq!(judged.action.decision(), decision, "{batch}");
        let text = [judged.action.text(), judged.action.split_off()].concat();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.matches("\"error\":").count(), 1, "{text}");
        let open = usize::from(decision == Decision::Split);
        assert_eq!(session.open_requests(TO_SERVER), open, "{batch}");
    }
}

#[test]
fn a_limit_on_open_requests_counts_within_a_batch() {
    let mut policy = Policy::default();
    policy.revision = Some(Revision::V2025_03_26);
    policy.limits.open_requests = 2;
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":3,"method":"ping"}]"#;
    let mut validator = Validator::new(policy);
    let frame = Frame::new(batch.as_bytes()).direction(TO_SERVER);
    let first = validator.first_violation(&Session::new(), frame);
    assert_eq!(first.unwrap().rule.name, "session/open-requests-limit");
    let looked = validator.look(&Session::new(), frame).violations().to_vec();
    let checked = validator.check(&mut Session::new(), frame);
    let rules = |violations: &[mcp_assay::Violation]| -> Vec<&str> {
        violations.iter().map(|found| found.rule.name).collect()
    };
    assert_eq!(rules(&looked), ["session/open-requests-limit"]);
    assert_eq!(rules(checked.violations()), rules(&looked));
}

#[test]
fn many_warnings_do_not_hide_an_error() {
    let keys = r#""k":0,"#.repeat(150);
    let call =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{keys}"z":1}}}}"#);
    for limit in [0, 1, 2, 100, 1000] {
        let mut policy = Policy::default();
        policy.limits.violations = limit;
        let mut guard = Guard::new(policy, Mode::Enforce);
        let frame = Frame::new(call.as_bytes()).direction(TO_SERVER);
        let mut session = Session::new();
        let judged = guard.judge(&mut session, frame);
        assert_eq!(judged.checked.verdict(), Verdict::Block, "{limit}");
        assert!(matches!(judged.action, Action::Refuse(_)), "{limit}");
        let violations = judged.checked.violations();
        let errors = violations
            .iter()
            .filter(|violation| judged.checked.level(violation) == Level::Error);
        assert_eq!(errors.count(), 1, "{limit}");
        let expected = if limit < 150 { limit.max(1) + 1 } else { 150 };
        assert_eq!(violations.len(), expected, "{limit}");
        let last = violations.last().unwrap().rule.name;
        assert_eq!(last == "json/violation-limit", limit < 150, "{limit}");
    }
}

#[test]
fn refusals_echo_no_id_that_is_not_json() {
    for id in ["00", "5-0", "-", "1.", "01", "1e"] {
        let (mut guard, mut session) = opened(Mode::Enforce);
        let sent = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let refused = act(&mut guard, &mut session, TO_SERVER, &sent);
        assert!(
            refused.starts_with(r#"refuse {"jsonrpc":"2.0","id":null,"error":"#),
            "{refused}"
        );
    }
}

#[test]
fn a_limit_that_the_policy_calls_an_error_is_enforced() {
    let mut policy = Policy::default();
    policy.limits.progress_tokens = 1;
    let selection = &mut policy.selection;
    selection
        .set_level("session/memory-limit", LevelOverride::Error)
        .unwrap();
    let mut guard = Guard::new(policy, Mode::Enforce);
    let mut session = Session::new();
    let call = |id: u32| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"ping","params":{{"_meta":{{"progressToken":{id}}}}}}}"#
        )
    };
    assert_eq!(
        act(&mut guard, &mut session, TO_SERVER, &call(1)),
        "forward"
    );
    let refused = act(&mut guard, &mut session, TO_SERVER, &call(2));
    assert!(
        refused.starts_with(r#"refuse {"jsonrpc":"2.0","id":2,"#),
        "{refused}"
    );
}

const BATCHES: [(Direction, &str); 3] = [
    (
        TO_SERVER,
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
    ),
    (
        TO_CLIENT,
        r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-03-26","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#,
    ),
    (
        TO_SERVER,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    ),
];

#[test]
fn the_messages_of_a_batch_are_judged_one_by_one() {
    let (mut guard, mut session) = (Guard::new(Policy::default(), Mode::Enforce), Session::new());
    for (direction, text) in BATCHES {
        act(&mut guard, &mut session, direction, text);
    }
    let (ping, bad, worse) = (
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","n\u0061me":"b"}}"#,
    );
    let notice = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#;
    let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
    let batch = format!("[{ping}, {bad},{notice},{worse}, {list}]");
    let split = act(&mut guard, &mut session, TO_SERVER, &batch);
    let begins = format!(r#"split [{ping},{list}] [{{"jsonrpc":"2.0","id":"b","error":"#);
    assert!(split.starts_with(&begins), "{split}");
    assert!(
        split.contains(r#"},{"jsonrpc":"2.0","id":3,"error":"#),
        "{split}"
    );
    assert!(
        split.contains("json/unique-keys") && split.ends_with("}}}]"),
        "{split}"
    );
    assert_eq!(session.open_requests(TO_SERVER), 2, "the rest went on");
    // One answer is replaced, the other goes on, and both requests are closed.
    let (good, tools) = (
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":{"tools":1}}"#,
    );
    let answers = act(
        &mut guard,
        &mut session,
        TO_CLIENT,
        &format!("[{good},{tools}]"),
    );
    let begins = format!(r#"replace [{good},{{"jsonrpc":"2.0","id":2,"error":"#);
    assert!(answers.starts_with(&begins), "{answers}");
    assert_eq!(session.open_requests(TO_SERVER), 0);
    // Nothing is left: all of it is refused.
    let refused = act(&mut guard, &mut session, TO_SERVER, &format!("[{bad}]"));
    assert!(
        refused.starts_with(r#"refuse [{"jsonrpc":"2.0","id":"b","error":"#),
        "{refused}"
    );
}

#[test]
fn repeated_members_are_refused_unless_all_have_the_same_value() {
    let (mut guard, mut session) = opened(Mode::Enforce);
    let mut id = 10;
    let mut call = |params: &str| {
        id += 1;
        let text =
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#);
        act(&mut guard, &mut session, TO_SERVER, &text)
    };
    assert_eq!(call(r#"{"name":"a","name":"a"}"#), "forward");
    let many = r#""k":0,"#.repeat(200);
    for params in [
        r#"{"name":"a","name":"b"}"#.to_owned(),
        r#"{"name":"a","arguments":{"x":{"\u0061":1,"a":2}}}"#.to_owned(),
        format!(r#"{{"name":"a","arguments":{{{many}"k":1}}}}"#),
    ] {
        let refused = call(&params);
        assert!(refused.contains("json/unique-keys"), "{refused}");
    }
}

#[test]
fn calls_of_tools_that_were_not_listed_are_refused_if_asked_for() {
    let (mut guard, mut session) = opened(Mode::Enforce);
    let call = |id: u32, name: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{name}"}}}}"#
        )
    };
    assert_eq!(
        act(&mut guard, &mut session, TO_SERVER, &call(1, "add")),
        "forward"
    );
    guard.unknown_tools = UnknownTools::Refuse;
    let refused = act(&mut guard, &mut session, TO_SERVER, &call(2, "add"));
    assert!(
        refused.starts_with(r#"refuse {"jsonrpc":"2.0","id":2,"error":"#),
        "{refused}"
    );
    let list = r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#;
    let tools = r#"{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}}"#;
    act(&mut guard, &mut session, TO_SERVER, list);
    act(&mut guard, &mut session, TO_CLIENT, tools);
    assert_eq!(
        act(&mut guard, &mut session, TO_SERVER, &call(4, "add")),
        "forward"
    );
    let refused = act(&mut guard, &mut session, TO_SERVER, &call(5, "sub"));
    assert!(refused.starts_with("refuse"), "{refused}");
}

#[test]
fn what_follows_a_broken_line_is_not_forwarded() {
    let (mut guard, mut session) = opened(Mode::Enforce);
    let list = r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#;
    act(&mut guard, &mut session, TO_SERVER, list);
    let broken = act(
        &mut guard,
        &mut session,
        TO_CLIENT,
        r#"{"jsonrpc":"2.0","id":3,"#,
    );
    assert!(broken.starts_with("replace"), "{broken}");
    let rest = "  x\r{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}";
    assert_eq!(act(&mut guard, &mut session, TO_CLIENT, rest), "drop");
}
