/** What a person gives to register is read as what a person gives to discover. */
export { type GivenUrl, parseGivenUrl } from "../discovery/index.ts";
