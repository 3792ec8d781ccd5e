/** What the tables of a server have, for tests that look behind its operations. */
import { Effect, Option } from "effect"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import type { TestServer } from "./TestServer.js"

/** Asks the database of a server as its owner; a server in memory has no rows. */
export const queryOf =
  ({ run }: TestServer) =>
  (statement: string, parameters: ReadonlyArray<unknown> = []) =>
    run(
      Effect.flatMap(
        Effect.serviceOption(TestDatabase),
        Option.match({
          onNone: () => Effect.succeed([]),
          onSome: ({ query }) => query(statement, [...parameters])
        })
      )
    )
