/**
 * The credentials of a request: its `Authorization` header or its session cookie.
 *
 * WHY not the platform's decoder: it does not check the scheme, so `Bearerx <key>` would pass. The scheme is matched
 * as a whole word in any case. Two headers or an empty one count as a wrong key, and a request with the header is
 * authenticated by it alone, even if it also has a cookie (P-SCHEME).
 */
import type { Scheme } from "@attestry/api/Operation"
import * as Session from "@attestry/core/Session"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { IncomingRequest } from "../HttpMessage.js"

/** The credentials of a request. The text of a session is also accepted as bearer token, as command lines send it. */
export type Credentials =
  | { readonly _tag: "Key"; readonly text: Redacted.Redacted<string> }
  | { readonly _tag: "Session"; readonly text: Redacted.Redacted<string> }
  | { readonly _tag: "Cookie"; readonly text: Redacted.Redacted<string> }
  | { readonly _tag: "Nothing" }

/** The name of the session cookie. */
export const SESSION_COOKIE = "attestry_session"

const BEARER = /^bearer +(\S+)$/i
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i

const nothing: Credentials = { _tag: "Nothing" }

const bearerOf = (text: string): Credentials =>
  Session.isText(text)
    ? { _tag: "Session", text: Redacted.make(text) }
    : { _tag: "Key", text: Redacted.make(text) }

const keyOf = (text: string | undefined): Credentials =>
  text === undefined || text === "" ? nothing : { _tag: "Key", text: Redacted.make(text) }

/** The key is the user name; the password is ignored. */
const userOf = (encoded: string): string | undefined => {
  try {
    return atob(encoded).split(":", 1)[0]
  } catch {
    return undefined
  }
}

const ofHeader = (header: string, schemes: ReadonlyArray<Scheme>): Credentials => {
  const bearer = schemes.includes("bearer") ? BEARER.exec(header)?.[1] : undefined
  if (bearer !== undefined) return bearerOf(bearer)
  const basic = schemes.includes("basic") ? BASIC.exec(header)?.[1] : undefined
  return keyOf(basic === undefined ? undefined : userOf(basic))
}

/** The value of the session cookie. */
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

/** The text of the session of a request, in its cookie or as bearer token. */
export const sessionText = (request: IncomingRequest): Option.Option<Redacted.Redacted<string>> => {
  const credentials = read(request, ["bearer", "session"])
  return credentials._tag === "Session" || credentials._tag === "Cookie"
    ? Option.some(credentials.text)
    : Option.none()
}

/** Whether a request has neither the header nor a cookie of ours. */
export const isAbsent = (request: IncomingRequest): boolean =>
  request.headers("authorization").length === 0 && Option.isNone(sessionCookie(request))

/** The credentials of a request, by the schemes that its operation accepts. */
export const read = (request: IncomingRequest, schemes: ReadonlyArray<Scheme>): Credentials => {
  const [header, ...others] = request.headers("authorization")
  if (header !== undefined) return others.length === 0 ? ofHeader(header, schemes) : nothing
  if (!schemes.includes("session")) return nothing
  return Option.match(sessionCookie(request), {
    onNone: () => nothing,
    onSome: (text) => ({ _tag: "Cookie", text })
  })
}
