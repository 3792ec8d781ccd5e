/** `CopyOut` on a pool of connections. DECISION B-78 */
import type { OrgId } from "@attestry/core/Identifier"
import { StoreError } from "@attestry/core/StoreError"
import type { SqlError } from "@effect/sql/SqlError"
import * as Chunk from "effect/Chunk"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as Pg from "pg"
import type { Shares } from "../../shared/ConnectionShares.js"
import * as ConnectionShares from "../../shared/ConnectionShares.js"
import type { CopyOut, CopyRequest } from "../../shared/CopyOut.js"
import { CopyQuery } from "./CopyQuery.js"
import type { ServerWatch } from "./ServerWatch.js"
import { backendOf } from "./WatchedClient.js"

/** How long a reader may take. */
export interface CopyLimits {
  /** For one piece: over it the reader is taken to be gone. */
  readonly pieceTime: Duration.DurationInput
  /** For everything. */
  readonly wholeTime: Duration.DurationInput
}

/** The limits of a server. DECISION B-78 */
export const LIMITS: CopyLimits = { pieceTime: "30 seconds", wholeTime: "10 minutes" }

/** How many connections of a pool may be streaming at a time: enough stay for everybody else. */
export const streamsMax = (connectionsMax: number): number =>
  Math.max(1, Math.floor(connectionsMax / 4))

const SETTINGS = "select set_config(key, value, true) from jsonb_each_text($1::jsonb)"

/** A connection that streams, and the turn that it took. */
interface TransactionCache {
  readonly client: Pg.PoolClient
  /** Gives both back, once; a connection on which something is unanswered is of no use to anybody. */
  readonly giveBack: (isClean: boolean) => void
}

interface Copying {
  readonly query: CopyQuery
  readonly held: TransactionCache
  readonly watch: ServerWatch
}

const ignore = () => {}

const connect = (pool: Pg.Pool): Effect.Effect<Pg.PoolClient, unknown> =>
  Effect.async((resume) => {
    let isWanted = true
    pool.connect((cause, client) => {
      if (client === undefined) return resume(Effect.fail(cause))
      if (!isWanted) return client.release()
      resume(Effect.succeed(client))
    })
    return Effect.sync(() => {
      isWanted = false
    })
  })

const holdBy = (client: Pg.PoolClient, endTurn: () => void): TransactionCache => {
  let isHeld = true
  // WHY: a connection that breaks says so with an event, which ends the process when nobody hears it.
  client.on("error", ignore)
  return {
    client,
    giveBack: (isClean) => {
      if (!isHeld) return
      isHeld = false
      client.release(!isClean)
      client.off("error", ignore)
      endTurn()
    }
  }
}

/** Waits for a turn and for a connection; the scope gives back what nobody has given back before. */
const hold = (
  pool: Pg.Pool,
  turn: Effect.Effect<void, SqlError, Scope.Scope>
): Effect.Effect<TransactionCache, unknown, Scope.Scope> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const turns = yield* Scope.make()
      const endTurn = () => Effect.runSync(Scope.close(turns, Exit.void))
      const client = yield* Effect.onError(
        restore(Effect.zipRight(Scope.extend(turn, turns), connect(pool))),
        () => Effect.sync(endTurn)
      )
      const held = holdBy(client, endTurn)
      yield* Effect.addFinalizer(() => Effect.sync(() => held.giveBack(false)))
      return held
    })
  )

const run = (client: Pg.PoolClient, text: string, values: ReadonlyArray<string> = []) =>
  Effect.tryPromise({ try: () => client.query(text, [...values]), catch: (cause) => cause })

const giveUp = ({ query, held }: Copying, cause: Error): void => {
  query.abandon(cause)
  held.giveBack(false)
}

/** Ends a query when a time has passed, unless it is told not to. */
const limit = (copying: Copying, time: Duration.DurationInput, message: string): (() => void) => {
  const timer = setTimeout(() => giveUp(copying, new Error(message)), Duration.toMillis(time))
  return () => clearTimeout(timer)
}

/** One piece after another; between two of them the reader has so much time. */
const pieces = (copying: Copying, { pieceTime }: CopyLimits) => {
  const { query, held, watch } = copying
  const fail = (cause: Error) => giveUp(copying, cause)
  let taken = ignore
  const pull = Effect.async<Chunk.Chunk<Uint8Array>, Option.Option<unknown>>((resume) => {
    taken()
    const over = watch.begin({ backend: backendOf(held.client), fail })
    query.next((piece) => {
      over(piece._tag !== "Failed")
      if (piece._tag === "Failed") return resume(Effect.fail(Option.some(piece.cause)))
      if (piece._tag === "End")
        return resume(
          Effect.zipRight(
            Effect.mapError(run(held.client, "commit"), Option.some),
            Effect.suspend(() => {
              held.giveBack(true)
              return Effect.fail(Option.none())
            })
          )
        )
      taken = limit(copying, pieceTime, "the reader took nothing for too long")
      resume(Effect.succeed(Chunk.of(piece.bytes)))
    })
  })
  return Stream.ensuring(
    Stream.repeatEffectChunkOption(pull),
    Effect.sync(() => taken())
  )
}

/** How a pool is used for streams. */
export interface CopyOptions {
  readonly connectionsMax: number
  readonly watch: ServerWatch
  readonly limits?: CopyLimits
  /** How the connections of the pool are shared between orgs; not at all unless given. */
  readonly shares?: Shares
}

/** Streams on at most so many connections of a pool at a time. */
export const make = (pool: Pg.Pool, options: CopyOptions): Context.Tag.Service<CopyOut> => {
  const limits = options.limits ?? LIMITS
  const streams = streamsMax(options.connectionsMax)
  // WHY one less for an org: another org's first stream does not wait for a reader that takes its time.
  const turns = ConnectionShares.make({
    max: streams,
    perOrg: Math.max(1, streams - 1),
    waitMillis: Duration.toMillis(limits.wholeTime)
  })
  const turnOf = (org: OrgId) =>
    Effect.zipRight(turns.take(org), options.shares?.take(org) ?? Effect.void)

  const open = ({ org, text, asked, settings }: CopyRequest) =>
    Effect.gen(function* () {
      const held = yield* hold(pool, turnOf(org))
      const told = {
        ...settings,
        statement_timeout: String(Duration.toMillis(limits.wholeTime)),
        "attestry.org_id": org,
        "attestry.asked": JSON.stringify(asked)
      }
      yield* run(held.client, "begin read only")
      yield* run(held.client, SETTINGS, [JSON.stringify(told)])
      const query = held.client.query(new CopyQuery(text))
      const copying = { held, query, watch: options.watch }
      const isOver = limit(copying, limits.wholeTime, "the reader took too long")
      yield* Effect.addFinalizer(() => Effect.sync(isOver))
      return pieces(copying, limits)
    })

  return {
    texts: (request) =>
      Stream.mapError(
        Stream.unwrapScoped(open(request)),
        (cause) => new StoreError({ operation: request.operation, cause })
      )
  }
}
