// The playground: checks pasted messages with the WebAssembly module, and shows each finding below
// the bytes that it is about. Text from outside only ever becomes text nodes. The address keeps the
// messages in its fragment, which browsers do not send.

import { init, Session } from "./package/esm/wasm/browser.js";

const EXAMPLE = `--> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
<-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
--> {"jsonrpc":"2.0","method":"notifications/initialized"}
--> {"jsonrpc":"2.0","id":2,"method":"tools/list"}
<-- {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"forecast","input_schema":{"type":"object"}}]}}
`;
const REVISIONS = ["auto", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
/** Characters that are checked, findings that are shown, and characters before and after a span. */
const MAX_TEXT = 1 << 20;
const MAX_FINDINGS = 200;
const AROUND = 60;
/** Characters of a fragment that is read or written. */
const MAX_FRAGMENT = 1 << 16;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An element with attributes and children; texts become text nodes. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const text = element("textarea", {
  id: "messages",
  rows: "12",
  spellcheck: "false",
  "aria-label": "Messages",
});
const revision = element("select", { id: "revision", "aria-label": "Revision" });
revision.append(...REVISIONS.map((name) => element("option", { value: name }, name)));
const strict = element("input", { id: "strict", type: "checkbox" });
const share = element("button", { id: "share", type: "button" }, "Copy the address");
const status = element("p", { id: "status", role: "status" }, "Loading the checks");
const results = element("div", { id: "results" });

document.querySelector("main").append(
  text,
  element(
    "p",
    {},
    "Revision ",
    revision,
    " ",
    element("label", {}, strict, " strict: warnings are errors"),
    " ",
    share,
  ),
  status,
  results,
);

/** The messages of the text: sender and exact text. */
function messages(whole) {
  const found = [];
  for (const [index, line] of whole.split("\n").entries()) {
    const trimmed = line.replace(/\r$/, "");
    if (trimmed.trim() === "") {
      continue;
    }
    found.push({ line: index + 1, ...message(trimmed) });
  }
  return found;
}

function message(line) {
  const arrow = /^\s*(-->|<--) ?/.exec(line);
  if (arrow !== null) {
    return { direction: arrow[1] === "-->" ? "c2s" : "s2c", raw: line.slice(arrow[0].length) };
  }
  try {
    const { dir, raw } = JSON.parse(line);
    if (["c2s", "s2c"].includes(dir) && typeof raw === "string") {
      return { direction: dir, raw };
    }
  } catch {
    // It is checked as it is.
  }
  return { direction: undefined, raw: line };
}

function check() {
  results.replaceChildren();
  const whole = text.value;
  if (whole.length > MAX_TEXT) {
    status.textContent = "That is more than a page can check: use the program.";
    return;
  }
  const session = new Session({ revision: revision.value, strict: strict.checked });
  const counts = { messages: 0, clean: 0, findings: 0 };
  const show = (checked, line, raw) => {
    for (const violation of checked.violations) {
      counts.findings += 1;
      if (counts.findings <= MAX_FINDINGS) {
        results.append(finding(checked, violation, line, raw));
      }
    }
  };
  try {
    for (const { line, direction, raw } of messages(whole)) {
      const checked = session.check(raw, direction);
      counts.messages += 1;
      counts.clean += checked.clean ? 1 : 0;
      show(checked, line, raw);
    }
    for (const checked of session.end()) {
      show(checked, null, "");
    }
  } finally {
    session.close();
  }
  const left = counts.findings - MAX_FINDINGS;
  status.textContent =
    `${counted(counts.messages, "message")}: ${counts.clean} clean; ` +
    counted(counts.findings, "finding") +
    (left > 0 ? ` (${left} are not shown)` : "");
}

function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const WORDS = { c2s: "client → server", s2c: "server → client" };

function finding(checked, violation, line, raw) {
  const place = [
    line === null ? "at the end" : `line ${line}`,
    WORDS[checked.direction],
    [checked.kind, checked.method].filter(Boolean).join(" "),
    checked.revision,
  ];
  const page = `../rules/${violation.rule.split("/").map(encodeURIComponent).join("/")}.html`;
  return element(
    "section",
    { class: "finding" },
    element(
      "p",
      {},
      element("span", { class: violation.level }, `${violation.level} `),
      element("a", { href: page }, violation.rule),
      `: ${violation.message}`,
    ),
    element("p", { class: "kind" }, element("span", {}, place.filter(Boolean).join(", "))),
    ...(line === null ? [] : [snippet(raw, violation.span)]),
    element("p", {}, `help: ${violation.help}`),
  );
}

/** The text around a span of UTF-8 bytes, with carets below it. */
function snippet(raw, span) {
  const bytes = encoder.encode(raw);
  const before = decoder.decode(bytes.subarray(0, span.start));
  const marked = decoder.decode(bytes.subarray(span.start, span.end));
  const after = decoder.decode(bytes.subarray(span.end));
  const isLong = marked.length > AROUND;
  const shown = isLong ? `${marked.slice(0, AROUND)}…` : marked;
  const left = before.length > AROUND ? `…${before.slice(-AROUND)}` : before;
  const right = isLong ? "" : after.length > AROUND ? `${after.slice(0, AROUND)}…` : after;
  const carets = " ".repeat([...visible(left)].length) + "^".repeat(Math.max(1, [...visible(shown)].length));
  return element(
    "pre",
    {},
    `${visible(left)}${visible(shown)}${visible(right)}\n`,
    element("span", { class: "mark" }, carets),
  );
}

/** Control characters, and those that reorder text, written out. */
function visible(part) {
  return part.replace(/[\p{Cc}\p{Cf}]/gu, (it) => `\\u{${it.codePointAt(0).toString(16)}}`);
}

/** The state as a fragment. */
function fragment() {
  const state = JSON.stringify({ r: revision.value, s: strict.checked, t: text.value });
  const binary = String.fromCharCode(...encoder.encode(state));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function restore() {
  const given = location.hash.slice(1);
  if (given === "" || given.length > 2 * MAX_FRAGMENT) {
    return false;
  }
  try {
    const binary = atob(given.replaceAll("-", "+").replaceAll("_", "/"));
    const state = JSON.parse(decoder.decode(Uint8Array.from(binary, (it) => it.charCodeAt(0))));
    if (typeof state.t !== "string") {
      return false;
    }
    text.value = state.t;
    revision.value = REVISIONS.includes(state.r) ? state.r : "auto";
    strict.checked = state.s === true;
    return true;
  } catch {
    return false;
  }
}

let waiting;

function changed() {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    check();
    if (text.value.length <= MAX_FRAGMENT / 4) {
      history.replaceState(null, "", `#${fragment()}`);
    }
  }, 150);
}

share.addEventListener("click", async () => {
  if (text.value.length > MAX_FRAGMENT / 4) {
    status.textContent = "That is too much for an address: share a recording.";
    return;
  }
  history.replaceState(null, "", `#${fragment()}`);
  try {
    await navigator.clipboard.writeText(location.href);
    share.textContent = "Copied";
  } catch {
    share.textContent = "Copy it from the address bar";
  }
});
for (const control of [text, revision, strict]) {
  control.addEventListener("input", changed);
}
window.addEventListener("hashchange", () => {
  if (restore()) {
    check();
  }
});

try {
  await init(new URL("./package/engine.wasm", import.meta.url));
  if (!restore()) {
    text.value = EXAMPLE;
  }
  check();
} catch (error) {
  status.textContent = `The checks could not be loaded: ${error.message}`;
}
