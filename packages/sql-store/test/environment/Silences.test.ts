/** Silences on PostgreSQL. The clock of a database cannot be moved, so every stored instant moves the other way. */
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import type { OrgId } from "@attestry/core/Identifier"
import { silenceSuite } from "@attestry/core/testing/SilenceSuite"
import { Effect, TestClock } from "effect"
import { FLUSHED_EVERY } from "../../src/internal/environment/Heartbeats.js"
import * as PgLayer from "../shared/PgLayer.js"

const MOVED = [
  `update environment set created_at = created_at - $2, last_modified_at = last_modified_at - $2,
    last_reported_at = last_reported_at - $2, last_changed_at = last_changed_at - $2,
    silent_since = silent_since - $2, silence_due_at = silence_due_at - $2 where org_id = $1`,
  "update silence set from_at = from_at - $2, to_at = to_at - $2 where org_id = $1",
  "update snapshot set timestamp = timestamp - $2 where org_id = $1"
]

/** Waits until the times of reports that the store has collected are written. */
const written = (org: OrgId) =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    const store = yield* EnvironmentStore
    yield* TestClock.adjust(FLUSHED_EVERY)
    const isWritten = Effect.gen(function* () {
      const shown = yield* store.list(org)
      const rows = yield* query(
        "select environment_id as id, last_reported_at::float8 as at from environment where org_id = $1",
        [org]
      )
      const times = new Map(rows.map(({ at, id }) => [id, at]))
      return shown.every(({ id, last_reported_at }) => times.get(id) === last_reported_at)
    })
    yield* Effect.repeat(isWritten, { until: (done) => done })
  })

silenceSuite("PostgreSQL", PgLayer.layer, {
  elapse: (org, seconds) =>
    Effect.gen(function* () {
      const { query } = yield* PgLayer.TestDatabase
      yield* written(org)
      for (const statement of MOVED) yield* query(statement, [org, seconds * 1_000_000])
    }),
  runs: 15
})
