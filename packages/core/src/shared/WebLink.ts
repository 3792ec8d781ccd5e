/**
 * Whether untrusted text may become a link: an address of the web that shows where it leads.
 *
 * `http` or `https`, a host without credentials, and no characters that end a link, hide text or change its direction.
 * WHY without effects: pages import it, and Effect would be most of what they load.
 */

/** A link has at most this many characters. */
export const LENGTH_MAX = 2048

const ADDRESS = /^https?:\/\/([^\s/?#@"'<>\\|\p{Cc}\p{Cf}]+)(?:[/?#][^\s"'<>\\|\p{Cc}\p{Cf}]*)?$/iu

/** A text that may be a link. */
export interface WebLink {
  readonly href: string
  /** The host with its port, as it is written. */
  readonly host: string
}

/** The link of a text; undefined where it must stay text. */
export const parse = (text: string): WebLink | undefined => {
  const host = text.length <= LENGTH_MAX ? ADDRESS.exec(text)?.[1] : undefined
  return host === undefined ? undefined : { href: text, host }
}

/** Whether a text may be a link. */
export const isWebLink = (text: string): boolean => parse(text) !== undefined
