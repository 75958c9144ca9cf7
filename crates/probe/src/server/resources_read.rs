//! Reads listed resources as a good client does; the passive rules check the answers.

use serde_json::json;

use super::resources_subscribed::expect_served;
use super::{Listed, Probe, Step};

pub(super) static PROBE: Probe = Probe::walk(&[], run);

/// Resources read, and templates filled.
const MOST_READ: usize = 5;

fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    if !step.client.declares("/resources") {
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
        let answer = step.ask("resources/read", json!({"uri": uri}));
        expect_served(step, "resources/read", "resources", &answer);
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
