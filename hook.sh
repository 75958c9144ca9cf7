#!/bin/sh
# Runs mcp-assay for a hook of pre-commit: the one that is installed, else one that is built from this checkout the first time.
set -eu

if command -v mcp-assay >/dev/null 2>&1; then
    exec mcp-assay "$@"
fi
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
built=$here/target/hook
if [ ! -x "$built/bin/mcp-assay" ]; then
    echo "mcp-assay: is not installed; it is built once, in $built" >&2
    # In the checkout, so that its toolchain file and its lock are the ones that count.
    (cd "$here" && cargo install --quiet --locked --root "$built" --path crates/cli) >&2
fi
exec "$built/bin/mcp-assay" "$@"
