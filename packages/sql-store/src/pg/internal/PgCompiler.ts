/** Compiles statements for PostgreSQL: numbered parameters, and identifiers in double quotes. */
import * as Statement from "@effect/sql/Statement"

const returningOf = (
  returning: readonly [sql: string, params: ReadonlyArray<unknown>] | undefined
) => (returning === undefined ? "" : ` RETURNING ${returning[0]}`)

/** The compiler of every statement of the store; it knows no fragments beside those of `@effect/sql`. */
export const make = (): Statement.Compiler =>
  Statement.makeCompiler<never>({
    dialect: "pg",
    placeholder: (index) => `$${index}`,
    onIdentifier: Statement.defaultEscape('"'),
    onRecordUpdate: (...[placeholders, alias, columns, values, returning]) => [
      `(values ${placeholders}) AS ${alias}${columns}${returningOf(returning)}`,
      [...values.flat(), ...(returning?.[1] ?? [])]
    ],
    onCustom: (none) => none
  })
