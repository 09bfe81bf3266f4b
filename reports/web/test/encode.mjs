// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The writer's side of docs/report-data.md, for made-up data: columns, chunks, page and site.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";

export const quantum = 2e-5;

function leb128(out, number) {
  while (number >= 128) {
    out.push((number % 128) + 128);
    number = Math.floor(number / 128);
  }
  out.push(number);
}

const zigzag = (value) => (value < 0 ? -2 * value - 1 : 2 * value);

function encodeColumn({ kind, values, quantum: step }) {
  const out = [];
  let last = 0;
  for (const value of values) {
    if (kind === "index") {
      leb128(out, zigzag(value - last));
      last = value;
    } else if (value === null || value === undefined || Number.isNaN(value)) {
      leb128(out, 0);
    } else {
      const q = Math.round((kind === "log" ? Math.log(value) : value) / step);
      leb128(out, zigzag(q - last) + 1);
      last = q;
    }
  }
  return Buffer.from(out);
}

/** columns: [{name, kind, values, quantum?}] */
export function encodeColumns(columns, tables) {
  const bodies = columns.map(encodeColumn);
  const header = Buffer.from(JSON.stringify({
    columns: columns.map(({ name, kind, values, quantum: step }, i) => ({
      name, kind, ...(step === undefined ? {} : { quantum: step }), count: values.length, bytes: bodies[i].length,
    })),
    tables,
  }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  return Buffer.concat([length, header, ...bodies]);
}

export const chunkText = (bytes) => deflateSync(bytes).toString("base64");
export const jsonChunk = (value) => chunkText(Buffer.from(JSON.stringify(value)));
/** What jsonChunk was made of. */
export const readJsonChunk = (text) => JSON.parse(inflateSync(Buffer.from(text, "base64")).toString("utf8"));
export const safeJson = (value) => JSON.stringify(value).replace(/</g, "\\u003c");

const escapeHtml = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

/** The page around the application; `policy` is what README.md says about Content-Security-Policy. */
export function pageText(bundle, manifest, chunks) {
  const site = chunks === undefined ? " 'self' file:" : "";
  const policy = `default-src 'none'; script-src '${bundle.hash}'${site}; style-src 'unsafe-inline'; img-src data:; `
    + "base-uri 'none'; form-action 'none'";
  const data = [...(chunks ?? new Map())].map(
    ([key, text]) => `<script type="application/octet-stream" id="${key}">${text}</script>\n`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">`
    + `<meta name="viewport" content="width=device-width, initial-scale=1">`
    + `<meta http-equiv="Content-Security-Policy" content="${policy}">`
    + `<title>${escapeHtml(manifest.title ?? "perfcheck")}</title><style>${bundle.css}</style></head><body>`
    + `<div id="app"><noscript>This report needs JavaScript, which runs in this page alone.</noscript></div>\n`
    + `<script type="application/json" id="manifest">${manifest.raw ?? safeJson(manifest)}</script>\n${data.join("")}`
    + `<script>${bundle.js}</script></body></html>\n`;
}

export function writePage(file, bundle, manifest, chunks) {
  writeFileSync(file, pageText(bundle, { ...manifest, site: false }, chunks));
}

export function writeSite(folder, bundle, manifest, chunks) {
  mkdirSync(join(folder, "data"), { recursive: true });
  writeFileSync(join(folder, "index.html"), pageText(bundle, { ...manifest, site: true }, undefined));
  for (const [key, text] of chunks) {
    writeFileSync(join(folder, "data", `${key}.js`), `perfcheckChunk("${key}","${text}");\n`);
  }
}
