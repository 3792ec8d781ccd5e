/**
 * Statements that the server parses and plans once per connection, for reads that every request makes.
 *
 * WHY: `@effect/sql` sends each statement without a name, which costs PostgreSQL more than three times
 * the work of a small lookup. Never inside a transaction: these run on whatever connection is free.
 */
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** A statement with a name of its own; equal names must mean equal texts. */
export interface NamedStatement {
  readonly name: string
  readonly text: string
}

/** Runs named statements. */
export class NamedStatements extends Context.Tag("@attestry/sql-store/NamedStatements")<
  NamedStatements,
  {
    readonly run: (
      statement: NamedStatement,
      values: ReadonlyArray<string | number | null | ReadonlyArray<string>>
    ) => Effect.Effect<ReadonlyArray<unknown>, SqlError>
  }
>() {}
