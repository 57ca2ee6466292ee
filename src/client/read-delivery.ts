/**
 * A webhook delivery, verified: the signature over the raw bytes first (OpenMCP 0.1 "The client", 4), then its form, then its
 * age. Nothing of a delivery is looked at before its signature was found right.
 */
import {
  type DeliveryBody,
  isJsonObject,
  MAX_JSON_DEPTH,
  nestsDeeper,
  OpenMcpError,
  verifySignature,
} from "../spec/index.ts";
import { DELIVERY_CLOCK_SKEW_MS, MAX_DELIVERY_AGE_MS } from "./limits.ts";

export interface ReadDeliveryOptions {
  /** The subscription's secret; several while it is being changed. */
  readonly secret: string | readonly string[];
  /** The header `X-OpenMCP-Signature`. */
  readonly signature: string | null | undefined;
  /**
   * Milliseconds; a delivery whose `at` is longer ago is refused, so that an old one can't be played back. Default a day:
   * `at` is when the change happened, and a catalog may deliver late. `Infinity` takes any.
   */
  readonly maxAgeMs?: number;
  /** Milliseconds since the epoch; default the machine's clock. */
  readonly now?: number;
}

/**
 * The delivery in `body`, the request's raw bytes (or their UTF-8 text, unchanged).
 * @throws OpenMcpError `unauthorized` when the signature is not of a secret given; `invalid-input` when what was signed is no
 * delivery, is too old, or of the future.
 * @example
 * ```ts
 * import { readDelivery } from "openmcp/client";
 *
 * export async function receive(request: Request): Promise<void> {
 *   const delivery = await readDelivery(new Uint8Array(await request.arrayBuffer()), {
 *     secret: "the secret that was shown once",
 *     signature: request.headers.get("x-openmcp-signature"),
 *   });
 *   console.log(delivery.event, delivery.relay?.id);
 * }
 * ```
 */
export async function readDelivery(
  body: Uint8Array | string,
  options: ReadDeliveryOptions,
): Promise<DeliveryBody> {
  if (!(await isSigned(body, options))) {
    throw new OpenMcpError(
      "unauthorized",
      "The signature does not fit: the body was changed on its way, or the secret is another subscription's.",
    );
  }
  const delivery = parseDelivery(typeof body === "string" ? body : new TextDecoder().decode(body));
  const age = (options.now ?? Date.now()) - Date.parse(delivery.at);
  if (age > (options.maxAgeMs ?? MAX_DELIVERY_AGE_MS)) {
    throw refused("at", `The delivery tells of ${delivery.at}: longer ago than this receiver takes.`);
  }
  if (age < -DELIVERY_CLOCK_SKEW_MS) {
    throw refused(
      "at",
      `The delivery tells of ${delivery.at}, which is yet to come: set this machine's clock.`,
    );
  }
  return delivery;
}

/** Every secret is tried, so that the time tells nothing about which one fits. */
async function isSigned(
  body: Uint8Array | string,
  { secret, signature }: ReadDeliveryOptions,
): Promise<boolean> {
  const secrets = typeof secret === "string" ? [secret] : secret;
  const verdicts = await Promise.all(secrets.map((known) => verifySignature(known, body, signature)));
  return verdicts.includes(true);
}

function parseDelivery(text: string): DeliveryBody {
  let value: unknown;
  try {
    value = nestsDeeper(text, MAX_JSON_DEPTH) ? null : JSON.parse(text);
  } catch {
    value = null;
  }
  if (
    !isJsonObject(value) ||
    typeof value.id !== "string" ||
    typeof value.event !== "string" ||
    typeof value.at !== "string" ||
    Number.isNaN(Date.parse(value.at))
  ) {
    throw refused("body", "What was signed is no delivery of an OpenMCP catalog.");
  }
  return value as unknown as DeliveryBody;
}

function refused(field: string, message: string): OpenMcpError {
  return new OpenMcpError("invalid-input", message, { data: { field } });
}
