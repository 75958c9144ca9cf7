//! `rules` and `explain`: what is looked for.

use mcp_assay::rules as all_rules;
use mcp_assay_report as report;

use crate::args::{ExplainArgs, ListFormat, RulesArgs};
use crate::exit::Exit;
use crate::{output, suggest};

pub(crate) fn rules(args: &RulesArgs) -> anyhow::Result<Exit> {
    let mut text = Vec::new();
    match args.format {
        ListFormat::Human => report::rules_human(output::style(args.color, false), &mut text)?,
        ListFormat::Json => report::rules_json(&mut text)?,
    }
    output::print(&text)?;
    Ok(Exit::Clean)
}

pub(crate) fn explain(args: &ExplainArgs) -> anyhow::Result<Exit> {
    let Some(rule) = all_rules::find(&args.rule) else {
        let names = all_rules::all().map(|rule| rule.name);
        return Err(suggest::unknown("rule", &args.rule, names).context("failed to explain"));
    };
    let mut text = Vec::new();
    report::explain(rule, output::style(args.color, false), &mut text)?;
    output::print(&text)?;
    Ok(Exit::Clean)
}
