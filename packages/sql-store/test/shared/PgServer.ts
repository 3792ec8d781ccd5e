/** The server that a test run shares: its address, and the database to copy. */
import pg from "pg"

/** What test files get of the server. */
export interface ProvidedPostgres {
  /** Opens the server as a role that may create databases. */
  readonly url: string
  /** The name of the migrated database to copy. */
  readonly template: string
}

declare module "vitest" {
  interface ProvidedContext {
    readonly postgres: ProvidedPostgres
  }
}

/** The same address with another database. */
export const withDatabase = (url: string, database: string): string =>
  url.replace(/^([a-z]+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${database}`)

/** Runs one statement on a connection of its own. */
export const execute = async (url: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
