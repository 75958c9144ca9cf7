//! The scripted client as a program.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = std::env::args().skip(1).collect();
    ExitCode::from(u8::from(!mcp_assay_testkit::client::run(arguments)))
}
