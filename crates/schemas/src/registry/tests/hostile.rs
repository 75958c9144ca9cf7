//! Schemas and values that try to take more than their share. Each ends within a second, built as a
//! release is.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::{Scanned, load};
use crate::registry::{Dialect, Fit, SchemaFaultKind as Kind, SchemaRegistry};

/// Unbounded work takes minutes and more: without optimisation a few seconds still show it.
const TIME: Duration = Duration::from_secs(if cfg!(debug_assertions) { 8 } else { 1 });

/// The outcome, within the time. On a busy machine the second or third attempt may decide.
#[track_caller]
fn within<T>(what: &str, run: impl Fn() -> T) -> T {
    let mut times = Vec::new();
    loop {
        let start = Instant::now();
        let outcome = run();
        times.push(start.elapsed());
        if times.last() < Some(&TIME) {
            return outcome;
        }
        assert!(times.len() < 3, "{what} took {times:?}");
    }
}

#[track_caller]
fn refused(what: &str, schema: &str) -> Kind {
    within(what, || load(schema).expect_err(what).kind.clone())
}

/// Compiles, checks and explains.
#[track_caller]
fn bounded(what: &str, schema: &str, value: &str) -> Fit {
    let compiled = within(&format!("{what} (compile)"), || load(schema).expect(what));
    let value = Scanned::new(value);
    within(&format!("{what} (check)"), || {
        compiled.check(value.root(), &mut |_| {})
    })
}

/// `$defs` of a chain: each link is made from the name of the next one.
fn chain(links: usize, link: impl Fn(&str) -> String) -> String {
    let mut defs = String::new();
    for number in 0..links {
        let next = format!("#/$defs/d{}", number + 1);
        let _ = write!(defs, r#""d{number}":{},"#, link(&next));
    }
    format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{defs}"d{links}":{{"type":"string"}}}}}}"##)
}

#[test]
fn composition_that_doubles() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let schema = chain(40, |next| {
            format!(r#"{{"{keyword}":[{{"$ref":"{next}"}},{{"$ref":"{next}"}}]}}"#)
        });
        assert_eq!(refused(keyword, &schema), Kind::TooComplex);
    }
    let conditions = chain(40, |next| {
        format!(
            r#"{{"if":{{"$ref":"{next}"}},"then":{{"$ref":"{next}"}},"else":{{"$ref":"{next}"}}}}"#
        )
    });
    assert_eq!(refused("if", &conditions), Kind::TooComplex);
    let negations = chain(40, |next| {
        format!(r#"{{"not":{{"$ref":"{next}"}},"dependentSchemas":{{"a":{{"$ref":"{next}"}}}}}}"#)
    });
    assert_eq!(refused("not", &negations), Kind::TooComplex);
    let leftovers = chain(40, |next| {
        format!(
            r#"{{"allOf":[{{"$ref":"{next}"}}],"unevaluatedProperties":false,"unevaluatedItems":false}}"#
        )
    });
    assert_eq!(refused("unevaluated", &leftovers), Kind::TooComplex);
}

#[test]
fn composition_just_below_the_limit() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let schema = chain(11, |next| {
            format!(r#"{{"{keyword}":[{{"$ref":"{next}"}},{{"$ref":"{next}"}}]}}"#)
        });
        bounded(keyword, &schema, "3");
        let root = r##""$ref":"#/$defs/d0""##;
        let items = schema.replacen(root, &format!(r#""items":{{{root}}}"#), 1);
        let values = format!("[{}]", vec!["3"; 100_000].join(","));
        bounded(&format!("{keyword} over items"), &items, &values);
        for leaf in ["true", "{}", "false"] {
            let empty = items.replace(r#"{"type":"string"}"#, leaf);
            bounded(&format!("{keyword} of {leaf}"), &empty, &values);
        }
    }
    // Long ways to few places.
    let nested = format!(
        "{}{}{}",
        r#"{"allOf":["#.repeat(40),
        r#"{"type":"integer"}"#,
        "]}".repeat(40)
    );
    let many = vec![nested; 200].join(",");
    let values = format!("[{}]", vec!["3"; 20_000].join(","));
    let schema = format!(r#"{{"items":{{"allOf":[{many}]}}}}"#);
    assert_eq!(bounded("long ways", &schema, &values), Fit::Undecided);
}

#[test]
fn a_large_list_of_alternatives_is_decided() {
    let kinds: Vec<_> = (0..200)
        .map(|number| format!(r##"{{"allOf":[{{"$ref":"#/$defs/base"}},{{"properties":{{"kind":{{"const":{number}}}}}}}]}}"##))
        .collect();
    let schema = format!(
        r#"{{"items":{{"oneOf":[{}]}},"$defs":{{"base":{{"type":"object","required":["kind"]}}}}}}"#,
        kinds.join(",")
    );
    let values: Vec<_> = (0..1000)
        .map(|number| format!(r#"{{"kind":{},"a":[1,2,3]}}"#, number % 200))
        .collect();
    let values = format!("[{}]", values.join(","));
    assert_eq!(bounded("alternatives", &schema, &values), Fit::Fits);
}

#[test]
fn composition_that_multiplies_with_the_depth_of_the_value() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let branch = r##"{"properties":{"a":{"$ref":"#"}}}"##;
        let schema = format!(r#"{{"{keyword}":[{branch},{branch},{branch}]}}"#);
        for leaf in ["1", "{}"] {
            let value = format!("{}{leaf}{}", r#"{"a":"#.repeat(100), "}".repeat(100));
            bounded(&format!("{keyword} over {leaf}"), &schema, &value);
        }
        // With something wrong at the bottom, and with references that are no cycle.
        let schema = format!(r#"{{"type":"object","{keyword}":[{branch},{branch},{branch}]}}"#);
        let value = format!("{}1{}", r#"{"a":"#.repeat(100), "}".repeat(100));
        bounded(&format!("{keyword} with a fault"), &schema, &value);
        let schema = chain(60, |next| {
            let branch = format!(r#"{{"properties":{{"a":{{"$ref":"{next}"}}}}}}"#);
            format!(r#"{{"{keyword}":[{branch},{branch},{branch}]}}"#)
        });
        let schema = schema.replace("string", if keyword == "anyOf" { "null" } else { "object" });
        assert_eq!(
            bounded(&format!("{keyword} without a cycle"), &schema, &value),
            Fit::Undecided
        );
    }
}

#[test]
fn leftovers_that_are_asked_for_again_and_again() {
    let schema = r##"{"allOf":[{"$ref":"#/$defs/n"}],"unevaluatedProperties":false,"$defs":{"n":{"anyOf":[
        {"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"},"b":true}}],"unevaluatedProperties":false}}}"##;
    let value = format!("{}1{}", r#"{"a":"#.repeat(100), "}".repeat(100));
    bounded("unevaluated", schema, &value);
}

#[test]
fn references_that_come_back() {
    for schema in [
        r##"{"$ref":"#"}"##,
        r##"{"allOf":[{"$ref":"#"}]}"##,
        r##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##,
        r##"{"not":{"$ref":"#"}}"##,
        r##"{"$dynamicRef":"#a","$dynamicAnchor":"a"}"##,
        r##"{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveRef":"#","$recursiveAnchor":true}"##,
    ] {
        for value in ["1", "{}", "[[]]"] {
            bounded(schema, schema, value);
        }
    }
    // Subtypes that name their supertype, which names them.
    let mut defs = String::new();
    let mut names = String::new();
    for number in 0..20 {
        let _ = write!(names, r##"{{"$ref":"#/$defs/d{number}"}},"##);
        let _ = write!(
            defs,
            r##""d{number}":{{"allOf":[{{"$ref":"#/$defs/pet"}},{{"properties":{{"kind":{{"const":"{number}"}}}}}}]}},"##
        );
    }
    let pets = format!(
        r##"{{"$ref":"#/$defs/pet","$defs":{{{defs}"pet":{{"oneOf":[{names}{{"type":"null"}}]}}}}}}"##
    );
    bounded("subtypes", &pets, r#"{"kind":"3"}"#);
    // Every definition refers to every other.
    let all: Vec<_> = (0..30)
        .map(|number| format!(r##"{{"$ref":"#/$defs/d{number}"}}"##))
        .collect();
    let all = all.join(",");
    let defs: Vec<_> = (0..30)
        .map(|number| format!(r#""d{number}":{{"anyOf":[{all}]}}"#))
        .collect();
    let schema = format!(
        r##"{{"$ref":"#/$defs/d0","$defs":{{{}}}}}"##,
        defs.join(",")
    );
    assert_eq!(refused("everybody", &schema), Kind::TooComplex);
}

#[test]
fn dynamic_scopes_that_multiply() {
    // Each resource refers to all others, so that every order of them is a scope of its own.
    let schema = |count: usize, keyword: &str, anchor: &str| {
        let mut defs = String::new();
        for number in 0..count {
            let mut properties = String::new();
            for other in 0..count {
                let _ = write!(
                    properties,
                    r#""p{other}":{{"{keyword}":"r{other}{anchor}"}},"#
                );
            }
            let _ = write!(
                defs,
                r##""r{number}":{{"$id":"r{number}","$dynamicAnchor":"n","properties":{{{properties}"x":{{"$dynamicRef":"#n"}}}}}},"##
            );
        }
        let defs = defs.trim_end_matches(',');
        format!(r#"{{"$id":"https://x.example/","$ref":"r0","$defs":{{{defs}}}}}"#)
    };
    for (keyword, anchor) in [("$ref", ""), ("$dynamicRef", "#n")] {
        for count in [3, 4, 5, 6] {
            let schema = schema(count, keyword, anchor);
            let what = format!("{keyword} between {count}");
            if within(&what, || load(&schema)).is_ok() {
                bounded(&what, &schema, r#"{"p1":{"p2":{"x":{"p1":3}}}}"#);
            } else {
                assert!(count > 4, "{what}");
            }
        }
    }
    let many = schema(30, "$ref", "");
    assert_eq!(refused("between 30", &many), Kind::TooComplex);
    // All of them lead to the outermost one.
    bounded("between 30", &schema(30, "$dynamicRef", "#n"), "{}");
}

#[test]
fn deep_values() {
    let tree =
        r##"{"type":"object","properties":{"a":{"$ref":"#"}},"additionalProperties":false}"##;
    let value = |depth: usize| format!("{}{{}}{}", r#"{"a":"#.repeat(depth), "}".repeat(depth));
    assert_eq!(bounded("deep", tree, &value(100)), Fit::Fits);
    assert_eq!(bounded("very deep", tree, &value(50_000)), Fit::Undecided);
    // As many frames for each level as a schema may ask for.
    let nested = format!(
        r##"{{{}"properties":{{"a":{{"$ref":"#"}}}}{}}}"##,
        r#""allOf":[{"#.repeat(40),
        "}]".repeat(40)
    );
    bounded("deep composition", &nested, &value(126));
    bounded("very deep composition", &nested, &value(50_000));
    let bad = value(126).replace("{}", "1");
    bounded("deep with a fault", tree, &bad);
}

#[test]
fn deep_schemas() {
    let nested = |depth: usize, keyword: &str| {
        format!(
            "{}{{}}{}",
            format!(r#"{{"{keyword}":"#).repeat(depth),
            "}".repeat(depth)
        )
    };
    for keyword in ["items", "not", "additionalProperties"] {
        assert_eq!(refused(keyword, &nested(30_000, keyword)), Kind::TooDeep);
        bounded(keyword, &nested(95, keyword), "[[[{}]]]");
    }
    for draft in ["draft-04", "draft-07"] {
        let schema = nested(90, "items").replace("{}", r#"{"type":"x"}"#);
        let schema = schema.replacen(
            '{',
            &format!(r#"{{"$schema":"http://json-schema.org/{draft}/schema#","#),
            1,
        );
        assert!(matches!(refused(draft, &schema), Kind::NotASchema { .. }));
    }
    let links = chain(5000, |next| format!(r#"{{"$ref":"{next}"}}"#));
    assert_eq!(refused("chain", &links), Kind::TooDeep);
    let links = chain(3000, |next| {
        format!(r#"{{"properties":{{"a":{{"$ref":"{next}"}}}}}}"#)
    });
    bounded("chain below", &links, r#"{"a":{"a":1}}"#);
}

#[test]
fn large_schemas() {
    let title = "x".repeat(2 << 20);
    assert_eq!(
        refused("bytes", &format!(r#"{{"title":"{title}"}}"#)),
        Kind::TooLarge
    );
    let many: Vec<_> = (0..20_000)
        .map(|number| format!(r#""p{number}":{{}}"#))
        .collect();
    let schema = format!(r#"{{"properties":{{{}}}}}"#, many.join(","));
    assert_eq!(refused("subschemas", &schema), Kind::TooManySubschemas);
    let schema = format!(r#"{{"properties":{{{}}}}}"#, many[..9000].join(","));
    bounded("properties", &schema, r#"{"p1":1}"#);
    let all: Vec<_> = (0..9000)
        .map(|number| format!(r#"{{"const":{number}}}"#))
        .collect();
    let schema = format!(r#"{{"anyOf":[{}]}}"#, all.join(","));
    assert_eq!(bounded("alternatives", &schema, "8999"), Fit::Fits);
    let names: Vec<_> = (0..80_000).map(|number| format!("{number}")).collect();
    bounded(
        "enum",
        &format!(r#"{{"items":{{"enum":[{}]}}}}"#, names.join(",")),
        &format!("[{}]", names[..1000].join(",")),
    );
    let required: Vec<_> = (0..40_000)
        .map(|number| format!(r#""p{number}""#))
        .collect();
    bounded(
        "required",
        &format!(r#"{{"required":[{}]}}"#, required.join(",")),
        "{}",
    );
}

#[test]
fn patterns() {
    let text = format!(r#""{}!""#, "a".repeat(50_000));
    for pattern in [
        "^(a+)+$",
        "^(a|a)*$",
        "^(a*)*$",
        "(.*)*(.*)*(.*)*x",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
    ] {
        let fit = bounded(pattern, &format!(r#"{{"pattern":"{pattern}"}}"#), &text);
        assert_eq!(fit, Fit::Misfits);
    }
    // Automata with many states.
    let text = format!(r#""{}""#, "ab".repeat(500_000));
    for pattern in [
        "(a|b)*a(a|b){900}c",
        "[ab]{1,2000}c",
        "(.{0,100}){20}c",
        "(a?){1000}c",
    ] {
        bounded(pattern, &format!(r#"{{"pattern":"{pattern}"}}"#), &text);
    }
    let many: Vec<_> = (0..400)
        .map(|number| format!(r#"{{"pattern":"(a|b)*a(a|b){{{number}}}c"}}"#))
        .collect();
    bounded(
        "many",
        &format!(r#"{{"anyOf":[{}]}}"#, many.join(",")),
        &text,
    );
    let keys: Vec<_> = (0..400)
        .map(|number| format!(r#""(a|b)*a(a|b){{{number}}}c":{{}}"#))
        .collect();
    let object = format!(
        "{{{}}}",
        (0..100)
            .map(|number| format!(r#""{}{number}":1"#, "ab".repeat(5000)))
            .collect::<Vec<_>>()
            .join(",")
    );
    bounded(
        "keys",
        &format!(r#"{{"patternProperties":{{{}}}}}"#, keys.join(",")),
        &object,
    );
    let names: Vec<_> = (0..50)
        .map(|_| r#"{"pattern":"(a|b)*a(a|b){500}c"}"#)
        .collect();
    bounded(
        "names",
        &format!(r#"{{"propertyNames":{{"anyOf":[{}]}}}}"#, names.join(",")),
        &object,
    );
    let names = vec![r#"{"pattern":"(a|b)*a(a|b){500}c"}"#; 9000].join(",");
    let schema = format!(r#"{{"propertyNames":{{"anyOf":[{names}]}}}}"#);
    assert_eq!(bounded("many names", &schema, &object), Fit::Undecided);
    let many: Vec<_> = (0..5000)
        .map(|number| format!(r#"{{"pattern":"a{{{number}}}"}}"#))
        .collect();
    assert_eq!(
        refused("too many", &format!(r#"{{"anyOf":[{}]}}"#, many.join(","))),
        Kind::TooManySubschemas
    );
}

#[test]
fn patterns_that_are_slow_to_translate() {
    for part in [
        r"\\cA", r"\\d", r"\\w", r"\\S", r"[^\\w]", r"(\\s", r"[[", "(?:", "\\\\p{L}",
    ] {
        let pattern = part.repeat(2040 / part.len());
        let schema: Vec<_> = (0..30)
            .map(|number| format!(r#"{{"pattern":"{number}{pattern}"}}"#))
            .collect();
        let schema = format!(r#"{{"anyOf":[{}]}}"#, schema.join(","));
        if let Err(fault) = within(part, || load(&schema)) {
            assert_eq!(fault.kind, Kind::BadPattern, "{part}");
        }
    }
}

#[test]
fn large_values() {
    let items: Vec<_> = (0..100_000).map(|number| number.to_string()).collect();
    let array = format!("[{}]", items.join(","));
    assert_eq!(
        bounded("unique", r#"{"uniqueItems":true}"#, &array),
        Fit::Fits
    );
    let nested = format!("[{}]", vec![r#"[1,[2,{"a":[3]}]]"#; 20_000].join(","));
    assert_eq!(
        bounded("unique", r#"{"uniqueItems":true}"#, &nested),
        Fit::Misfits
    );
    let contains = r#"{"contains":{"contains":{"const":1}},"minContains":1,"maxContains":3}"#;
    bounded("contains", contains, &nested);
    let members: Vec<_> = (0..5000)
        .map(|number| format!(r#""p{number}":1"#))
        .collect();
    let object = format!("{{{}}}", members.join(","));
    let properties: Vec<_> = (0..5000)
        .map(|number| format!(r#""p{}":true"#, number + 2500))
        .collect();
    let schema = format!(r#"{{"properties":{{{}}}}}"#, properties.join(","));
    bounded("properties", &schema, &object);
}

#[test]
fn a_fault_is_found_once() {
    let registry = SchemaRegistry::default();
    let schema = Scanned::new(chain(40, |next| {
        format!(r#"{{"allOf":[{{"$ref":"{next}"}},{{"$ref":"{next}"}}]}}"#)
    }));
    for _ in 0..100 {
        assert!(registry.load(schema.root(), Dialect::Draft202012).is_err());
    }
    assert_eq!(registry.counters().compiled, 1);
}
