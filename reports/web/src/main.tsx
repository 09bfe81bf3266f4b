// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

import { render } from "preact";
import type { Manifest } from "./data/contract";
import { Store } from "./data/store";
import { App } from "./shell/App";
import { BrokenPage } from "./shell/BrokenPage";
import { applyTheme, storedTheme } from "./state/theme";
import "uplot/dist/uPlot.min.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/charts.css";
import "./styles/views.css";
import "./styles/print.css";

function readManifest(): Manifest {
  const element = document.getElementById("manifest");
  if (!element) throw new Error("the page holds no manifest");
  const manifest = JSON.parse(element.textContent ?? "") as Partial<Manifest>;
  if (manifest.schema !== "perfcheck.report/1") {
    throw new Error(`the manifest is of ${JSON.stringify(manifest.schema ?? "no schema")}, not of "perfcheck.report/1"`);
  }
  if (!Array.isArray(manifest.devices)) throw new Error("the manifest names no devices");
  return { title: "perfcheck report", generated: "", tool_version: "", site: false, notes: [], ...manifest } as Manifest;
}

function start(): void {
  const root = document.getElementById("app");
  if (!root) return;
  applyTheme(storedTheme());
  root.textContent = "";
  try {
    render(<App store={new Store(readManifest())} />, root);
  } catch (error) {
    render(<BrokenPage reason={error instanceof Error ? error.message : String(error)} />, root);
  }
}

start();
