// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Chunks: where they are, how each is loaded once, and the messages when one is missing or broken.

import { useEffect, useReducer } from "preact/hooks";
import type { Detail, Device, Manifest } from "./contract";
import { bytesOfBase64, decodeColumns, inflate, type Columns } from "./decode";

export class ChunkError extends Error {
  readonly key: string;

  constructor(key: string, message: string) {
    super(message);
    this.key = key;
  }
}

/** Something that is being loaded. Once it has settled, exactly one of value and error is set. */
export interface Resource<T> {
  value?: T;
  error?: ChunkError;
  promise: Promise<void>;
}

export function resourceOf<T>(promise: Promise<T>, key: string): Resource<T> {
  const resource: Resource<T> = { promise: Promise.resolve() };
  resource.promise = promise.then(
    (value) => {
      resource.value = value;
    },
    (error: unknown) => {
      resource.error = error instanceof ChunkError ? error : new ChunkError(key, String(error));
    },
  );
  return resource;
}

/** Redraws the component when any of the resources settles. */
export function useResources(resources: readonly (Resource<unknown> | undefined)[]): void {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  // A resource that was drawn as unsettled may settle before the effect runs, so the ones to wait for are selected
  // here.
  const open = resources.filter((one) => one !== undefined && one.value === undefined && one.error === undefined);
  useEffect(() => {
    let alive = true;
    for (const resource of open) {
      void resource?.promise.then(() => {
        if (alive) redraw(0);
      });
    }
    return () => {
      alive = false;
    };
  }, resources);
}

declare global {
  interface Window {
    perfcheckChunk?: (key: string, text: string) => void;
  }
}

const waiting = new Map<string, (text: string) => void>();
window.perfcheckChunk = (key, text) => waiting.get(key)?.(text);

function loadScript(key: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const done = (): void => {
      waiting.delete(key);
      script.remove();
    };
    waiting.set(key, (text) => {
      done();
      resolve(text);
    });
    script.onload = () => {
      // A chunk has already called perfcheckChunk by now; a file with other content has not.
      if (waiting.has(key)) reject(new ChunkError(key, `data/${key}.js does not hold chunk ${key}`));
      done();
    };
    script.onerror = () => {
      done();
      reject(new ChunkError(key, `the file data/${key}.js is not there or cannot be read`));
    };
    script.src = `data/${key}.js`;
    document.head.append(script);
  });
}

async function bytesOf(key: string, site: boolean): Promise<Uint8Array> {
  // A key becomes part of a path, so only letters, digits, - and _ are allowed.
  if (!/^[A-Za-z0-9_-]+$/.test(key)) throw new ChunkError(key, `"${key}" is no name of a chunk`);
  const inline = document.getElementById(key);
  let text: string;
  if (inline instanceof HTMLScriptElement) text = inline.textContent ?? "";
  else if (site) text = await loadScript(key);
  else throw new ChunkError(key, `the page does not hold chunk ${key}`);
  try {
    return await inflate(bytesOfBase64(text.trim()));
  } catch {
    throw new ChunkError(key, `chunk ${key} is damaged and cannot be unpacked`);
  }
}

async function json<T>(key: string, site: boolean): Promise<T> {
  const bytes = await bytesOf(key, site);
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as T;
  } catch (error) {
    throw new ChunkError(key, `chunk ${key} is not valid JSON (${String(error)})`);
  }
}

async function columns(key: string, site: boolean): Promise<Columns> {
  const bytes = await bytesOf(key, site);
  try {
    const decoded = decodeColumns(bytes);
    performance.mark("perfcheck:decoded");
    return decoded;
  } catch (error) {
    throw new ChunkError(key, `chunk ${key} is damaged: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** All chunks of a page. Each is loaded when it is first asked for, and then kept. */
export class Store {
  readonly manifest: Manifest;
  private readonly cache = new Map<string, Resource<unknown>>();

  constructor(manifest: Manifest) {
    this.manifest = manifest;
  }

  private once<T>(key: string, load: () => Promise<T>): Resource<T> {
    let resource = this.cache.get(key);
    if (!resource) {
      resource = resourceOf(load(), key);
      this.cache.set(key, resource);
    }
    return resource as Resource<T>;
  }

  /** A device by its key; undefined if the page has no such device. */
  device(key: string): Resource<Device> | undefined {
    const entry = this.manifest.devices.find((device) => device.key === key);
    return entry && this.once(entry.chunk, () => json<Device>(entry.chunk, this.manifest.site));
  }

  columns(key: string): Resource<Columns> {
    return this.once(key, () => columns(key, this.manifest.site));
  }

  detail(chunk: string): Resource<Detail> {
    const key = `${chunk}x`;
    return this.once(key, () => json<Detail>(key, this.manifest.site));
  }

  chunkOfDevice(key: string): string {
    return this.manifest.devices.find((device) => device.key === key)?.chunk ?? "";
  }
}
