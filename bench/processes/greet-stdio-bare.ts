/** The server over stdio by the SDK alone; bench/kit.ts bundles it. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { greetServer } from "../lib/greet-server.ts";

serveStdio(greetServer);
