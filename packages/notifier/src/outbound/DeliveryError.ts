/**
 * What may a tenant learn about a delivery that got no answer?
 *
 * Its class and nothing else: addresses, ports, certificates and bodies would turn the service into
 * a probe of the network around it. An answer with a bad status is an outcome, not this error.
 */
import * as Schema from "effect/Schema"

/** The classes of failure. */
export const DeliveryReason = Schema.Literal(
  "blocked destination",
  "resolution",
  "connection",
  "tls",
  "timeout",
  "invalid request",
  "invalid response",
  "response too large"
)

/** One class of failure. */
export type DeliveryReason = typeof DeliveryReason.Type

/** An attempt ended without a status; the message is the class. */
export class DeliveryError extends Schema.TaggedError<DeliveryError>()("DeliveryError", {
  reason: DeliveryReason
}) {
  override get message() {
    return this.reason
  }
}
