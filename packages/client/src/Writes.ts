/**
 * Writes that answer their effect, and writes that store nothing.
 *
 * Reads are sent without either. A server that does not know dry runs refuses the parameter, so that nothing is written
 * by mistake.
 */
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { globalValue } from "effect/GlobalValue"
import type { Described } from "./Calls.js"

interface WriteOptions {
  readonly isDryRun: boolean
  readonly describes: boolean
}

const options: FiberRef.FiberRef<WriteOptions> = globalValue("@attestry/client/Writes", () =>
  FiberRef.unsafeMake<WriteOptions>({ isDryRun: false, describes: false })
)

const set =
  (change: Partial<WriteOptions>) =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.locallyWith(call, options, (given) => ({ ...given, ...change }))

/** Sends a write as a dry run: the server checks everything and answers as the write would, but stores nothing. */
export const dryRun: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = set({
  isDryRun: true
})

/**
 * Sends a write so that it answers its effect in place of a word; writes that answer an object still do.
 *
 * ```ts
 * const { outcome, changed } = yield* Writes.withResult(client.flow.put({ payload }))
 * ```
 */
export const withResult = <A, E, R>(
  call: Effect.Effect<A, E, R>
): Effect.Effect<Described<A>, E, R> =>
  // WHY: the preference changes the answer, and the type of a call does not know who prefers what.
  set({ describes: true })(call) as Effect.Effect<unknown, E, R> as Effect.Effect<
    Described<A>,
    E,
    R
  >

/** The request with the options of the current call; reads have none. */
export const intoRequest = (
  request: HttpClientRequest.HttpClientRequest
): Effect.Effect<HttpClientRequest.HttpClientRequest> =>
  Effect.map(FiberRef.get(options), ({ isDryRun, describes }) => {
    if (request.method === "GET") return request
    const asked = isDryRun ? HttpClientRequest.appendUrlParam(request, "dry_run", "true") : request
    return describes ? HttpClientRequest.setHeader(asked, "prefer", "return=representation") : asked
  })
