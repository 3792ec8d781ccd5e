/**
 * A request and an answer, free of any server: what hosts translate to and from.
 *
 * WHY: the platform's own request type costs several times the work of serving a small request, and its
 * router decides about bodies before we may look at the caller (docs/ARCHITECTURE.md, "The edge").
 */

/** A request as a host hands it over. */
export interface IncomingRequest {
  readonly method: string
  /** Path and query, as they were sent. */
  readonly url: string
  /** Every value of a header, in order; the name is in lower case. */
  readonly headers: (name: string) => ReadonlyArray<string>
  /** The body, in pieces; may be read once. */
  readonly body: AsyncIterable<Uint8Array>
  /**
   * The whole body at once, where the host has a quicker way than its pieces; nothing when it has more
   * than so many bytes.
   */
  readonly collect?: (bytesMax: number) => Promise<Uint8Array<ArrayBuffer> | undefined>
}

/** An answer as a host must send it. */
export interface OutgoingResponse {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** All of it, or pieces that are made while they are sent, as fast as the caller takes them. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>
}

/** What a handler answers: a status, a value of the contract's success schema, more headers. */
export interface Reply<A> {
  readonly status: number
  readonly value: A
  readonly headers?: { readonly [name: string]: string }
  /** The body in pieces, for answers that are too long to be one value. */
  readonly pieces?: AsyncIterable<Uint8Array>
}

/** 200 with a value. */
export const ok = <A>(value: A): Reply<A> => ({ status: 200, value })

/** 201 with a value. */
export const created = <A>(value: A): Reply<A> => ({ status: 201, value })

/** 200 with a body that is made while it is sent. */
export const inPieces = (
  pieces: AsyncIterable<Uint8Array>,
  headers: { readonly [name: string]: string }
): Reply<string> => ({ status: 200, value: "", pieces, headers })
