/**
 * Several statements in one round trip: the database answers when it has run the last of them.
 *
 * The first that fails ends it: those after it are not run, whatever they are. A client that knows no such
 * way runs them one after another, which means the same and takes longer.
 */
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

/** A statement with its values. */
export interface PipelinedStatement {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** What one statement answered: the word for what it did, and its rows. */
export interface Answer {
  readonly command: string
  readonly rows: ReadonlyArray<unknown>
}

/** Runs statements on a connection, in order. */
export type Run = (
  connection: Connection,
  steps: ReadonlyArray<PipelinedStatement>
) => Effect.Effect<ReadonlyArray<Answer>, SqlError>

/** What the driver's own result says. */
export const answerOf = (result: unknown): Answer => ({
  command: Predicate.isRecord(result) ? String(result.command) : "",
  rows: Predicate.isRecord(result) && Array.isArray(result.rows) ? result.rows : []
})

const inTurn: Run = (connection, steps) =>
  Effect.forEach(steps, ({ text, values }) =>
    Effect.map(connection.executeRaw(text, values), answerOf)
  )

/** How a client runs several statements; one after another unless it says otherwise. */
export class Pipeline extends Context.Reference<Pipeline>()("@attestry/sql-store/Pipeline", {
  defaultValue: (): { readonly run: Run } => ({ run: inTurn })
}) {}
