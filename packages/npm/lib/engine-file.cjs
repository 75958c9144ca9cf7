"use strict";
/** The path of the WebAssembly module: in CommonJS, because both kinds of modules can load that. */
module.exports = require("node:path").join(__dirname, "..", "engine.wasm");
