/**
 * Discovery: from a URL to what its origin publishes about its relays. Documents only; the live look at an endpoint
 * is relay/'s. Every read is two steps, asking and judging, and judging is pure.
 */
export type { ReadOptions } from "./document.ts";
export {
  type DescriptorLook,
  type DescriptorOutcome,
  descriptorUrl,
  type KnownDescriptor,
  readDescriptor,
} from "./read-descriptor.ts";
