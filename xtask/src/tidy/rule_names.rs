//! Rule names: the name of a rule is a literal in its own file and nowhere else in product code.
//! Other files refer to the rule by its path, so that the compiler knows of the relation.

use std::collections::BTreeMap;

use super::lexer::Source;

/// The folders of the rules.
const FOLDERS: [&str; 2] = [
    "crates/core/src/rules/",
    "crates/core/src/catalogue/inline/",
];

/// The names of all rules, with the file of each.
pub(super) fn names(files: &[(String, String)]) -> BTreeMap<&str, &str> {
    let mut names = BTreeMap::new();
    let is_rule = |path: &str| FOLDERS.iter().any(|folder| path.starts_with(folder));
    for (path, text) in files.iter().filter(|(path, _)| is_rule(path)) {
        let fields = text.split("name: \"").skip(1);
        for name in fields.filter_map(|rest| rest.split('"').next()) {
            if name.contains('/') {
                names.insert(name, path.as_str());
            }
        }
    }
    names
}

/// The literals of a file that are names of rules in other files, with the indexes of their lines.
pub(super) fn find<'t>(
    path: &str,
    source: &Source<'t>,
    names: &BTreeMap<&str, &str>,
) -> Vec<(usize, &'t str)> {
    if !is_product(path) {
        return Vec::new();
    }
    let tests = source
        .lines
        .iter()
        .position(|line| line.text == "mod tests {");
    let is_foreign = |(line, literal): &&(usize, &str)| {
        tests.is_none_or(|tests| *line < tests)
            && names.get(*literal).is_some_and(|owner| *owner != path)
    };
    source.literals.iter().filter(is_foreign).copied().collect()
}

fn is_product(path: &str) -> bool {
    let is_test = |part: &str| matches!(part, "tests" | "tests.rs" | "examples");
    // Rules of the stages list requirements that they cover, some of which have a rule, too.
    let is_inline = path.starts_with(FOLDERS[1]);
    path.starts_with("crates/")
        && path.contains("/src/")
        && !path.split('/').any(is_test)
        && !is_inline
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_belong_to_their_files() {
        let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        let files = [
            file("crates/core/src/rules/a/b.rs", "name: \"a/b\", // a/b"),
            file("crates/core/src/rules/a/c.rs", "name: \"a/c\", [\"a/b\"]"),
            file(
                "crates/core/src/d.rs",
                "// \"a/b\"\n(\"a/c\", \"a/x\")\nmod tests {\n\"a/b\"\n}",
            ),
            file("crates/core/src/tests.rs", "\"a/b\""),
            file("tests/e.rs", "\"a/b\""),
        ];
        let names = names(&files);
        let found: Vec<_> = files
            .iter()
            .map(|(path, text)| find(path, &Source::read(text), &names))
            .collect();
        let expected: [&[_]; 5] = [&[], &[(0, "a/b")], &[(1, "a/c")], &[], &[]];
        assert_eq!(found, expected);
    }
}
