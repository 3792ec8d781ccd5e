/**
 * The port between the guarded client and the code that owns the sockets.
 *
 * A transport connects to the address that it is given. It neither resolves names, nor follows redirects, nor
 * uses proxies.
 */
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Address } from "./AddressRange.js"
import { DeliveryReason } from "./DeliveryError.js"
import type { OutboundUrl } from "./OutboundUrl.js"

/** One permitted address to dial, and the URL whose name stays in SNI, certificate and `Host`. */
export interface Dial {
  readonly address: Address
  readonly url: OutboundUrl
  readonly tenant: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** `GET` sends no body and keeps that of the response; the default is `POST`. */
  readonly method?: "POST" | "GET"
  /** Whether the body of the response is returned; always for GET. */
  readonly keepsBody?: boolean
  /** How long to wait for a usable connection. */
  readonly connectTimeoutMs: number
  /** How long the whole exchange may take, the response body included. */
  readonly timeoutMs: number
}

/** The receiver's response; its body is read, and discarded unless the dial is a `GET`. */
export interface TransportResponse {
  readonly status: number
  /** The `Retry-After` header, not parsed. */
  readonly retryAfter: Option.Option<string>
  /** The body of the response to a `GET`. */
  readonly body?: string
}

/** There is no response. `unreached` promises that no byte of the request was sent. */
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
   * Sends to exactly the given address. Connections are shared only between dials that agree in
   * tenant, address, port and host. Ends within the dial's times; interruption closes the socket.
   */
  readonly send: (dial: Dial) => Effect.Effect<TransportResponse, TransportFailure>
}
