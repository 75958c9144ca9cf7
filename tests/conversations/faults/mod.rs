//! Faults that are put into correct traffic, one at a time: each gives one violation, and nothing that follows from it.

mod change;
mod message;

use mcp_assay_tests::traffic::{Runner, Traffic};

use self::change::changes;
use super::conversations;

#[test]
fn one_fault_gives_one_violation() {
    let mut runner = Runner::new();
    let mut out = String::new();
    for traffic in all_traffic() {
        let base = runner.run(traffic.revision, &traffic.records);
        if !base.is_empty() { eprintln!("BASE {} {base:?}", traffic.name); }
        for changed in changes(&traffic.records) {
            let found = runner.run(traffic.revision, &changed.records);
            let mut left: Vec<_> = base.iter().map(|f| f.rule).collect();
            let found: Vec<_> = found.into_iter().filter(|f| {
                match left.iter().position(|rule| *rule == f.rule) {
                    Some(p) => { left.remove(p); false }
                    None => true,
                }
            }).collect();
            use std::fmt::Write;
            writeln!(out, "{}\t{}\t{}\t{}\t{}\t{}", found.len(), changed.kind, changed.label, traffic.name, changed.at,
              found.iter().map(|f| format!("{}@{}", f.rule, f.at)).collect::<Vec<_>>().join(" ")).unwrap();
        }
    }
    if let Ok(path) = std::env::var("FAULTS_OUT") { std::fs::write(path, out).unwrap(); }
}

fn all_traffic() -> Vec<Traffic> {
    if let Ok(folder) = std::env::var("MCP_ASSAY_CAPTURES") {
        let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
        paths.sort();
        return paths.iter().map(|p| Traffic::read_capture(&p.file_name().unwrap().to_string_lossy(), &std::fs::read_to_string(p).unwrap())).collect();
    }
    conversations().into_iter().filter(|c| c.dialogue.marks() == 0).map(|c| Traffic {
        name: c.name, revision: None, records: dated(c.dialogue.records()),
    }).collect()
}

fn dated(mut records: Vec<mcp_assay_tests::traffic::Record>) -> Vec<mcp_assay_tests::traffic::Record> {
    use mcp_assay_tests::traffic::{Carried, Head};
    for record in &mut records {
        if let Carried::Http { head: Head::Response { .. }, headers, .. } = &mut record.carrier {
            headers.push(("date".to_owned(), "Sun, 15 Nov 2026 15:16:26 GMT".to_owned()));
        }
    }
    records
}
