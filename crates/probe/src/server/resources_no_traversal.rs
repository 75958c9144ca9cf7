//! A path that climbs out of the folder of a file that is served.

use serde_json::json;

use super::{Listed, Probe, Step};
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};

static TRAVERSAL: Requirement = Requirement::of_server(
    "resources/no-traversal",
    ERROR,
    SINCE_2026_07,
    "A server of file resources sanitises paths so that \"..\" cannot leave the served tree.",
)
.page(
    "server/resources#security-considerations",
    "A client can read any file of the machine.",
    "resolve the path, and refuse it if it is not below the served folder",
);

pub(super) static PROBE: Probe = Probe::walk(&[&TRAVERSAL], run);

fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    if !step.client.declares("/resources") {
        step.not_applicable(&TRAVERSAL, "resources are not declared");
        return;
    }
    if !step.wants(&[&TRAVERSAL]) {
        return;
    }
    let uris = listed.resources.iter();
    let uris = uris.filter_map(|resource| resource["uri"].as_str());
    let Some(file) = uris.into_iter().find(|uri| uri.starts_with("file:///")) else {
        step.not_applicable(&TRAVERSAL, "no file is listed");
        return;
    };
    let folder = file.rsplit_once('/').map_or(file, |(folder, _)| folder);
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
            &TRAVERSAL,
            "a path with `..` left the folder that is served",
            &answer.evidence,
        );
    } else {
        step.pass(&TRAVERSAL);
    }
}
