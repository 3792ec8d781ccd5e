/**
 * The number of the meaning of rules. A release that changes what a rule, a binding or a roll-up means raises it, so
 * that rows that were evaluated under another number are not evaluated again as if they should come out the same.
 */

/** The number under which this code evaluates. */
export const SEMANTICS = 1
