/**
 * `copyOut` of the driver: COPY … TO STDOUT by `pg-copy-streams`, with limits on how long a reader may hold a
 * connection. While the stream is not read the connection is not read either, so that PostgreSQL waits and no data
 * piles up.
 */
import type { OrgId } from "@attestry/core/Identifier"
import type { SqlError } from "@effect/sql/SqlError"
import * as Chunk from "effect/Chunk"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { to as copyTo } from "pg-copy-streams"
import * as ConnectionShares from "../../internal/shared/ConnectionShares.js"
import * as SqlFailure from "../../internal/shared/SqlFailure.js"
import type { CopyRequest, Driver, DriverConnection } from "../../internal/transaction/Driver.js"
import * as SeenEntries from "../../internal/transaction/SeenEntries.js"
import * as BinaryCopy from "./BinaryCopy.js"
import type { ServerWatch } from "./ServerWatch.js"
import type { PooledClient } from "./WatchedPool.js"

/** How long a reader may take. */
export interface CopyLimits {
  /** For one chunk: over it the reader counts as gone. */
  readonly chunkTime: Duration.DurationInput
  /** For everything. */
  readonly wholeTime: Duration.DurationInput
}

/** The limits of a server. */
export const LIMITS: CopyLimits = { chunkTime: "30 seconds", wholeTime: "10 minutes" }

/** How many connections of a pool may be streaming at a time; most stay free for other work. */
export const streamsMax = (connectionsMax: number): number =>
  Math.max(1, Math.floor(connectionsMax / 4))

/** A client of the pool, also as a connection of the driver. */
export interface CopyConnection {
  readonly client: PooledClient
  readonly connection: DriverConnection
}

/** How streams get and watch their connections. */
export interface CopyOptions {
  readonly connectionsMax: number
  readonly watch: ServerWatch
  readonly reserve: (org: OrgId) => Effect.Effect<CopyConnection, SqlError, Scope.Scope>
  readonly limits?: CopyLimits
}

const BEGIN = { text: "begin read only", values: [] }
/** Where what was looked for is among the results of what begins a copy. */
const SEEN = 2
const SETTINGS = "select set_config(key, value, true) from jsonb_each_text($1::jsonb)"
const COMMIT = { text: "commit", values: [] }

interface Copy extends CopyConnection {
  readonly source: ReturnType<typeof copyTo>
  /** Releases the connection, once; one that is in the middle of a COPY is closed. */
  readonly release: (isClean: boolean) => void
}

const open = (
  { client, connection }: CopyConnection,
  text: string,
  scope: Scope.CloseableScope
): Copy => {
  const statement = `copy (${text}) to stdout (format binary)`
  const source = client.query(copyTo(statement))
  // WHY: the source emits errors without ending; destroyed, it gives the error to the read that comes next.
  source.on("error", (cause) => source.destroy(cause))
  let isReleased = false
  const release = (isClean: boolean) => {
    if (isReleased) return
    isReleased = true
    if (!isClean) client.breakOff()
    Effect.runSync(Scope.close(scope, Exit.void))
  }
  return { client, connection, source, release }
}

const abort = ({ source, release }: Copy, cause: Error): void => {
  source.destroy(cause)
  release(false)
}

/** Aborts a copy after a time, unless the returned function is called before. */
const limit = (copy: Copy, time: Duration.DurationInput, message: string): (() => void) => {
  const timer = setTimeout(() => abort(copy, new Error(message)), Duration.toMillis(time))
  return () => clearTimeout(timer)
}

const commit = ({ connection, release }: Copy) =>
  Effect.map(connection.pipeline([COMMIT]), () => release(true))

/** The texts, chunk by chunk. */
const read = (copy: Copy, watch: ServerWatch, { chunkTime }: CopyLimits) => {
  const chunks = copy.source[Symbol.asyncIterator]()
  const texts = BinaryCopy.make()
  let chunkTaken = () => {}
  const pull = Effect.gen(function* () {
    chunkTaken()
    const over = watch.begin({
      backend: copy.client.backend,
      fail: (cause) => abort(copy, cause)
    })
    const next = yield* Effect.onExit(
      Effect.tryPromise({ try: () => chunks.next(), catch: Option.some }),
      (exit) => Effect.sync(() => over(Exit.isSuccess(exit)))
    )
    if (next.done !== true) {
      chunkTaken = limit(copy, chunkTime, "the reader took nothing for too long")
      return Chunk.unsafeFromArray<Uint8Array>([...texts.take(next.value)])
    }
    if (!texts.isWhole())
      return yield* Effect.fail(Option.some(new Error("COPY ended before its end")))
    yield* Effect.mapError(commit(copy), Option.some)
    return yield* Effect.fail(Option.none())
  })
  return Stream.ensuring(
    Stream.repeatEffectChunkOption(pull),
    Effect.sync(() => chunkTaken())
  )
}

/** Streams on a limited number of connections at a time. */
export const make = ({
  connectionsMax,
  watch,
  reserve,
  limits = LIMITS
}: CopyOptions): Context.Tag.Service<Driver>["copyOut"] => {
  const streams = streamsMax(connectionsMax)
  // WHY one less for an org: another org's first stream does not wait for a slow reader.
  const shares = ConnectionShares.make({
    max: streams,
    perOrg: Math.max(1, streams - 1),
    waitMillis: Duration.toMillis(limits.wholeTime)
  })

  const start = (
    { org, text, settings, arguments: given }: CopyRequest,
    mustSee: ReadonlyArray<number> | undefined
  ) =>
    Effect.gen(function* () {
      const scope = yield* Effect.acquireRelease(Scope.make(), (made) =>
        Scope.close(made, Exit.void)
      )
      const reserved = yield* Scope.extend(Effect.zipRight(shares.take(org), reserve(org)), scope)
      const all = {
        ...settings,
        statement_timeout: String(Duration.toMillis(limits.wholeTime)),
        "attestry.org_id": org,
        "attestry.arguments": JSON.stringify(given)
      }
      const begun = yield* reserved.connection.pipeline([
        BEGIN,
        { text: SETTINGS, values: [JSON.stringify(all)] },
        ...SeenEntries.statements(org, mustSee)
      ])
      const unseen = SeenEntries.refusal(mustSee, begun[SEEN])
      if (unseen !== undefined) {
        yield* Effect.ignore(reserved.connection.executeRaw("rollback", []))
        yield* Scope.close(scope, Exit.void)
        return yield* unseen
      }
      const copy = open(reserved, text, scope)
      const isOver = limit(copy, limits.wholeTime, "the reader took too long")
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          isOver()
          copy.release(false)
        })
      )
      return read(copy, watch, limits)
    })

  return (request) =>
    Stream.mapError(
      Stream.unwrapScoped(
        SeenEntries.withMustSee(request.org, (mustSee) =>
          SeenEntries.awaited(mustSee, start(request, mustSee))
        )
      ),
      SqlFailure.storeError(request.operation)
    )
}
