/**
 * Where traces go: the address of a collector, and the header that its credentials make.
 *
 * WHY: `fetch` refuses an address with a user and a password in it, and quotes it in the error; a header is how
 * collectors expect them, and is in no error.
 */
import * as Redacted from "effect/Redacted"

/** A collector, as the exporter wants to know it. */
export interface OtlpEndpoint {
  readonly baseUrl: string
  readonly headers: { readonly [name: string]: string }
}

/** Takes the credentials out of an address. */
export const make = (address: Redacted.Redacted<string>): OtlpEndpoint => {
  const url = new URL(Redacted.value(address))
  const { username, password } = url
  url.username = ""
  url.password = ""
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return {
    baseUrl: url.href,
    headers:
      username === "" && password === ""
        ? {}
        : { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` }
  }
}
