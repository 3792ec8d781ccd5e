/** Versions of the settings of environments that are older than their table are made of the journal. */
import type { CurrentActor } from "@attestry/core/Actor"
import * as Environment from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Environments } from "@attestry/core/Environments"
import { HistoryStore } from "@attestry/core/HistoryStore"
import { EnvironmentName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import * as Fixture from "@attestry/core/testing/Fixture"
import type { UseCases } from "@attestry/core/UseCases"
import * as SqlClient from "@effect/sql/SqlClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { environmentVersion } from "../../src/migrations/0102_environment_version.js"
import * as PgLayer from "../shared/PgLayer.js"
import * as UseCaseLayer from "../shared/UseCaseLayer.js"

const name = EnvironmentName.make("prod")
const renamed = EnvironmentName.make("production")

const life = (org: Org): Effect.Effect<void, unknown, UseCases | CurrentActor> =>
  Effect.gen(function* () {
    const environments = yield* Environments
    yield* environments.put(org.name, { name, type: "server" })
    yield* environments.put(org.name, {
      name: EnvironmentName.make("all"),
      type: "logical",
      included_environments: [name]
    })
    yield* environments.patch(org.name, name, { require_provenance: true })
    yield* environments.tag(org.name, name, { set: { tier: "one" }, remove: [] })
    yield* environments.rename(org.name, name, renamed)
    yield* environments.archive(org.name, renamed)
  })

const versionsOf = (org: Org) =>
  Effect.gen(function* () {
    const [store, history] = [yield* EnvironmentStore, yield* HistoryStore]
    return yield* Effect.forEach(["production", "all"], (each) =>
      Effect.gen(function* () {
        const key = { org: org.id, name: EnvironmentName.make(each) }
        const { environment } = Option.getOrThrow(yield* store.findByName(key))
        const versions = yield* history.environmentVersions(Environment.ref(environment))
        return versions.map(({ known: _, ...version }) => version)
      })
    )
  })

const UNDO = `
  drop trigger environment_version_created on attestry.environment;
  drop trigger environment_version_changed on attestry.environment;
  drop function attestry.environment_version_append();
  drop table attestry.environment_version`

const migrateAgain = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`set search_path to attestry, pg_temp`
  yield* sql.withTransaction(environmentVersion)
})

const test = Effect.gen(function* () {
  const { query, url } = yield* PgLayer.TestDatabase
  const server = UseCaseLayer.layer(PgLayer.layerOn({ url }))
  const { org, written } = yield* Effect.gen(function* () {
    const made = yield* Fixture.org
    yield* UseCaseLayer.as(Fixture.actor([made, "admin"]))(life(made))
    return { org: made, written: yield* versionsOf(made) }
  }).pipe(Effect.provide(server))
  assert.deepStrictEqual(
    written.map((versions) => versions.length),
    [5, 1]
  )
  yield* query(UNDO)
  yield* Effect.provide(migrateAgain, PgClient.layer({ url, maxConnections: 1 }))
  assert.deepStrictEqual(yield* Effect.provide(versionsOf(org), server), written)
})

it.live("makes of the journal what the triggers had written", () =>
  test.pipe(Effect.provide(PgLayer.layerDatabase), Effect.scoped)
)

it.live("does so also as an owner that is no superuser", () =>
  test.pipe(Effect.provide(PgLayer.layerPlainOwner), Effect.scoped)
)
