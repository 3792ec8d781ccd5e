/**
 * The port that passes a mail to the operator's mail server.
 *
 * The operator configures the server, not a tenant, so the outbound guard does not apply.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { EmailMessage } from "./internal/EmailMessage.js"

/** A mail with its addresses. */
export interface Mail extends EmailMessage {
  /** The same for every attempt: it becomes the `Message-ID`, by which mail programs drop duplicates. */
  readonly id: string
  readonly to: ReadonlyArray<string>
  readonly timeoutMs: number
}

/** The server did not accept the mail; the message is a class, never an address or the server's text. */
export class MailError extends Schema.TaggedError<MailError>()("MailError", {
  reason: Schema.Literal(
    "mail is not configured",
    "connection",
    "tls",
    "timeout",
    "authentication",
    "mail refused"
  ),
  /** The server's reply code, where there is one. */
  code: Schema.NullOr(Schema.Int),
  /** The server rejects this mail permanently. */
  isFinal: Schema.Boolean
}) {
  override get message() {
    return this.code === null ? this.reason : `${this.reason} (${this.code})`
  }
}

/** Port: sends mail. */
export class Mailer extends Context.Tag("@attestry/notifier/Mailer")<
  Mailer,
  {
    /**
     * Succeeds when the server has accepted the mail for at least one address. Ends within `timeoutMs`, and
     * immediately when it is interrupted.
     */
    readonly send: (mail: Mail) => Effect.Effect<void, MailError>
  }
>() {}

/** For deployments without a mail server: every mail fails with `mail is not configured`. */
export const layerNone: Layer.Layer<Mailer> = Layer.succeed(Mailer, {
  send: () =>
    Effect.fail(new MailError({ reason: "mail is not configured", code: null, isFinal: false }))
})
