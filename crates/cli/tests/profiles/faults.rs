//! Faults of a profile, with line, column and a suggestion.

use super::complaint;
use super::support::{folder, run, run_in};

#[test]
fn faults_name_place_and_what_was_meant() {
    for (text, fault) in [
        (
            "strict = true\nnul_ids = true",
            "2:1: unknown key `nul_ids`; did you mean `null_ids`?",
        ),
        ("strict = 1", "1:10: `strict` must be `true` or `false`"),
        (
            "expected_revision = 2025-06-18",
            "1:21: `expected_revision` must be a string: put it in quotes",
        ),
        (
            "expected_revision = \"2025-06-17\"",
            "1:21: unknown revision `2025-06-17`; did you mean `2025-06-18`?",
        ),
        (
            "other_error_codes = \"eror\"",
            "1:21: unknown level `eror`; did you mean `error`?",
        ),
        (
            "[[error_codes]]\nfrom = 5\nto = 4",
            "1:1: the range is empty: its end is below its beginning",
        ),
        (
            "[[error_codes]]\nto = 4",
            "1:1: this range of error codes has no `from`",
        ),
        (
            "[error_codes]\nfrom = 1",
            "1:1: `error_codes` must be written as `[[error_codes]]`",
        ),
        (
            "[levels]\n\"schema/wrong-typ\" = \"off\"",
            "2:1: no rule, family, layer or level is called `schema/wrong-typ`; did you mean `schema/wrong-type`?",
        ),
        (
            "[levels]\nschema = \"of\"",
            "2:10: unknown level `of`; did you mean `off`?",
        ),
        (
            "[levels]\nschema = \"off\"\nstrict = \"off\"",
            "3:1: `strict` is in the table `levels`: write it above all tables",
        ),
        (
            "[methods.\"a/b\"]\nstands_for = \"tools/cal\"",
            "2:14: unknown method `tools/cal`; did you mean `tools/call`?",
        ),
        (
            "[methods.\"a/b\"]\nstands_for = \"tools/call\"\nsender = \"client\"",
            "3:1: a method that has `stands_for` has nothing else: the rest is the protocol's",
        ),
        (
            "[methods.\"ping\"]\nstands_for = \"tools/call\"",
            "1:10: `ping` is a method of the protocol: it cannot stand for `tools/call`",
        ),
        (
            "[methods.\"a/b\"]\nsendr = \"client\"",
            "2:1: unknown key `sendr`; did you mean `sender`?",
        ),
        (
            "[methods.\"a/b\"]\nsender = \"clent\"",
            "2:10: unknown sender `clent`; did you mean `client`?",
        ),
        (
            "[methods.\"a/b\"]\nparams = \"like tool/call\"",
            "2:10: unknown method `tool/call`; did you mean `tools/call`?",
        ),
        (
            "[methods.\"a/b\"]\nparams = \"anything\"",
            "2:10: `params` must be `any`, `like METHOD` or a JSON Schema",
        ),
        (
            "[methods.\"a/b\"]\nresult = { type = \"objct\" }",
            "1:10: the schema cannot be used: ",
        ),
        (
            "[notifications.\"a/b\"]\nresult = \"any\"",
            "2:1: a notification has no result",
        ),
        (
            "[resource_uris]\npatern = \"a\"",
            "2:1: unknown key `patern`; did you mean `pattern`?",
        ),
        (
            "[resource_uris]\npattern = \"(?=a)\"",
            "2:11: the schema cannot be used: a pattern has look-around, a back-reference or is too large (at /pattern)",
        ),
        (
            "[resource_uris]\nprefix = []",
            "2:10: no URI begins with one of no prefixes",
        ),
        (
            "extends = \"opnai\"",
            "1:11: unknown profile `opnai`; did you mean `openai`?",
        ),
        ("extends = \"mine.toml\"", "1:11: "),
        ("strict = tru", "1:"),
    ] {
        let said = complaint(text);
        assert!(said.starts_with(fault), "{text}\n{said}");
    }
}

#[test]
fn faults_of_rules_name_place_and_what_was_meant() {
    let rule = |change: &str, to: &str| {
        let rule = "[[rule]]\nname = \"a/b\"\nat = \"/params\"\nschema = true\nmessage = \"no\"\n";
        assert!(rule.contains(change));
        rule.replace(change, to)
    };
    for (text, fault) in [
        (rule("name = \"a/b\"\n", ""), "1:1: this rule has no `name`"),
        (
            rule("schema = true\n", ""),
            "1:1: this rule has no `schema`",
        ),
        (
            rule("message = \"no\"\n", ""),
            "1:1: this rule has no `message`",
        ),
        (
            rule("\"a/b\"", "\"A b\""),
            "2:8: the name of a rule is `family/requirement`",
        ),
        (
            rule("\"a/b\"", "\"schema/wrong-type\""),
            "2:8: there is a rule `schema/wrong-type` already",
        ),
        (
            rule("\"/params\"", "\"params\""),
            "3:6: a JSON Pointer is empty or begins with a slash",
        ),
        (
            rule("\"/params\"", "\"/a~2\""),
            "3:6: in a JSON Pointer `~` is written `~0`",
        ),
        (
            rule("schema = true", "schema = { type = \"objct\" }"),
            "4:10: the schema cannot be used: ",
        ),
        (
            rule("schema = true", "schema = '{'"),
            "4:10: `schema` is not JSON: ",
        ),
        (
            rule("schema = true", "schema = 3"),
            "4:10: `schema` must be a table, or a string that holds JSON",
        ),
        (
            rule(
                "schema = true",
                "schema = { \"$ref\" = \"http://localhost/a\" }",
            ),
            "4:10: the schema cannot be used: refers to another document",
        ),
        (
            rule("\"no\"", "\"a\\nb\""),
            "5:11: the message has a line break",
        ),
        (rule("\"no\"", "\"\""), "5:11: the message is empty"),
        (
            rule("schema", "shema"),
            "4:1: unknown key `shema`; did you mean `schema`?",
        ),
        (
            rule("[[rule]]", "[[rule]]\nmethod = \"tools/cal\""),
            "2:10: unknown method `tools/cal`",
        ),
        (
            rule("[[rule]]", "[[rule]]\nkind = \"result\""),
            "2:8: unknown kind `result`",
        ),
        (
            rule("[[rule]]", "[[rule]]\ndirection = \"c2c\""),
            "2:13: unknown direction `c2c`",
        ),
        (
            rule("[[rule]]", "[[rule]]\nlevel = \"off\""),
            "2:9: unknown level `off`",
        ),
    ] {
        let said = complaint(&text);
        assert!(said.starts_with(fault), "{text}\n{said}");
    }
}

#[test]
fn names_files_and_configurations_are_told_apart() {
    for (profile, says) in [
        ("erlmpc", "did you mean `erlmcp`?"),
        ("./none.toml", "failed to read the profile ./none.toml"),
        ("a\u{1b}[31m", "unknown profile `a\\u{1b}[31m`"),
    ] {
        let outcome = run(&["check", "--profile", profile, "-"], "");
        assert_eq!(outcome.code, 2, "{profile}");
        assert!(outcome.stderr.contains(says), "{}", outcome.stderr);
    }
    let folder = folder(&[
        ("mcp-assay.toml", b"strict = true\nprofile = \"sub/a.toml\""),
        ("sub/a.toml", b"\nstrct = true"),
    ]);
    let outcome = run_in(&folder, &["check", "-"]);
    assert_eq!(outcome.code, 2);
    for says in [
        "mcp-assay.toml:2:11: ",
        "a.toml:2:1: unknown key `strct`; did you mean `strict`?",
    ] {
        assert!(outcome.stderr.contains(says), "{}", outcome.stderr);
    }
}
