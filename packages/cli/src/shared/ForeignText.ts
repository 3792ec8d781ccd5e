/**
 * Text of others, made safe to print: names, branches and messages of a server, of git or of a forge.
 *
 * A terminal obeys control characters, and a CI obeys lines such as `::error::`. Neither gets through; JSON is not
 * printed this way, because it escapes control characters itself and must stay exact.
 */

/** Control characters, marks that change the direction of text, and separators of lines. */
const CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu

const LINE = /[\t\n\r]+/gu

/** A CI reads commands from these beginnings, anywhere in a line for some; the sign to part from what follows. */
const COMMANDS = /:(?=:)|#(?=#(?:vso|teamcity)?\[)/giu

/** The text on one line, without characters that steer a terminal and without commands of a CI. */
export const line = (text: string): string =>
  text
    .replaceAll(LINE, " ")
    .replaceAll(CONTROL, "")
    // WHY: a zero-width space would be invisible; a plain one shows that the text was changed.
    .replaceAll(COMMANDS, "$& ")

const MARKDOWN = /[\\`*_{}[\]<>()#+!|~-]/g

/** The text on one line of Markdown, without anything that Markdown reads. */
export const markdown = (text: string): string => line(text).replaceAll(MARKDOWN, "\\$&")

/** The text inside backticks of Markdown, also in a cell of a table. */
export const code = (text: string): string => {
  // WHY the space: a backslash that escapes a backslash leaves the bar after it to end the cell.
  const safe = line(text)
    .replaceAll("`", "'")
    .replaceAll(/\\(?=\|)/g, "\\ ")
  return `\`${safe.replaceAll("|", "\\|")}\``
}
