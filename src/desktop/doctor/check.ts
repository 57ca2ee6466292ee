/** One thing that a doctor looked at. */
export interface Check {
  readonly what: string;
  /** `warning`: it works, and a person should know. */
  readonly state: "good" | "warning" | "bad";
  /** What was seen. */
  readonly detail: string;
  /** What to do about it. */
  readonly cure?: string;
}

export const good = (what: string, detail: string): Check => ({ what, state: "good", detail });
export const warning = (what: string, detail: string, cure: string): Check => ({
  what,
  state: "warning",
  detail,
  cure,
});
export const bad = (what: string, detail: string, cure: string): Check => ({
  what,
  state: "bad",
  detail,
  cure,
});
