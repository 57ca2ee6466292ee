/** `openmcp webhook verify`: whether a signature is the one of a saved body under a secret. Asks nobody. */
import { readDelivery, verifySignature } from "../../../client/index.ts";
import { isOpenMcpError, OpenMcpError } from "../../../spec/index.ts";
import { exitCodes } from "../../exit-code.ts";
import { inputBytes } from "../../input-file.ts";
import type { Shell } from "../../shell.ts";
import { printableLine } from "../../terminal/printable.ts";

export async function verify(
  shell: Shell,
  given: { readonly file: string; readonly signature: string; readonly secret: string | undefined },
): Promise<number> {
  const { secret, signature } = given;
  if (secret === undefined || secret === "") {
    throw new OpenMcpError(
      "invalid-input",
      "Give the subscription's secret with --secret or OPENMCP_WEBHOOK_SECRET.",
      {
        data: { field: "--secret" },
      },
    );
  }
  const body =
    given.file === "-"
      ? Buffer.from(await shell.readInput())
      : await inputBytes(given.file, { what: "The body", field: "file", signal: shell.signal });
  const verified = await verifySignature(secret, body, signature);
  const why = verified
    ? await formProblem(body, { secret, signature })
    : await mismatch(body, { secret, signature });
  if (shell.json) shell.printJson({ verified, ...(why === null ? {} : { note: why }) });
  else if (verified) shell.print(`${shell.style.good("✓")} The signature fits.`);
  else shell.print(`${shell.style.bad("✗")} The signature does not fit.`);
  if (why !== null) shell.note(`  ${printableLine(why)}`);
  return verified ? exitCodes.ok : exitCodes.no;
}

interface Proof {
  readonly secret: string;
  readonly signature: string;
}

/** What was signed may still be no delivery. */
async function formProblem(body: Uint8Array, proof: Proof): Promise<string | null> {
  try {
    await readDelivery(body, { ...proof, maxAgeMs: Number.POSITIVE_INFINITY });
    return null;
  } catch (error) {
    if (isOpenMcpError(error)) return error.message;
    throw error;
  }
}

/** What goes wrong most often: an editor or a shell that added the end of a line. */
async function mismatch(body: Buffer, { secret, signature }: Proof): Promise<string | null> {
  if (!/^sha256=[0-9a-f]{64}$/i.test(signature)) return 'A signature is "sha256=" and 64 hex digits.';
  const text = body.toString("latin1");
  const trimmed = Buffer.from(text.replace(/\r?\n$/, ""), "latin1");
  if (trimmed.length !== body.length && (await verifySignature(secret, trimmed, signature))) {
    return "It fits without the line break at the end: save the body exactly as it was received.";
  }
  return null;
}
