/** A rotation whose COMMIT succeeds and whose answer is lost: it is undone, and the journal says so. */
import { CurrentActor } from "@attestry/core/Actor"
import { OrgName, ServiceAccountName } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import { Orgs } from "@attestry/core/Orgs"
import { RecordVerification } from "@attestry/core/RecordVerification"
import { ServiceAccountKeys } from "@attestry/core/ServiceAccountKeys"
import { ServiceAccounts } from "@attestry/core/ServiceAccounts"
import * as TableFinding from "@attestry/core/TableFinding"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Detour from "../shared/Detour.js"
import * as PgLayer from "../shared/PgLayer.js"

const BY = { kind: "system", id: "test", name: "test" } as const

it.scopedLive("leaves the old key alone, and verification finds nothing", () =>
  Effect.gen(function* () {
    const way = yield* Effect.flatMap(PgLayer.TestDatabase, ({ url }) => Detour.make(url))
    const services = UseCases.layer.pipe(
      Layer.provide(SecretsWebCrypto.layer),
      Layer.provideMerge(PgLayer.layerOn({ url: way.url }))
    )
    yield* Effect.gen(function* () {
      const org = yield* (yield* Orgs).create(OrgName.make("acme"), BY)
      const as = Effect.provideService(CurrentActor, Fixture.actor([org, "admin"]))
      const [accounts, keys] = [yield* ServiceAccounts, yield* ServiceAccountKeys]
      const name = ServiceAccountName.make("ci")
      const path = { org: org.name, name }
      yield* as(accounts.create(org.name, { name, description: "", privilege: "member" }))
      const { key } = yield* as(keys.create(path, { description: "one", expiresAt: null }))
      const before = yield* as(keys.list(path))

      yield* way.loseCommit
      const rotation = keys.rotate({ ...path, id: key.id }, { graceHours: 1, expiresAt: null })
      const failed = yield* Effect.flip(as(rotation))
      assert.deepInclude(failed, { _tag: "RotationFailed", id: key.id, cleanedUp: true })

      assert.deepStrictEqual(yield* as(keys.list(path)), before)
      const journal = yield* (yield* JournalStore).listAfter({ org: org.id, after: 0, limit: 100 })
      assert.deepStrictEqual(
        journal.slice(-3).map(({ kind }) => kind),
        ["api_key_rotated", "api_key_created", "api_key_rotation_undone"]
      )
      const found = yield* (yield* RecordVerification).verify(org.id, 3)
      assert.deepStrictEqual(found.map(TableFinding.print), [])
    }).pipe(Effect.provide(services))
  }).pipe(Effect.provide(PgLayer.layerDatabase))
)
