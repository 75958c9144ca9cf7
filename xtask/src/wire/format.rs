//! `cargo xtask fmt`: aligns columns.
//!
//! It works on the tokens of each line and never moves anything to another line, so that comments
//! stay in place. A block has the columns name, type, marks and comment; so has a run of one-line
//! items of the same kind.

use anyhow::{Result, bail};

use super::diagnostic::{Diagnostic, render};
use super::lexer::{Token, TokenKind, lex};
use super::parser::parse;
use super::source::read_all;
use crate::files::{self, Mode};

/// Formats all wire files, or reports those that are not formatted.
pub(crate) fn run(mode: Mode) -> Result<()> {
    let mut faults = Vec::new();
    let mut formatted = Vec::new();
    for (path, text) in read_all()? {
        match format(&path, &text) {
            Ok(text) => formatted.push((path, text)),
            Err(fault) => faults.push(fault),
        }
    }
    if !faults.is_empty() {
        bail!("the wire files cannot be read\n{}", render(&faults));
    }
    for (path, text) in formatted {
        files::settle(&path, &text, mode, "fmt")?;
    }
    Ok(())
}

/// The text with its columns aligned.
pub(crate) fn format(file: &str, text: &str) -> Result<String, Diagnostic> {
    parse(file, text)?;
    let mut rows = rows(lex(file, text)?);
    align(&mut rows);
    Ok(join_rows(&rows))
}

/// A line of the file.
struct Row {
    /// Rows of one group have their columns in common; zero is no group.
    group: usize,
    indent: usize,
    cells: Vec<String>,
    comment: Option<String>,
}

/// The context of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    /// At the top level.
    None,
    /// Entries of name and type.
    Named,
    /// Entries that are one thing: values, or branches without a tag.
    Plain,
}

fn rows(tokens: Vec<Token>) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut block = Block::None;
    let mut group = 0;
    let mut run: Option<String> = None;
    for mut line in lines(tokens) {
        let comment = comment(&mut line);
        let opens = line
            .iter()
            .filter(|kind| **kind == TokenKind::Mark("{"))
            .count();
        let closes = line
            .iter()
            .filter(|kind| **kind == TokenKind::Mark("}"))
            .count();
        let mut row = Row {
            group: 0,
            indent: if block == Block::None { 0 } else { 2 },
            cells: Vec::new(),
            comment,
        };
        if line.is_empty() {
            if row.comment.is_none() && block == Block::None {
                run = None;
            }
        } else if block == Block::None {
            let keyword = word(&line, 0).to_owned();
            if run.as_ref() != Some(&keyword) {
                group += 1;
                run = Some(keyword);
            }
            row.group = group;
            row.cells = item_cells(&line);
        } else if line[0] == TokenKind::Mark("}") {
            row.indent = 0;
            row.cells = vec![join(&line)];
        } else {
            row.group = group;
            row.cells = entry_cells(&line, block);
        }
        if opens > closes {
            block = block_of(&line);
            group += 1;
            row.group = 0;
            row.cells = vec![header(&line)];
        } else if closes > opens {
            block = Block::None;
            run = None;
        }
        rows.push(row);
    }
    rows
}

/// The kinds of the tokens of each line, without its newline.
fn lines(tokens: Vec<Token>) -> Vec<Vec<TokenKind>> {
    let mut lines = vec![Vec::new()];
    for token in tokens {
        match token.kind {
            TokenKind::Newline => lines.push(Vec::new()),
            TokenKind::End => {}
            kind => {
                if let Some(line) = lines.last_mut() {
                    line.push(kind);
                }
            }
        }
    }
    lines
}

/// Removes the comment from the end of a line.
fn comment(line: &mut Vec<TokenKind>) -> Option<String> {
    let (sign, text) = match line.last()? {
        TokenKind::Comment(text) => ("#", text),
        TokenKind::Doc(text) => ("##", text),
        _ => return None,
    };
    let space = if text.is_empty() || text.starts_with(' ') {
        ""
    } else {
        " "
    };
    let comment = format!("{sign}{space}{text}");
    line.pop();
    Some(comment)
}

fn block_of(line: &[TokenKind]) -> Block {
    match word(line, 0) {
        "enum" => Block::Plain,
        "union" if word(line, 2) != "by" => Block::Plain,
        _ => Block::Named,
    }
}

fn word(line: &[TokenKind], at: usize) -> &str {
    match line.get(at) {
        Some(TokenKind::Word(word)) => word,
        _ => "",
    }
}

/// The line that opens a block, or is one: the parties are separate from the names.
fn header(line: &[TokenKind]) -> String {
    match word(line, 0) {
        "request" | "notification" | "input" if line.len() > 3 => {
            format!("{}  {}", join(&line[..3]), join(&line[3..]))
        }
        _ => join(line),
    }
}

/// The columns of an item on one line.
fn item_cells(line: &[TokenKind]) -> Vec<String> {
    if line.contains(&TokenKind::Mark("{")) {
        return vec![header(line)];
    }
    let (line, marks) = split_marks(line);
    let mut cells = match line.iter().position(|kind| *kind == TokenKind::Mark("=")) {
        Some(equals) => vec![format!(
            "{} = {}",
            join(&line[..equals]),
            join(&line[equals + 1..])
        )],
        None => vec![join(line)],
    };
    cells.extend(marks);
    cells
}

/// The columns of an entry of a block. Several entries on one line are left as they are.
fn entry_cells(line: &[TokenKind], block: Block) -> Vec<String> {
    if line
        .iter()
        .any(|kind| matches!(kind, TokenKind::Mark("," | "}")))
    {
        return vec![join(line)];
    }
    let (line, marks) = split_marks(line);
    let name = match (block, line.get(1)) {
        (Block::Plain, _) => line.len(),
        (_, Some(TokenKind::Mark("?"))) => 2,
        _ => 1,
    };
    let mut cells = vec![join(&line[..name])];
    if block == Block::Named {
        cells.push(join(&line[name..]));
    }
    cells.extend(marks);
    cells
}

/// The marks at the end of a line as one cell, in which dates stand below each other.
fn split_marks(line: &[TokenKind]) -> (&[TokenKind], Option<String>) {
    let mut start = line.len();
    while start >= 3 && matches!(word(line, start - 2), "since" | "until" | "only") {
        start -= 2;
    }
    if start == line.len() {
        return (line, None);
    }
    let marks: Vec<String> = line[start..]
        .chunks(2)
        .map(|pair| format!("{:<5} {}", word(pair, 0), word(pair, 1)))
        .collect();
    (&line[..start], Some(marks.join(" ")))
}

/// Tokens with the spaces that belong between them.
fn join(line: &[TokenKind]) -> String {
    let mut text = String::new();
    for (index, kind) in line.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| &line[index]);
        if before.is_some_and(|before| spaced(before, kind)) {
            text.push(' ');
        }
        match kind {
            TokenKind::Word(word) => text.push_str(word),
            TokenKind::Quoted(quoted) => text.extend(["\"", quoted, "\""]),
            TokenKind::Mark(mark) => text.push_str(mark),
            TokenKind::Doc(_) | TokenKind::Comment(_) | TokenKind::Newline | TokenKind::End => {}
        }
    }
    text
}

fn spaced(before: &TokenKind, after: &TokenKind) -> bool {
    match (before, after) {
        (TokenKind::Mark("(" | "["), _)
        | (_, TokenKind::Mark("(" | ")" | "]" | "," | "?"))
        | (TokenKind::Mark("{"), TokenKind::Mark("}")) => false,
        // The quoted part of a capability's path.
        (TokenKind::Word(path), TokenKind::Quoted(_)) => !path.ends_with('.'),
        (TokenKind::Quoted(_), TokenKind::Word(path)) => !path.starts_with('.'),
        _ => true,
    }
}

/// Pads the cells of each group to common columns, and moves comments behind them.
fn align(rows: &mut [Row]) {
    let groups = rows.iter().map(|row| row.group).max().unwrap_or(0);
    for group in 1..=groups {
        let mut members: Vec<&mut Row> = rows
            .iter_mut()
            .filter(|row| row.group == group && !row.cells.is_empty())
            .collect();
        let columns = members.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        for column in 0..columns {
            let width = members
                .iter()
                .filter(|row| row.cells.len() > column + 1)
                .map(|row| width(&row.cells[column]))
                .max()
                .unwrap_or(0);
            // A cell with nothing to its right makes room for its neighbours only if it is not too
            // long itself.
            let last = members
                .iter()
                .filter(|row| row.cells.len() == column + 1)
                .map(|row| self::width(&row.cells[column]));
            let width = last
                .filter(|&length| length <= LONG)
                .fold(width, usize::max);
            for row in members
                .iter_mut()
                .filter(|row| row.cells.len() > column + 1)
            {
                pad(&mut row.cells[column], width);
            }
        }
        let content = |row: &Row| row.cells.iter().map(|cell| width(cell) + 2).sum::<usize>();
        let before_comment = members
            .iter()
            .filter(|row| row.comment.is_some())
            .map(|row| content(row))
            .max()
            .unwrap_or(0);
        for row in members.iter_mut().filter(|row| row.comment.is_some()) {
            let missing = before_comment - content(row);
            if let Some(cell) = row.cells.last_mut() {
                let to = width(cell) + missing;
                pad(cell, to);
            }
        }
    }
}

/// Longer cells do not push the columns of others.
const LONG: usize = 40;

fn width(cell: &str) -> usize {
    cell.chars().count()
}

fn pad(cell: &mut String, to: usize) {
    let missing = to.saturating_sub(width(cell));
    cell.extend(std::iter::repeat_n(' ', missing));
}

/// The rows as text, with at most one empty line in a row and none at either end.
fn join_rows(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        let mut parts = row.cells.clone();
        parts.extend(row.comment.clone());
        let line = parts.join("  ");
        if line.is_empty() {
            if !text.is_empty() && !text.ends_with("\n\n") {
                text.push('\n');
            }
        } else {
            let line = format!("{:indent$}{line}", "", indent = row.indent);
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    while text.ends_with("\n\n") {
        text.pop();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const UGLY: &str = r#"

# File comment.
revision 2024-11-05 # oldest
revision   2025-06-18
##Batches.
fact batches only 2025-06
fact error-without-id since 2024-11 until 2025-06


request tools/call CallToolRequest client->server since 2025-06{
 params? P
   result [ A|"b" ] ( ..100 ) only 2025-06 # why
  result VeryLongNameOfAType until 2024-11-05
  needs client.extensions."x/y".z
}
struct Tool : BaseMetadata ,Icons since 2025-06 { # x

  # A comment.
  ## A doc.
  a ? string(uri)
  "b/c"   num( 0..1 )   since 2025-06   # one
  d map T # two


}
union U { A,B }
enum E {
  x
  longer since 2025-06
  a, b
}
struct Empty : Tool { }
type T=string|int
error -1 X
error -32000 Longer since 2025-06 { data Y }
"#;

    const STRAIGHT: &str = r#"# File comment.
revision 2024-11-05  # oldest
revision 2025-06-18
## Batches.
fact batches           only  2025-06
fact error-without-id  since 2024-11 until 2025-06

request tools/call CallToolRequest  client -> server since 2025-06 {
  params?  P
  result   [A | "b"](..100)           only  2025-06  # why
  result   VeryLongNameOfAType        until 2024-11-05
  needs    client.extensions."x/y".z
}
struct Tool : BaseMetadata, Icons since 2025-06 {  # x

  # A comment.
  ## A doc.
  a?     string(uri)
  "b/c"  num(0..1)    since 2025-06  # one
  d      map T                       # two

}
union U { A, B }
enum E {
  x
  longer  since 2025-06
  a, b
}
struct Empty : Tool {}
type T = string | int
error -1 X
error -32000 Longer since 2025-06 { data Y }
"#;

    /// The tokens, without empty lines and the spaces of comments.
    fn tokens(text: &str) -> Vec<String> {
        let mut kinds: Vec<TokenKind> = lex("t.wire", text)
            .unwrap()
            .into_iter()
            .map(|token| token.kind)
            .collect();
        kinds.dedup_by(|next, before| *next == TokenKind::Newline && *before == TokenKind::Newline);
        let shown = kinds.iter().map(|kind| match kind {
            TokenKind::Doc(text) | TokenKind::Comment(text) => text.trim().to_owned(),
            other => other.to_string(),
        });
        shown.collect::<Vec<_>>()
    }

    #[test]
    fn columns_are_straight() {
        assert_eq!(format("t.wire", UGLY).unwrap(), STRAIGHT);
    }

    #[test]
    fn formatting_again_changes_nothing() {
        assert_eq!(format("t.wire", STRAIGHT).unwrap(), STRAIGHT);
    }

    #[test]
    fn nothing_but_space_changes() {
        assert_eq!(tokens(UGLY.trim_start()), tokens(STRAIGHT));
    }

    #[test]
    fn real_files_survive() {
        for (path, text) in read_all().unwrap() {
            let once = format(&path, &text).unwrap();
            assert_eq!(tokens(&once), tokens(text.trim_start()), "{path}");
            assert_eq!(format(&path, &once).unwrap(), once, "{path}");
        }
    }

    #[test]
    fn a_broken_file_is_refused() {
        assert_eq!(
            format("t.wire", "struct {").unwrap_err().place.to_string(),
            "t.wire:1:8"
        );
    }
}
