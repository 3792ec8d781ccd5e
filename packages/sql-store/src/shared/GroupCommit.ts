/**
 * Transactions of an org that begin with the same question at the same time, and go together: begun, asked,
 * written and committed as one, in two round trips. Those who ask while a convoy is under way leave with the
 * next, with whoever is at the door by then; each decides for itself. INVARIANT: no two of one key go
 * together, and a convoy never waits for a lock, so whoever cannot come along goes alone.
 */
import type { OrgId } from "@attestry/core/Identifier"
import type { StoreError } from "@attestry/core/StoreError"
import type { Timestamp } from "@attestry/core/Timestamp"
import type { Statement } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import type { LazyBegin } from "./LazyBegin.js"
import * as SqlFailure from "./SqlFailure.js"
import type { BufferedWrite, WriteBuffer } from "./WriteBuffer.js"

/** What transactions begin with: a question about something that they keep from others, and then change. */
export interface Question<Q, A> {
  readonly operation: string
  /** Two transactions that ask about one key never go together. */
  readonly keyOf: (asked: Q) => string
  /**
   * One row for each that is asked, in order. Unless it `waits`, what somebody else has locked is answered
   * as if it were not there.
   */
  readonly statement: (
    org: OrgId,
    asked: ReadonlyArray<Q>,
    options: { readonly waits: boolean }
  ) => Statement<object>
  /** The answers in the order of the rows; none for what is not there. */
  readonly read: (
    rows: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<Option.Option<A>>, ParseResult.ParseError>
}

/** A transaction's place in a convoy. INVARIANT: whoever has one leaves or saves, once. */
export interface BatchSlot {
  readonly now: Timestamp
  /** Goes without having written anything. */
  readonly leave: () => void
  /** Hands over everything that is to be written; whether it was, or else has to be done again alone. */
  readonly save: (writes: ReadonlyArray<BufferedWrite>) => Effect.Effect<boolean, StoreError>
}

/** Someone who asks, and is told once. */
export interface BatchRequest<Q, A> {
  readonly asked: Q
  readonly board: (answer: A, seat: BatchSlot) => void
  /** Without a seat: it has to go alone, or cannot go at all where this fails. */
  readonly refuse: (why: Effect.Effect<void, StoreError>) => void
}

/** Lets a transaction ask together with others of its org. */
export type Join<Q, A> = (org: OrgId, asker: BatchRequest<Q, A>) => void

/** The transaction that all of a convoy are. */
export interface BatchTransaction {
  readonly opening: LazyBegin
  readonly pending: WriteBuffer
  readonly commit: Effect.Effect<unknown, StoreError>
  readonly rollback: Effect.Effect<unknown, StoreError>
}

/** A transaction of an org that has not begun. */
export type Start = (org: OrgId) => Effect.Effect<BatchTransaction, StoreError, Scope.Scope>

/** At most so many go together. */
const BATCH_SIZE_MAX = 32

/**
 * A convoy leaves when so many turns of the event loop in a row have brought nobody, and after so many in all.
 *
 * WHY: what ends a convoy also answers those who were in it, and their next requests are a few turns away;
 * without this, callers that take turns go in halves for ever. Turns that bring nobody take microseconds; in
 * a busy process they do not, and nobody may be kept waiting by a trickle of others.
 */
const QUIET_TURNS = 3
const TURNS_MAX = 8

/** Whoever writes more than so many characters goes alone: what one statement carries must stay small. */
const BATCH_BYTES_MAX = 256 * 1024

/** What somebody writes, and how they are told whether it was written. */
interface PendingCommit {
  readonly writes: ReadonlyArray<BufferedWrite>
  readonly arrive: (how: Effect.Effect<boolean, StoreError>) => void
}

const isHeavy = (writes: ReadonlyArray<BufferedWrite>): boolean => {
  let size = 0
  for (const write of writes) size += "kind" in write ? write.value.length : BATCH_BYTES_MAX
  return size > BATCH_BYTES_MAX
}

/** Gives each its answer and a seat, and waits until the last has left or handed over what it writes. */
const decided = <Q, A>(
  askers: ReadonlyArray<BatchRequest<Q, A>>,
  answers: ReadonlyArray<Option.Option<A>>,
  now: Timestamp
): Effect.Effect<Array<PendingCommit>> =>
  Effect.async((resume) => {
    const passengers: Array<PendingCommit> = []
    let undecided = askers.length
    const done = () => {
      undecided -= 1
      if (undecided === 0) resume(Effect.succeed(passengers))
    }
    const save = (writes: ReadonlyArray<BufferedWrite>): Effect.Effect<boolean, StoreError> =>
      Effect.async((arrive) => {
        if (isHeavy(writes)) arrive(Effect.succeed(false))
        else passengers.push({ writes, arrive })
        done()
      })
    askers.forEach(({ board, refuse }, index) => {
      const answer = answers[index] ?? Option.none()
      if (Option.isSome(answer)) {
        board(answer.value, { now, leave: done, save })
      } else {
        refuse(Effect.void)
        done()
      }
    })
  })

/**
 * What a failure to write means for each. WHY not the failure itself: what the database refuses is the fault
 * of one, and the others must not pay for it; alone, each finds out about itself.
 */
const failed = (error: StoreError): Effect.Effect<boolean, StoreError> =>
  SqlFailure.isRefusal(error) ? Effect.succeed(false) : Effect.fail(error)

/** Writes what can be written together and commits. */
const save = (
  { pending, commit, rollback }: BatchTransaction,
  passengers: ReadonlyArray<PendingCommit>
) =>
  Effect.gen(function* () {
    const loaded = passengers.filter(({ writes, arrive }) => {
      const isLoaded = pending.add(...writes)
      if (!isLoaded) arrive(Effect.succeed(false))
      return isLoaded
    })
    if (loaded.length === 0) return yield* Effect.ignore(rollback)
    const how = yield* Effect.match(commit, {
      onFailure: failed,
      onSuccess: () => Effect.succeed(true)
    })
    for (const { arrive } of loaded) arrive(how)
  })

/** Begins, and asks for everybody. */
const ask = <Q, A>(
  question: Question<Q, A>,
  askers: ReadonlyArray<BatchRequest<Q, A>>,
  { org, vehicle }: { readonly org: OrgId; readonly vehicle: BatchTransaction }
) =>
  Effect.gen(function* () {
    const asked = askers.map((asker) => asker.asked)
    const [text, values] = question.statement(org, asked, { waits: false }).compile()
    const named = SqlFailure.toStoreError(question.operation)
    const rows = yield* named(vehicle.opening.connection.execute(text, values, undefined))
    const now = yield* named(vehicle.opening.now)
    // WHY: what cannot be read of one is not the others' failure; alone, each reads its own.
    const answers = yield* Effect.orElseSucceed(named(question.read(rows)), () => [])
    return { now, answers }
  }).pipe(Effect.tapErrorCause(() => Effect.ignore(vehicle.rollback)))

/** The whole way of a convoy. Fails only before anybody has a seat. */
const travel = <Q, A>(
  question: Question<Q, A>,
  askers: Array<BatchRequest<Q, A>>,
  { org, start }: { readonly org: OrgId; readonly start: Start }
): Effect.Effect<void, StoreError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const vehicle = yield* start(org)
      const { now, answers } = yield* ask(question, askers, { org, vehicle })
      const passengers = yield* decided(askers, answers, now)
      // WHY: only a bug leads here, and nobody may wait for ever for what it has stopped.
      yield* Effect.catchAllCause(save(vehicle, passengers), (cause) =>
        Effect.sync(() => {
          for (const { arrive } of passengers) arrive(Effect.failCause(cause))
        })
      )
      // WHY: what V8 takes for used a while longer than it is would lead from one who was here to all. B-133
      passengers.length = 0
      askers.length = 0
    })
  )

/** Takes those who go next from those who wait: the first of each key. */
const board = <Q, A>(waiting: Array<BatchRequest<Q, A>>, keyOf: Question<Q, A>["keyOf"]) => {
  const aboard = new Map<string, BatchRequest<Q, A>>()
  const staying: Array<BatchRequest<Q, A>> = []
  for (const asker of waiting) {
    const key = keyOf(asker.asked)
    if (aboard.size < BATCH_SIZE_MAX && !aboard.has(key)) aboard.set(key, asker)
    else staying.push(asker)
  }
  waiting.splice(0, waiting.length, ...staying)
  return [...aboard.values()]
}

/** Goes on when nobody has come for a few turns, or no more could come along, or after some turns anyway. */
const whenQuiet = (waiting: ReadonlyArray<unknown>, leave: () => void): void => {
  let seen = waiting.length
  let quiet = 0
  let turns = 0
  const turn = () => {
    quiet = waiting.length === seen ? quiet + 1 : 0
    seen = waiting.length
    turns += 1
    if (quiet === QUIET_TURNS || seen >= BATCH_SIZE_MAX || turns === TURNS_MAX) leave()
    else setImmediate(turn)
  }
  setImmediate(turn)
}

/** The convoys of all who ask one question, one at a time for each org. */
export const make = <Q, A>(question: Question<Q, A>, start: Start): Effect.Effect<Join<Q, A>> =>
  Effect.map(Effect.runtime<never>(), (runtime) => {
    const runFork = Runtime.runFork(runtime)
    /** Those who wait, for each org of which somebody waits or is under way. */
    const queues = new Map<OrgId, Array<BatchRequest<Q, A>>>()

    const depart = (org: OrgId, waiting: Array<BatchRequest<Q, A>>) => {
      if (waiting.length === 0) {
        queues.delete(org)
        return
      }
      const askers = board(waiting, question.keyOf)
      runFork(travel(question, askers, { org, start })).addObserver((exit) => {
        if (Exit.isFailure(exit))
          for (const { refuse } of askers) refuse(Effect.failCause(exit.cause))
        whenQuiet(waiting, () => depart(org, waiting))
      })
    }

    return (org, asker) => {
      const waiting = queues.get(org)
      if (waiting !== undefined) {
        waiting.push(asker)
        return
      }
      const first = [asker]
      queues.set(org, first)
      whenQuiet(first, () => depart(org, first))
    }
  })
