/**
 * Lets every statement with parameters be parsed and planned once per connection.
 *
 * WHY: `@effect/sql-pg` sends each without a name, and PostgreSQL then parses and plans it each time, which
 * costs more than running it. Our statements are written, not composed of data, so there are few texts.
 */
import type * as Pg from "pg"

/** Texts beyond this many are sent without a name, so that nothing grows without bound. */
const NAMED_MAX = 1_000

type Callback = (error: Error, result: Pg.QueryResult) => void

/** Gives each text a name of its own; equal texts have equal names on every connection. */
export const makeNames = (): ((text: string) => string | undefined) => {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= NAMED_MAX) return known
    const name = `attestry_${names.size}`
    names.set(text, name)
    return name
  }
}

/** Makes a connection name the statements that come as text and parameters; others pass as they are. */
export const prepare = (client: Pg.ClientBase, nameOf: ReturnType<typeof makeNames>): void => {
  const query: (...call: ReadonlyArray<unknown>) => unknown = client.query.bind(client)
  const named = (text: unknown, values: unknown, done: Callback | undefined): unknown => {
    const name =
      typeof text === "string" && Array.isArray(values) && values.length > 0
        ? nameOf(text)
        : undefined
    return name === undefined ? query(text, values, done) : query({ name, text, values }, done)
  }
  Object.assign(client, { query: named })
}
