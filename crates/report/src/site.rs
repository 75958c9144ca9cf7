//! The addresses of the site that is made of `docs/`.

use mcp_assay::Rule;

/// The site.
pub const SITE: &str = "https://mcp-assay.github.io/mcp-assay/";

/// The address of a rule's page.
#[must_use]
pub fn rule_page(rule: &Rule) -> String {
    format!("{SITE}rules/{}.html", rule.name)
}
