//! Every item once, and every fault of the parser.

use super::*;

fn fault(text: &str) -> String {
    parse("t.wire", text).expect_err(text).to_string()
}

#[test]
fn reads_every_item() {
    let items = parse(
        "t.wire",
        r#"
revision 2025-06-18   # a comment
## It batches.
fact batches-all  only 2025-03
request tools/call CallToolRequest  client -> server since 2025-06 {
  params?  CallToolRequestParams
  result   A | B  until 2025-06
  needs    server.tools
  needs    client.extensions."a/b".c  since 2025-06
}
notification notifications/x XNotification client<->server { params P }
struct Tool since 2025-03 : BaseMetadata, Icons since 2025-11 {
  ## What it does.
  description?  string
  "$schema"?    string(uri)                  since 2025-06 until 2025-11
  n             [num(0..1.5)](..100) | null
  m             map int(-1..)
}
union Block by type { text TextContent, "a/b" X, absent Y, else object }
union Body { A, B }
enum Role {
  user
  assistant  since 2025-06
}
type Cursor = string
error -32042 UrlNeeded  only 2025-11 { data D }
error -32602 InvalidParams
"#,
    )
    .unwrap();
    assert_eq!(items.len(), 11);
    assert_eq!(items[1].doc, "It batches.");
    let ItemKind::Method(call) = &items[2].kind else {
        panic!("{:?}", items[2])
    };
    assert!(call.from_client && !call.from_server && call.params[0].optional);
    assert_eq!(call.needs[1].parts, ["client", "extensions", "a/b", "c"]);
    let ItemKind::Method(both) = &items[3].kind else {
        panic!("{:?}", items[3])
    };
    assert!(both.from_client && both.from_server);
    let ItemKind::Struct(tool) = &items[4].kind else {
        panic!("{:?}", items[4])
    };
    assert_eq!((tool.bases.len(), tool.fields.len()), (2, 4));
    assert_eq!(tool.fields[0].doc, "What it does.");
    assert_eq!(tool.fields[1].name.text, "$schema");
    let ItemKind::Union(block) = &items[5].kind else {
        panic!("{:?}", items[5])
    };
    let tags: Vec<_> = block.arms.iter().map(|arm| arm.tag.clone()).collect();
    assert_eq!(
        tags,
        [
            ArmTag::Value("text".into()),
            ArmTag::Value("a/b".into()),
            ArmTag::Absent,
            ArmTag::Else
        ]
    );
}

#[test]
fn faults_name_place_find_and_expectation() {
    for (text, expected) in FAULTS {
        assert_eq!(fault(text), *expected);
    }
}

const FAULTS: &[(&str, &str)] = &[
    (
        "structure X {}",
        "t.wire:1:1: found `structure`, expected `revision`, `fact`, `request`, `notification`, `input`, `struct`, `union`, `enum`, `type` or `error`",
    ),
    (
        "revision 2025-06",
        "t.wire:1:10: found `2025-06`, expected a full date",
    ),
    (
        "revision June",
        "t.wire:1:10: found `June`, expected a revision such as `2025-06-18` or `2025-06`",
    ),
    (
        "fact Batches",
        "t.wire:1:6: found `Batches`, expected a fact: lower-case words with hyphens",
    ),
    (
        "struct tool {}",
        "t.wire:1:8: found `tool`, expected a name with a capital letter",
    ),
    (
        "struct T { a-b string }",
        "t.wire:1:12: found `a-b`, expected the name of a member; one that is not a plain word is quoted",
    ),
    (
        "struct T {\n  a\n}",
        "t.wire:2:4: found the end of the line, expected a type",
    ),
    (
        "struct T { a strin }",
        "t.wire:1:14: found `strin`, expected a type: `string`, `int`, `num`, `bool`, `null`, `any`, `object`, `map T`, `[T]`, a quoted text or a name with a capital letter",
    ),
    (
        "struct T { a string string }",
        "t.wire:1:21: found `string`, expected `since`, `until`, `only`, the end of the line or `}`",
    ),
    (
        "struct T { a [string }",
        "t.wire:1:22: found `}`, expected `]`",
    ),
    (
        "struct T { a string(url) }",
        "t.wire:1:21: found `url`, expected a format: `uri`, `uri-template` or `byte`",
    ),
    (
        "struct T { a num(x) }",
        "t.wire:1:18: found `x`, expected a range such as `0..1`, each end a number",
    ),
    (
        "struct T { a int(..) }",
        "t.wire:1:18: found `..`, expected a range with at least one end",
    ),
    (
        "struct T { a int(2..1) }",
        "t.wire:1:18: found `2..1`, expected a range whose first end is not above its last",
    ),
    (
        "struct T { a [int](1..2) }",
        "t.wire:1:20: found a lower bound, expected an upper one alone: `[T](..100)`",
    ),
    (
        "struct T { a map int | null }",
        "t.wire:1:22: found `|`, expected the end of the type, since a map before `|` is ambiguous: name one of them with `type`",
    ),
    (
        "struct T { a int since }",
        "t.wire:1:24: found `}`, expected a revision such as `2025-06-18` or `2025-06`",
    ),
    (
        "struct T { a int only 2025-06 until 2025-11 }",
        "t.wire:1:31: found `until`, expected the end of the marks, since that end of the range is given already",
    ),
    (
        "struct T { a int until 2025-06 since 2025-03 }",
        "t.wire:1:32: found `since`, expected the end of the marks: `since` comes before `until`",
    ),
    (
        "struct T {\n  ## lost\n}",
        "t.wire:3:1: found `}`, expected an entry, after its documentation",
    ),
    (
        "struct T {",
        "t.wire:2:1: found the end of the file, expected the name of a member; one that is not a plain word is quoted",
    ),
    (
        "## lost",
        "t.wire:2:1: found the end of the file, expected an item, after its documentation",
    ),
    (
        "request a A client server {}",
        "t.wire:1:20: found `server`, expected `->` or `<->`",
    ),
    (
        "request a A client -> client {}",
        "t.wire:1:23: found `client` on both sides, expected the other party",
    ),
    (
        "request a A client -> server { result? B }",
        "t.wire:1:38: found `?`, expected a type: `result` cannot be optional",
    ),
    (
        "request a A client -> server { needs tools }",
        "t.wire:1:38: found `tools`, expected a capability such as `server.tools` or `client.extensions.\"some/name\"`",
    ),
    (
        "request a A client -> server { needs server. }",
        "t.wire:1:38: found `server.`, expected a capability such as `server.tools` or `client.extensions.\"some/name\"`",
    ),
    (
        "union U by t { a/b X }",
        "t.wire:1:16: found `a/b`, expected the value of the tag, `absent` or `else`; a value that is not a plain word is quoted",
    ),
    ("type A string", "t.wire:1:8: found `string`, expected `=`"),
    (
        "type A = string B",
        "t.wire:1:17: found `B`, expected the end of the line",
    ),
    (
        "error X Y",
        "t.wire:1:7: found `X`, expected an error code such as `-32602`",
    ),
];
