/** Quoting for command lines. */

/** Quotes a text so that a shell takes it as one word. */
export const quote = (text: string): string =>
  /^[A-Za-z0-9_@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
