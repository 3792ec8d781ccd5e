/** The contract of `AttestationStore`. */
import { type Attestation, AttestationName, factOf } from "@attestry/core/Attestation"
import { AttestationStore } from "@attestry/core/AttestationStore"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { AttestationId, CommitSha, ControlIdentifier, SlotName } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import { ProvenanceStore } from "@attestry/core/ProvenanceStore"
import * as Timestamp from "@attestry/core/Timestamp"
import { TrailStore } from "@attestry/core/TrailStore"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { slotName } from "../arbitrary/Artifact.js"
import { jsonObject, text, timestamp } from "../arbitrary/Text.js"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const newTrail = Fixture.org.pipe(
  Effect.flatMap((org) => Fixture.flow(org)),
  Effect.flatMap((flow) => Fixture.trail(flow))
)

const content = FastCheck.record({
  type: FastCheck.constantFrom("generic", "decision", "custom:lint"),
  isCompliant: FastCheck.boolean(),
  isOverride: FastCheck.boolean(),
  fingerprint: FastCheck.constantFrom(null, Fingerprint.make("a".repeat(64))),
  slots: FastCheck.array(slotName, { maxLength: 2 }),
  commit: FastCheck.constantFrom(null, CommitSha.make("c".repeat(40))),
  digest: text,
  body: jsonObject,
  policy_facts: FastCheck.option(
    FastCheck.record({
      verification: FastCheck.constantFrom(null, "verified" as const, "failed" as const),
      facts: FastCheck.option(jsonObject)
    })
  ),
  attachments: FastCheck.array(
    FastCheck.record({
      filename: text,
      fingerprint: FastCheck.constant(Fingerprint.make("b".repeat(64))),
      size: FastCheck.nat()
    }),
    { maxLength: 2 }
  ),
  created_by: text,
  created_at: timestamp
})

const page = { page: 1, perPage: 10 }

/** States the contract of `AttestationStore`. */
export const attestationStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`AttestationStore (${name})`, ports, options, (it) => {
    it.effect("gives what policies ask about where it is wanted", () =>
      Effect.gen(function* () {
        const provenance = yield* ProvenanceStore
        const trail = yield* newTrail
        const short = { verification: "verified" as const, facts: { licenses: ["MIT"] } }
        const policy_facts = { ...short, facts: { ...short.facts, purls: ["pkg:npm/a@1"] } }
        const fresh = yield* Fixture.newAttestation(trail, 1)
        const plain = yield* Fixture.newAttestation(trail, 2)
        yield* (yield* AttestationStore).append({ ...fresh, policy_facts })
        yield* (yield* AttestationStore).append(plain)
        const found = (withFacts: boolean, withPurls: boolean) =>
          Effect.map(
            provenance.attestations(trail.org_id, [trail.id], { withFacts, withPurls }),
            (all) =>
              [...all]
                .sort((left, right) => left.sequence - right.sequence)
                .map((attestation) => attestation.policy_facts)
          )
        deepStrictEqual(yield* found(true, true), [policy_facts, null])
        deepStrictEqual(yield* found(true, false), [short, null])
        deepStrictEqual(yield* found(false, false), [undefined, undefined])
      })
    )

    it.effect.prop(
      "returns every attestation unchanged",
      { content },
      ({ content }) =>
        Effect.gen(function* () {
          const store = yield* AttestationStore
          const trail = yield* newTrail
          const fresh = yield* Fixture.newAttestation(trail, 1)
          const one: Attestation = { ...fresh, ...content }
          deepStrictEqual(yield* store.find(one.org_id, one.id), Option.none())
          yield* store.append(one)
          deepStrictEqual(yield* store.find(one.org_id, one.id), Option.some(one))
          deepStrictEqual(yield* store.listFacts(one.org_id, one.trail_id), [factOf(one)])
          const next = yield* Fixture.newAttestation(trail, 2)
          const other: Attestation = { ...next, ...content }
          yield* store.append(other)
          deepStrictEqual(yield* store.find(one.org_id, other.id), Option.some(other))
        }),
      { fastCheck: { numRuns: 25 } }
    )

    it.effect("lists oldest first on a trail and newest first in the org, by number alone", () =>
      Effect.gen(function* () {
        const store = yield* AttestationStore
        const trail = yield* newTrail
        const added = yield* Effect.forEach([7, 3, 12], (n) => Fixture.newAttestation(trail, n))
        for (const one of added) yield* store.append(one)
        const key = { org: trail.org_id, trail: trail.id, name: "unit-tests" }
        const numbers = (found: ReadonlyArray<{ readonly sequence: number }>) =>
          found.map(({ sequence }) => sequence)
        assert.deepStrictEqual(numbers(yield* store.listFacts(key.org, key.trail)), [3, 7, 12])
        assert.deepStrictEqual(numbers(yield* store.listByName(key)), [3, 7, 12])
        const paged = yield* store.list(key.org, {}, { page: 2, perPage: 2 })
        assert.deepStrictEqual([numbers(paged.items), paged.total], [[3], 3])
        const ids = [...added.map(({ id }) => id), AttestationId.make("nobody")]
        assert.strictEqual((yield* store.listByIds(key.org, ids)).length, 3)
      })
    )

    it.effect("filters by each condition, and separates trails and orgs", () =>
      Effect.gen(function* () {
        const store = yield* AttestationStore
        const trail = yield* newTrail
        const fresh = yield* Fixture.newAttestation(trail, 1)
        const slots = [SlotName.make("app")]
        const lint = AttestationName.make("lint")
        const one: Attestation = { ...fresh, type: "custom:x", name: lint, slots }
        yield* store.append(one)
        const count = (filter: Parameters<typeof store.list>[1]) =>
          Effect.map(store.list(trail.org_id, filter, page), ({ total }) => total)
        const passing = [
          { id: one.id },
          { flows: [one.flow_id], trail: one.trail_id, trailName: trail.name },
          { names: ["unit", "lint"], isCompliant: true },
          { types: ["junit", "custom"] },
          { types: ["junit", "custom:x"] }
        ]
        const failing = [
          { id: AttestationId.make("other") },
          { trailName: "other" },
          { names: ["Lint"] },
          { isCompliant: false },
          { types: ["generic"] },
          { types: [] },
          { names: [] },
          { commits: [CommitSha.make("c".repeat(40))] }
        ]
        assert.deepStrictEqual(yield* Effect.forEach(passing, count), [1, 1, 1, 1, 1])
        assert.deepStrictEqual(yield* Effect.forEach(failing, count), [0, 0, 0, 0, 0, 0, 0, 0])
        const other = yield* Fixture.org
        assert.strictEqual((yield* store.list(other.id, {}, page)).total, 0)
        deepStrictEqual(yield* store.find(other.id, one.id), Option.none())
      })
    )

    it.effect("finds the decisions about a control, between two instants, in either order", () =>
      Effect.gen(function* () {
        const store = yield* AttestationStore
        const trail = yield* newTrail
        const control = ControlIdentifier.make("CTL-7")
        const bodies = [{ control }, { control: "CTL-8" }, { control }, {}, { control }]
        for (const [index, body] of bodies.entries()) {
          const fresh = yield* Fixture.newAttestation(trail, index + 1)
          const created_at = Timestamp.plusSeconds(Fixture.AT, index)
          const type = index === 4 ? "generic" : "decision"
          yield* store.append({ ...fresh, type, body, created_at })
        }
        const numbers = (filter: Parameters<typeof store.list>[1]) =>
          Effect.map(store.list(trail.org_id, filter, page), ({ items, total }) => [
            ...items.map(({ sequence }) => sequence),
            `of ${total}`
          ])
        const second = Timestamp.plusSeconds(Fixture.AT, 1)
        const third = Timestamp.plusSeconds(Fixture.AT, 2)
        assert.deepStrictEqual(yield* numbers({ control }), [3, 1, "of 2"])
        assert.deepStrictEqual(yield* numbers({ control, direction: "asc" }), [1, 3, "of 2"])
        assert.deepStrictEqual(yield* numbers({ control, from: third }), [3, "of 1"])
        assert.deepStrictEqual(yield* numbers({ control, to: Fixture.AT }), [1, "of 1"])
        assert.deepStrictEqual(yield* numbers({ from: second, to: third }), [3, 2, "of 2"])
        assert.deepStrictEqual(yield* numbers({ control, flows: [] }), ["of 0"])
        assert.deepStrictEqual(yield* numbers({ control, flows: [trail.flow_id] }), [3, 1, "of 2"])
      })
    )

    it.effect("continues after a number in either order, whether or not there is one of it", () =>
      Effect.gen(function* () {
        const store = yield* AttestationStore
        const trail = yield* newTrail
        for (const n of [2, 4, 6, 8]) yield* store.append(yield* Fixture.newAttestation(trail, n))
        const from = (after: number, limit: number, direction: "asc" | "desc" = "desc") =>
          Effect.map(
            store.listAfter(trail.org_id, { direction }, { after, limit }),
            ({ items, next }) => [items.map(({ sequence }) => sequence), Option.getOrNull(next)]
          )
        assert.deepStrictEqual(yield* from(9, 2), [[8, 6], 6])
        assert.deepStrictEqual(yield* from(6, 2), [[4, 2], null])
        assert.deepStrictEqual(yield* from(5, 1), [[4], 4])
        assert.deepStrictEqual(yield* from(2, 3), [[], null])
        assert.deepStrictEqual(yield* from(3, 2, "asc"), [[4, 6], 6])
        assert.deepStrictEqual(yield* from(3, 3, "asc"), [[4, 6, 8], null])
        const none = yield* store.listAfter(trail.org_id, { names: ["x"] }, { after: 9, limit: 2 })
        deepStrictEqual(none, { items: [], next: Option.none() })
        const next = (page: number, perPage: number) =>
          Effect.map(store.list(trail.org_id, {}, { page, perPage }), (found) =>
            Option.getOrNull(found.next)
          )
        assert.deepStrictEqual(
          yield* Effect.all([next(1, 3), next(2, 3), next(2, 2), next(1, 4), next(9, 4)]),
          [4, null, null, null, null]
        )
      })
    )

    it.effect("finds the attestations on trails that report one of some commits", () =>
      Effect.gen(function* () {
        const store = yield* AttestationStore
        const trails = yield* TrailStore
        const org = yield* Fixture.org
        const flow = yield* Fixture.flow(org)
        const [one, other, third] = yield* Effect.all([
          Fixture.trail(flow, "one"),
          Fixture.trail(flow, "other"),
          Fixture.trail(flow, "third")
        ])
        const sha = (digit: string) => CommitSha.make(digit.repeat(40))
        const link = { org: org.id, branch: "" }
        yield* trails.linkCommit({ ...link, trail: one.id, sha: sha("a") })
        yield* trails.linkCommit({ ...link, trail: one.id, sha: sha("b") })
        yield* trails.linkCommit({ ...link, trail: other.id, sha: sha("b") })
        for (const [index, trail] of [one, other, third].entries())
          yield* store.append(yield* Fixture.newAttestation(trail, index + 1))
        const found = (commits: ReadonlyArray<CommitSha>) =>
          Effect.map(store.list(org.id, { commits }, page), ({ items }) =>
            items.map(({ sequence }) => sequence)
          )
        assert.deepStrictEqual(yield* found([sha("a")]), [1])
        assert.deepStrictEqual(yield* found([sha("b"), sha("a")]), [2, 1])
        assert.deepStrictEqual(yield* found([sha("c")]), [])
        assert.deepStrictEqual(yield* found([]), [])
      })
    )

    it.effect("lists the distinct names of the org, at most as many as asked for", () =>
      Effect.gen(function* () {
        const store = yield* AttestationStore
        const trail = yield* newTrail
        yield* newTrail
        for (const [index, name] of ["b", "a", "b"].entries()) {
          const fresh = yield* Fixture.newAttestation(trail, index + 1)
          yield* store.append({ ...fresh, name: AttestationName.make(name) })
        }
        assert.deepStrictEqual([...(yield* store.listNames(trail.org_id, 3))].sort(), ["a", "b"])
        assert.strictEqual((yield* store.listNames(trail.org_id, 1)).length, 1)
      })
    )
  })
