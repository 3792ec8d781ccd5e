/**
 * Reads a `Content-Type`: JSON or a form, and its charset.
 *
 * JSON is `application/json` alone. Types with a `+json` suffix (a patch, a problem, linked data) have semantics that
 * no operation implements, so they are refused.
 */

/** A media type: its name in lower case, and its `charset`, if it has one. */
export interface MediaType {
  readonly name: string
  readonly charset: string | undefined
}

/** The value of a parameter, without the quotes around it. */
const unquoted = (text: string): string => /^"([^"\\]*)"$/.exec(text)?.[1] ?? text

/** Parses a header; total, because a text without a slash becomes a name that no rule accepts. */
export const parse = (header: string): MediaType => {
  const [name = "", ...parameters] = header.split(";").map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => /^charset\s*=/.test(parameter))
  return {
    name,
    charset:
      charset === undefined ? undefined : unquoted(charset.slice(charset.indexOf("=") + 1).trim())
  }
}

/** Whether the charset is UTF-8, or ASCII as a subset of it. */
export const isUtf8 = ({ charset }: MediaType): boolean =>
  charset === undefined || charset === "utf-8" || charset === "utf8" || charset === "us-ascii"

/** Whether a body is JSON; a body without a type counts as JSON. */
export const isJson = ({ name }: MediaType): boolean => name === "" || name === "application/json"

/** Whether a body is a form. */
export const isForm = ({ name }: MediaType): boolean => name === "multipart/form-data"
