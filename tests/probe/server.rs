//! The scripted server as a program.

fn main() {
    mcp_assay_testkit::server::run(std::env::args().skip(1));
}
