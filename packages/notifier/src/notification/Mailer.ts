/**
 * Port: hands one mail to the operator's mail server.
 *
 * The server is the operator's choice, not a tenant's, so the outbound guard has no say in it.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { EmailMessage } from "./EmailMessage.js"

/** A mail on its way. */
export interface Mail extends EmailMessage {
  /** The same for every attempt: becomes the `Message-ID`, by which mail programs drop repetitions. */
  readonly id: string
  readonly to: ReadonlyArray<string>
  readonly timeoutMs: number
}

/** The mail was not taken; the message is a class, never an address or what the server said. */
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
  /** The server will not take this mail at any other time either. */
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
     * Hands the mail over; done when the server has taken it for at least one address. Ends within
     * `timeoutMs`, and at once when it is interrupted.
     */
    readonly send: (mail: Mail) => Effect.Effect<void, MailError>
  }
>() {}

/** No mail server is configured: every mail fails and says so. */
export const layerNone: Layer.Layer<Mailer> = Layer.succeed(Mailer, {
  send: () =>
    Effect.fail(new MailError({ reason: "mail is not configured", code: null, isFinal: false }))
})
