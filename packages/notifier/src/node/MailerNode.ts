/**
 * Sends mail through the operator's SMTP server, over a pool of connections. After a failed connection mails fail at
 * once for a while, so that a dead server holds no deliveries.
 *
 * Text cannot inject headers: addresses have one form, subjects are one line, and nodemailer folds and encodes the
 * rest. While the server is unreachable, mails fail immediately instead of waiting for a timeout each.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { createTransport } from "nodemailer"
import { type Mail, MailError, Mailer } from "../notification/Mailer.js"
import * as FailureReason from "./internal/FailureReason.js"
import * as SmtpUrl from "./internal/SmtpUrl.js"
import * as TrustedCa from "./internal/TrustedCa.js"

/** The settings of the mail server. */
export interface Options {
  /** `smtp://` or `smtps://`, with optional credentials and `?tls=required`, `opportunistic` or `off`. */
  readonly url: Redacted.Redacted<string>
  /** The sender: an address, or a name and the address in angle brackets. */
  readonly from: string
  /** Certificates in PEM to trust beside Node's. */
  readonly extraCa?: string
  /** Connections at the same time; 4. */
  readonly connections?: number
}

/** The settings for mail cannot be used. */
export const InvalidMailSettings = SmtpUrl.InvalidMailSettings
/** The settings for mail cannot be used. */
export type InvalidMailSettings = SmtpUrl.InvalidMailSettings

const FROM = /^(?:[^\p{Cc}<>"]*<)?[^\s<>@,;:"()[\]\\]+@([a-zA-Z0-9.-]+)>?$/u

/** The time limits of connecting and of each reply of the server. */
const CONNECT_MILLIS = 5_000
const REPLY_MILLIS = 10_000
/** How long mails fail immediately after the server was unreachable. */
const UNREACHABLE_MILLIS = 5_000

const replyOf = (error: unknown): number | null =>
  error instanceof Error && "responseCode" in error && typeof error.responseCode === "number"
    ? error.responseCode
    : null

const REASONS: Readonly<Record<string, MailError["reason"]>> = {
  EAUTH: "authentication",
  ENOAUTH: "authentication",
  ETLS: "tls",
  EREQUIRETLS: "tls",
  ETIMEDOUT: "timeout",
  EENVELOPE: "mail refused",
  EMESSAGE: "mail refused"
}

const isTls = (error: unknown): boolean =>
  error instanceof Error &&
  "originalCode" in error &&
  typeof error.originalCode === "string" &&
  FailureReason.fromCode(error.originalCode) === "tls"

const failureOf = (error: unknown): MailError => {
  const code = FailureReason.codeOf(error)
  const reply = replyOf(error)
  const known = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined
  const reason = known ?? (isTls(error) ? "tls" : "connection")
  const isFinal = reason === "mail refused" && reply !== null && reply >= 500
  return new MailError({ reason, code: reply, isFinal })
}

const open = (server: SmtpUrl.SmtpServer, { connections, extraCa }: Options) =>
  createTransport({
    ...server,
    pool: true,
    maxConnections: connections ?? 4,
    maxRequeues: 0,
    connectionTimeout: CONNECT_MILLIS,
    greetingTimeout: CONNECT_MILLIS,
    dnsTimeout: CONNECT_MILLIS,
    socketTimeout: REPLY_MILLIS,
    disableFileAccess: true,
    disableUrlAccess: true,
    tls: { minVersion: "TLSv1.2", ...TrustedCa.options(extraCa) }
  })

type Transport = ReturnType<typeof open>

const sendMail = (
  transport: Transport,
  mail: Mail,
  { domain, from }: { readonly domain: string; readonly from: string }
): Effect.Effect<void, MailError> =>
  Effect.async((resume) => {
    transport.sendMail(
      {
        from,
        to: mail.to.map((address) => ({ name: "", address })),
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId: `<${mail.id}@${domain}>`,
        headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" }
      },
      (error) => resume(error === null ? Effect.void : Effect.fail(failureOf(error)))
    )
  })

const late = () => new MailError({ reason: "timeout", code: null, isFinal: false })

const isUnreachable = ({ reason }: MailError): boolean =>
  reason === "connection" || reason === "timeout"

const make = (transport: Transport, options: Options, domain: string) =>
  Effect.map(Effect.makeSemaphore(options.connections ?? 4), (permits) => {
    let unreachableUntil = 0
    let last = late()
    const attempt = (mail: Mail) =>
      Effect.suspend(() =>
        performance.now() < unreachableUntil
          ? Effect.fail(last)
          : sendMail(transport, mail, { domain, from: options.from })
      )
    const send = (mail: Mail) =>
      permits
        .withPermits(1)(attempt(mail))
        .pipe(
          Effect.timeoutFail({ duration: mail.timeoutMs, onTimeout: late }),
          Effect.tapError((error) =>
            Effect.sync(() => {
              if (!isUnreachable(error) || performance.now() < unreachableUntil) return
              unreachableUntil = performance.now() + UNREACHABLE_MILLIS
              last = error
            })
          )
        )
    return Mailer.of({ send })
  })

/** Sends mail as configured; connections are closed with the scope, also while they send. */
export const layer = (options: Options): Layer.Layer<Mailer, InvalidMailSettings> =>
  Layer.scoped(
    Mailer,
    Effect.gen(function* () {
      const server = yield* SmtpUrl.parse(Redacted.value(options.url))
      const domain = FROM.exec(options.from)?.[1]
      if (domain === undefined) {
        return yield* new InvalidMailSettings({ reason: "the sender is not a mail address" })
      }
      const transport = yield* Effect.acquireRelease(
        Either.try({
          try: () => open(server, options),
          catch: () =>
            new InvalidMailSettings({
              reason: "the extra certificates are not certificates in PEM"
            })
        }),
        (opened) => Effect.sync(() => opened.close({ force: true }))
      )
      return yield* make(transport, options, domain)
    })
  )
