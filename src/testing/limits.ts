/** The limits of what tests are given. */

/** Listening sockets of one farm: half of the 20,000 file descriptors that containers commonly allow a process. */
export const FARM_LISTENERS = 10_000;
