/**
 * Splits the URL of an OpenTelemetry collector into its address and a header with its credentials.
 *
 * WHY: `fetch` refuses a URL with credentials and quotes it in the error.
 */
import * as Redacted from "effect/Redacted"

/** The options of the exporter. */
export interface OtlpEndpoint {
  readonly baseUrl: string
  readonly headers: { readonly [name: string]: string }
}

/** Moves the credentials of a URL into a header. */
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
