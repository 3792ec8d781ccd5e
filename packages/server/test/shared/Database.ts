/** Databases on the PostgreSQL of the test run, for tests that need no cluster of their own. */
import { randomBytes } from "node:crypto"
import { inject } from "vitest"
import { execute, withDatabase } from "../../../sql-store/test/shared/PgServer.js"

/** A new database, migrated unless it is `empty`. */
export const create = async ({ empty = false }: { readonly empty?: boolean } = {}) => {
  const { template, url } = inject("postgres")
  const name = `attestry_test_${randomBytes(6).toString("hex")}`
  await execute(url, `create database ${name}${empty ? "" : ` template ${template}`}`)
  return {
    url: withDatabase(url, name),
    drop: () => execute(url, `drop database ${name} with (force)`)
  }
}

/** The settings of a server on a new database, which is dropped at the end. */
export const onDatabase = async <A>(
  use: (env: {
    readonly ATTESTRY_STORE: string
    readonly ATTESTRY_DATABASE_URL: string
  }) => Promise<A>,
  options: { readonly empty?: boolean } = {}
): Promise<A> => {
  const { drop, url } = await create(options)
  try {
    return await use({ ATTESTRY_STORE: "postgres", ATTESTRY_DATABASE_URL: url })
  } finally {
    await drop()
  }
}
