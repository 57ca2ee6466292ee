/**
 * Capabilities are a contract: sampling, elicitation and roots are declared only with somebody to answer, and an answerer without its
 * declaration is refused. Both are mistakes of the program, told before anything is opened.
 */
import type {
  Client,
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  ListRootsResult,
} from "@modelcontextprotocol/client";

interface AnswerContext {
  /** Aborted when the server no longer wants the answer. */
  readonly signal: AbortSignal;
}

/** Answers to what a server asks. One that throws answers an error, and the session lives. */
export interface Answerers {
  readonly sampling?: (
    params: CreateMessageRequestParams,
    context: AnswerContext,
  ) => Promise<CreateMessageResult> | CreateMessageResult;
  readonly elicitation?: (
    params: ElicitRequestParams,
    context: AnswerContext,
  ) => Promise<ElicitResult> | ElicitResult;
  readonly roots?: (context: AnswerContext) => Promise<ListRootsResult> | ListRootsResult;
}

export interface Contract {
  /** What is declared to the server. */
  readonly capabilities?: ClientCapabilities | undefined;
  /** Who answers it. */
  readonly handlers?: Answerers | undefined;
}

const ANSWERED = ["sampling", "elicitation", "roots"] as const;

/** @throws TypeError when something is declared that nobody answers, or answered that is not declared. */
export function assertContract({ capabilities = {}, handlers = {} }: Contract): void {
  for (const name of ANSWERED) {
    const declared = capabilities[name] !== undefined;
    const answered = handlers[name] !== undefined;
    if (declared && !answered) {
      throw new TypeError(`"${name}" is declared, and nobody answers it: give \`handlers.${name}\`.`);
    }
    if (answered && !declared) {
      throw new TypeError(`\`handlers.${name}\` is never asked: declare it in \`capabilities.${name}\`.`);
    }
  }
}

/** Puts the answerers on the SDK's client, before it connects. */
export function answerWith(client: Client, { sampling, elicitation, roots }: Answerers = {}): void {
  if (sampling !== undefined) {
    client.setRequestHandler("sampling/createMessage", async ({ params }, { mcpReq }) =>
      sampling(params, { signal: mcpReq.signal }),
    );
  }
  if (elicitation !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) =>
      elicitation(params, { signal: mcpReq.signal }),
    );
  }
  if (roots !== undefined) {
    client.setRequestHandler("roots/list", async (_request, { mcpReq }) => roots({ signal: mcpReq.signal }));
  }
}
