/**
 * The ids of a server's own requests where several instances speak for one session: each instance counts from 0, so on the wire the
 * number is told with the instance's name, `4f1c09ab27de.0`. The answer comes to any instance, and finds the one that asked.
 */
export interface WireId {
  readonly instance: string;
  readonly number: number;
}

const WIRE_ID = /^([0-9a-f]{12})\.(\d{1,15})$/;

export function writeWireId({ instance, number }: WireId): string {
  return `${instance}.${number}`;
}

/** Null when an id or a progress token is none of ours. */
export function readWireId(value: unknown): WireId | null {
  const match = typeof value === "string" ? WIRE_ID.exec(value) : null;
  return match === null ? null : { instance: match[1] as string, number: Number(match[2]) };
}

/** A name of twelve hexadecimal digits, new for each process. */
export function newInstanceName(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, 12);
}
