/** Words of a command line. */

/** A text that a shell takes as one word. */
export const quote = (text: string): string =>
  /^[A-Za-z0-9_@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
