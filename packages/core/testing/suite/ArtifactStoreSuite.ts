/** The contract of `ArtifactStore`. */
import { type Artifact, Filename } from "@attestry/core/Artifact"
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { ArtifactId, SlotName } from "@attestry/core/Identifier"
import { PolicyStore } from "@attestry/core/PolicyStore"
import type { Ports } from "@attestry/core/Ports"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { artifactReport, slotName } from "../arbitrary/Artifact.js"
import { text, timestamp } from "../arbitrary/Text.js"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const keyOf = ({ org_id, trail_id, slot }: Artifact) => ({ org: org_id, trail: trail_id, slot })

const newTrail = Fixture.org.pipe(
  Effect.flatMap((org) => Fixture.flow(org)),
  Effect.flatMap((flow) => Fixture.trail(flow))
)

/** States the contract of `ArtifactStore`. */
export const artifactStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`ArtifactStore (${name})`, ports, options, (it) => {
    it.effect.prop(
      "returns every record unchanged",
      { report: artifactReport, slot: slotName, created_by: text, created_at: timestamp },
      ({ report, slot, created_by, created_at }) =>
        Effect.gen(function* () {
          const store = yield* ArtifactStore
          const trail = yield* newTrail
          const fresh = yield* Fixture.newArtifact(trail, 1)
          const { fingerprint } = report
          const record = { ...fresh, slot, fingerprint, report, created_by, created_at }
          deepStrictEqual(yield* store.findNewest(keyOf(record)), Option.none())
          yield* store.append(record)
          deepStrictEqual(yield* store.findNewest(keyOf(record)), Option.some(record))
          const next = yield* Fixture.newArtifact(trail, 2)
          const other = { ...next, slot, fingerprint, report, created_by, created_at }
          yield* store.append(other)
          deepStrictEqual(yield* store.findNewest(keyOf(record)), Option.some(other))
        }),
      { fastCheck: { numRuns: 25 } }
    )

    it.effect("finds the record with the highest number, in any order of insertion", () =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore
        const trail = yield* newTrail
        const records = yield* Effect.forEach([2, 10, 9], (n) => Fixture.newArtifact(trail, n))
        for (const record of records) yield* store.append(record)
        const [, newest] = records
        const key = { org: trail.org_id, trail: trail.id, slot: SlotName.make("backend") }
        deepStrictEqual(yield* store.findNewest(key), Option.fromNullable(newest))
      })
    )

    it.effect("lists the earlier records of a slot in its flow, newest first", () =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore
        const org = yield* Fixture.org
        const flow = yield* Fixture.flow(org)
        const [trail, other] = [yield* Fixture.trail(flow), yield* Fixture.trail(flow, "run-2")]
        const one = yield* Fixture.newArtifact(trail, 1)
        const two = { ...(yield* Fixture.newArtifact(trail, 2)), slot: SlotName.make("web") }
        const three = yield* Fixture.newArtifact(other, 3)
        const four = yield* Fixture.newArtifact(trail, 4)
        for (const record of [one, two, three, four]) yield* store.append(record)
        const { flow_id, slot } = one
        const asked = { org: org.id, flow: flow_id, slot, before: 4, limit: 50 }
        deepStrictEqual(yield* store.listEarlier(asked), [three, one])
        deepStrictEqual(yield* store.listEarlier({ ...asked, limit: 1 }), [three])
        deepStrictEqual(yield* store.listEarlier({ ...asked, before: 1 }), [])
        deepStrictEqual(yield* store.listEarlier({ ...asked, org: (yield* Fixture.org).id }), [])
      })
    )

    it.effect("lists the newest first, of a flow or of a part of the file name in any case", () =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore
        const org = yield* Fixture.org
        const trail = yield* Fixture.trail(yield* Fixture.flow(org))
        const made = yield* Effect.forEach([1, 2, 3], (index) =>
          Effect.map(Fixture.newArtifact(trail, index), (record) => ({
            ...record,
            report: { ...record.report, filename: Filename.make(`Image-${index}%.tar`) }
          }))
        )
        yield* Effect.forEach(made, (record) => store.append(record))
        const newest = [...made].reverse()
        const search = (text: string) =>
          Effect.map(store.list({ org: org.id, search: text }, { page: 1, perPage: 10 }), (found) =>
            found.map(({ id }) => id)
          )
        const ids = (records: ReadonlyArray<Artifact>) => records.map(({ id }) => id)
        assert.deepStrictEqual(yield* search("image-"), ids(newest))
        assert.deepStrictEqual(yield* search("E-2%"), ids(made.slice(1, 2)))
        assert.deepStrictEqual(yield* search("e%2"), [])
        assert.deepStrictEqual(yield* search(""), ids(newest))
      })
    )

    it.effect("separates slots, trails and orgs", () =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore
        const org = yield* Fixture.org
        const flow = yield* Fixture.flow(org)
        const [trail, other] = [yield* Fixture.trail(flow), yield* Fixture.trail(flow, "run-2")]
        const record = yield* Fixture.newArtifact(trail, 1)
        yield* store.append(record)
        const key = keyOf(record)
        const elsewhere = [
          { ...key, slot: SlotName.make("Backend") },
          { ...key, trail: other.id },
          { ...key, org: (yield* Fixture.org).id }
        ]
        deepStrictEqual(
          yield* Effect.forEach(elsewhere, store.findNewest),
          elsewhere.map(() => Option.none())
        )
      })
    )

    it.effect("returns records by id, and none that is not there or of another org", () =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore
        const org = yield* Fixture.org
        const trail = yield* Fixture.trail(yield* Fixture.flow(org))
        const made = yield* Effect.forEach([1, 2, 3], (index) => Fixture.newArtifact(trail, index))
        yield* Effect.forEach(made, (record) => store.append(record))
        const ids = made.slice(1).map(({ id }) => id)
        const found = yield* store.listByIds(org.id, [...ids, ArtifactId.make("unknown")])
        assert.sameDeepMembers([...found], made.slice(1))
        assert.deepStrictEqual(yield* store.listByIds(org.id, []), [])
        assert.deepStrictEqual(yield* store.listByIds((yield* Fixture.org).id, ids), [])
      })
    )

    it.effect("knows whether a policy of the org limits the age of evidence", () =>
      Effect.gen(function* () {
        const store = yield* ArtifactStore
        const policies = yield* PolicyStore
        const [org, other] = [yield* Fixture.org, yield* Fixture.org]
        yield* Fixture.policy(org)
        assert.isFalse(yield* store.isAgeLimited(org.id))
        const aged = {
          ...(yield* Fixture.newPolicy(org, "aged")),
          reads: ["evidence.age"] as const
        }
        yield* policies.insert(aged, Fixture.policyVersion(aged))
        assert.isTrue(yield* store.isAgeLimited(org.id))
        assert.isFalse(yield* store.isAgeLimited(other.id))
      })
    )
  })
