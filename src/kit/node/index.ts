/** `openmcp/kit/node`: a relay under node:http, Express and Fastify. Apart from `openmcp/kit`, which runs where Node's modules are not. */
export { type NodeHandler, nodeHandler } from "./node-handler.ts";
