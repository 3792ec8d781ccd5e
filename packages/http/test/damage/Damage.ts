/** How rows are damaged as the owner of the database, and what lists then show. */
import { Effect, Option } from "effect"
import { assert } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import type { CallOptions, TestServer } from "../shared/TestServer.js"

/** A list, and how one of its rows is damaged: a column, its type, and a value that cannot be decoded. */
export interface Case {
  readonly table: string
  readonly column: string
  readonly type: "jsonb" | "json" | "text" | "int8" | "bytea"
  readonly bad: string
  readonly where?: string
  readonly path?: { readonly [name: string]: string }
  readonly query?: string
  /** The name of the repository whose id the path has. */
  readonly repo?: string
}

/** A damaged column of JSON. */
export const json = (table: string, column: string, more: Partial<Case> = {}): Case => ({
  table,
  column,
  type: "jsonb",
  bad: "1",
  ...more
})
/** A damaged column of text. */
export const text = (table: string, column: string, more: Partial<Case> = {}): Case => ({
  table,
  column,
  type: "text",
  bad: "?",
  ...more
})

/** The flow that lists are of. */
export const flow = { flow_name: "shop" }
/** The environment that lists are of. */
export const prod = { env_name: "prod" }

/** Entries of a trail. */
export const ofTrail = "subject_id = (select trail_id from attestry.trail where name = 't1')"
/** Entries of a policy. */
export const ofPolicy =
  "subject_id = (select policy_id from attestry.policy where name = 'policy-c1')"

/** How an entry of the journal is damaged. */
export const ENTRIES: { readonly [damage: string]: Case } = {
  "is no text": { table: "journal", column: "content", type: "bytea", bad: "\\xff" },
  "is no JSON": { table: "journal", column: "content", type: "bytea", bad: "\\x7b" },
  "names no actor": text("journal", "actor_kind"),
  "is of no time": text("journal", "at", { type: "int8", bad: "9223372036854775807" })
}

/** The id of a repository. */
export const repoIdOf = async ({ call }: TestServer, name: string): Promise<string> =>
  ((await call(`GET /repos/{org}/${name}`)).body as { readonly id: string }).id

/** The items of a response: the response itself, or its one array. */
export const itemsOf = (body: unknown): ReadonlyArray<unknown> =>
  (Array.isArray(body) ? body : Object.values(body as object).find(Array.isArray)) ?? []

/** Whether an item stands for a damaged record. */
export const isPlaceholder = (item: unknown): boolean =>
  typeof item === "object" && item !== null && "damaged_record" in item

/** Members that grow while time passes. */
const GROWING = ["duration", "seconds"]

/** The items without fields that depend on the clock, in a fixed order. */
export const sorted = (items: ReadonlyArray<unknown>) =>
  items
    .map((item) => JSON.stringify(item, (name, value) => (GROWING.includes(name) ? 0 : value)))
    .sort()

/** Damages rows of a server, and reads its lists. */
export const damageOf = ({ call, run }: TestServer) => {
  /** Damages one row as the owner of the database; returns the repair, or nothing in memory. */
  const damage = ({ table, column, type, bad, where = "true" }: Case) =>
    run(
      Effect.gen(function* () {
        const database = yield* Effect.serviceOption(TestDatabase)
        if (Option.isNone(database)) return undefined
        const { query } = database.value
        const at = `attestry.${table} where ctid = (select ctid from attestry.${table}
          where ${where} order by ${column}::text limit 1)`
        const [row] = yield* query(`select ${column}::text as value from ${at}`)
        yield* query(`update ${at.replace(" where", ` set ${column} = '${bad}'::${type} where`)}`)
        const mend = query(
          `update attestry.${table} set ${column} = $1::text::${type} where ${column}::text = $2`,
          [row?.value, bad]
        )
        // WHY: a failure to damage or repair the database is a defect of the test.
        return () => run(Effect.orDie(mend))
      }).pipe(Effect.orDie)
    )
  const list = async (operation: string, options: CallOptions) => {
    const { status, body } = await call(operation, options)
    assert.strictEqual(status, 200, `${operation} ${JSON.stringify(body)}`)
    // The use of a key is written later, also while the list is read.
    return itemsOf(
      JSON.parse(JSON.stringify(body, (name, value) => (name === "last_used_at" ? null : value)))
    )
  }
  return { damage, list }
}
