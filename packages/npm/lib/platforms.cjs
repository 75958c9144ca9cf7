"use strict";
/** The platforms that have a package with the program. */

/** `name` is the end of the name of the package, `target` that of the compiler. */
const PLATFORMS = [
  { name: "linux-x64-gnu", os: "linux", cpu: "x64", libc: "glibc", target: "x86_64-unknown-linux-gnu" },
  { name: "linux-x64-musl", os: "linux", cpu: "x64", libc: "musl", target: "x86_64-unknown-linux-musl" },
  { name: "linux-arm64-gnu", os: "linux", cpu: "arm64", libc: "glibc", target: "aarch64-unknown-linux-gnu" },
  { name: "linux-arm64-musl", os: "linux", cpu: "arm64", libc: "musl", target: "aarch64-unknown-linux-musl" },
  { name: "darwin-x64", os: "darwin", cpu: "x64", target: "x86_64-apple-darwin" },
  { name: "darwin-arm64", os: "darwin", cpu: "arm64", target: "aarch64-apple-darwin" },
  { name: "win32-x64", os: "win32", cpu: "x64", target: "x86_64-pc-windows-msvc" },
  { name: "win32-arm64", os: "win32", cpu: "arm64", target: "aarch64-pc-windows-msvc" },
];

function packageName(platform) {
  return `@mcp-assay/${platform.name}`;
}

/** The platforms whose program runs here, the best first. */
function usable(os = process.platform, cpu = process.arch) {
  const found = PLATFORMS.filter((it) => it.os === os && it.cpu === cpu);
  if (os !== "linux" || hasGlibc()) {
    return found;
  }
  return found.filter((it) => it.libc === "musl");
}

/** Whether Node was built for glibc; the programs for musl are static, and run there, too. */
function hasGlibc() {
  const report = process.report?.getReport();
  return report?.header?.glibcVersionRuntime !== undefined;
}

module.exports = { PLATFORMS, packageName, usable };
