/**
 * Words of a command line, as a POSIX shell takes them.
 *
 * WHY without effects: pages import it, and Effect would be most of what they load.
 */

const SAFE = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./~-]*$/

/** A text that a shell takes as one word. */
export const quote = (text: string): string =>
  SAFE.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** A command as one line. */
export const line = (words: ReadonlyArray<string>): string => words.map(quote).join(" ")
