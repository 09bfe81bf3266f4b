// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Artifacts of a run, as actions/upload-artifact@v4 and actions/download-artifact@v4 treat them: hidden files are left
// out, empty folders and permissions are lost, a name is given once.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, rmdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { WorkflowError } from "./expressions.mjs";

const FORBIDDEN = /["<>|*?:\r\n\\/]/;

/** Leaves of a copy what an artifact keeps. */
function forget(path) {
  if (statSync(path).isDirectory()) {
    chmodSync(path, 0o755);
    for (const name of readdirSync(path)) forget(join(path, name));
    if (readdirSync(path).length === 0) rmdirSync(path);
  } else {
    chmodSync(path, 0o644);
  }
}

/** @param store folder of the run's artifacts; @param path a file or a folder */
export function upload(store, { name = "artifact", path, overwrite = false, missing = "warn" }, say) {
  if (FORBIDDEN.test(name)) throw new WorkflowError(`'${name}' is no name of an artifact`);
  const folder = join(store, name);
  if (existsSync(folder) && !overwrite) throw new Error(`an artifact of the name ${name} is there already`);
  rmSync(folder, { recursive: true, force: true });
  if (existsSync(path)) {
    const into = statSync(path).isDirectory() ? folder : join(folder, basename(path));
    mkdirSync(folder, { recursive: true });
    cpSync(path, into, {
      recursive: true,
      dereference: true,
      filter: (from) => from === path || !basename(from).startsWith("."),
    });
    forget(folder);
    if (existsSync(folder)) return say(`artifact ${name}: ${path}`);
  }
  if (missing === "error") throw new Error(`no file was found at ${path}`);
  say(`no artifact ${name}: nothing at ${path}`);
}

/** One artifact by name straight into a folder, or each that a pattern takes into a folder of its own. */
export function download(store, { name, pattern, path }, say) {
  mkdirSync(path, { recursive: true });
  const there = existsSync(store) ? readdirSync(store).sort() : [];
  if (name !== undefined) {
    if (!there.includes(name)) throw new Error(`there is no artifact ${name}`);
    cpSync(join(store, name), path, { recursive: true });
    return say(`artifact ${name} to ${path}`);
  }
  const taken = new RegExp(`^${(pattern ?? "*").replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*")}$`);
  const wanted = there.filter((one) => taken.test(one));
  for (const one of wanted) cpSync(join(store, one), join(path, one), { recursive: true });
  say(`${wanted.length} artifacts to ${path}`);
}
