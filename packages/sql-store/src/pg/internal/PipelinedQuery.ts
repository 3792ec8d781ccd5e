/**
 * Prepared statements that are sent together and answered together: a `Submittable` of `pg`.
 *
 * PostgreSQL runs them in order; after one that fails it skips the rest, up to the Sync message that follows the last.
 * INVARIANT: each has been prepared on the connection before.
 */
import type * as Pg from "pg"
import type { StatementResult } from "../../internal/transaction/Driver.js"

/** A statement that is prepared under this name, with its values as PostgreSQL reads them. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
  readonly values: Array<string | null>
}

/** Takes the error, or the result of each statement. */
export type Done = (error: Error | null, results: ReadonlyArray<StatementResult>) => void

interface Column {
  readonly name: string
  readonly parse: (text: string) => unknown
}

/** Execute reads all rows of a portal. */
const ALL_ROWS = null

const printedElement = (value: unknown): string | undefined => {
  if (value === null || value === undefined) return "NULL"
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  return typeof value === "string" ? `"${value.replace(/["\\]/g, "\\$&")}"` : undefined
}

/** A value in PostgreSQL's text format; none for values that are neither plain nor lists of plain ones. */
const printedValue = (value: unknown): string | null | undefined => {
  if (typeof value === "string") return value
  if (value === null || value === undefined) return null
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  if (!Array.isArray(value)) return undefined
  const elements = value.map(printedElement)
  return elements.includes(undefined) ? undefined : `{${elements.join()}}`
}

/** Values in PostgreSQL's text format, if all can be printed here. */
export const printed = (values: ReadonlyArray<unknown>): Array<string | null> | undefined => {
  const texts: Array<string | null> = []
  for (const value of values) {
    const text = printedValue(value)
    if (text === undefined) return undefined
    texts.push(text)
  }
  return texts
}

/** Statements that share one Sync; the driver calls the methods. */
export class PipelinedQuery implements Pg.Submittable {
  readonly #statements: ReadonlyArray<PreparedStatement>
  readonly #types: Pg.CustomTypesConfig
  readonly #results: Array<StatementResult> = []
  #columns: ReadonlyArray<Column> = []
  #rows: Array<object> = []
  /** WHY public: the driver replaces it when a query times out. */
  callback: Done

  constructor(
    statements: ReadonlyArray<PreparedStatement>,
    options: { readonly types: Pg.CustomTypesConfig; readonly done: Done }
  ) {
    this.#statements = statements
    this.#types = options.types
    this.callback = options.done
  }

  submit(connection: Pg.Connection): void {
    connection.stream.cork()
    for (const { name, values } of this.#statements) {
      connection.bind({ statement: name, values }, true)
      connection.describe({ type: "P" }, true)
      connection.execute(ALL_ROWS, true)
    }
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { readonly fields: ReadonlyArray<Pg.FieldDef> }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.#types.getTypeParser(dataTypeID, "text")
    }))
  }

  handleDataRow({ fields }: { readonly fields: ReadonlyArray<string | null> }): void {
    const values = this.#columns.map(({ name, parse }, index): [string, unknown] => {
      const text = fields[index] ?? null
      return [name, text === null ? null : parse(text)]
    })
    this.#rows.push(Object.fromEntries(values))
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#results.push({ command: text.split(" ", 1)[0] ?? "", rows: this.#rows })
    this.#rows = []
    this.#columns = []
  }

  handleError(error: Error): void {
    this.callback(error, [])
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#results)
  }
}
