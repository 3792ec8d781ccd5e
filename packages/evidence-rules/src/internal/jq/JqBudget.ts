/** The budget of all programs of one definition on one payload. DECISIONS.md, "Custom types run metered jq" */

/** Function calls and rounds of loops. */
export const STEPS_MAX = 250_000_000
/** Pages of 64 KiB that one evaluation may use: 256 MiB. */
export const PAGES_MAX = 4_096
/** Slots of eight bytes for nested calls: 16 MiB. */
export const DEPTH_MAX = 2_097_152
/** The end of the static data of the binary; its stack is above. */
export const STACK_FLOOR = 394_784
