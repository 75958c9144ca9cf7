//! A page for each rule, those of `probe` included, and the index of all.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, Result};
use mcp_assay::{Layer, Policy, Rule, profile, profile_files, rules};
use mcp_assay_probe::probed_rules;
use mcp_assay_report::{clause, clause_address, rules_json};
use serde::Deserialize;

use crate::html::{Frame, Scripts, escape, sentence};

/// A rule, as `mcp-assay rules --format json` lists it.
#[derive(Deserialize)]
struct Listed {
    name: String,
    layer: String,
    level: String,
    party: String,
    summary: String,
    covers: Vec<String>,
    code: Option<i32>,
    levels: BTreeMap<String, String>,
    why: String,
    help: String,
    examples: Vec<Example>,
    seen_by: String,
}

#[derive(Deserialize)]
struct Example {
    kind: String,
    revision: Option<String>,
    text: String,
}

/// A page of a rule.
pub(crate) struct RulePage {
    rule: &'static Rule,
    listed: Listed,
}

/// The pages of all rules.
pub(crate) fn pages() -> Result<Vec<RulePage>> {
    let others: Vec<_> = probed_rules().chain(of_profiles()).collect();
    let mut text = Vec::new();
    rules_json(&Policy::default(), &others, &mut text)?;
    let listed: Vec<Listed> = serde_json::from_slice(&text).context("the list of rules")?;
    let mut by_name: BTreeMap<_, _> = rules::all()
        .chain(others)
        .map(|rule| (rule.name, rule))
        .collect();
    listed
        .into_iter()
        .map(|listed| {
            let rule = by_name
                .remove(&*listed.name)
                .context("a rule without a name")?;
            Ok(RulePage { rule, listed })
        })
        .collect()
}

/// The rules that profiles raise, those of the built-in ones included.
fn of_profiles() -> impl Iterator<Item = &'static Rule> {
    let builtin = profile_files::Builtin::ALL
        .into_iter()
        .filter_map(|builtin| builtin.profile().ok());
    let own = builtin.flat_map(|profile| profile.rules().collect::<Vec<_>>());
    profile::fixed_rules().chain(own)
}

/// The table of all rules, by layer.
pub(crate) fn index(navigation: &str) -> Result<String> {
    let pages = pages()?;
    let mut main = format!(
        "<h1>Rules</h1>\n<p>{} rules. <code>mcp-assay explain RULE</code> prints the same pages.</p>\n",
        pages.len()
    );
    for layer in Layer::ALL {
        let mut of_layer: Vec<_> = pages
            .iter()
            .filter(|page| page.rule.layer == layer)
            .collect();
        of_layer.sort_by_key(|page| page.rule.name);
        if of_layer.is_empty() {
            continue;
        }
        let name = layer.name();
        let _ = writeln!(main, "<h2 id=\"{name}\">{name}</h2>\n<table>");
        for page in of_layer {
            let Listed {
                name,
                level,
                summary,
                ..
            } = &page.listed;
            let _ = writeln!(
                main,
                "<tr><td><a href=\"{name}.html\">{name}</a></td><td class=\"{level}\">{level}</td><td>{}</td></tr>",
                sentence(summary)
            );
        }
        main.push_str("</table>\n");
    }
    let frame = Frame {
        title: "Rules",
        root: "../",
        navigation,
        main: &main,
        scripts: Scripts::None,
    };
    Ok(frame.page())
}

impl RulePage {
    /// Its place on the site.
    pub(crate) fn path(&self) -> String {
        format!("rules/{}.html", self.rule.name)
    }

    /// The whole page.
    pub(crate) fn page(&self, navigation: &str) -> String {
        let Listed {
            name,
            level,
            summary,
            why,
            help,
            ..
        } = &self.listed;
        let mut main = format!(
            "<h1>{name} <span class=\"{level}\">{level}</span></h1>\n<p class=\"summary\">{}</p>\n",
            sentence(summary)
        );
        if !why.is_empty() {
            let _ = writeln!(main, "<p>{}</p>", sentence(why));
        }
        let _ = writeln!(
            main,
            "<h2 id=\"fix\">How to fix</h2>\n<p>{}</p>",
            sentence(help)
        );
        if !self.listed.examples.is_empty() {
            main.push_str("<h2 id=\"examples\">Examples</h2>\n");
        }
        for example in &self.listed.examples {
            write_example(example, &mut main);
        }
        main.push_str("<h2 id=\"about\">About the rule</h2>\n<dl>\n");
        for (term, text) in self.facts() {
            let _ = writeln!(main, "<dt>{term}</dt><dd>{text}</dd>");
        }
        main.push_str("</dl>\n");
        Frame {
            title: name,
            root: "../../",
            navigation,
            main: &main,
            scripts: Scripts::None,
        }
        .page()
    }

    /// The facts about the rule, as HTML.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let listed = &self.listed;
        let clause = clause(self.rule, None);
        let clause = match clause_address(self.rule) {
            Some(address) => {
                format!("<a href=\"{}\">{}</a>", escape(&address), escape(&clause))
            }
            None => escape(&clause),
        };
        let levels = listed
            .levels
            .iter()
            .map(|(revision, level)| format!("{revision}: {level}"));
        let name = &listed.name;
        let seen_by = match &*listed.seen_by {
            "check" => "recorded and live traffic".to_owned(),
            _ => format!("<code>mcp-assay probe --only {name} -- COMMAND</code>"),
        };
        let mut facts = vec![
            ("layer", escape(&listed.layer)),
            ("level", levels.collect::<Vec<_>>().join("<br>")),
            (
                "broken by",
                match &*listed.party {
                    "both" => "client or server".to_owned(),
                    party => escape(party),
                },
            ),
            ("shown by", seen_by),
            ("clause", clause),
        ];
        if let Some(code) = listed.code {
            facts.push(("code", format!("{code}, if the message is refused")));
        }
        if !listed.covers.is_empty() {
            facts.push(("covers", escape(&listed.covers.join(", "))));
        }
        facts
    }
}

fn write_example(example: &Example, main: &mut String) {
    let kind = match &*example.kind {
        "good" => "Good",
        "bad" => "Bad",
        _ => "Example",
    };
    let revision = example.revision.as_deref().unwrap_or_default();
    let _ = writeln!(
        main,
        "<p class=\"kind\">{kind} <span>{revision}</span></p>\n<pre>"
    );
    for line in example.text.lines() {
        let text = escape(line);
        let is_mark = line.trim_start().starts_with('^');
        let _ = if is_mark {
            writeln!(main, "<span class=\"mark\">{text}</span>")
        } else {
            writeln!(main, "{text}")
        };
    }
    main.push_str("</pre>\n");
}

#[cfg(test)]
mod tests {
    use mcp_assay_report::{SITE, rule_page};

    use super::*;

    #[test]
    fn every_rule_has_its_page_at_its_address() {
        let pages = pages().unwrap();
        let paths: Vec<_> = pages.iter().map(RulePage::path).collect();
        for rule in rules::all().chain(probed_rules()) {
            let address = rule_page(rule);
            let path = address.strip_prefix(SITE).unwrap();
            assert!(paths.iter().any(|known| known == path), "{path}");
        }
    }

    #[test]
    fn examples_and_clauses_are_shown() {
        let pages = pages().unwrap();
        let page = pages
            .iter()
            .find(|page| page.rule.name == "schema/missing-member");
        let page = page.unwrap().page("");
        for part in [
            "<p class=\"kind\">Bad",
            "class=\"mark\"",
            "https://modelcontextprotocol.io/",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }
}
