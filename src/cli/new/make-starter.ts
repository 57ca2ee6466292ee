/** A relay to begin with, that depends on the OpenMCP which writes it: by its version where a registry gave that, by a packed copy elsewhere. */
import { isFromRegistry } from "../own-package.ts";
import { packOwn } from "./pack-own.ts";
import { type StarterVersions, starterFiles } from "./starter.ts";
import { isEmptyFolder, type StarterFiles, writeStarter } from "./write-starter.ts";

export interface StarterPlace {
  readonly folder: string;
  readonly name: string;
  /** The package that writes it. */
  readonly own: {
    readonly home: string;
    readonly version: string;
    readonly pinned: Omit<StarterVersions, "openmcp">;
  };
}

/** Gives what it wrote. @throws OpenMcpError `invalid-input` for a place that is taken, `unavailable` when no copy can be packed. */
export async function makeStarter(
  { folder, name, own }: StarterPlace,
  { env, signal }: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<StarterFiles> {
  // Packing takes seconds: a place that is taken is refused before.
  await isEmptyFolder(folder);
  const { home, version, pinned } = own;
  if (await isFromRegistry(home, version)) {
    const files = starterFiles({ name, versions: { ...pinned, openmcp: version } });
    await writeStarter(folder, files);
    return files;
  }
  const { file, bytes } = await packOwn(home, { env, signal });
  const copy = `vendor/${file}`;
  const texts = starterFiles({ name, versions: { ...pinned, openmcp: `file:${copy}` } });
  const files = new Map<string, string | Uint8Array>([...texts, [copy, bytes]]);
  await writeStarter(folder, files);
  return files;
}
