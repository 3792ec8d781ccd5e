/**
 * Rows that every report begins with are their own decoded form. A column that a schema does not name, or a schema that
 * the fast path does not know, would have each of them built again, and nothing else would tell.
 */
import * as SchemaFastPath from "@attestry/core/SchemaFastPath"
import * as Fixture from "@attestry/core/testing/Fixture"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as EnvironmentRow from "../../src/internal/environment/EnvironmentRow.js"
import { Locked } from "../../src/internal/trail/LockedTrails.js"
import * as PgLayer from "./PgLayer.js"

/** The rows of one statement for an org, with whole numbers as the driver has them. */
const rowsOf = (org: string, statement: string) =>
  Effect.gen(function* () {
    const { url } = yield* PgLayer.TestDatabase
    const client = yield* PgLayer.connect(url)
    const run = (text: string) => Effect.promise(() => client.query(text))
    yield* run("begin")
    yield* run(`set local attestry.org_id = '${org}'`)
    const { rows } = yield* run(statement)
    yield* run("rollback")
    return rows
  })

describe("rows that need no decoding", () => {
  it.scopedLive("are those of locked trails, with their flow", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.org
      const flow = yield* Fixture.flow(org)
      const trail = yield* Fixture.trail(flow)
      const asked = JSON.stringify([{ flow: flow.name, name: trail.name }])
      const rows = yield* rowsOf(org.id, `select document from lock_trails('${asked}', true)`)
      assert.isNotNull(rows[0]?.document)
      assert.isTrue(SchemaFastPath.make(Schema.Array(Locked))(rows))
    }).pipe(Effect.provide(PgLayer.layer))
  )

  it.scopedLive("are those of environments, by name and locked", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.org
      const { name } = yield* Fixture.environment(org)
      const found = yield* rowsOf(
        org.id,
        `select asked, document, now::float8 as now, is_org_due from environments_by_name('${org.id}', '{${name}}')`
      )
      assert.isNotNull(found[0]?.document)
      assert.isTrue(SchemaFastPath.make(EnvironmentRow.Asked)(found))
      const locked = yield* rowsOf(
        org.id,
        `select document, now::float8 as now, is_org_due, state
          from lock_environment('${org.id}', '${name}', null, null, null)`
      )
      assert.isNotNull(locked[0]?.document)
      assert.isTrue(SchemaFastPath.make(Schema.Array(EnvironmentRow.Locked))(locked))
    }).pipe(Effect.provide(PgLayer.layer))
  )
})
