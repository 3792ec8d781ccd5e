/**
 * The failure of an attempt that got no response, as a tenant may see it.
 *
 * It names a class and nothing else: addresses, ports, certificates and bodies would turn the service into a probe
 * of the operator's network. A response with an error status is not this error.
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
