/**
 * Every port on a fresh database whose statements report what they read.
 *
 * `auto_explain` sends the executed plan of each statement, those inside functions included, as a notice of the
 * connection. Autovacuum is off, so the planner has the statistics that a test gives it, and none otherwise.
 */
import type { Ports } from "@attestry/core/Ports"
import type { StoreError } from "@attestry/core/StoreError"
import * as Reactivity from "@effect/experimental/Reactivity"
import { Context, Effect, Layer, Predicate, Redacted } from "effect"
import * as PgDriver from "../../src/pg/internal/PgDriver.js"
import * as ServerWatch from "../../src/pg/internal/ServerWatch.js"
import * as SessionSettings from "../../src/pg/internal/SessionSettings.js"
import { WatchedPool } from "../../src/pg/internal/WatchedPool.js"
import * as SqlStore from "../../src/SqlStore.js"
import * as PgLayer from "../shared/PgLayer.js"

/** What a piece of work made the database read. */
export interface Reading {
  /** Rows that plan nodes produced or threw away. */
  readonly tuples: number
  /** Rows that plan nodes read to count them, in an aggregate without groups. */
  readonly counted: number
  /** The plan of the statement that read most, for the message of a failed test. */
  readonly worst: string
  /** How many statements there were, without those that name the org and those inside of functions. */
  readonly statements: number
  /** The plans that PostgreSQL compiles by default, or would in a version that it counts by cost. */
  readonly dear: ReadonlyArray<string>
}

/** How a statement with parameters is planned: for its values, or once for all values. */
export type PlanMode = "force_custom_plan" | "force_generic_plan"

/** Measures what effects read. */
export class Explained extends Context.Tag("@attestry/sql-store/test/Explained")<
  Explained,
  {
    readonly reading: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<Reading, E, R>
  }
>() {}

const SETUP = (mode: PlanMode) => `load 'auto_explain';
  set auto_explain.log_min_duration to 0;
  set auto_explain.log_analyze to on;
  set auto_explain.log_timing to off;
  set auto_explain.log_nested_statements to on;
  set auto_explain.log_format to json;
  set auto_explain.log_level to notice;
  set plan_cache_mode to ${mode};
  ${SessionSettings.APPLICATION}`

const numberAt = (node: object, key: string): number =>
  Predicate.hasProperty(node, key) ? Number(node[key]) : 0

const REMOVED = [
  "Rows Removed by Filter",
  "Rows Removed by Join Filter",
  "Rows Removed by Index Recheck"
] as const

/** A node that only feeds a count: its rows cost an index entry each, and go nowhere. */
const isCount = (node: object): boolean =>
  Predicate.hasProperty(node, "Node Type") &&
  node["Node Type"] === "Aggregate" &&
  Predicate.hasProperty(node, "Strategy") &&
  node.Strategy === "Plain" &&
  Predicate.hasProperty(node, "Subplan Name")

interface Sum {
  tuples: number
  counted: number
}

const addNode = (sum: Sum, node: unknown, isCounting: boolean): void => {
  if (!Predicate.isRecord(node)) return
  const loops = Math.max(1, numberAt(node, "Actual Loops"))
  const own = REMOVED.reduce(
    (rows, key) => rows + numberAt(node, key),
    numberAt(node, "Actual Rows")
  )
  if (isCounting) sum.counted += own * loops
  else sum.tuples += own * loops
  const children: unknown = node.Plans
  if (!Array.isArray(children)) return
  for (const child of children) addNode(sum, child, isCounting || isCount(node))
}

/** The cost above which PostgreSQL compiles a statement by default (`jit_above_cost`). */
const COMPILED_ABOVE = 100_000

/**
 * Whether PostgreSQL compiles a statement by default. WHY also steps that are switched off: up to PostgreSQL 17 each
 * adds ten thousand million to the cost, and later versions name them instead.
 */
const isDear = (root: unknown, text: string): boolean =>
  Predicate.isRecord(root) &&
  (numberAt(root, "Total Cost") >= COMPILED_ABOVE || /"Disabled": true|"JIT":/.test(text))

/** Adds up plans as `auto_explain` tells them. */
const readingOf = (notices: ReadonlyArray<string>): Reading => {
  let worst = { text: "", tuples: -1 }
  const total: Sum = { tuples: 0, counted: 0 }
  const dear: Array<string> = []
  for (const text of notices) {
    const sum: Sum = { tuples: 0, counted: 0 }
    const plan: unknown = JSON.parse(text.slice(text.indexOf("{")))
    const root = Predicate.isRecord(plan) ? plan.Plan : undefined
    addNode(sum, root, false)
    if (isDear(root, text)) dear.push(text)
    total.tuples += sum.tuples
    total.counted += sum.counted
    if (sum.tuples > worst.tuples) worst = { text, tuples: sum.tuples }
  }
  const statements = notices.filter(
    (text) => !/set_config\(| = named\b|flow_change_counter/.test(text)
  ).length
  return { ...total, worst: worst.text, statements, dear }
}

const pool = (url: Redacted.Redacted<string>, mode: PlanMode, notices: Array<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const watch = ServerWatch.make(async () => undefined)
      const made = new WatchedPool({
        connectionString: Redacted.value(url),
        max: 2,
        types: PgDriver.TYPES,
        setup: SETUP(mode),
        watch
      })
      made.on("connect", (client) => {
        client.on("notice", ({ message }) => {
          if (message?.includes("plan:") === true) notices.push(message)
        })
      })
      return { made, watch }
    }),
    ({ made, watch }) =>
      Effect.promise(async () => {
        await made.end()
        watch.close()
      })
  )

const client = (mode: PlanMode) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const { url } = yield* PgLayer.TestDatabase
      const notices: Array<string> = []
      const { made, watch } = yield* pool(url, mode, notices)
      const driver = yield* PgDriver.make({ pool: made, canceller: made, watch })
      return driver.pipe(
        Context.add(Explained, {
          reading: (work) =>
            Effect.gen(function* () {
              notices.length = 0
              yield* work
              return readingOf(notices)
            })
        })
      )
    })
  ).pipe(Layer.provide(Reactivity.layer))

/** Every port on a database, and what its statements read. */
export const layer = (
  mode: PlanMode
): Layer.Layer<Ports | Explained, StoreError, PgLayer.TestDatabase> =>
  SqlStore.layer.pipe(Layer.provideMerge(client(mode)))

const NO_AUTOVACUUM = `do $$ declare t text; begin
  for t in select tablename from pg_tables where schemaname = 'attestry' loop
    execute format('alter table attestry.%I set (autovacuum_enabled = off)', t);
  end loop; end $$`

/** A fresh database without statistics, and ports to fill it with: autovacuum is off before the first row. */
export const layerOn = (database: Layer.Layer<PgLayer.TestDatabase>) =>
  Layer.tap(PgLayer.layerFrom(database, {}), (context) =>
    // WHY: a database that cannot be prepared fails the test.
    Effect.orDie(Context.get(context, PgLayer.TestDatabase).query(NO_AUTOVACUUM))
  )

/** The same of the server that tests share. */
export const layerDatabase = layerOn(PgLayer.layerDatabase)

const run = (text: string) => Effect.flatMap(PgLayer.TestDatabase, ({ query }) => query(text))

/** Gathers statistics about every table. */
export const analyze = run("analyze")

const OURS = "select oid from pg_class where relnamespace = 'attestry'::regnamespace"

/** Leaves the database as one that never was analyzed. */
export const forgetStatistics = Effect.zipRight(
  run(`delete from pg_statistic where starelid in (${OURS})`),
  run(`update pg_class set relpages = 0, reltuples = -1, relallvisible = 0
    where relkind = 'r' and oid in (${OURS})`)
)
