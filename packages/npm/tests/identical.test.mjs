// The same messages give identical findings in the program and in the process. The Python package
// has the same test, with the same messages.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";

import { findProgram } from "mcp-assay";
import { rules, Session } from "mcp-assay/wasm";

const folder = mkdtempSync(path.join(tmpdir(), "mcp-assay-"));
after(() => rmSync(folder, { recursive: true }));

/** The dialogues on the pages of the rules, good and bad: lists of directions and messages. */
function dialogues() {
  const directions = { "--> ": "c2s", "<-- ": "s2c" };
  return rules()
    .flatMap((rule) => rule.examples)
    .map(({ text }) =>
      text
        .split("\n")
        .filter((line) => line[4] === "{" && line.slice(0, 4) in directions)
        .map((line) => [directions[line.slice(0, 4)], line.slice(4)]),
    )
    .filter((messages) => messages.length > 0);
}

for (const { form, line, options, about } of [
  // The program knows as little as a session that gets no direction.
  { form: "bare messages", line: (_, raw) => raw, options: {}, about: () => [] },
  {
    form: "records of a capture",
    options: { transport: "stdio" },
    line: (dir, raw, t) => JSON.stringify({ t, dir, raw }),
    about: (dir, time) => [dir, { time }],
  },
]) {
  test(`a thousand messages give the same findings: ${form}`, () => {
    const found = [];
    const folderOfForm = mkdtempSync(path.join(folder, "form-"));
    for (const [number, messages] of dialogues().entries()) {
      const source = `${String(number).padStart(4, "0")}.ndjson`;
      const lines = messages.map(([dir, raw], at) => line(dir, raw, at / 2));
      writeFileSync(path.join(folderOfForm, source), lines.map((it) => `${it}\n`).join(""));
      const session = new Session(options);
      for (const [at, [dir, raw]] of messages.entries()) {
        found.push(row(session.check(raw, ...about(dir, at / 2)), source));
      }
      for (const ending of session.end()) {
        found.push(row(ending, source));
      }
      session.close();
    }
    const told = spawnSync(findProgram(), ["check", "--format", "ndjson", "."], {
      cwd: folderOfForm,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    const expected = told.stdout.trim().split("\n").map((it) => JSON.parse(it)).slice(0, -1);
    assert.ok(found.length >= 1000, `${found.length} messages`);
    assert.ok(found.flatMap((it) => it.violations).length >= 300);
    for (const theirs of expected) {
      theirs.source = path.basename(theirs.source);
      delete theirs.session;
    }
    const key = (it) => [it.source, String(it.line).padStart(6, "0"), it.end ?? false, JSON.stringify(it.violations)].join();
    const sorted = (rows) => rows.map((it) => [key(it), it]).sort(([a], [b]) => (a < b ? -1 : 1)).map(([, it]) => it);
    const [ours, theirs] = [sorted(found), sorted(expected)];
    for (const [at, it] of ours.entries()) {
      assert.deepEqual(it, theirs[at]);
    }
    assert.equal(ours.length, theirs.length);
  });
}

/** A result as a line of `check --format ndjson`. */
function row(checked, source) {
  return {
    source,
    line: checked.line,
    dir: checked.direction,
    kind: checked.kind,
    method: checked.method,
    id: checked.id,
    revision: checked.revision,
    ...(checked.end ? { end: true } : {}),
    verdict: checked.verdict,
    ...(checked.notJudged === null ? {} : { not_judged: checked.notJudged }),
    violations: checked.violations,
  };
}
