/** The pages door: a plain directory for people with a browser. */
export { type PagesDoorOptions, pagesDoor } from "./pages-door.ts";
