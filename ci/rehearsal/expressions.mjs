// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// ${{ }} in a workflow, evaluated by GitHub's own library.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** What a workflow holds that the rehearsal cannot do, or that no workflow may hold. */
export class WorkflowError extends Error {}

/** @param modules folder node_modules that holds @actions/expressions */
export async function openExpressions(modules) {
  const { Lexer, Parser, Evaluator, data } = await import(
    pathToFileURL(resolve(modules, "@actions/expressions/dist/index.js")).href
  );
  const toData = (value) => JSON.parse(JSON.stringify(value), data.reviver);
  const fromData = (value) => JSON.parse(JSON.stringify(value, data.replacer) ?? "null");

  /** The value of what stands between ${{ and }}; contexts: plain objects by name; status: functions by name. */
  function raw(text, contexts, status = {}) {
    const functions = Object.entries(status).map(([name, of]) => ({
      name,
      minArgs: 0,
      maxArgs: 0,
      call: () => new data.BooleanData(of()),
    }));
    try {
      const tree = new Parser(new Lexer(text).lex().tokens, Object.keys(contexts), functions).parse();
      const byName = new Map(functions.map((one) => [one.name.toLowerCase(), one]));
      return new Evaluator(tree, toData(contexts), byName).evaluate();
    } catch (error) {
      throw new WorkflowError(`\${{ ${text.trim()} }}: ${error.message}`);
    }
  }

  /** A text, with every ${{ }} in it replaced; where it is a single one, its value as it is. */
  function fill(text, contexts, status) {
    const whole = /^\s*\$\{\{((?:(?!\}\})[\s\S])*)\}\}\s*$/.exec(text);
    if (whole) return fromData(raw(whole[1], contexts, status));
    return text.replace(/\$\{\{([\s\S]*?)\}\}/g, (_, inner) => raw(inner, contexts, status).coerceString());
  }

  /** The same for every text in a value of YAML. */
  function fillAll(value, contexts, status) {
    if (typeof value === "string") return fill(value, contexts, status);
    if (Array.isArray(value)) return value.map((one) => fillAll(one, contexts, status));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillAll(one, contexts, status)]));
  }

  /** Does an `if` hold? One that names no status function holds after success alone. */
  function holds(condition, contexts, status) {
    if (condition === undefined) return status.success();
    const text = String(condition).replace(/^\s*\$\{\{([\s\S]*)\}\}\s*$/, "$1");
    const asks = /\b(always|success|failure|cancelled)\s*\(/i.test(text);
    return (asks || status.success()) && raw(`!!(${text})`, contexts, status).coerceString() === "true";
  }

  return { fill, fillAll, holds };
}

/** A value as an environment variable, an input or an output has it. */
export function asText(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Refuses what the rehearsal would pass over in silence. */
export function onlyKeys(value, known, place) {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) throw new WorkflowError(`${place}: '${key}' is nothing that a rehearsal can do`);
  }
}
