/** Migrating histories that are older than the tables derived from them: nothing is missing afterwards. */
import { ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as Generated from "@attestry/core/testing/Snapshot"
import * as SqlClient from "@effect/sql/SqlClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { snapshotHistory } from "../src/migrations/0062_snapshot_history.js"
import * as PgLayer from "./shared/PgLayer.js"

/** Lets an owner that is no superuser see every org, or no longer. */
const force = (word: "force" | "no force") =>
  Effect.flatMap(PgLayer.TestDatabase, ({ query }) =>
    Effect.forEach(["snapshot", "snapshot_event", "exposure"], (table) =>
      query(`alter table attestry.${table} ${word} row level security`)
    )
  )

/** Everything that the migration makes of histories. */
const told = Effect.gen(function* () {
  const { query } = yield* PgLayer.TestDatabase
  return {
    runs: yield* query(`select org_id, fingerprint, environment_id, started_index, exited_index
      from attestry.fingerprint_run order by 1, 2, 3, 4`),
    events: yield* query(`select environment_id, index, position, bucket, row_no, type, was, now,
        arrived, member_id
      from attestry.snapshot_event where member_id is not null order by 1, 2, 3`),
    heads: yield* query(`select environment_id, index, bucket, changes, events_total
      from attestry.snapshot order by 1, 2`)
  }
})

/** Two members with long histories, and a logical environment that follows them and loses one. */
const fill = Effect.gen(function* () {
  const store = yield* SnapshotStore
  const org = yield* Fixture.org
  const [east, west] = [
    yield* Fixture.environment(org, "east"),
    yield* Fixture.environment(org, "west")
  ]
  const group = { ...(yield* Fixture.newEnvironment(org, "all")), included: [east.id, west.id] }
  yield* (yield* EnvironmentStore).insert({ ...group, type: "logical" })
  const [one = [], two = []] = FastCheck.sample(Generated.restlessHistory(80), {
    numRuns: 2,
    seed: 3
  })
  for (const [at, { draft }] of one.entries()) {
    yield* store.append(ref(east), draft)
    const other = two[at]
    if (other !== undefined) yield* store.append(ref(west), other.draft)
    const members = [
      { environment_id: east.id, index: at + 1 },
      ...(at % 7 === 6 ? [] : [{ environment_id: west.id, index: at + 1 }])
    ]
    yield* store.appendLogical(ref(group), {
      index: at + 1,
      timestamp: Timestamp.plusSeconds(Fixture.AT, at),
      verdict: "Unknown",
      counts: { true: 0, false: 0, null: 0 },
      policies: [],
      members,
      semantics: 1
    })
  }
})

/** Takes away what the migration made, as a database has it that was written before. */
const undo = Effect.gen(function* () {
  const { query } = yield* PgLayer.TestDatabase
  yield* query(`delete from attestry.snapshot_event where member_id is not null;
    update attestry.snapshot set events_total = 0, bucket = 0, changes = 0 where members is not null;
    drop function attestry.logical_snapshot_append; drop function attestry.member_events;
    drop view attestry.fingerprint_run, attestry.running_fingerprint;
    create table attestry.running_fingerprint (org_id text, fingerprint text, environment_id text);
    alter table attestry.snapshot_event drop column member_id`)
})

/** Runs the one migration again, as the owner: those after it need nothing of it. */
const migrateAgain = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`set search_path to attestry, pg_temp`
  yield* snapshotHistory
})

const roundTrip = Effect.gen(function* () {
  const { query, url } = yield* PgLayer.TestDatabase
  yield* Effect.provide(fill, PgLayer.layerOn({ url }))
  yield* force("no force")
  const before = yield* told
  assert.isAbove(before.runs.length, 50)
  assert.isAbove(before.events.length, 200)
  yield* undo
  yield* query("alter table attestry.snapshot force row level security")
  yield* query("alter table attestry.snapshot_event force row level security")
  yield* Effect.provide(migrateAgain, PgClient.layer({ url, maxConnections: 1 }))
  yield* force("no force")
  yield* query("alter table attestry.fingerprint_run no force row level security")
  assert.deepStrictEqual(yield* told, before)
})

it.live("derives from older histories what each snapshot would have written", () =>
  roundTrip.pipe(Effect.provide(PgLayer.layerDatabase), Effect.scoped)
)

it.live("does so also as an owner that is no superuser", () =>
  roundTrip.pipe(Effect.provide(PgLayer.layerPlainOwner), Effect.scoped)
)
