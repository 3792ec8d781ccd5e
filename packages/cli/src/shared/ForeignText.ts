/**
 * Makes foreign text safe to print: names, branches and messages from a server, git or a forge.
 *
 * A terminal interprets control characters, and a CI interprets lines such as `::error::`; both are neutralised. JSON
 * output stays exact: it escapes control characters itself.
 */

/** Control characters, direction marks, and line separators. */
const CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu

const LINE = /[\t\n\r]+/gu

/** The start of CI commands, which some CIs read anywhere in a line; a space after the sign disables them. */
const COMMANDS = /:(?=:)|#(?=#(?:vso|teamcity)?\[)/giu

/** The text on one line, without terminal control characters and CI commands. */
export const line = (text: string): string =>
  text
    .replaceAll(LINE, " ")
    .replaceAll(CONTROL, "")
    // WHY: a zero-width space would hide the change; a plain space shows it.
    .replaceAll(COMMANDS, "$& ")

const MARKDOWN = /[\\`*_{}[\]<>()#+!|~-]/g

/** The text on one line, escaped for Markdown. */
export const markdown = (text: string): string => line(text).replaceAll(MARKDOWN, "\\$&")

/** The text as inline code in Markdown, also within a table. */
export const code = (text: string): string => {
  // WHY the space: after an escaped backslash, a bar would end the cell.
  const safe = line(text)
    .replaceAll("`", "'")
    .replaceAll(/\\(?=\|)/g, "\\ ")
  return `\`${safe.replaceAll("|", "\\|")}\``
}
