"use strict";
/** Finds the program of the platform package that npm has installed beside this one. */
const { existsSync } = require("node:fs");
const path = require("node:path");

const { packageName, usable } = require("./platforms.cjs");

/** The path of the program. The environment variable MCP_ASSAY names another one. */
function findProgram() {
  if (process.env.MCP_ASSAY) {
    return process.env.MCP_ASSAY;
  }
  const platforms = usable();
  for (const platform of platforms) {
    const found = resolve(platform);
    if (found !== undefined) {
      return found;
    }
  }
  throw new Error(remedy(platforms));
}

function resolve(platform) {
  let manifest;
  try {
    manifest = require.resolve(`${packageName(platform)}/package.json`);
  } catch {
    return undefined;
  }
  const name = platform.os === "win32" ? "mcp-assay.exe" : "mcp-assay";
  const program = path.join(path.dirname(manifest), "bin", name);
  return existsSync(program) ? program : undefined;
}

/** One sentence that says what to do. */
function remedy(platforms) {
  if (platforms.length === 0) {
    return (
      `mcp-assay has no program for ${process.platform} ${process.arch}: ` +
      "build it with `cargo install mcp-assay`, and set MCP_ASSAY to its path"
    );
  }
  return (
    `the package ${packageName(platforms[0])} is not installed: install mcp-assay again without ` +
    "`--omit=optional` and without a lock file of another platform, or set MCP_ASSAY to the path " +
    "of a program from `cargo install mcp-assay`"
  );
}

module.exports = { findProgram };
