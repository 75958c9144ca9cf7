//! The extension module `mcp_assay._native`: the validator of mcp-assay for Python.
//!
//! Nothing here decides about a message. [`session`] checks single messages, [`lines`] is the
//! adapter for byte streams and [`http`] the one for HTTP services, both without I/O: Python
//! carries the bytes. The interpreter is released while messages are checked.

mod checked;
mod http;
mod lines;
mod options;
mod session;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    use mcp_assay::{Policy, rules};
    use mcp_assay_report::Style;
    use pyo3::exceptions::{PyKeyError, PyRuntimeError};

    #[pymodule_export]
    use super::checked::{Checked, Violation};
    #[pymodule_export]
    use super::http::{Exchange, Http};
    #[pymodule_export]
    use super::lines::Lines;
    #[pymodule_export]
    use super::session::Session;
    use super::{PyResult, pyfunction};

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// The rules that traffic shows, as in `mcp-assay rules --format json`.
    #[pyfunction]
    fn rules_json() -> PyResult<String> {
        text(|out| mcp_assay_report::rules_json(&Policy::default(), &[], out))
    }

    /// The page of a rule.
    #[pyfunction]
    fn explain(name: &str) -> PyResult<String> {
        let Some(rule) = rules::find(name) else {
            let names = rules::all().map(|rule| rule.name);
            return Err(PyKeyError::new_err(mcp_assay::unknown_text(
                "rule", name, names,
            )));
        };
        text(|out| mcp_assay_report::explain(rule, &Policy::default(), Style::PLAIN, out))
    }

    fn text(
        write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
    ) -> PyResult<String> {
        let mut out = Vec::new();
        write(&mut out)?;
        String::from_utf8(out).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }
}
