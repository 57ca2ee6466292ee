/** The pages door: a plain directory for people with a browser, and the files that were built for it. */
export { type ExplorerDoorOptions, explorerDoor } from "./explorer-door.ts";
export { type PagesDoorOptions, pagesDoor } from "./pages-door.ts";
export { type RefusalsForPeopleOptions, refusalsForPeople } from "./refusals-for-people.ts";
export { type SiteDoorOptions, type SiteFile, type SiteFiles, siteDoor } from "./site-door.ts";
