/** Has the statements of a connection watched for as long as they are not answered. P-DB, DECISION B-79 */
import * as Predicate from "effect/Predicate"
import * as Pg from "pg"
import type { ServerWatch } from "./ServerWatch.js"
import { backendOf, breakOff } from "./WatchedClient.js"

type Callback = (error: Error | null, result?: unknown) => void

/** Whether the server has said something, be it an error; what else fails is the way to it. */
const isAnswer = (error: unknown): boolean =>
  !(error instanceof Error) || error instanceof Pg.DatabaseError

/** Makes a connection begin to be watched with each statement, and break off when it is found silent. */
export const watch = (client: Pg.ClientBase, server: ServerWatch): void => {
  const query: (...call: ReadonlyArray<unknown>) => unknown = client.query.bind(client)
  const fail = () => breakOff(client)
  const watched = (text: unknown, values?: unknown, done?: Callback): unknown => {
    // What comes as a query of its own answers in pieces, and is watched by whoever reads them.
    if (Predicate.hasProperty(text, "submit")) return query(text, values, done)
    const over = server.begin({ backend: backendOf(client), fail })
    if (done !== undefined)
      return query(text, values, (error: Error | null, result?: unknown) => {
        over(isAnswer(error))
        done(error, result)
      })
    const answer = query(text, values, undefined)
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
