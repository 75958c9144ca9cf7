//! Includes: a package includes only files of its own folder, because `cargo package` leaves out
//! all others.

use super::lexer::Source;

/// The literals of a file that lead out of its package, with the indexes of their lines.
pub(super) fn find<'t>(path: &str, source: &Source<'t>) -> Vec<(usize, &'t str)> {
    let mut parts = path.split('/');
    if parts.next() != Some("crates") || parts.next().is_none() || parts.next() != Some("src") {
        return Vec::new();
    }
    // The file itself is no step, `src` is one.
    let depth = parts.count();
    let is_include = |line: usize| {
        let text = source.lines.get(line).map_or("", |line| line.text);
        ["include_str!", "include_bytes!", "include!"]
            .iter()
            .any(|name| text.contains(name))
    };
    let leads_out = |(line, literal): &&(usize, &str)| {
        literal.split('/').take_while(|step| *step == "..").count() > depth && is_include(*line)
    };
    source.literals.iter().filter(leads_out).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_in_their_package() {
        let check = |path: &str, text: &str| find(path, &Source::read(text)).len();
        let text = "include_str!(concat!(\"../../\", $name))";
        assert_eq!(check("crates/a/src/b/c.rs", text), 0);
        assert_eq!(check("crates/a/src/c.rs", text), 1);
        assert_eq!(
            check("crates/a/src/c.rs", "include_str!(\"../README.md\")"),
            0
        );
        assert_eq!(check("crates/a/src/c.rs", "let a = \"../../b\";"), 0);
        assert_eq!(check("crates/a/tests/c.rs", text), 0);
    }
}
