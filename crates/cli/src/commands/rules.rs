//! `rules` and `explain`: the rules and their pages.

use mcp_assay::profile::fixed_rules;
use mcp_assay::profile_files::Builtin;
use mcp_assay::{Party, Policy, Rule, rules as all_rules};
use mcp_assay_probe::{find_rule, is_provoked, probed_rules};
use mcp_assay_report as report;

use crate::args::{ExplainArgs, ListFormat, RulesArgs};
use crate::config::{Choices, ConfigFile, policy};
use crate::exit::Exit;
use crate::output;
use crate::rule_names::selectable;

pub(crate) fn rules(args: &RulesArgs) -> anyhow::Result<Exit> {
    let policy = listed(args)?;
    let style = output::style(args.color, false);
    let mut text = Vec::new();
    let probed: Vec<_> = probed_rules().collect();
    match args.format {
        ListFormat::Human if args.pages => report::rules_pages(&policy, &probed, style, &mut text)?,
        ListFormat::Human => report::rules_human(&policy, &probed, style, &mut text)?,
        ListFormat::Json => report::rules_json(&policy, &probed, &mut text)?,
    }
    output::print(&text)?;
    Ok(Exit::Clean)
}

/// The policy whose rules are listed: one with everything on, unless the arguments select the rules
/// that are on here.
fn listed(args: &RulesArgs) -> anyhow::Result<Policy> {
    let flags = Choices::of_flags(&args.selection);
    let chosen = args.on || args.selection.config.is_some() || flags != Choices::default();
    if !chosen {
        return Ok(Policy::default());
    }
    let file = ConfigFile::find(&args.selection)?;
    let places: Vec<_> = file
        .iter()
        .map(ConfigFile::choices)
        .chain([&flags])
        .collect();
    Ok(policy(&places))
}

pub(crate) fn explain(args: &ExplainArgs) -> anyhow::Result<Exit> {
    let style = output::style(args.color, false);
    let mut text = Vec::new();
    let pages = pages(&args.rule)?;
    if let [first, ..] = &pages[..]
        && first.name != args.rule
    {
        let names: Vec<_> = pages.iter().map(|rule| rule.name).collect();
        let line = format!("{} is checked by {}\n\n", args.rule, names.join(", "));
        text.extend(line.into_bytes());
    }
    for (index, rule) in pages.into_iter().enumerate() {
        if index > 0 {
            text.push(b'\n');
        }
        report::explain(rule, &Policy::default(), style, &mut text)?;
        text.extend(seen_by(rule).into_bytes());
    }
    output::print(&text)?;
    Ok(Exit::Clean)
}

/// The command that puts a rule to the test which traffic alone does not show.
fn seen_by(rule: &Rule) -> String {
    if all_rules::find(rule.name).is_some() || !probed_rules().any(|probed| probed == rule) {
        return String::new();
    }
    let name = rule.name;
    let commands: Vec<_> = [
        (Party::Server, "mcp-assay probe"),
        (Party::Client, "mcp-assay probe client"),
    ]
    .into_iter()
    .filter(|(party, _)| is_provoked(name, *party))
    .map(|(_, command)| format!("`{command} --only {name} -- COMMAND`"))
    .collect();
    match &commands[..] {
        [] => "\nOnly probing could show it, and no step provokes it yet.\n".to_owned(),
        commands => format!("\nOnly probing shows it: {}\n", commands.join(" or ")),
    }
}

/// The rule of this name, or those that cover the requirement of this name.
fn pages(name: &str) -> anyhow::Result<Vec<&'static Rule>> {
    if let Some(rule) = find_rule(name) {
        return Ok(vec![rule]);
    }
    if let Some(rule) = of_profiles(name) {
        return Ok(vec![rule]);
    }
    match selectable(name) {
        Err(unknown) if unknown.is_covered() => Ok(unknown
            .nearest()
            .iter()
            .filter_map(|name| all_rules::find(name))
            .collect()),
        Err(unknown) => Err(anyhow::Error::new(unknown).context("failed to explain")),
        Ok(_) => Err(anyhow::anyhow!(
            "failed to explain: `{name}` is no single rule; `mcp-assay rules --select {name} --pages` prints the pages of its rules"
        )),
    }
}

/// The rule of this name that every profile can raise, or that a built-in one states.
fn of_profiles(name: &str) -> Option<&'static Rule> {
    let is_it = |rule: &&'static Rule| rule.name == name;
    fixed_rules().find(is_it).or_else(|| {
        let family = name.split('/').next()?;
        let profile = Builtin::named(family)?.profile().ok()?;
        profile.rules().find(is_it)
    })
}
