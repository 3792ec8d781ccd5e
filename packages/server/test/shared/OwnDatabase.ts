/** A PostgreSQL of one test, which may be killed. It starts itself again, with what it had written. */
import { join } from "node:path"
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import { Effect, Logger, LogLevel, ManagedRuntime, Redacted } from "effect"
import * as ServerFixture from "../../../embedded-postgres/test/ServerFixture.js"

/** A running database. */
export interface OwnDatabase {
  readonly url: string
  /** Kills the postmaster, and waits until the database answers again. */
  readonly kill: () => Promise<void>
  readonly query: (text: string) => Promise<ReadonlyArray<Record<string, unknown>>>
  readonly stop: () => Promise<void>
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Starts a database in a folder that does not exist yet. */
export const start = async (folder: string): Promise<OwnDatabase> => {
  const dataDir = join(folder, "database")
  const runtime = ManagedRuntime.make(EmbeddedPostgres.layer({ dataDir }))
  const quiet = Logger.withMinimumLogLevel(LogLevel.None)
  const server = await runtime.runPromise(quiet(EmbeddedPostgres.EmbeddedPostgres))
  const url = Redacted.value(server.url)
  const query = (text: string) =>
    Effect.runPromise(ServerFixture.query(server.connection, text).pipe(quiet))
  const postmaster = () => Effect.runPromise(ServerFixture.postmasterIn(dataDir))
  const kill = async () => {
    const before = await postmaster()
    process.kill(before, "SIGKILL")
    for (let tries = 0; tries < 1_200; tries++) {
      await pause(50)
      const isBack = (await postmaster()) !== before
      if (
        isBack &&
        (await query("select 1").then(
          () => true,
          () => false
        ))
      )
        return
    }
    throw new Error("the database did not come back")
  }
  return { url, kill, query, stop: () => runtime.dispose() }
}
