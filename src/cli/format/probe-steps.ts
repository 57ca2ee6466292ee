/** A probe's steps, a line each: what was asked, what came back, what that means. Reads loosely: a catalog may have sent them. */
import { isJsonObject, type ProbeStep } from "../../spec/index.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";

export function probeSteps(steps: readonly unknown[], style: Style): readonly string[] {
  return steps.filter(isJsonObject).map((step) => probeStep(step as unknown as ProbeStep, style));
}

export function probeStep(step: ProbeStep, style: Style): string {
  const mark = step.ok === true ? style.good("✓") : style.quiet("–");
  const status = typeof step.status === "number" ? String(step.status) : "no answer";
  const ms = typeof step.ms === "number" ? `${Math.round(step.ms)} ms` : "";
  const asked = `${printableLine(String(step.method))} ${printableLine(String(step.url))}`;
  return `${mark} ${asked}  ${style.quiet(`${status}, ${ms}`)}  ${printableLine(String(step.outcome))}`;
}
