//! Resources: those that are listed, and those that are not there.

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::{Listed, Step};
use crate::client::Reply;

/// So many resources are read.
const MOST_READ: usize = 5;

const LEGACY: &str = "resources/not-found-legacy";
const MODERN: &str = "resources/not-found";
const EMPTY: &str = "resources/not-found-not-empty";
const TRAVERSAL: &str = "resources/no-traversal";

pub(crate) fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    if !step.client.declares("/resources") {
        for id in [LEGACY, MODERN, EMPTY, TRAVERSAL] {
            step.not_applicable(id, "resources are not declared");
        }
        return;
    }
    let uris: Vec<&str> = listed
        .resources
        .iter()
        .filter_map(|resource| resource["uri"].as_str())
        .collect();
    for uri in uris.iter().take(MOST_READ) {
        if step.is_over() {
            return;
        }
        step.ask("resources/read", json!({"uri": uri}));
    }
    // A resource behind a template may not be there: then it is refused, which is fine.
    let templates = listed.templates.iter().filter_map(|template| {
        let template = template["uriTemplate"].as_str()?;
        filled(template)
    });
    for uri in templates.take(MOST_READ) {
        if step.is_over() {
            return;
        }
        step.ask("resources/read", json!({"uri": uri}));
    }
    if let Some(uri) = uris.first()
        && step.client.declares("/resources/subscribe")
        && !step.client.is_stateless()
    {
        step.ask("resources/subscribe", json!({"uri": uri}));
        step.ask("resources/unsubscribe", json!({"uri": uri}));
    }
    unknown(step);
    traversal(step, &uris);
}

/// A template with `1` for each of its simple variables; `None` if it has others.
fn filled(template: &str) -> Option<String> {
    let mut uri = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        let simple = !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        uri.push_str(before);
        uri.push_str(simple.then_some("1")?);
        rest = after;
    }
    uri.push_str(rest);
    Some(uri)
}

fn unknown(step: &mut Step<'_, '_>) {
    if step.is_over() || !step.wants(&[LEGACY, MODERN, EMPTY]) {
        return;
    }
    let params = json!({"uri": "mcp-assay://no/such/resource"});
    let answer = step.ask("resources/read", params);
    let what = "reading a resource that does not exist";
    if step
        .revision()
        .is_some_and(|revision| revision.has(Fact::ResourceNotFoundCode))
    {
        step.expect_code(LEGACY, &answer, &[-32002], what);
        return;
    }
    let is_empty = |result: &Value| result["contents"].as_array().is_some_and(Vec::is_empty);
    match &answer.reply {
        // One fault, one failure: an empty list has a rule of its own.
        Reply::Result(result) if is_empty(result) => {
            step.fail(
                EMPTY,
                format!("{what} was answered with an empty list"),
                &answer.evidence,
            );
        }
        _ => {
            step.pass(EMPTY);
            step.expect_code(MODERN, &answer, &[-32602], what);
        }
    }
}

/// A path that climbs out of the folder of a file that is served.
fn traversal(step: &mut Step<'_, '_>, uris: &[&str]) {
    if step.is_over() || !step.wants(&[TRAVERSAL]) {
        return;
    }
    let Some(file) = uris.iter().find(|uri| uri.starts_with("file:///")) else {
        step.not_applicable(TRAVERSAL, "no file is listed");
        return;
    };
    let folder = file.rsplit_once('/').map_or(*file, |(folder, _)| folder);
    let uri = format!("{folder}/{}etc/passwd", "../".repeat(24));
    let answer = step.ask("resources/read", json!({"uri": uri}));
    let served = answer.result().is_some_and(|result| {
        result["contents"].as_array().is_some_and(|contents| {
            contents.iter().any(|content| {
                content["text"]
                    .as_str()
                    .is_some_and(|text| text.contains("root:"))
            })
        })
    });
    if served {
        step.fail(
            TRAVERSAL,
            "a path with `..` left the folder that is served",
            &answer.evidence,
        );
    } else {
        step.pass(TRAVERSAL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_templates_are_filled() {
        assert_eq!(filled("a://{x}/b/{y}").as_deref(), Some("a://1/b/1"));
        assert_eq!(filled("a://{+x}"), None);
        assert_eq!(filled("a://{x"), None);
    }
}
