# Everything before a change is handed over.
ready: format lint docs test deny typos

# Formatting, and files that are generated.
format:
    cargo fmt --all --check
    cargo fmt --manifest-path fuzz/Cargo.toml --check
    cargo fmt --manifest-path packages/python/Cargo.toml --check
    cargo xtask fmt --check
    cargo xtask codegen --check
    cargo xtask tidy

lint:
    cargo clippy --workspace --all-targets -- -D warnings

docs:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

test:
    cargo test --workspace

# The Python package, in virtual environments of its own.
python:
    cargo build --release
    packages/python/test

# The program on Windows, under Wine.
windows:
    tests/windows/run

deny:
    cargo deny check

typos:
    typos

# Write what is generated, and format everything.
fix:
    cargo xtask codegen
    cargo xtask fmt
    cargo fmt --all
    cargo fmt --manifest-path fuzz/Cargo.toml
    cargo fmt --manifest-path packages/python/Cargo.toml

# Run a fuzz target for a minute: scan, check or simd.
fuzz target seconds="60":
    cargo +nightly fuzz run {{target}} -- -max_total_time={{seconds}}

# Run the fuzz target session for a minute, on every dialogue and example.
fuzz-session seconds="60":
    cargo xtask fuzz-corpus target/fuzz-corpus
    cargo +nightly fuzz run session target/fuzz-corpus fuzz/corpus/session -- -max_total_time={{seconds}}

# What a change must pass to be accepted.
ci:
    .ci/run

# Build what a release consists of, install each artefact and run the demo from it.
release-dry-run:
    cargo xtask release --dry-run
