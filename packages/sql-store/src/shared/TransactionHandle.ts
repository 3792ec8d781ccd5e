/**
 * How a transaction sets out: alone, with its first statement (`LazyBegin`), or in company, with a question
 * that others ask as well (`GroupCommit`).
 *
 * In company it may only ask what the question has answered already and let writes wait. Whoever wants more
 * has to be done again, alone: that costs time, and nothing else, since work may always run more than once.
 */
import type { OrgId } from "@attestry/core/Identifier"
import type { StoreError } from "@attestry/core/StoreError"
import type { Timestamp } from "@attestry/core/Timestamp"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as GroupCommit from "./GroupCommit.js"
import * as LazyBegin from "./LazyBegin.js"
import type * as Pipeline from "./Pipeline.js"

/** A transaction that may not have set out yet. */
export interface TransactionHandle {
  readonly connection: Connection
  /** The clock as it was read when the transaction began, alone; begins it if nothing has. In company see `seat`. */
  readonly now: Effect.Effect<Timestamp, SqlError>
  /** Asks together with others, when nothing has begun; what has to be asked alone is. */
  readonly ask: <Q, A>(
    join: GroupCommit.Join<Q, A>,
    question: {
      readonly asked: Q
      readonly alone: Effect.Effect<Option.Option<A>, StoreError>
    }
  ) => Effect.Effect<Option.Option<A>, StoreError>
  /** The connection that it has for itself, if it has one. */
  readonly reserved: () => Connection | undefined
  /** The place that it has in company, if it has one. */
  readonly seat: () => GroupCommit.BatchSlot | undefined
  /** Whether it has wanted more than company allows. */
  readonly isLeaving: () => boolean
  /** Does the last thing that is done on its connection, and gives that back; nothing is told to it any more. */
  readonly end: <A, E, R>(last: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** What setting out needs. */
export interface DepartureOptions {
  readonly org: OrgId
  /** A connection for the time of the scope. */
  readonly reserve: Effect.Effect<Connection, SqlError, Scope.Scope>
  readonly run: Pipeline.Run
  /** Whether it may go in company. */
  readonly canBatch: boolean
}

const NOT_BATCHABLE = new SqlError({
  cause: new Error("a transaction in company has wanted a statement of its own")
})

/** A transaction that has not set out. */
export const make = ({
  org,
  reserve: connect,
  run,
  canBatch
}: DepartureOptions): TransactionHandle => {
  let alone: { readonly reserved: Connection; readonly opening: LazyBegin.LazyBegin } | undefined
  let seat: GroupCommit.BatchSlot | undefined
  let isLeaving = false
  let isOver = false
  /** What gives the connection back; there is none in company. */
  let scope: Scope.CloseableScope | undefined

  const reserve = Effect.flatMap(Scope.make(), (made) => {
    scope = made
    return Scope.extend(connect, made)
  })

  const opening = Effect.suspend(() => {
    if (seat !== undefined) {
      isLeaving = true
      return NOT_BATCHABLE
    }
    return alone === undefined
      ? Effect.map(reserve, (reserved) => {
          alone ??= { reserved, opening: LazyBegin.make(reserved, run, org) }
          return alone.opening
        })
      : Effect.succeed(alone.opening)
  })

  const on = <A>(next: (connection: Connection) => Effect.Effect<A, SqlError>) =>
    Effect.flatMap(opening, ({ connection }) => next(connection))

  const ask: TransactionHandle["ask"] = (join, question) =>
    !canBatch || alone !== undefined || seat !== undefined
      ? question.alone
      : Effect.async((resume) => {
          join(org, {
            asked: question.asked,
            board: (answer, given) => {
              // WHY: whoever was interrupted while it waited has gone home, or on without an answer.
              if (isOver || alone !== undefined) return given.leave()
              // WHY here: whoever is interrupted before it runs again must still leave.
              seat = given
              resume(Effect.succeedSome(answer))
            },
            refuse: (why) => resume(Effect.zipRight(why, question.alone))
          })
        })

  return {
    connection: {
      execute: (...call) => on(({ execute }) => execute(...call)),
      executeRaw: (...call) => on(({ executeRaw }) => executeRaw(...call)),
      executeValues: (...call) => on(({ executeValues }) => executeValues(...call)),
      executeUnprepared: (...call) => on(({ executeUnprepared }) => executeUnprepared(...call)),
      executeStream: (...call) =>
        Stream.unwrap(Effect.map(opening, ({ connection }) => connection.executeStream(...call)))
    },
    now: Effect.flatMap(opening, (begun) => begun.now),
    ask,
    reserved: () => alone?.reserved,
    seat: () => seat,
    isLeaving: () => isLeaving,
    end: (last) => {
      isOver = true
      const open = scope
      return open === undefined ? last : Effect.onExit(last, (exit) => Scope.close(open, exit))
    }
  }
}
