// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// From the text of a chunk to its numbers: base64, zlib, columns of LEB128 (docs/report-data.md, "Columns").

import type { Attributes } from "./contract";

export interface Columns {
  /** Columns by name; a missing number is NaN. */
  columns: Map<string, Float64Array>;
  tables: { status: string[]; verdict: string[]; attributes: (Attributes | null)[] };
}

interface ColumnHeader {
  name: string;
  kind: "index" | "log" | "linear";
  quantum?: number;
  count: number;
  bytes: number;
}

type Base64Decoder = { fromBase64?: (text: string) => Uint8Array };

export function bytesOfBase64(text: string): Uint8Array {
  const native = (Uint8Array as unknown as Base64Decoder).fromBase64;
  if (native) return native.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** One column: `count` unsigned LEB128 numbers, which end exactly where the column ends. */
function decodeColumn(bytes: Uint8Array, start: number, header: ColumnHeader): Float64Array {
  const values = new Float64Array(header.count);
  const quantum = header.quantum ?? 1;
  const { kind } = header;
  const end = start + header.bytes;
  let at = start;
  let last = 0;
  for (let i = 0; i < header.count; i++) {
    let number = 0;
    let unit = 1;
    let byte = 0;
    do {
      if (at >= end) throw new Error(`column ${header.name} ends within value ${i}`);
      byte = bytes[at++] as number;
      // No shifts, because they would cut the number to 32 bits.
      number += (byte & 0x7f) * unit;
      unit *= 128;
    } while (byte >= 0x80);
    if (kind === "index") {
      last += number % 2 === 0 ? number / 2 : -(number + 1) / 2;
      values[i] = last;
    } else if (number === 0) {
      values[i] = NaN;
    } else {
      const zigzag = number - 1;
      last += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      values[i] = kind === "log" ? Math.exp(last * quantum) : last * quantum;
    }
  }
  if (at !== end) throw new Error(`column ${header.name} has ${end - at} bytes too many`);
  return values;
}

export function decodeColumns(bytes: Uint8Array): Columns {
  if (bytes.length < 4) throw new Error("shorter than its own length");
  const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  if (4 + length > bytes.length) throw new Error("the header is cut off");
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as {
    columns: ColumnHeader[];
    tables?: Partial<Columns["tables"]>;
  };
  const columns = new Map<string, Float64Array>();
  let at = 4 + length;
  for (const column of header.columns) {
    if (at + column.bytes > bytes.length) throw new Error(`column ${column.name} is cut off`);
    columns.set(column.name, decodeColumn(bytes, at, column));
    at += column.bytes;
  }
  const tables = header.tables ?? {};
  return {
    columns,
    tables: { status: tables.status ?? [], verdict: tables.verdict ?? [], attributes: tables.attributes ?? [] },
  };
}
