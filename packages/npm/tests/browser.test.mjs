// The checks in a browser: Chromium, driven by playwright-core, with no bundler.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { test } from "node:test";

import { chromium } from "playwright-core";

const candidates = ["chromium", "chromium-headless-shell", "chromium-browser", "google-chrome"];
const executablePath = (process.env.PATH ?? "")
  .split(path.delimiter)
  .flatMap((folder) => candidates.map((name) => path.join(folder, name)))
  .find((file) => existsSync(file));

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };

test("a browser checks messages", { skip: executablePath ? false : "Chromium is not installed" }, async () => {
  const root = path.resolve("node_modules/mcp-assay");
  const http = createServer((request, response) => {
    const file = path.join(root, path.normalize(new URL(request.url, "http://x").pathname));
    const type = TYPES[path.extname(file)];
    if (request.url === "/") {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>");
    } else if (type === undefined || !existsSync(file)) {
      response.writeHead(404).end();
    } else {
      response.writeHead(200, { "content-type": type }).end(readFileSync(file));
    }
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${http.address().port}/`);
    const found = await page.evaluate(async () => {
      const assay = await import("/esm/wasm/browser.js");
      const early = await Promise.resolve()
        .then(() => new assay.Session())
        .catch((error) => error.message);
      const wrong = await assay.init("/no-such.wasm").catch((error) => error.message);
      await assay.init();
      await assay.init();
      const session = new assay.Session();
      const checked = session.check('{"jsonrpc":"2.0","id":true,"method":"ping"}', "c2s");
      const { verdict, violations, lines } = checked;
      return {
        early, wrong, verdict, lines,
        rules: violations.map((it) => it.rule),
        span: violations[0].span,
        page: assay.explain("jsonrpc/id-type"),
        transport: typeof assay.AssayTransport,
      };
    });
    assert.match(found.early, /init\(\)/);
    assert.match(found.wrong, /status 404/);
    assert.deepEqual([found.verdict, found.rules], ["block", ["jsonrpc/id-type"]]);
    assert.deepEqual(found.span, { start: 22, end: 26 });
    assert.match(found.lines[0], /^c2s request ping: error\[jsonrpc\/id-type\] at \/id: /);
    assert.match(found.page, /^jsonrpc\/id-type \(error\)/);
    assert.equal(found.transport, "function");
  } finally {
    await browser.close();
    http.close();
  }
});
