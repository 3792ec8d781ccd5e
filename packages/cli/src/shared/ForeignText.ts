/**
 * Makes foreign text safe to print: names, branches and messages from a server, git or a forge.
 *
 * A terminal obeys control characters, and a CI obeys lines such as `::error::`; both are removed. JSON output is not
 * changed, because it escapes control characters itself and must stay exact.
 */

/** Control characters, marks that change the direction of text, and separators of lines. */
const CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu

const LINE = /[\t\n\r]+/gu

/** The beginnings of CI commands, which some CIs read anywhere in a line; a space after the sign disables them. */
const COMMANDS = /:(?=:)|#(?=#(?:vso|teamcity)?\[)/giu

/** The text on one line, without characters that steer a terminal and without commands of a CI. */
export const line = (text: string): string =>
  text
    .replaceAll(LINE, " ")
    .replaceAll(CONTROL, "")
    // WHY: a zero-width space would hide the change; a plain space shows it.
    .replaceAll(COMMANDS, "$& ")

const MARKDOWN = /[\\`*_{}[\]<>()#+!|~-]/g

/** The text on one line of Markdown, with its syntax escaped. */
export const markdown = (text: string): string => line(text).replaceAll(MARKDOWN, "\\$&")

/** The text inside backticks of Markdown, also in a cell of a table. */
export const code = (text: string): string => {
  // WHY the space: after an escaped backslash, a bar would end the cell.
  const safe = line(text)
    .replaceAll("`", "'")
    .replaceAll(/\\(?=\|)/g, "\\ ")
  return `\`${safe.replaceAll("|", "\\|")}\``
}
