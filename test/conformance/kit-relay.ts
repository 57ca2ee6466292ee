/** The tools, resources and prompts that the official suite's server scenarios call, as a relay in the kit's short form. */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  completable,
  createRequestStateCodec,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { type Kit, server } from "../../src/kit/index.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const codec = createRequestStateCodec<string>({ key: "0123456789abcdef0123456789abcdef" });
const text = (said: string): CallToolResult => ({ content: [{ type: "text", text: said }] });
const ask = (inputRequests: object, requestState?: string): InputRequiredResult =>
  ({
    resultType: "input_required",
    inputRequests,
    ...(requestState === undefined ? {} : { requestState }),
  }) as never;
const elicit = (message: string, name: string, type = "string") => ({
  method: "elicitation/create",
  params: {
    message,
    requestedSchema: { type: "object", properties: { [name]: { type } }, required: [name] },
  },
});
const sample = (question: string, maxTokens: number) => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text: question } }], maxTokens },
});
const roots = { method: "roots/list", params: {} };
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
const answered = ({ mcpReq }: ServerContext): Record<string, any> => (mcpReq.inputResponses ?? {}) as never;
const capabilities = ({ mcpReq }: ServerContext): Readonly<Record<string, unknown>> =>
  ((mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as never;
const pause = () => new Promise((resolve) => setTimeout(resolve, 10));

export const richSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
} as const;

export function conformanceRelay(): Kit {
  const d = { description: "Of the conformance suite." };
  const relay = server("conformance", "1.0.0", { mcp: { requestState: { verify: codec.verify } } })
    .tool("test_simple_text", d, () => "This is a simple text response for testing.")
    .tool("test_image_content", d, () => ({ type: "image", data: PNG, mimeType: "image/png" }))
    .tool("test_audio_content", d, () => ({
      type: "audio",
      data: "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=",
      mimeType: "audio/wav",
    }))
    .tool("test_embedded_resource", d, () => ({
      type: "resource",
      resource: {
        uri: "test://embedded-resource",
        mimeType: "text/plain",
        text: "This is an embedded resource content.",
      },
    }))
    .tool("test_multiple_content_types", d, () => [
      { type: "text", text: "Multiple content types test:" },
      { type: "image", data: PNG, mimeType: "image/png" },
      {
        type: "resource",
        resource: {
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: '{"test":"data","value":123}',
        },
      },
    ])
    .tool("test_tool_with_logging", d, async (_, { mcp }) => {
      for (const step of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await mcp.mcpReq.log("info", step);
        await pause();
      }
      return "done";
    })
    .tool("test_logging_tool", d, async (_, { mcp }) => {
      await mcp.mcpReq.log("info", "logged");
      return "done";
    })
    .tool("test_tool_with_progress", d, async (_, { progress }) => {
      for (const done of [0, 50, 100]) {
        await progress(done, { total: 100 });
        await pause();
      }
      return "done";
    })
    .tool("test_error_handling", d, () => {
      throw new Error("This tool intentionally returns an error for testing");
    })
    .tool("test_sampling", { ...d, input: z.object({ prompt: z.string() }) }, async ({ prompt }, { mcp }) => {
      const answer = await mcp.mcpReq.requestSampling({
        messages: [{ role: "user", content: { type: "text", text: prompt } }],
        maxTokens: 100,
      });
      return `LLM response: ${JSON.stringify(answer.content)}`;
    })
    .tool(
      "test_elicitation",
      { ...d, input: z.object({ message: z.string() }) },
      async ({ message }, { mcp }) => {
        const answer = await mcp.mcpReq.elicitInput({
          message,
          requestedSchema: {
            type: "object",
            properties: { username: { type: "string" }, email: { type: "string" } },
            required: ["username", "email"],
          },
        });
        return `User response: ${JSON.stringify(answer)}`;
      },
    )
    .tool("test_elicitation_sep1034_defaults", d, async (_, { mcp }) => {
      const answer = await mcp.mcpReq.elicitInput({
        message: "Who are you?",
        requestedSchema: {
          type: "object",
          properties: {
            name: { type: "string", default: "John Doe" },
            age: { type: "integer", default: 30 },
            score: { type: "number", default: 95.5 },
            status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
            verified: { type: "boolean", default: true },
          },
        },
      });
      return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content)}`;
    })
    .tool("test_elicitation_sep1330_enums", d, async (_, { mcp }) => {
      const titled = [1, 2, 3].map((n) => ({ const: `value${n}`, title: `Choice ${n}` }));
      const plain = ["option1", "option2", "option3"];
      const answer = await mcp.mcpReq.elicitInput({
        message: "Choose.",
        requestedSchema: {
          type: "object",
          properties: {
            untitledSingle: { type: "string", enum: plain },
            titledSingle: { type: "string", oneOf: titled },
            legacyEnum: {
              type: "string",
              enum: ["opt1", "opt2", "opt3"],
              enumNames: ["Option One", "Option Two", "Option Three"],
            },
            untitledMulti: { type: "array", items: { type: "string", enum: plain } },
            titledMulti: { type: "array", items: { anyOf: titled } },
          },
        } as never,
      });
      return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content)}`;
    })
    .tool("json_schema_2020_12_tool", { ...d, input: richSchema }, () => "read")
    .tool(
      "test_headers",
      { ...d, input: z.object({ region: z.string().meta({ "x-mcp-header": "Region" }) }) },
      ({ region }) => region,
    )
    .tool("test_missing_capability", d, () => ask({ answer: sample("Greet.", 50) }))
    .tool("test_streaming_elicitation", d, (_, { mcp }) =>
      answered(mcp).name === undefined ? ask({ name: elicit("Your name?", "name") }) : "done",
    )
    .tool("test_trigger_tool_change", d, () => {
      kit.notify.toolsChanged();
      return "told";
    })
    .tool("test_trigger_prompt_change", d, () => {
      kit.notify.promptsChanged();
      return "told";
    })
    .tool("test_input_required_result_elicitation", d, (_, { mcp }) => {
      const { user_name: name } = answered(mcp);
      const given = name?.content?.name;
      return typeof given === "string"
        ? text(`Hello, ${given}!`)
        : ask({ user_name: elicit("What is your name?", "name") });
    })
    .tool("test_input_required_result_sampling", d, (_, { mcp }) => {
      const { capital_question: answer } = answered(mcp);
      return answer === undefined
        ? ask({ capital_question: sample("What is the capital of France?", 100) })
        : JSON.stringify(answer);
    })
    .tool("test_input_required_result_list_roots", d, (_, { mcp }) => {
      const { client_roots: answer } = answered(mcp);
      return answer === undefined ? ask({ client_roots: roots }) : JSON.stringify(answer);
    })
    .tool("test_input_required_result_request_state", d, async (_, { mcp }) =>
      answered(mcp).confirm === undefined || mcp.mcpReq.requestState<string>() !== "asked"
        ? ask({ confirm: elicit("Please confirm", "ok", "boolean") }, await codec.mint("asked", mcp))
        : "state-ok",
    )
    .tool("test_input_required_result_tampered_state", d, async (_, { mcp }) =>
      answered(mcp).confirm === undefined
        ? ask({ confirm: elicit("Please confirm", "ok", "boolean") }, await codec.mint("asked", mcp))
        : "state-ok",
    )
    .tool("test_input_required_result_multiple_inputs", d, async (_, { mcp }) =>
      Object.keys(answered(mcp)).length < 3
        ? ask(
            {
              user_name: elicit("What is your name?", "name"),
              greeting: sample("Generate a greeting", 50),
              client_roots: roots,
            },
            await codec.mint("asked", mcp),
          )
        : "all of it",
    )
    .tool("test_input_required_result_multi_round", d, async (_, { mcp }) => {
      const { step1, step2 } = answered(mcp);
      if (step2 !== undefined) return "done";
      if (step1 === undefined)
        return ask({ step1: elicit("Step 1: What is your name?", "name") }, await codec.mint("one", mcp));
      return ask(
        { step2: elicit("Step 2: What is your favorite color?", "color") },
        await codec.mint("two", mcp),
      );
    })
    .tool("test_input_required_result_capabilities", d, (_, { mcp }) => {
      const able = capabilities(mcp);
      const wanted = {
        ...(able.elicitation === undefined ? {} : { name: elicit("Your name?", "name") }),
        ...(able.sampling === undefined ? {} : { greeting: sample("Greet.", 50) }),
      };
      return Object.keys(answered(mcp)).length > 0 || Object.keys(wanted).length === 0 ? "done" : ask(wanted);
    })
    .resource(
      "static-text",
      "test://static-text",
      { ...d, mimeType: "text/plain" },
      () => "This is the content of the static text resource.",
    )
    .resource("static-binary", "test://static-binary", { ...d, mimeType: "image/png" }, () =>
      Buffer.from(PNG, "base64"),
    )
    .resource("watched", "test://watched-resource", { ...d, mimeType: "text/plain" }, () => "watched")
    .resource(
      "template",
      "test://template/{id}/data",
      { ...d, mimeType: "application/json" },
      ({ variables: { id } }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    )
    .prompt("test_simple_prompt", d, () => "This is a simple prompt for testing.")
    .prompt(
      "test_prompt_with_arguments",
      {
        ...d,
        input: z.object({
          arg1: completable(z.string(), (value) =>
            ["paris", "park", "party"].filter((one) => one.startsWith(value)),
          ),
          arg2: z.string(),
        }),
      },
      ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
    )
    .prompt(
      "test_prompt_with_embedded_resource",
      { ...d, input: z.object({ resourceUri: z.string() }) },
      ({ resourceUri }) => [
        {
          role: "user",
          content: {
            type: "resource",
            resource: {
              uri: resourceUri,
              mimeType: "text/plain",
              text: "Embedded resource content for testing.",
            },
          },
        },
        { role: "user", content: { type: "text", text: "Please process the embedded resource above." } },
      ],
    )
    .prompt("test_prompt_with_image", d, () => [
      { role: "user", content: { type: "image", data: PNG, mimeType: "image/png" } },
      { role: "user", content: { type: "text", text: "Please analyze the image above." } },
    ])
    .prompt("test_input_required_result_prompt", d, (_, { mcp }) =>
      answered(mcp).user_context === undefined
        ? ask({ user_context: elicit("What context should the prompt use?", "context") })
        : "Thanks.",
    );
  const kit = relay.serve();
  return kit;
}
