//! The order of messages: a reaction has its time before anything else is sent, and slow tools take
//! theirs side by side.

use std::time::Duration;

use mcp_assay::{Direction, Revision};
use mcp_assay_probe::{Record, Target};

use crate::{run, stdio};

/// The messages of all connections, in their order.
fn records(target: Target, only: &str, step: Duration) -> Vec<Record> {
    let report = run(target, |options| {
        options.keep_transcript = true;
        options.revisions = vec![Revision::V2025_06_18];
        options.only = vec![only.to_owned()];
        options.step_timeout = step;
    });
    let transcript = report.expect("a report").transcript;
    let records = transcript.into_iter().flat_map(|one| one.records);
    records.collect()
}

/// A server that reads two messages at once may lose the answer to one.
#[test]
fn nothing_is_sent_before_a_reaction_had_its_time() {
    let target = stdio(&[]);
    let records = records(target, "jsonrpc/parse-error-reply", Duration::from_secs(5));
    let mut pairs = records.windows(2);
    let sent = pairs.find(|pair| pair[0].bytes() == b"{oops");
    let [_, next] = sent.expect("malformed text was sent") else {
        unreachable!("windows of two");
    };
    assert_eq!(next.direction(), Direction::ServerToClient, "{next:?}");
}

/// Answers everything but calls of tools.
const NEVER_CALLS: &str = r#"
init='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}'
tool='"inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}'
while read -r line; do
  id=${line#*'"id":'}; id=${id%%,*}; result=
  case $line in
    *'"initialize"'*) result=$init ;;
    *'"tools/list"'*) result='{"tools":[{"name":"one",'$tool'},{"name":"two",'$tool'}]}' ;;
    *'"ping"'*) result='{}' ;;
  esac
  [ -z "$result" ] || echo '{"jsonrpc":"2.0","id":'$id',"result":'$result'}'
done"#;

#[test]
fn slow_tools_are_waited_for_side_by_side() {
    let target = Target::Command(["sh", "-c", NEVER_CALLS].map(str::to_owned).to_vec());
    let records = records(target, "tools/input-validated", Duration::from_secs(2));
    let place = |part: &str| {
        let has = |record: &Record| {
            let text = String::from_utf8_lossy(record.bytes());
            record.direction() == Direction::ClientToServer && text.contains(part)
        };
        records.iter().position(has)
    };
    let second = place(r#""name":"two""#).expect("a call of the second tool");
    let cancelled = place("notifications/cancelled").expect("a cancellation of the first call");
    assert!(second < cancelled, "{second} {cancelled}");
}
