//! The results of the passes on small files, and each fault they know.

use super::{Shape, Tables, build};
use crate::wire::ast::ArmTag;
use crate::wire::diagnostic::render;
use crate::wire::parse;

const REVISIONS: &str = "revision 2024-11-05\nrevision 2025-06-18\nrevision 2025-11-25\n";

fn attempt(text: &str) -> Result<Tables, String> {
    let items =
        parse("t.wire", &format!("{REVISIONS}{text}")).map_err(|fault| fault.to_string())?;
    build(&items).map_err(|faults| render(&faults))
}

fn tables(text: &str) -> Tables {
    attempt(text).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The faults of a text; lines count without the revisions.
fn faults_in(text: &str) -> Vec<String> {
    let faults = attempt(text).expect_err(text);
    let shift = |line: &str| {
        let mut parts = line.splitn(4, ':').skip(1);
        let number: usize = parts
            .next()
            .and_then(|number| number.parse().ok())
            .expect("a line number");
        format!(
            "{}:{}:{}",
            number - 3,
            parts.next().unwrap_or(""),
            parts.next().unwrap_or("")
        )
    };
    faults.lines().map(shift).collect()
}

#[test]
fn bases_come_first_and_keep_to_their_time() {
    let tables = tables(
        "request a A client -> server { result Tool }\n\
         struct Base { name string\n gone? int until 2025-06 }\n\
         struct Icons { icons? [string](..5) }\n\
         struct Tool : Base, Icons since 2025-11 { x? string until 2024-11\n x int since 2025-06\n name \"tool\" only 2025-11 }\n",
    );
    let tool = &tables.structs[2];
    let names: Vec<&str> = tool
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    assert_eq!(names, ["name", "gone", "icons", "x"]);
    let shapes = |index: usize| -> Vec<Option<&Shape>> {
        tool.fields[index]
            .shape
            .iter()
            .map(|id| id.map(|id| &tables.shapes[usize::from(id)]))
            .collect()
    };
    let string = Shape::String(crate::wire::ast::Format::Plain);
    let int = Shape::Int(i64::MIN, i64::MAX);
    assert_eq!(
        shapes(0),
        [
            Some(&string),
            Some(&string),
            Some(&Shape::Literal("tool".into()))
        ]
    );
    assert_eq!(shapes(1), [Some(&int), Some(&int), None]);
    assert!(matches!(
        shapes(2)[..],
        [None, None, Some(Shape::Array(_, 5))]
    ));
    assert_eq!(shapes(3), [Some(&string), Some(&int), Some(&int)]);
    assert_eq!(tool.required, [0b0001, 0b1001, 0b1001]);
}

#[test]
fn aliases_and_unions_follow_time() {
    let tables = tables(
        "request a A client -> server { result R }\n\
         struct R { u U\n e E\n v [T | null] }\n\
         type T = string until 2024-11\n\
         type T = int since 2025-06\n\
         union U by kind { one One, absent Two since 2025-06, else object }\n\
         struct One { kind \"one\" }\n\
         struct Two { n T }\n\
         enum E { x, y since 2025-11 }\n",
    );
    let union = &tables.unions[0];
    assert_eq!(union.tag.as_deref(), Some("kind"));
    assert_eq!(
        union
            .arms
            .iter()
            .map(|arm| (arm.tag.clone(), arm.set.0))
            .collect::<Vec<_>>(),
        [
            (ArmTag::Value("one".into()), 0b111),
            (ArmTag::Absent, 0b110),
            (ArmTag::Else, 0b111)
        ]
    );
    let place = &tables.unions[1];
    assert_eq!(place.name, "T | null");
    assert_eq!(
        place.arms.iter().map(|arm| arm.set.0).collect::<Vec<_>>(),
        [0b001, 0b110, 0b111]
    );
    assert_eq!(
        tables.enums[0].values,
        [
            ("x".to_owned(), super::Set(0b111)),
            ("y".to_owned(), super::Set(0b100))
        ]
    );
}

#[test]
fn methods_have_a_form_for_each_revision() {
    let tables = tables(
        "request b B server -> client until 2024-11 { params? object\n result object }\n\
         request a A client -> server { result object }\n\
         input b BInput server -> client since 2025-11 { params object\n result object\n needs client.x.y }\n\
         error -1 Bad since 2025-06 { data [string] only 2025-11 }\n\
         fact some-fact only 2025-06\n",
    );
    assert_eq!(
        tables
            .methods
            .iter()
            .map(|method| method.name.as_str())
            .collect::<Vec<_>>(),
        ["a", "b"]
    );
    let forms = &tables.methods[1].forms;
    assert!(forms[0].as_ref().is_some_and(|form| form.from_server
        && !form.from_client
        && !form.params_required
        && form.params.is_some()));
    assert!(forms[1].is_none());
    assert!(
        forms[2]
            .as_ref()
            .is_some_and(|form| form.params_required && form.needs == [["client", "x", "y"]])
    );
    assert_eq!(
        tables
            .errors
            .iter()
            .map(|row| (row.set.0, row.data.is_some()))
            .collect::<Vec<_>>(),
        [(0b010, false), (0b100, true)]
    );
    assert_eq!(tables.facts[0].set.0, 0b010);
}

#[test]
fn a_union_whose_tag_changes_has_two_rows() {
    let tables = tables(
        "request a A client -> server { result R }\nstruct R { u U }\nunion U until 2025-06 { One, object }\n\
         union U by kind since 2025-11 { one One }\nstruct One { kind \"one\" }\n",
    );
    assert_eq!(tables.unions.len(), 2);
    assert_eq!(
        (tables.unions[0].set.0, tables.unions[1].set.0),
        (0b011, 0b100)
    );
}

#[test]
fn faults() {
    for (text, expected) in FAULTS {
        let found = faults_in(&format!(
            "request a A client -> server {{ result R }}\n{text}"
        ));
        assert!(
            found.iter().any(|fault| fault == expected),
            "{text}\nexpected {expected}\nfound    {found:#?}"
        );
    }
}

#[test]
fn a_struct_has_a_bit_for_each_member() {
    let members: Vec<String> = (0..65).map(|index| format!("f{index} int")).collect();
    let found = faults_in(&format!(
        "request a A client -> server {{ result R }}\nstruct R {{\n{}\n}}",
        members.join("\n")
    ));
    assert_eq!(found, ["2:8: found 65 members in `R`, expected at most 64"]);
}

const FAULTS: &[(&str, &str)] = &[
    (
        "struct R { a Foo }",
        "2:14: found `Foo`, expected the name of a struct, union, enum or type",
    ),
    (
        "struct R : Foo {}",
        "2:12: found `Foo`, expected the name of a struct, union, enum or type",
    ),
    (
        "struct R { a int\n a string }",
        "3:2: found `a` again in 2024-11-05, 2025-06-18, 2025-11-25, expected disjoint ranges; the first is at t.wire:5:12",
    ),
    (
        "struct R { a int until 2025-06\n a string since 2025-06 }",
        "3:2: found `a` again in 2025-06-18, expected disjoint ranges; the first is at t.wire:5:12",
    ),
    (
        "struct R { a int }\nstruct R { a int }",
        "3:8: found `R` again in 2024-11-05, 2025-06-18, 2025-11-25, expected disjoint ranges; the first is at t.wire:5:8",
    ),
    (
        "struct R { a int since 2025-07 }",
        "2:24: found `2025-07`, expected one of the revisions 2024-11-05, 2025-06-18, 2025-11-25",
    ),
    (
        "struct R { a int since 2025-11 until 2025-06 }",
        "2:24: found an empty range for `a`, expected at least one revision",
    ),
    (
        "struct R { a N }\nstruct N { a int }\nstruct M only 2025-11 { a int until 2025-06 }",
        "4:37: found an empty range for `a`, expected at least one revision of 2025-11-25",
    ),
    (
        "struct R { a N }\nstruct N since 2025-06 { b int }",
        "2:14: found `N`, which does not exist in 2024-11-05, expected marks on `a` that keep to its time",
    ),
    (
        "struct R { a N }\nstruct N { b [R] }",
        "3:8: found `N -> R -> N`, expected a type that does not contain itself",
    ),
    (
        "struct R { a N }\ntype N = map N",
        "3:6: found `N -> N`, expected a type that does not contain itself",
    ),
    (
        "struct R : R { a int }",
        "2:8: found `R -> R`, expected a type that does not contain itself",
    ),
    (
        "struct R {}",
        "2:8: found nothing in `R`, expected members or a base; any object is `object`",
    ),
    (
        "struct R { a E }\nenum E {}",
        "3:6: found nothing for `E` in 2024-11-05, 2025-06-18, 2025-11-25, expected a value",
    ),
    (
        "struct R { a E }\nenum E { x since 2025-06 }",
        "3:6: found nothing for `E` in 2024-11-05, expected a value",
    ),
    (
        "struct R { a E }\nenum E { x, x }",
        "3:13: found `x` again in 2024-11-05, 2025-06-18, 2025-11-25, expected disjoint ranges; the first is at t.wire:6:10",
    ),
    (
        "union R {}",
        "2:7: found nothing for `R` in 2024-11-05, 2025-06-18, 2025-11-25, expected a branch",
    ),
    (
        "union R by k { a object, a object }",
        "2:26: found `\"a\"` again in 2024-11-05, 2025-06-18, 2025-11-25, expected disjoint ranges; the first is at t.wire:5:16",
    ),
    (
        "union R by k { a object, b int }",
        "2:7: found a branch of `R` that is not an object, expected one that has the tag",
    ),
    (
        "union R by k { a S }\nstruct S { k \"b\" }",
        "2:16: found the branch \"a\", expected \"b\", which its type demands of `k`",
    ),
    (
        "struct R { a int }\nstruct S { a int }",
        "3:8: found `S`, which nothing uses, expected a method, error or used type that names it",
    ),
    (
        "struct R : E { a int }\nenum E { x }",
        "2:12: found `E`, expected a struct as base",
    ),
    (
        "struct R : S, T {}\nstruct S { a int }\nstruct T { a string }",
        "2:15: found `a` in the bases `S` and `T` with different types in 2024-11-05, expected `R` to write it itself",
    ),
    (
        "struct R { a int }\nrequest b B client -> server {}",
        "3:9: found nothing in `b`, expected `params`, `result` or both",
    ),
    (
        "struct R { a int }\nrequest b B client -> server { params R }",
        "3:9: found nothing for `b` in 2024-11-05, 2025-06-18, 2025-11-25, expected a `result`",
    ),
    (
        "struct R { a int }\nnotification b B client -> server { result R }",
        "3:37: found `result`, expected none: a notification is not answered",
    ),
    (
        "struct R { a int }\nrequest b B client -> server { result int }",
        "3:39: found `int` for `result`, expected a type of objects",
    ),
    (
        "struct R { a int }\nrequest b R client -> server { result R }",
        "3:11: found `R` again in 2024-11-05, 2025-06-18, 2025-11-25, expected disjoint ranges; the first is at t.wire:5:8",
    ),
    (
        "struct R { a int }\nerror 1 X\nerror 1 Y",
        "4:9: found `1` again in 2024-11-05, 2025-06-18, 2025-11-25, expected disjoint ranges; the first is at t.wire:6:9",
    ),
    (
        "struct R { a int }\nfact f\nfact f",
        "4:6: found `f` again in 2024-11-05, 2025-06-18, 2025-11-25, expected disjoint ranges; the first is at t.wire:6:6",
    ),
];

#[test]
fn revisions_come_in_order() {
    let fault = |text: &str| render(&build(&parse("t.wire", text).unwrap()).unwrap_err());
    assert_eq!(
        fault("revision 2025-06-18\nrevision 2024-11-05"),
        "t.wire:2:10: found `2024-11-05`, expected a date after the revision before it"
    );
    assert_eq!(
        fault("fact a"),
        "t.wire:1:6: found no `revision` in any file, expected at least one"
    );
    let nine: Vec<String> = (1..=9)
        .map(|day| format!("revision 2025-01-0{day}"))
        .collect();
    assert!(fault(&nine.join("\n")).starts_with("t.wire:9:10: found one revision too many"));
}

#[test]
fn a_short_date_must_name_one_revision() {
    let items = parse(
        "t.wire",
        "revision 2025-06-01\nrevision 2025-06-18\nfact a since 2025-06",
    )
    .unwrap();
    assert_eq!(
        render(&build(&items).unwrap_err()),
        "t.wire:3:14: found `2025-06`, expected a full date, since several revisions begin like this"
    );
}
