/** A connection of the owner for archives. It has no time limit. */
import type { OrgName } from "@attestry/core/Identifier"
import { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import pg from "pg"
import { from as copyFrom, to as copyTo } from "pg-copy-streams"
import * as Migrations from "../../../Migrations.js"
import * as SessionSettings from "../SessionSettings.js"

/** A failure of the database. */
export const failed = (operation: string, cause: unknown): StoreError =>
  new StoreError({ operation, cause })

/** Does something with the database. Every failure is one of the store. */
export const attempt = <A>(operation: string, work: () => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: (cause) => failed(operation, cause) })

/** A connection that is closed with the scope; a transaction that is open then is undone. */
export const open = (
  url: Redacted.Redacted<string>
): Effect.Effect<pg.Client, StoreError, Scope.Scope> =>
  Effect.acquireRelease(
    attempt("connect", async () => {
      const client = new pg.Client({
        connectionString: Redacted.value(url),
        application_name: "attestry-archive"
      })
      // WHY: the statement that runs fails too; without a listener the event would end the process.
      client.on("error", () => undefined)
      await client.connect()
      await client.query(SessionSettings.SESSION)
      return client
    }),
    (client) => Effect.promise(() => client.end().catch(() => undefined))
  )

/** What an archive must know of a database. */
export interface DatabaseFacts {
  readonly cluster: string
  readonly migration: number
  /** The oldest transaction that has not ended. */
  readonly seen: string
  /** Microseconds since 1970. */
  readonly now: string
}

/** The facts of the database, and of the snapshot of the transaction. */
export const facts = async (client: pg.Client): Promise<DatabaseFacts> => {
  const { rows } = await client.query<Omit<DatabaseFacts, "migration"> & { migration: string }>(
    `select (select system_identifier::text from pg_control_system()) as cluster,
      (select max(migration_id)::text from ${Migrations.TABLE}) as migration,
      pg_snapshot_xmin(pg_current_snapshot())::text as seen,
      (extract(epoch from clock_timestamp()) * 1000000)::int8::text as now`
  )
  const [found] = rows
  if (found === undefined) throw new Error("the database answers nothing about itself")
  return { ...found, migration: Number(found.migration) }
}

/** The id of an org; undefined if there is no org of that name. */
export const orgNamed = async (client: pg.Client, name: OrgName): Promise<string | undefined> => {
  const { rows } = await client.query<{ org_id: string }>(
    "select org_id from org where name = $1",
    [name]
  )
  return rows[0]?.org_id
}

/** Row-level security shows the rows of this org, until the transaction ends. */
export const enterOrg = (client: pg.Client, org: string) =>
  client.query("select set_config('attestry.org_id', $1, true)", [org])

/** The last numbers of the sequences of the schema. */
export const sequences = async (client: pg.Client): Promise<Readonly<Record<string, string>>> => {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select sequencename::text as name, coalesce(last_value, 0)::text as last
      from pg_sequences where schemaname = current_schema() order by sequencename`
  )
  return Object.fromEntries(rows.map(({ last, name }) => [name, last]))
}

/** Runs a statement about a table, whose names are of the catalog and quoted. */
export const onTable = <Row extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  values: ReadonlyArray<unknown> = []
): Promise<pg.QueryResult<Row>> => client.query<Row>(text, [...values])

/** Runs `COPY … TO STDOUT`; no value can be bound in it. */
export const copyOut = (client: pg.Client, text: string) => client.query(copyTo(text))

/** Runs `COPY … FROM STDIN`. */
export const copyIn = (client: pg.Client, text: string) => client.query(copyFrom(text))
