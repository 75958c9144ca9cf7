#!/usr/bin/env node
"use strict";
/** Runs the program of the platform: its arguments, streams, signals and exit code are those here. */
const { spawn } = require("node:child_process");
const os = require("node:os");

const { findProgram } = require("../lib/program.cjs");

let program;
try {
  program = findProgram();
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exit(2);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
// A terminal signals both: the program decides when to end.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`error: failed to start ${program}: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0));
});
