/**
 * `--limits`: what each client may ask for. `default`, `off`, a JSON file, or the JSON itself, which environments like better.
 * Budgets that it does not name keep their default. What is wrong is said with its place in the JSON.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { DEFAULT_BUDGETS } from "../catalog/index.ts";
import {
  type BudgetName,
  type BudgetRule,
  type BudgetRules,
  budgetNames,
  isJsonObject,
  type JsonValue,
} from "../spec/index.ts";
import { MAX_BURST, MAX_LIMITS_FILE_BYTES, MAX_PER_MINUTE } from "./limits.ts";

export type LimitsReading =
  | { readonly ok: true; readonly budgets: BudgetRules | null }
  | { readonly ok: false; readonly problem: string };

/** Null: nothing is limited. */
export function readBudgetLimits(text: string): LimitsReading {
  if (/^default$/i.test(text)) return { ok: true, budgets: DEFAULT_BUDGETS };
  if (/^(off|no|none)$/i.test(text)) return { ok: true, budgets: null };
  const json = text.startsWith("{") ? text : fileText(text);
  if (json === null)
    return wrong(
      `can't be read, or is over ${MAX_LIMITS_FILE_BYTES / 1024} KiB: give a JSON file, the JSON itself, default or off`,
    );
  let value: JsonValue;
  try {
    value = JSON.parse(json) as JsonValue;
  } catch (error) {
    return wrong(`is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isJsonObject(value))
    return wrong('is not an object such as {"call": {"perMinute": 600, "burst": 1200}}');
  const budgets: Record<BudgetName, BudgetRule | null> = { ...DEFAULT_BUDGETS };
  for (const [name, given] of Object.entries(value)) {
    const known = budgetNames.find((budget) => budget === name);
    if (known === undefined)
      return wrong(`names ${JSON.stringify(name)}, which is no budget: there are ${budgetNames.join(", ")}`);
    const rule = readRule(name, given);
    if (typeof rule === "string") return wrong(rule);
    budgets[known] = rule;
  }
  return { ok: true, budgets };
}

/** A sentence for what is no rule. */
function readRule(name: string, given: JsonValue | undefined): BudgetRule | null | string {
  if (given === "off" || given === null) return null;
  if (!isJsonObject(given))
    return `: ${name} must be {"perMinute", "burst"} or "off", not ${JSON.stringify(given)}`;
  const unknown = Object.keys(given).find((key) => key !== "perMinute" && key !== "burst");
  if (unknown !== undefined) return `: ${name}.${unknown} is no field: there are perMinute and burst`;
  const { perMinute, burst } = given;
  if (typeof perMinute !== "number" || !(perMinute > 0) || perMinute > MAX_PER_MINUTE)
    return `: ${name}.perMinute must be a number above 0, ${MAX_PER_MINUTE} at most, not ${JSON.stringify(perMinute) ?? "left out"}`;
  const held = burst ?? Math.max(1, Math.ceil(perMinute));
  if (typeof held !== "number" || !Number.isInteger(held) || held < 1 || held > MAX_BURST)
    return `: ${name}.burst must be a whole number from 1 to ${MAX_BURST}, not ${JSON.stringify(burst)}`;
  return { perMinute, burst: held };
}

/** Null for what can't be read, and for what is larger than such a file is: a device has no end. */
function fileText(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    const bytes = Buffer.alloc(MAX_LIMITS_FILE_BYTES + 1);
    let length = 0;
    while (length < bytes.byteLength) {
      const read = readSync(file, bytes, length, bytes.byteLength - length, null);
      if (read === 0) break;
      length += read;
    }
    return length > MAX_LIMITS_FILE_BYTES ? null : bytes.toString("utf8", 0, length);
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

function wrong(problem: string): LimitsReading {
  return { ok: false, problem };
}
