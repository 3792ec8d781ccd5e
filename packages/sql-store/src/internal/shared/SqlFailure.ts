/**
 * The meaning of database errors. `SqlError` does not leave this package.
 *
 * Two kinds matter: a transient conflict, which is retried, and everything else, which is a `StoreError`.
 */
import { UnreadableValue } from "@attestry/core/DamagedRecords"
import { elsewhereReason, OnlyElsewhere } from "@attestry/core/StandbyRead"
import { StoreError } from "@attestry/core/StoreError"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as DamagedRows from "./DamagedRows.js"

/** Serialization failure and deadlock: the work may run again. */
const TRANSIENT_CODES: ReadonlyArray<unknown> = ["40001", "40P01"]

/** Whether an error, or its cause, is a transient conflict between transactions. */
export const isTransient = (error: unknown): boolean =>
  Predicate.isRecord(error) && (TRANSIENT_CODES.includes(error.code) || isTransient(error.cause))

/** Whether a unique key has refused a row: another transaction has written one with the key. */
export const isTaken = (error: unknown): boolean =>
  Predicate.isRecord(error) && (error.code === "23505" || isTaken(error.cause))

/** Classes of SQLSTATE with which the database refuses a statement, and goes on. */
const REFUSAL = /^(?:2|4|5[0-5]|P0)[0-9A-Z]+$/

/** Whether the database has refused, and so has done nothing; after any other failure its state is unknown. */
export const isRefusal = (error: unknown): boolean =>
  Predicate.isRecord(error) &&
  ((typeof error.code === "string" && REFUSAL.test(error.code)) || isRefusal(error.cause))

/** Classes of SQLSTATE with which the database refuses to compute with a stored value. */
const UNREADABLE = /^(?:22|XX00[12])/

/** Whether the database has refused to compute with a stored value, which is then damaged. */
const isUnreadable = (error: unknown): boolean =>
  Predicate.isRecord(error) &&
  ((typeof error.code === "string" && UNREADABLE.test(error.code)) || isUnreadable(error.cause))

/** The address leads to a standby. */
export class Standby extends Error {
  constructor() {
    super("the database is a standby, which takes no writes")
  }
}

/** The standby error that an error is or was caused by. */
export const standbyIn = (error: unknown): Standby | undefined => {
  if (error instanceof Standby) return error
  return Predicate.hasProperty(error, "cause") ? standbyIn(error.cause) : undefined
}

/** PostgreSQL has no memory left; in practice its lock table is full. */
const OUT_OF_MEMORY = "53200"

/** The lock table of the database is full. Repeating the work helps once others have ended. */
export class LockTableFull extends Error {
  constructor(cause: unknown) {
    super(
      "the lock table of the database is full: set `max_locks_per_transaction` of PostgreSQL to 256 or more",
      { cause }
    )
  }
}

/** A write where the database is a standby or the connection only reads, and a conflict with replay. */
const READ_ONLY = "25006"
const SERIALIZATION = "40001"

const hasCode = (error: unknown, code: string): boolean =>
  Predicate.isRecord(error) && (error.code === code || hasCode(error.cause, code))

/** The cause of a failure, named where a setting or another store helps. */
const namedCause = (cause: unknown): unknown => {
  if (hasCode(cause, OUT_OF_MEMORY)) return new LockTableFull(cause)
  if (elsewhereReason(cause) !== undefined) return cause
  if (hasCode(cause, READ_ONLY)) return new OnlyElsewhere("write", cause)
  return hasCode(cause, SERIALIZATION) ? new OnlyElsewhere("conflict", cause) : cause
}

/** The failure of an operation, with its cause. */
export const storeError =
  (operation: string) =>
  (cause: unknown): StoreError =>
    new StoreError({ operation, cause: namedCause(cause) })

/** Names the operation that failed, and hides the cause; a row that cannot be decoded is logged. */
export const toStoreError =
  (operation: string) =>
  <A, R>(
    effect: Effect.Effect<A, SqlError | ParseResult.ParseError | StoreError, R>
  ): Effect.Effect<A, StoreError, R> =>
    // WHY: every failure stays a failure; damaged rows are logged.
    Effect.catchAll(effect, (cause) => {
      if (cause instanceof StoreError) return Effect.fail(cause)
      const failure = storeError(operation)(
        isUnreadable(cause) ? new UnreadableValue(cause) : cause
      )
      return ParseResult.isParseError(cause)
        ? Effect.zipRight(DamagedRows.log(operation, damagedIn(cause), cause), failure)
        : failure
    })

/** The first of the rows that could not be decoded, if the issue names it. */
const damagedIn = ({ issue }: ParseResult.ParseError): unknown =>
  issue._tag === "Composite" && Array.isArray(issue.actual)
    ? issue.actual[firstPlace(issue.issues)]
    : undefined

const firstPlace = (issues: ParseResult.SingleOrNonEmpty<ParseResult.ParseIssue>): number => {
  const first = Array.isArray(issues) ? issues[0] : issues
  return first?._tag === "Pointer" && typeof first.path === "number" ? first.path : 0
}
