/**
 * A request and an answer, free of any server: what hosts translate to and from.
 *
 * WHY: the platform's own request type costs several times the work of serving a small request, and its
 * router decides about bodies before we may look at the caller (docs/ARCHITECTURE.md, "The edge").
 */
import type * as Stream from "effect/Stream"

/** A body in the pieces in which it came. */
export type BodyPieces = ReadonlyArray<Uint8Array>

/** A request as a host hands it over. */
export interface IncomingRequest {
  readonly method: string
  /** Path and query, as they were sent. */
  readonly url: string
  /** Every value of a header, in order; the name is in lower case. */
  readonly headers: (name: string) => ReadonlyArray<string>
  /** Address of whoever sent it, as far as the host knows and believes it; empty when it does not. */
  readonly remoteAddress: string
  /** The body, in pieces; may be read once. */
  readonly body: AsyncIterable<Uint8Array>
  /**
   * All pieces of the body, where the host has a quicker way than one after the other; nothing when they
   * have more than so many bytes. Nobody writes to a piece once it was handed over.
   */
  readonly collect?: (bytesMax: number) => Promise<BodyPieces | undefined>
}

/** An answer as a host must send it. */
export interface OutgoingResponse {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** A stream that fails after it has begun can only be cut off. */
  readonly body: string | Uint8Array | Stream.Stream<Uint8Array, unknown>
}

/** What a handler answers: a status, a value of the contract's success schema, more headers. */
export interface Reply<A> {
  readonly status: number
  readonly value: A
  readonly headers?: { readonly [name: string]: string }
}

/** What a handler answers whose bytes are sent as they come, instead of a value. */
export interface StreamedReply {
  readonly status: number
  readonly stream: Stream.Stream<Uint8Array, unknown>
  readonly headers: { readonly [name: string]: string }
}

/** 200 with a value. */
export const ok = <A>(value: A): Reply<A> => ({ status: 200, value })

/** 201 with a value. */
export const created = <A>(value: A): Reply<A> => ({ status: 201, value })

/** 200 with a body that is made while it is sent. */
export const streamed = (
  stream: Stream.Stream<Uint8Array, unknown>,
  headers: { readonly [name: string]: string }
): StreamedReply => ({ status: 200, stream, headers })
