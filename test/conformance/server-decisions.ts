/**
 * What the official suite's server scenarios are to the catalog's `/mcp`: a stateless door with tools and nothing else.
 * Each scenario that a run brings is in exactly one of the two tables; an entry that no longer holds fails the run.
 */

/** Scenarios that apply, and the checks in them that may not pass, each with its reason. */
export const applying: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "server-initialize": {},
  ping: {},
  "tools-list": {},
  "dns-rebinding-protection": {},
  "http-header-validation": {},
  "server-sse-multiple-streams": {
    "server-sse-multiple-streams-session":
      "legacy era: the suite wants a session to open streams in, and the door opens none; test/doors/mcp-wire.test.ts holds twenty at once",
  },
  "server-stateless": {
    "sep-2575-server-rejects-undeclared-capability": "needs the suite's own tool test_missing_capability",
    "sep-2575-missing-capability-http-400": "needs the suite's own tool test_missing_capability",
    "sep-2575-http-server-no-independent-requests-on-stream":
      "needs the suite's own tool test_streaming_elicitation",
    "sep-2575-server-no-log-without-loglevel": "needs the suite's own tool test_logging_tool",
  },
  caching: {
    "sep-2549-prompts-list-caching-hints": "the catalog has no prompts",
    "sep-2549-resources-list-caching-hints": "the catalog has no resources",
    "sep-2549-resources-templates-list-caching-hints": "the catalog has no resources",
  },
  "input-required-result-unsupported-methods": {},
  "input-required-result-validate-input": {},
};

const FIXTURE_TOOL = "calls a tool of the suite's own fixture server; the catalog has its own six";
const NO_PROMPTS = "the catalog has no prompts";
const NO_RESOURCES = "the catalog has no resources";
const NO_INPUT = "no tool of the catalog asks for input in the middle of a call";
const NO_TASKS = "an extension (tasks) that the catalog does not offer";
const NO_SESSION = "needs a session; the door is stateless";

/** Scenarios that don't apply, and why. None of them may come to pass unnoticed. */
export const notApplying: Readonly<Record<string, string>> = {
  "completion-complete": "the catalog completes no arguments",
  "logging-set-level": "the catalog sends no log messages to its clients",
  "tools-call-simple-text": FIXTURE_TOOL,
  "tools-call-image": FIXTURE_TOOL,
  "tools-call-audio": FIXTURE_TOOL,
  "tools-call-embedded-resource": FIXTURE_TOOL,
  "tools-call-mixed-content": FIXTURE_TOOL,
  "tools-call-with-logging": FIXTURE_TOOL,
  "tools-call-error": FIXTURE_TOOL,
  "tools-call-with-progress": `${FIXTURE_TOOL}; progress is held by test/doors/mcp-clients.test.ts`,
  "tools-call-sampling": FIXTURE_TOOL,
  "tools-call-elicitation": FIXTURE_TOOL,
  "json-schema-2020-12": FIXTURE_TOOL,
  "elicitation-sep1034-defaults": FIXTURE_TOOL,
  "elicitation-sep1330-enums": FIXTURE_TOOL,
  "http-custom-header-server-validation": "no tool of the catalog takes an argument from a header",
  "server-session-lifecycle": NO_SESSION,
  "server-sse-polling": NO_SESSION,
  "prompts-list": NO_PROMPTS,
  "prompts-get-simple": NO_PROMPTS,
  "prompts-get-with-args": NO_PROMPTS,
  "prompts-get-embedded-resource": NO_PROMPTS,
  "prompts-get-with-image": NO_PROMPTS,
  "resources-list": NO_RESOURCES,
  "resources-read-text": NO_RESOURCES,
  "resources-read-binary": NO_RESOURCES,
  "resources-templates-read": NO_RESOURCES,
  "resources-subscribe": NO_RESOURCES,
  "resources-unsubscribe": NO_RESOURCES,
  "sep-2164-resource-not-found": NO_RESOURCES,
  "input-required-result-basic-elicitation": NO_INPUT,
  "input-required-result-basic-sampling": NO_INPUT,
  "input-required-result-basic-list-roots": NO_INPUT,
  "input-required-result-request-state": NO_INPUT,
  "input-required-result-multiple-input-requests": NO_INPUT,
  "input-required-result-multi-round": NO_INPUT,
  "input-required-result-missing-input-response": NO_INPUT,
  "input-required-result-non-tool-request": NO_INPUT,
  "input-required-result-result-type": NO_INPUT,
  "input-required-result-tampered-state": NO_INPUT,
  "input-required-result-capability-check": NO_INPUT,
  "input-required-result-ignore-extra-params": NO_INPUT,
  "tasks-lifecycle": NO_TASKS,
  "tasks-capability-negotiation": NO_TASKS,
  "tasks-wire-fields": NO_TASKS,
  "tasks-request-state-removal": NO_TASKS,
  "tasks-mrtr-input": NO_TASKS,
  "tasks-request-headers": NO_TASKS,
  "tasks-dispatch-and-envelope": NO_TASKS,
  "tasks-status-notifications": NO_TASKS,
  "tasks-required-task-error": NO_TASKS,
  "tasks-mrtr-composition": NO_TASKS,
};
