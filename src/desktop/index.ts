/**
 * Client applications on this machine: their configuration files, the entries in them, what keeps a server from working there, and
 * their logs. Pure but for the files; opens no connection of its own, and prints nothing.
 */
export {
  type Application,
  type ApplicationId,
  applicationIds,
  applicationOf,
  configPath,
  isPresent,
  type Scope,
} from "./applications.ts";
export { bridgeLaunch, type OwnInstallation } from "./bridge.ts";
export type { Check } from "./doctor/check.ts";
export { type Examination, type ExamineOptions, examineFile, examineLaunch } from "./doctor/examine.ts";
export type { DiffLine } from "./edit/diff.ts";
export { maskUrl, maskWords } from "./edit/mask-words.ts";
export { type CommandLaunch, entryFor, isPlainName, type Launch, launchOf, nameFrom } from "./entry.ts";
export { type Plan, planInstall, planUninstall } from "./install.ts";
export { launchCommand } from "./launch-command.ts";
export { followFile, logFiles, tailOf } from "./logs.ts";
export { type Machine, machineOf } from "./machine.ts";
