/** The limits of what tests are given. */

/** Listening sockets of one farm: half of the 20,000 file descriptors that containers commonly allow a process. */
export const FARM_LISTENERS = 10_000;

/** Pages of a tool list that a snapshot reads: a server under test that never ends its list is cut off. */
export const MAX_SNAPSHOT_PAGES = 1_000;

/** Lines of a difference that are shown: who has more reads the file. */
export const MAX_DIFFERENCE_LINES = 120;
