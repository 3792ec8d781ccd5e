/**
 * Requests and responses without a server; hosts convert theirs to and from these.
 *
 * WHY: the platform's own request type costs several times the work of a small request, and its router reads
 * bodies before authorization can run (docs/ARCHITECTURE.md, "HTTP").
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"

/** A body in pieces: those in which it arrived, or those in which it was printed. */
export type BodyPieces = ReadonlyArray<Uint8Array>

/** A request as a host passes it to the dispatcher. */
export interface IncomingRequest {
  readonly method: string
  /** Path and query, not decoded. */
  readonly url: string
  /** Every value of a header, in order; the name is in lower case. */
  readonly headers: (name: string) => ReadonlyArray<string>
  /** The address of the client; empty where the host does not know it. */
  readonly remoteAddress: string
  /** The body, in pieces; it can be read once. */
  readonly body: AsyncIterable<Uint8Array>
  /**
   * All pieces of the body, where the host has a faster way than the iterator; undefined when they have more than
   * `bytesMax` bytes. The host does not change a piece after it has returned it.
   */
  readonly collect?: (bytesMax: number) => Promise<BodyPieces | undefined>
  /**
   * Calls a function when the answer was sent or its connection was lost, at once where that is so already; absent
   * where the host cannot say. It may call it more than once.
   */
  readonly whenSent?: (then: () => void) => void
}

/** A response as a host must send it. */
export interface OutgoingResponse {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** When a stream fails after its first piece, the host closes the connection. */
  readonly body: string | Uint8Array | BodyPieces | Stream.Stream<Uint8Array, unknown>
}

/** Whether a body is held in pieces. */
export const isPieces = (body: OutgoingResponse["body"]): body is BodyPieces => Array.isArray(body)

/** How many bytes a body in pieces has. */
export const lengthOf = (pieces: BodyPieces): number =>
  pieces.reduce((length, piece) => length + piece.byteLength, 0)

/** The text of a body that was printed, in pieces or not; undefined for bytes and streams. */
export const textOf = (body: OutgoingResponse["body"]): string | undefined => {
  if (typeof body === "string") return body
  if (!isPieces(body)) return undefined
  const decoder = new TextDecoder()
  return body.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode()
}

/** The header of answers to writes that recorded something: the ids of the entries. SPEC §1.5 */
export const ENTRIES_HEADER = "attestry-entries"

/** Serves one request; it never fails. */
export type Dispatch = (request: IncomingRequest) => Effect.Effect<OutgoingResponse>

/** The result of a handler: a status, a value of the contract's success schema, and more headers. */
export interface Reply<A> {
  readonly status: number
  readonly value: A
  readonly headers?: { readonly [name: string]: string }
}

/** The result of a handler that sends a stream of bytes instead of a value. */
export interface StreamedReply {
  readonly status: number
  readonly stream: Stream.Stream<Uint8Array, unknown>
  readonly headers: { readonly [name: string]: string }
}

/** 200 with a value. */
export const ok = <A>(value: A): Reply<A> => ({ status: 200, value })

/** 201 with a value. */
export const created = <A>(value: A): Reply<A> => ({ status: 201, value })

/** 200 with a body that is produced while it is sent. */
export const streamed = (
  stream: Stream.Stream<Uint8Array, unknown>,
  headers: { readonly [name: string]: string }
): StreamedReply => ({ status: 200, stream, headers })
