/**
 * Lets every statement with parameters be parsed and planned once per connection, and several that have been
 * go in one round trip.
 *
 * WHY: `@effect/sql-pg` sends each without a name, and PostgreSQL then parses and plans it each time, which
 * costs more than running it. Our statements are written, not composed of data, so there are few texts.
 */
import type { SqlError } from "@effect/sql/SqlError"
import type * as Effect from "effect/Effect"
import type * as Pg from "pg"
import * as Pipeline from "../../shared/Pipeline.js"
import { type Done, PipelinedQuery, type PreparedStatement } from "./PipelinedQuery.js"

/** Texts beyond this many are sent without a name, so that nothing grows without bound. */
const NAMED_MAX = 1_000

type Callback = (error: Error | null, result?: unknown) => void

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

/** Several statements in the place of a text. */
class Steps {
  constructor(readonly steps: ReadonlyArray<Pipeline.PipelinedStatement>) {}
}

/** Runs several statements on a connection of a client whose connections were prepared. */
export const run: Pipeline.Run = (connection, steps) =>
  // WHY: the client hands over to the driver whatever it was given, and `prepare` knows what to do with it;
  // this way a caller that goes away cancels them as it does any statement.
  connection.executeRaw(new Steps(steps) as unknown as string, []) as unknown as Effect.Effect<
    ReadonlyArray<Pipeline.Answer>,
    SqlError
  >

/** How statements are named, and their answers read. */
export interface PreparedOptions {
  readonly nameOf: ReturnType<typeof makeNames>
  readonly types: Pg.CustomTypesConfig
}

/** Makes a connection name the statements that come as text and parameters; others pass as they are. */
export const prepare = (client: Pg.ClientBase, { nameOf, types }: PreparedOptions): void => {
  const query: (...call: ReadonlyArray<unknown>) => unknown = client.query.bind(client)
  /** Names of statements that have been run on this connection, and are therefore prepared. */
  const prepared = new Set<string>()

  const namedOf = ({
    text,
    values
  }: Pipeline.PipelinedStatement): PreparedStatement | undefined => {
    const name = nameOf(text)
    return name === undefined ? undefined : { name, text, values }
  }

  // WHY not in one go the first time: were one to fail, nobody would know which have been prepared.
  const inTurn = (
    steps: ReadonlyArray<Pipeline.PipelinedStatement>,
    done: Done,
    before: ReadonlyArray<Pipeline.Answer> = []
  ): void => {
    const [step, ...rest] = steps
    if (step === undefined) {
      done(null, before)
      return
    }
    const named = namedOf(step)
    query(named ?? step, (error: Error | null, result: unknown) => {
      if (named !== undefined && !error) prepared.add(named.name)
      if (error) done(error)
      else inTurn(rest, done, [...before, Pipeline.answerOf(result)])
    })
  }

  const together = (steps: ReadonlyArray<Pipeline.PipelinedStatement>, done: Done): unknown => {
    const known = steps.flatMap((step) => {
      const named = namedOf(step)
      return named !== undefined && prepared.has(named.name) ? [named] : []
    })
    return known.length === steps.length
      ? query(new PipelinedQuery(known, { types, done }))
      : inTurn(steps, done)
  }

  const named = (text: unknown, values: unknown, done: Callback): unknown => {
    if (text instanceof Steps) return together(text.steps, done)
    const name =
      typeof text === "string" && Array.isArray(values) && values.length > 0
        ? nameOf(text)
        : undefined
    return name === undefined ? query(text, values, done) : query({ name, text, values }, done)
  }
  Object.assign(client, { query: named })
}
