/** `import "openmcp/kit/guard"`, before anything else: from here on standard output is the protocol's (node/stdout-guard.ts). */
import { guardStdout } from "./node/stdout-guard.ts";

export { type GuardOptions, guardStdout, type StdoutGuard } from "./node/stdout-guard.ts";

guardStdout();
