/**
 * Parses the URL of a mail server.
 *
 * `smtps://` uses TLS from the first byte; `smtp://` uses STARTTLS when the server offers it, and requires it with
 * credentials. `?tls=` overrides this: `required`, `opportunistic`, `off`. The URL holds a password, so no error
 * contains any of it.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

/** A mail server and how to connect to it. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly secure: boolean
  /** Sending requires STARTTLS. */
  readonly requireTLS: boolean
  /** STARTTLS is not used even when it is offered. */
  readonly ignoreTLS: boolean
  readonly auth?: { readonly user: string; readonly pass: string }
}

/** The settings for mail are invalid; the error does not contain them. */
export class InvalidMailSettings extends Schema.TaggedError<InvalidMailSettings>()(
  "InvalidMailSettings",
  { reason: Schema.String }
) {
  override get message() {
    return `the mail settings cannot be used: ${this.reason}`
  }
}

const invalid = (reason: string) => Either.left(new InvalidMailSettings({ reason }))

const readUrl = (text: string): Either.Either<URL, InvalidMailSettings> =>
  Either.try({
    try: () => new URL(text),
    catch: () => new InvalidMailSettings({ reason: "the server's address is not a URL" })
  })

const readText = (encoded: string): Either.Either<string, InvalidMailSettings> =>
  Either.try({
    try: () => decodeURIComponent(encoded),
    catch: () => new InvalidMailSettings({ reason: "the credentials are not encoded as in a URL" })
  })

const TLS = ["required", "opportunistic", "off"]

const tlsIn = (url: URL): Either.Either<string, InvalidMailSettings> => {
  const names = [...url.searchParams.keys()]
  if (names.some((name) => name !== "tls")) return invalid("the only parameter is `tls`")
  const tls = url.searchParams.get("tls") ?? (url.username === "" ? "opportunistic" : "required")
  return TLS.includes(tls)
    ? Either.right(tls)
    : invalid("`tls` is `required`, `opportunistic` or `off`")
}

/** Parses the URL; the error does not contain it. */
export const parse = (text: string): Either.Either<SmtpServer, InvalidMailSettings> =>
  Either.gen(function* () {
    const url = yield* readUrl(text)
    if (url.protocol !== "smtp:" && url.protocol !== "smtps:") {
      return yield* invalid("the server's address starts with `smtp://` or `smtps://`")
    }
    if (url.hostname === "") return yield* invalid("the server's address has no host")
    if (url.pathname !== "" && url.pathname !== "/") {
      return yield* invalid("the server's address has a path")
    }
    const secure = url.protocol === "smtps:"
    const tls = yield* tlsIn(url)
    if (secure && tls === "off") return yield* invalid("`smtps://` is never without TLS")
    const user = yield* readText(url.username)
    const pass = yield* readText(url.password)
    return {
      host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
      secure,
      requireTLS: !secure && tls === "required",
      ignoreTLS: tls === "off",
      ...(user === "" ? {} : { auth: { user, pass } })
    }
  })
