/** The schema of every problem document of the catalog (RFC 9457; http/problem.ts writes them). */
import { errorCodes } from "../../spec/index.ts";

export const problemSchema = {
  type: "object",
  description: "What went wrong (RFC 9457), for a program in `code` and for a person in `detail`.",
  properties: {
    type: { type: "string", format: "uri" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { type: "string", enum: errorCodes },
    ok: { const: false },
    error: { type: "string", description: "The same as `detail`." },
    field: { type: "string", description: "The parameter or field that is wrong." },
    probe: { type: "object", description: "`not-listed`: what the look found." },
    rpc: { type: "object", description: "`relay-error`: the relay's own JSON-RPC error." },
    result: { type: "object", description: "`tool-error`: the tool's own result." },
    requestId: { type: "string", description: "`internal`: what the operator looks for in the log." },
  },
  required: ["type", "title", "status", "detail", "code", "ok", "error"],
};
