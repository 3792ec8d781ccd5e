/** The limits of decision receipts. SPEC §8 */

/** The most artifacts of a receipt. */
export const SUBJECTS_MAX = 5_000

/** The most attestations that a receipt names; one that looked at more names none. */
export const INPUTS_MAX = 256

/** The fewest seconds for which the receipt of an assertion is valid. */
export const EXPIRES_IN_MIN = 60
/** The most seconds for which the receipt of an assertion is valid. */
export const EXPIRES_IN_MAX = 86_400
/** The seconds for which the receipt of an assertion is valid by default. */
export const EXPIRES_IN = 900
