/** A database on the PostgreSQL that the test run shares, for tests that need neither a cluster nor an empty folder. */
import { randomBytes } from "node:crypto"
import { inject } from "vitest"
import { execute, withDatabase } from "../../../sql-store/test/shared/PgServer.js"

/** The settings of a server on a new database, migrated unless it is `empty`; the database is dropped at the end. */
export const onDatabase = async <A>(
  use: (env: {
    readonly ATTESTRY_STORE: string
    readonly ATTESTRY_DATABASE_URL: string
  }) => Promise<A>,
  { empty = false }: { readonly empty?: boolean } = {}
): Promise<A> => {
  const { template, url } = inject("postgres")
  const name = `attestry_test_${randomBytes(6).toString("hex")}`
  await execute(url, `create database ${name}${empty ? "" : ` template ${template}`}`)
  try {
    return await use({
      ATTESTRY_STORE: "postgres",
      ATTESTRY_DATABASE_URL: withDatabase(url, name)
    })
  } finally {
    await execute(url, `drop database ${name} with (force)`)
  }
}
