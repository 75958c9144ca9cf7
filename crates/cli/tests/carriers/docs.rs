//! The pages about errors and numbers say what the tables say.

use std::fs;

use mcp_assay::Revision;
use mcp_assay_contract::canonical::CanonicalError;
use mcp_assay_live::metrics;

fn page(name: &str) -> String {
    let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(path).unwrap()
}

/// The first cells of rows of tables.
fn rows(page: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect())
}

#[test]
fn the_page_has_every_canonical_error() {
    let page = page("errors.md");
    let mut rows = rows(&page);
    for error in CanonicalError::ALL {
        let row = rows.next().expect("a row for each error");
        let (status, behind) = (error.to_http_status(), error.to_gateway_status());
        let status = if behind == status {
            status.to_string()
        } else {
            format!("{status}; {behind} if the server behind the gateway failed")
        };
        let retryable = if error.is_retryable() { "yes" } else { "no" };
        let codes = [Revision::V2025_11_25, Revision::V2026_07_28]
            .map(|revision| error.code(revision).to_string());
        let name = format!("`{error}`");
        assert_eq!(row[..5], [&name, &status, retryable, &codes[0], &codes[1]]);
    }
    assert_eq!(rows.next(), None);
}

#[test]
fn the_page_has_every_number() {
    let page = page("metrics.md");
    let names: Vec<_> = rows(&page)
        .map(|row| row[0].trim_matches('`').to_owned())
        .filter(|name| name.starts_with("mcp_assay_"))
        .collect();
    assert_eq!(names, metrics::ALL);
}
