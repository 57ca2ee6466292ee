/** W3C Trace Context as it comes from strangers: what is of its form is taken, all else is as if nothing came. */
import { describe, expect, it } from "vitest";
import { readTraceContext } from "../../src/spec/index.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("readTraceContext", () => {
  it.each([`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`, `cc-${TRACE}-${SPAN}-01-what-comes-later`])(
    "takes %s",
    (traceparent) => {
      expect(readTraceContext({ traceparent })).toEqual({ traceparent });
    },
  );

  it.each([
    undefined,
    null,
    7,
    "",
    ["00"],
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01\r\nx: y`,
    ` 00-${TRACE}-${SPAN}-01`,
  ])("passes over %j", (traceparent) => {
    expect(readTraceContext({ traceparent, tracestate: "a=1" })).toBeNull();
  });

  it("takes a tracestate along that is of its form, and leaves out one that is not", () => {
    const traceparent = `00-${TRACE}-${SPAN}-01`;
    expect(readTraceContext({ traceparent, tracestate: "a=1,b=2" })).toEqual({
      traceparent,
      tracestate: "a=1,b=2",
    });
    for (const tracestate of [7, "", "a=1\nb", "ü=1", "x".repeat(513)]) {
      expect(readTraceContext({ traceparent, tracestate })).toEqual({ traceparent });
    }
  });
});
