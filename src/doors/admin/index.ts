/** The admin's door for whole files: backup and restore. */
export { type AdminDoorOptions, adminDoor, type Vault } from "./admin-door.ts";
export { adminPaths } from "./paths.ts";
