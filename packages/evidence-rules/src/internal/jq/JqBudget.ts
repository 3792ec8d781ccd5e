/** What the programs of one definition may take together, on one payload. DECISION B-136 */

/** Function calls and rounds of loops. */
export const STEPS_MAX = 250_000_000
/** Pages of 64 KiB that one evaluation may use: 256 MiB. */
export const PAGES_MAX = 4_096
/** Slots of eight bytes that calls in progress may take: 16 MiB. */
export const DEPTH_MAX = 2_097_152
/** The end of what the binary of jq keeps at fixed addresses; its stack lies above. */
export const STACK_FLOOR = 394_784
