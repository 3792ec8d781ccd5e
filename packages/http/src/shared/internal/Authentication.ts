/**
 * What a request says about who sent it: the `Authorization` header, read by ourselves, or a cookie.
 *
 * WHY: the platform's decoder does not check the scheme's word, so `Bearerx <key>` would pass. The scheme
 * is matched whole and in any case; two headers, or an empty one, are the same as a wrong key. A request
 * with such a header is judged by it alone, whatever its cookie says (P-SCHEME).
 */
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { IncomingRequest } from "../HttpMessage.js"
import type { Scheme } from "./Operation.js"

/** What a request says about who sent it. */
export type Credentials =
  | { readonly _tag: "Key"; readonly text: Redacted.Redacted<string> }
  | { readonly _tag: "Cookie"; readonly text: Redacted.Redacted<string> }
  | { readonly _tag: "Nothing" }

/** The name of the cookie that holds a session. */
export const SESSION_COOKIE = "attestry_session"

const BEARER = /^bearer +(\S+)$/i
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i

const nothing: Credentials = { _tag: "Nothing" }

const keyOf = (text: string | undefined): Credentials =>
  text === undefined || text === "" ? nothing : { _tag: "Key", text: Redacted.make(text) }

/** The key is the user name; the password may be anything. DECISION A-02 */
const userOf = (encoded: string): string | undefined => {
  try {
    return atob(encoded).split(":", 1)[0]
  } catch {
    return undefined
  }
}

const ofHeader = (header: string, schemes: ReadonlyArray<Scheme>): Credentials => {
  const bearer = schemes.includes("bearer") ? BEARER.exec(header)?.[1] : undefined
  if (bearer !== undefined) return keyOf(bearer)
  const basic = schemes.includes("basic") ? BASIC.exec(header)?.[1] : undefined
  return keyOf(basic === undefined ? undefined : userOf(basic))
}

/** The text of the session's cookie. */
export const sessionCookie = (
  request: IncomingRequest
): Option.Option<Redacted.Redacted<string>> => {
  for (const header of request.headers("cookie")) {
    for (const pair of header.split(";")) {
      const [name, value] = pair.trim().split("=", 2)
      if (name === SESSION_COOKIE && value !== undefined) return Option.some(Redacted.make(value))
    }
  }
  return Option.none()
}

/** What a request says about who sent it, by the ways that its operation accepts. */
export const read = (request: IncomingRequest, schemes: ReadonlyArray<Scheme>): Credentials => {
  const [header, ...others] = request.headers("authorization")
  if (header !== undefined) return others.length === 0 ? ofHeader(header, schemes) : nothing
  if (!schemes.includes("session")) return nothing
  return Option.match(sessionCookie(request), {
    onNone: () => nothing,
    onSome: (text) => ({ _tag: "Cookie", text })
  })
}
