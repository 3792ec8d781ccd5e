/**
 * Lets every statement with parameters be parsed and planned once per connection.
 *
 * WHY: `@effect/sql-pg` sends each without a name, and PostgreSQL then parses and plans it each time, which
 * costs more than running it. Our statements are written, not composed of data, so there are few texts.
 */
import * as Predicate from "effect/Predicate"
import * as Pg from "pg"
import type { ServerWatch } from "./ServerWatch.js"
import { backendOf, breakOff } from "./WatchedClient.js"

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

/** Whether the server has said something, be it an error; what else fails is the way to it. */
const isAnswer = (error: unknown): boolean =>
  !(error instanceof Error) || error instanceof Pg.DatabaseError

/** What becomes of the statements of a connection. */
export interface Preparing {
  readonly nameOf: ReturnType<typeof makeNames>
  readonly watch: ServerWatch
}

/**
 * Makes a connection name the statements that come as text and parameters, others pass as they are; and has
 * it watched while they are not answered.
 */
export const prepare = (client: Pg.ClientBase, { nameOf, watch }: Preparing): void => {
  const query: (...call: ReadonlyArray<unknown>) => unknown = client.query.bind(client)
  const fail = () => breakOff(client)
  const send = (text: unknown, values: unknown, done: Callback | undefined): unknown => {
    const name =
      typeof text === "string" && Array.isArray(values) && values.length > 0
        ? nameOf(text)
        : undefined
    return name === undefined ? query(text, values, done) : query({ name, text, values }, done)
  }
  const watched = (text: unknown, values: unknown, done: Callback | undefined): unknown => {
    // What comes as a query of its own answers in pieces, and is watched by whoever reads them.
    if (Predicate.hasProperty(text, "submit")) return query(text, values, done)
    const over = watch.begin({ backend: backendOf(client), fail })
    if (done !== undefined)
      return send(text, values, (error, result) => {
        over(isAnswer(error))
        done(error, result)
      })
    const answer = send(text, values, undefined)
    if (answer instanceof Promise)
      answer.then(
        () => over(true),
        (error) => over(isAnswer(error))
      )
    else over(false)
    return answer
  }
  Object.assign(client, { query: watched })
}
