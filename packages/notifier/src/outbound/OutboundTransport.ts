/**
 * What does the guarded client ask of the code that owns the sockets?
 *
 * A transport is told the address and has no say in it. It neither resolves names, nor follows
 * redirects, nor uses proxies.
 */
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Address } from "./AddressRange.js"
import { DeliveryReason } from "./DeliveryError.js"
import type { OutboundUrl } from "./OutboundUrl.js"
import type { Task } from "./Task.js"

/** One judged address to dial, and the URL whose name stays in SNI, certificate and `Host`. */
export interface Dial {
  readonly address: Address
  readonly url: OutboundUrl
  readonly tenant: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** How long to wait for a usable connection. */
  readonly connectTimeoutMs: number
  /** How long the whole exchange may take, the response body included. */
  readonly timeoutMs: number
}

/** What the receiver answered, its body read and thrown away. */
export interface Answer {
  readonly status: number
  /** The `Retry-After` header as it came. */
  readonly retryAfter: Option.Option<string>
}

/** The address gave no answer. `unreached` promises that nothing of the request was sent. */
export class TransportFailure extends Schema.TaggedError<TransportFailure>()("TransportFailure", {
  reason: DeliveryReason,
  unreached: Schema.Boolean,
  code: Schema.String
}) {
  override get message() {
    return `${this.reason} (${this.code})`
  }
}

/** Carries requests to given addresses. */
export interface OutboundTransport {
  /**
   * POSTs to exactly the given address. Connections are shared only between dials that agree in
   * tenant, address, port and host. Ends within the dial's times; giving it up closes the socket.
   */
  readonly send: (dial: Dial) => Task<Answer, TransportFailure>
}
