//! The picture in the README: the output of the program on a terminal, drawn as SVG. It is compared
//! with a new one, so that it stays true; `cargo xtask picture` writes it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The command in the picture; it runs in the folder of the sample captures.
const COMMAND: [&str; 4] = [
    "check",
    "session.ndjson",
    "--select",
    "schema/missing-member,schema/unknown-method",
];
/// Pixels of a line, of ten columns, and around the text.
const LINE: usize = 20;
const TEN_COLUMNS: usize = 84;
const MARGIN: usize = 20;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn the_picture_shows_what_the_program_prints() {
    let output = assert_cmd::cargo::cargo_bin_cmd!("mcp-assay")
        .args(COMMAND)
        .args(["--color", "always", "--no-config"])
        .current_dir(root().join("examples/captures"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let picture = draw(&format!("$ mcp-assay check session.ndjson\n\n{text}"));
    let path = root().join("docs/demo.svg");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &picture).unwrap();
    }
    let kept = fs::read_to_string(path).unwrap();
    assert!(kept == picture, "the picture is stale: cargo xtask picture");
}

/// Text with colours as SVG.
fn draw(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let columns = lines.iter().map(|line| plain(line).chars().count()).max();
    let width = columns.unwrap_or(0) * TEN_COLUMNS / 10 + 2 * MARGIN;
    let height = lines.len() * LINE + 2 * MARGIN;
    let mut svg = format!(
        "<!-- Written by `cargo xtask picture`. -->\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-label=\"The output of mcp-assay check on a terminal\">\n\
         <style>rect{{fill:#16181d}}text{{font:14px ui-monospace,Menlo,Consolas,monospace;\
         fill:#d7dae0;white-space:pre}}.b{{font-weight:bold}}.r{{fill:#ff7b72}}.y{{fill:#e3b341}}\
         .g{{fill:#7ee787}}.f{{fill:#79c0ff}}</style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\"/>\n"
    );
    for (index, line) in lines.iter().enumerate() {
        let y = MARGIN + (index + 1) * LINE - 5;
        if !line.is_empty() {
            let spans = spans(line);
            let _ = writeln!(
                svg,
                "<text xml:space=\"preserve\" x=\"{MARGIN}\" y=\"{y}\">{spans}</text>"
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// A line without its colours.
fn plain(line: &str) -> String {
    pieces(line).into_iter().map(|(_, text)| text).collect()
}

/// The parts of a line with the classes of their colours.
fn spans(line: &str) -> String {
    let parts = pieces(line).into_iter().map(|(class, text)| {
        let text = text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        if class.is_empty() {
            text
        } else {
            format!("<tspan class=\"{class}\">{text}</tspan>")
        }
    });
    parts.collect()
}

fn pieces(line: &str) -> Vec<(String, &str)> {
    let mut pieces = Vec::new();
    let mut classes: Vec<&str> = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\x1b[") {
        let (code, after) = after.split_once('m').expect("the end of a colour");
        if !before.is_empty() {
            pieces.push((classes.join(" "), before));
        }
        match code {
            "0" => classes.clear(),
            "1" => classes.push("b"),
            "91" => classes.push("r"),
            "33" => classes.push("y"),
            "92" => classes.push("g"),
            "94" => classes.push("f"),
            other => panic!("the picture has no colour {other}"),
        }
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push((classes.join(" "), rest));
    }
    pieces
}

#[test]
fn colours_become_classes_and_text_is_no_markup() {
    let svg = draw("a \x1b[1m\x1b[91m<b>\x1b[0m c");
    assert!(
        svg.contains(">a <tspan class=\"b r\">&lt;b&gt;</tspan> c</text>"),
        "{svg}"
    );
}
