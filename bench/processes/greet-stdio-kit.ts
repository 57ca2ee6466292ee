/** The server over stdio by the kit; bench/kit.ts bundles it. */
import "../../src/kit/guard.ts";
import { serve } from "../../src/kit/index.ts";
import { greetServer } from "../lib/greet-server.ts";

await serve({ server: greetServer }).serveStdio();
