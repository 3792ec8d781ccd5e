/** Texts that stores preserve. P-PG */

const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** Whether a text contains NUL or an unpaired surrogate, which stores and digests do not preserve. */
export const isUnstorable = (text: string): boolean => UNSTORABLE.test(text)
