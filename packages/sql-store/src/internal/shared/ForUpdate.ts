/** The end of a statement that finds a record, locked or not. */
import type { Locking } from "@attestry/core/Transaction"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"

/** Locks the rows of a statement where the caller wants it; of a join, those of the table `o`. */
export const forUpdate = (sql: SqlClient, { lock = false }: Locking = {}, of?: "o"): Fragment => {
  if (!lock) return sql.literal("")
  return of === undefined ? sql.literal("for update") : sql.literal("for update of o")
}
