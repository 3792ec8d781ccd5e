/** The server that a test run shares: its address, and the database to copy. */
import pg from "pg"

/** What test files get of the server. */
export interface ProvidedPostgres {
  /** Opens the server as a role that may create databases. */
  readonly url: string
  /** The name of the migrated database to copy. */
  readonly template: string
  /** A role without privileges, and its migrated database: the first test that needs it makes both. */
  readonly plainOwner: string
}

declare module "vitest" {
  interface ProvidedContext {
    readonly postgres: ProvidedPostgres
  }
}

/** The same address with another database. */
export const withDatabase = (url: string, database: string): string =>
  url.replace(/^([a-z]+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${database}`)

/** Does something with a connection of its own. */
export const withClient = async <A>(
  url: string,
  work: (client: pg.Client) => Promise<A>
): Promise<A> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return work(client).finally(() => client.end())
}

/** Runs one statement on a connection of its own. */
export const execute = (url: string, statement: string): Promise<void> =>
  withClient(url, async (client) => {
    await client.query(statement)
  })
