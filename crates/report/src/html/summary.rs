//! The top of the page: the result, the rules that were broken, and the filters.

use mcp_assay::{Rule, rules};

use super::escape::{self, add};
use super::page::Page;
use crate::Totals;
use crate::human::summary;

const LEVELS: [&str; 3] = ["note", "warning", "error"];

/// The title of the page.
pub(super) fn title(totals: &Totals) -> String {
    let found: u64 = totals.violations.values().sum::<u64>() + totals.record_faults;
    match found {
        0 if totals.messages == 0 => "No messages – mcp-assay".to_owned(),
        0 if totals.not_judged > 0 => format!(
            "{}, {} clean, {} not judged – mcp-assay",
            counted(totals.messages, "message"),
            totals.pass,
            totals.not_judged
        ),
        0 => format!(
            "{}, all clean – mcp-assay",
            counted(totals.messages, "message")
        ),
        _ => format!(
            "{} in {} – mcp-assay",
            counted(found, "finding"),
            counted(totals.messages, "message")
        ),
    }
}

/// Everything above the timeline.
pub(super) fn header(page: &Page, totals: &Totals) -> String {
    let mut out = String::from("<header>\n<h1>mcp-assay</h1>\n<ul class=\"counts\">");
    let bad = totals.missing + totals.record_faults;
    for (class, count, what) in [
        ("", totals.messages, "messages"),
        ("pass", totals.pass, "clean"),
        ("", totals.not_judged, "not judged"),
        ("warning", totals.flag, "with warnings"),
        ("error", totals.block, "with errors"),
        ("error", bad, "missing or unreadable"),
    ] {
        if count > 0 || what == "messages" {
            add(
                &mut out,
                format_args!("<li class=\"{class}\"><b>{count}</b> {what}</li>"),
            );
        }
    }
    out.push_str("</ul>\n");
    let notes = [
        summary::not_judged(totals),
        totals.empty_sentence(),
        totals.unnamed_sentence(),
    ];
    for sentence in notes.iter().flatten() {
        let sentence = escape::text(sentence);
        add(&mut out, format_args!("<p class=\"note\">{sentence}</p>\n"));
    }
    for (name, note) in &totals.sources {
        add(
            &mut out,
            format_args!(
                "<p class=\"note\">{} was read as {}; messages are {}",
                escape::text(name),
                escape::text(note.format),
                escape::text(note.fidelity)
            ),
        );
        if !note.missing.is_empty() {
            add(
                &mut out,
                format_args!(
                    "; it does not show {}",
                    escape::text(&note.missing.join(", "))
                ),
            );
        }
        out.push_str("</p>\n");
    }
    for (source, failure) in &page.failures {
        add(
            &mut out,
            format_args!(
                "<p class=\"note bad\">{} could not be read to its end: {}</p>\n",
                escape::text(source),
                escape::text(failure)
            ),
        );
    }
    write_rules(page, totals, &mut out);
    write_left_out(page.left_out(), &mut out);
    write_filters(page, &mut out);
    out.push_str("</header>\n");
    out
}

/// The rules that were broken, the gravest first.
fn write_rules(page: &Page, totals: &Totals, out: &mut String) {
    let mut rules: Vec<_> = page.rules.iter().collect();
    rules.sort_by_key(|(name, broken)| (std::cmp::Reverse((broken.level, broken.count)), *name));
    // Without rows, as in a summary, the counts are still known.
    let only_counted = totals
        .violations
        .iter()
        .filter(|(name, _)| !page.rules.contains_key(**name));
    if rules.is_empty() && totals.is_clean() {
        out.push_str("<p class=\"clean\">Nothing was found.</p>\n");
        return;
    }
    out.push_str(
        "<table><thead><tr><th>level<th>rule<th class=\"n\">times<th>fault</tr></thead><tbody>\n",
    );
    for (name, broken) in rules {
        let level = LEVELS[usize::from(broken.level.min(2))];
        let shown = match &broken.first {
            Some(first) => format!(
                "<a href=\"#{}\">{}</a>",
                escape::text(first),
                escape::text(name)
            ),
            None => escape::text(name),
        };
        add(
            out,
            format_args!(
                "<tr><td><span class=\"lv {level}\">{level}</span><td>{shown}<td class=\"n\">{}<td>{}</tr>\n",
                broken.count,
                escape::sentence(&broken.summary)
            ),
        );
    }
    for (name, count) in only_counted {
        add(
            out,
            format_args!(
                "<tr><td><td>{}<td class=\"n\">{count}<td>{}</tr>\n",
                escape::text(name),
                escape::sentence(rules::find(name).map_or("", Rule::summary))
            ),
        );
    }
    out.push_str("</tbody></table>\n");
}

pub(super) fn write_left_out((passing, faulty): (u64, u64), out: &mut String) {
    if passing > 0 {
        let what = counted(passing, "message");
        add(
            out,
            format_args!("<p class=\"note\">{what} without a finding are left out below.</p>\n"),
        );
    }
    if faulty > 0 {
        let what = counted(faulty, "message");
        add(
            out,
            format_args!(
                "<p class=\"note bad\">{what} with findings are counted above, but left out below.</p>\n"
            ),
        );
    }
}

/// Hidden until the script runs.
pub(super) fn write_filters(page: &Page, out: &mut String) {
    out.push_str(
        "<form id=\"filters\" hidden><label>show <select id=\"f-level\"><option value=\"0\">all messages<option value=\"1\">with findings\
         <option value=\"2\">warnings and errors<option value=\"3\">errors</select></label>",
    );
    let rules: Vec<_> = page
        .rules
        .keys()
        .map(|rule| (rule.clone(), rule.clone()))
        .collect();
    let methods: Vec<_> = page
        .methods
        .keys()
        .map(|method| (method.clone(), method.clone()))
        .collect();
    let sessions: Vec<_> = page
        .sessions
        .iter()
        .enumerate()
        .map(|(number, label)| (number.to_string(), label.clone()))
        .collect();
    for (name, choices) in [("rule", rules), ("method", methods), ("session", sessions)] {
        if choices.len() < 2 && name != "rule" || choices.is_empty() {
            continue;
        }
        add(
            out,
            format_args!("<label>{name} <select id=\"f-{name}\"><option value=\"\">any"),
        );
        for (value, label) in choices {
            let (value, label) = (escape::text(&value), escape::text(&label));
            add(out, format_args!("<option value=\"{value}\">{label}"));
        }
        out.push_str("</select></label>");
    }
    out.push_str(
        "<span class=\"jump\"><button type=\"button\" id=\"f-prev\">previous</button> <button type=\"button\" id=\"f-next\">next finding</button></span>\
         <output id=\"f-shown\"></output></form>\n",
    );
}

pub(super) fn counted(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}
