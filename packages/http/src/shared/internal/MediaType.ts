/**
 * What does a `Content-Type` say a body is: JSON or a form, in UTF-8 or in an encoding that is not read.
 *
 * JSON is `application/json` alone. Types with a `+json` suffix give their members a meaning of their own (a patch, a
 * problem, linked data) that no operation here reads, so they are refused rather than read as plain JSON.
 */

/** A media type: its name in lower case, and the value of its `charset`, if it has one. */
export interface MediaType {
  readonly name: string
  readonly charset: string | undefined
}

/** The value of a parameter, without the quotes around it. */
const unquoted = (text: string): string => /^"([^"\\]*)"$/.exec(text)?.[1] ?? text

/** Reads a header; total, since a text without a slash is a name that no rule knows. */
export const parse = (header: string): MediaType => {
  const [name = "", ...parameters] = header.split(";").map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => /^charset\s*=/.test(parameter))
  return {
    name,
    charset:
      charset === undefined ? undefined : unquoted(charset.slice(charset.indexOf("=") + 1).trim())
  }
}

/** Whether texts in this encoding are read: UTF-8, and ASCII, which is a part of it. */
export const isUtf8 = ({ charset }: MediaType): boolean =>
  charset === undefined || charset === "utf-8" || charset === "utf8" || charset === "us-ascii"

/** Whether a body is JSON; one without a type is taken for it. */
export const isJson = ({ name }: MediaType): boolean => name === "" || name === "application/json"

/** Whether a body is a form. */
export const isForm = ({ name }: MediaType): boolean => name === "multipart/form-data"
