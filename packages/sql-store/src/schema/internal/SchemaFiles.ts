/**
 * Reads the SQL of `schema/`, which is published beside the code.
 *
 * `schema/` is the schema as it is now. `schema/migrations/` has the changes since the first release, for databases
 * that exist; a new database needs none of them.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** A change of the schema. Numbers begin with 2: number 1 is the schema of the first release. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
}

/** The SQL for a new database, and the changes that bring an existing one to the same schema. */
export interface SchemaFiles {
  readonly schema: ReadonlyArray<string>
  readonly migrations: ReadonlyArray<Migration>
}

const ROOT = fileURLToPath(new URL("../../../schema/", import.meta.url))

/** The files of a folder in order; none where the folder is absent, as that of migrations before the second release. */
const filesOf = (folder: string): ReadonlyArray<string> =>
  existsSync(`${ROOT}${folder}`)
    ? readdirSync(`${ROOT}${folder}`)
        .filter((name) => name.endsWith(".sql"))
        .sort()
    : []

const textOf = (path: string): string => readFileSync(`${ROOT}${path}`, "utf8")

/** Migrations are named `0002_what_changes.sql`. */
const migrationOf = (file: string): Migration => ({
  number: Number.parseInt(file, 10),
  name: file.replace(/^\d+_|\.sql$/g, ""),
  sql: textOf(`migrations/${file}`)
})

/** Reads every file. Functions come after tables, whose rows they use as types. */
export const read = (): SchemaFiles => ({
  schema: [
    ...filesOf("tables").map((file) => textOf(`tables/${file}`)),
    ...filesOf("functions").map((file) => textOf(`functions/${file}`)),
    ...["policies.sql", "grants.sql", "statistics.sql", "autovacuum.sql"].map(textOf)
  ],
  migrations: filesOf("migrations").map(migrationOf)
})
