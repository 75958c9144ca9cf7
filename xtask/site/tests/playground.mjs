// The playground in headless Chromium: `playground.mjs FOLDER CHROMIUM`. The folder holds the site,
// and playwright-core in its node_modules.

import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";

const [folder, executablePath] = process.argv.slice(2);
const { chromium } = createRequire(path.join(folder, "package.json"))("playwright-core");

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};
const root = path.join(folder, "site");
const server = http.createServer((request, response) => {
  const file = path.join(root, new URL(request.url, "http://site").pathname);
  if (!file.startsWith(root) || !fs.existsSync(file) || !fs.statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "text/plain" });
  fs.createReadStream(file).pipe(response);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const origin = `http://127.0.0.1:${server.address().port}`;
const address = `${origin}/playground/index.html`;

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
let count = 0;

/** Runs a test on a page of its own, which must cause no error and no request elsewhere. */
async function test(name, url, run) {
  const page = await browser.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") {
      faults.push(`console: ${message.text()}`);
    }
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(origin)) {
      faults.push(`request: ${request.url()}`);
    }
  });
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  await run(page);
  assert.deepEqual(faults, [], name);
  await page.close();
  count += 1;
  console.log(`ok: ${name}`);
}

const status = (page) => page.locator("#status");
const counts = (page, text) => page.waitForFunction(
  (wanted) => document.querySelector("#status")?.textContent === wanted,
  text,
);

try {
  await test("the example shows its fault at its bytes", address, async (page) => {
    await counts(page, "5 messages: 4 clean; 1 finding");
    const finding = page.locator(".finding");
    assert.match(await finding.innerText(), /schema\/missing-member: `inputSchema` is missing/);
    assert.match(await finding.innerText(), /line 5, server → client, response tools\/list/);
    assert.match(await finding.locator(".mark").innerText(), /^ +\^+$/);
    const rule = await finding.locator("a").getAttribute("href");
    assert.equal((await page.request.get(new URL(rule, address).href)).status(), 200);
  });

  await test("markup in a message is text", address, async (page) => {
    await status(page).filter({ hasText: "clean" }).waitFor();
    const hostile = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>';
    const message = { jsonrpc: "2.0", id: 1, method: hostile, params: { [hostile]: "\u202e" } };
    await page.locator("#messages").fill(`--> ${JSON.stringify(message)}\n\u001b[2J ${hostile}`);
    await status(page).filter({ hasText: /^2 messages/ }).waitFor();
    assert.equal(await page.locator("#results img, #results script").count(), 0);
    assert.equal(await page.evaluate(() => window.hit), undefined);
    const shown = await page.locator("#results").innerText();
    assert.ok(shown.includes("<img src=x"), shown);
    assert.ok(!shown.includes("\u202e") && !shown.includes("\u001b"), shown);
  });

  await test("the address keeps the messages and the settings", address, async (page) => {
    await status(page).filter({ hasText: "clean" }).waitFor();
    const text = '--> {"jsonrpc":"2.0","id":"zürich ✓","method":"tools/list","params":{"cursor":7}}';
    await page.locator("#messages").fill(text);
    await page.locator("#revision").selectOption("2025-03-26");
    await page.locator("#strict").check();
    await page.waitForFunction(() => location.hash.length > 40);
    await counts(page, "1 message: 0 clean; 1 finding");
    const other = await browser.newPage();
    await other.goto(page.url());
    await counts(other, "1 message: 0 clean; 1 finding");
    assert.equal(await other.locator("#messages").inputValue(), text);
    assert.equal(await other.locator("#revision").inputValue(), "2025-03-26");
    assert.equal(await other.locator("#strict").isChecked(), true);
    assert.match(await other.locator(".finding").innerText(), /2025-03-26/);
    await other.close();
  });

  await test("a fragment that is none changes nothing", `${address}#%00,,{`, async (page) => {
    await counts(page, "5 messages: 4 clean; 1 finding");
  });

  await test("records name their sender, and a missing answer is told", address, async (page) => {
    await status(page).filter({ hasText: "clean" }).waitFor();
    const record = (dir, message) => JSON.stringify({ t: 1, dir, raw: JSON.stringify(message) });
    const info = { name: "n", version: "1" };
    const [agreed, asked] = ["serverInfo", "clientInfo"].map((name) => ({
      protocolVersion: "2025-06-18",
      capabilities: {},
      [name]: info,
    }));
    const lines = [
      record("c2s", { jsonrpc: "2.0", id: 1, method: "initialize", params: asked }),
      record("s2c", { jsonrpc: "2.0", id: 1, result: agreed }),
      record("c2s", { jsonrpc: "2.0", method: "notifications/initialized" }),
      record("c2s", { jsonrpc: "2.0", id: 2, method: "ping" }),
    ];
    await page.locator("#messages").fill(lines.join("\n"));
    await counts(page, "4 messages: 4 clean; 1 finding");
    const shown = await page.locator("#results").innerText();
    assert.match(shown, /at the end/);
  });

  await test("inline code is forbidden", address, async (page) => {
    const policy = await page
      .locator('meta[http-equiv="Content-Security-Policy"]')
      .getAttribute("content");
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval'(?<!wasm-unsafe-eval')/);
  });
} finally {
  await browser.close();
  server.close();
}
console.log(`${count} tests passed`);
