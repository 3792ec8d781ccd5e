/**
 * Prepared statements that are sent together and answered together.
 *
 * PostgreSQL runs them in order, and after one that fails it passes over the rest, up to the one mark for the
 * end that follows the last of them. INVARIANT: each has been prepared on the connection before.
 */
import * as Pg from "pg"
import type { Answer } from "../../shared/Pipeline.js"

/** A statement that has been prepared under this name, with its values. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** Is told why they failed, or what each of them answered. */
export type Done = (error: Error | null, answers?: ReadonlyArray<Answer>) => void

type Parser = (text: string) => unknown

interface Column {
  readonly name: string
  readonly parse: Parser
}

/** To the end, and not only some rows. */
const WHOLE = null

/** Values as the driver prints them, where they are plain, as nearly all are; it takes its time for others. */
const printed = (values: ReadonlyArray<unknown>): Array<string | null> | undefined => {
  const texts: Array<string | null> = []
  for (const value of values) {
    if (typeof value === "string") texts.push(value)
    else if (value === null || value === undefined) texts.push(null)
    else if (typeof value === "number" || typeof value === "boolean") texts.push(String(value))
    else return undefined
  }
  return texts
}

/** A query of its own kind, by the protocol that the driver speaks with those. */
export class PipelinedQuery implements Pg.Submittable {
  readonly #steps: ReadonlyArray<PreparedStatement>
  readonly #types: Pg.CustomTypesConfig
  readonly #answers: Array<Answer> = []
  #columns: ReadonlyArray<Column> = []
  #rows: Array<object> = []
  #failure: Error | undefined
  callback: Done

  constructor(
    steps: ReadonlyArray<PreparedStatement>,
    options: { readonly types: Pg.CustomTypesConfig; readonly done: Done }
  ) {
    this.#steps = steps
    this.#types = options.types
    this.callback = options.done
  }

  submit(connection: Pg.Connection): void {
    connection.stream.cork()
    for (const step of this.#steps) {
      const values = printed(step.values)
      if (values === undefined) this.#write(connection, step)
      else {
        connection.bind({ statement: step.name, values }, true)
        connection.describe({ type: "P" }, true)
        connection.execute(WHOLE, true)
      }
      // WHY: what cannot be written must not be followed by a commit.
      if (this.#failure !== undefined) break
    }
    connection.sync()
    connection.stream.uncork()
  }

  /**
   * Lets the driver's own query print values that we do not.
   *
   * WHY: it writes a statement with its values and then a mark for the end, and would forget the statement on
   * the server, but not here, when its values cannot be written.
   */
  #write(connection: Pg.Connection, { name, text, values }: PreparedStatement): void {
    const nothing = { value: () => {} }
    const open: Pg.Connection = Object.create(connection, { sync: nothing, close: nothing })
    const failed = (error: Error | undefined) => {
      this.#failure ??= error
    }
    const refused: unknown = new Pg.Query({ name, text, values: [...values] }, failed).submit(open)
    if (refused instanceof Error) failed(refused)
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
    this.#answers.push({ command: text.split(" ", 1)[0] ?? "", rows: this.#rows })
    this.#rows = []
    this.#columns = []
  }

  handleError(error: Error): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    if (this.#failure === undefined) this.callback(null, this.#answers)
    else this.callback(this.#failure)
  }
}
