/** The contract of `TrailStore`. */
import { factOf as factOfArtifact } from "@attestry/core/Artifact"
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { factOf } from "@attestry/core/Attestation"
import { AttestationStore } from "@attestry/core/AttestationStore"
import { FlowStore } from "@attestry/core/FlowStore"
import { CommitSha, FlowName, TrailId, TrailName } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import type { Trail } from "@attestry/core/Trail"
import { TrailStore } from "@attestry/core/TrailStore"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { text, timestamp } from "../arbitrary/Text.js"
import { trailDetails } from "../arbitrary/Trail.js"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const keyOf = ({ org_id, flow_id, name }: Trail) => ({ org: org_id, flow: flow_id, name })

const newFlow = Effect.flatMap(Fixture.org, (org) => Fixture.flow(org))

/** States the contract of `TrailStore`. */
export const trailStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`TrailStore (${name})`, ports, options, (it) => {
    it.effect.prop(
      "returns every trail unchanged, added or replaced",
      { before: trailDetails, after: trailDetails, created_by: text, at: timestamp },
      ({ before, after, created_by, at }) =>
        Effect.gen(function* () {
          const store = yield* TrailStore
          const fresh = yield* Fixture.newTrail(yield* newFlow)
          const trail: Trail = { ...fresh, ...before, created_by, created_at: at }
          deepStrictEqual(yield* store.findByName(keyOf(trail), { lock: true }), Option.none())
          assert.strictEqual(yield* store.insert(trail), true)
          deepStrictEqual(yield* store.findByName(keyOf(trail), { lock: true }), Option.some(trail))
          const next: Trail = { ...trail, ...after, last_modified_at: Fixture.LATER }
          yield* store.update(next)
          deepStrictEqual(yield* store.findByName(keyOf(trail), { lock: true }), Option.some(next))
        }),
      { fastCheck: { numRuns: 25 } }
    )

    it.effect("adds nothing under a name that is taken in the flow", () =>
      Effect.gen(function* () {
        const store = yield* TrailStore
        const trail = yield* Fixture.trail(yield* newFlow)
        const id = TrailId.make(yield* Fixture.freshId)
        assert.strictEqual(yield* store.insert({ ...trail, id, description: "other" }), false)
        deepStrictEqual(yield* store.findByName(keyOf(trail), { lock: true }), Option.some(trail))
      })
    )

    it.effect("separates flows, also with equal names of trails", () =>
      Effect.gen(function* () {
        const store = yield* TrailStore
        const org = yield* Fixture.org
        const [flow, other] = [yield* Fixture.flow(org), yield* Fixture.flow(org, "other")]
        const trail = yield* Fixture.trail(flow)
        const key = { org: org.id, flow: other.id, name: trail.name }
        deepStrictEqual(yield* store.findByName(key, { lock: true }), Option.none())
        const second = yield* Fixture.trail(other)
        deepStrictEqual(yield* store.findByName(key, { lock: true }), Option.some(second))
        deepStrictEqual(yield* store.findByName(keyOf(trail), { lock: true }), Option.some(trail))
      })
    )

    it.effect("separates orgs", () =>
      Effect.gen(function* () {
        const store = yield* TrailStore
        const trail = yield* Fixture.trail(yield* newFlow)
        const other = yield* Fixture.org
        const key = { ...keyOf(trail), org: other.id }
        deepStrictEqual(yield* store.findByName(key, { lock: true }), Option.none())
        yield* store.update({ ...trail, org_id: other.id, description: "theirs" })
        deepStrictEqual(yield* store.findByName(keyOf(trail), { lock: true }), Option.some(trail))
      })
    )

    it.effect("locks a trail by the current and the former names of its flow", () =>
      Effect.gen(function* () {
        const store = yield* TrailStore
        const flows = yield* FlowStore
        const flow = yield* newFlow
        const trail = yield* Fixture.trail(flow)
        const key = { org: flow.org_id, name: trail.name }
        const lock = (name: string) =>
          store
            .lockWithFlow({ ...key, flow: FlowName.make(name) })
            .pipe(Effect.map(Option.map((found) => [found.flow.name, found.trail.id] as const)))
        deepStrictEqual(yield* lock(flow.name), Option.some([flow.name, trail.id] as const))
        const moved = FlowName.make("moved")
        yield* flows.rename(flow, moved, true)
        yield* flows.update({ ...flow, name: moved })
        for (const name of [flow.name, moved])
          deepStrictEqual(yield* lock(name), Option.some([moved, trail.id] as const))
        deepStrictEqual(yield* lock("elsewhere"), Option.none())
        const other = { ...key, flow: moved, name: TrailName.make("other") }
        deepStrictEqual(yield* store.lockWithFlow(other), Option.none())
      })
    )

    it.effect("reads the reports of a locked trail, its own included", () =>
      Effect.gen(function* () {
        const store = yield* TrailStore
        const artifacts = yield* ArtifactStore
        const attestations = yield* AttestationStore
        const transaction = yield* Transaction
        const flow = yield* newFlow
        const trail = yield* Fixture.trail(flow)
        const { org_id: org } = flow
        const [first, second] = [
          yield* Fixture.newArtifact(trail, 1),
          yield* Fixture.newArtifact(trail, 2)
        ]
        const attestation = yield* Fixture.newAttestation(trail, 3)
        yield* artifacts.append(first)
        const facts = Effect.all([
          artifacts.listFacts(org, trail.id),
          attestations.listFacts(org, trail.id)
        ])
        const expected: Effect.Effect.Success<typeof facts> = [
          [factOfArtifact(first), factOfArtifact(second)],
          [factOf(attestation)]
        ]
        const seen = yield* transaction.run(org, () =>
          Effect.gen(function* () {
            yield* store.lockWithFlow({ org, flow: flow.name, name: trail.name })
            yield* artifacts.append(second)
            yield* attestations.append(attestation)
            const undone = yield* Fixture.newArtifact(trail, 4)
            yield* Effect.ignore(
              transaction.run(org, () =>
                Effect.zipRight(artifacts.append(undone), Effect.fail("no"))
              )
            )
            return yield* facts
          })
        )
        assert.deepStrictEqual(seen, expected)
        assert.deepStrictEqual(yield* facts, expected)
      })
    )

    it.effect("lists the trails of a commit in pages, newest first, with their number", () =>
      Effect.gen(function* () {
        const store = yield* TrailStore
        const org = yield* Fixture.org
        const [flow, other] = [yield* Fixture.flow(org), yield* Fixture.flow(org, "other")]
        const sha = CommitSha.make("c0ffee".padEnd(40, "0"))
        const link = (trail: Trail, branch: string) =>
          store.linkCommit({ org: org.id, trail: trail.id, sha, branch })
        const first = yield* Fixture.trail(flow, "first")
        const second = yield* Fixture.trail(other, "second")
        yield* Fixture.trail(flow, "of-nothing")
        const third = yield* Fixture.trail(flow, "third")
        yield* link(third, "")
        yield* link(second, "dev")
        yield* link(first, "main")
        yield* link(first, "later")
        const page = (number: number) =>
          store.listByCommit(org.id, sha, { page: number, perPage: 2 })
        deepStrictEqual(yield* page(1), {
          items: [
            { flow: flow.name, trail: third.name, branch: "" },
            { flow: other.name, trail: second.name, branch: "dev" }
          ],
          total: 3
        })
        deepStrictEqual(yield* page(2), {
          items: [{ flow: flow.name, trail: first.name, branch: "main" }],
          total: 3
        })
        deepStrictEqual(yield* page(3), { items: [], total: 3 })
        const elsewhere = yield* Fixture.org
        const theirs = yield* store.listByCommit(elsewhere.id, sha, { page: 1, perPage: 2 })
        deepStrictEqual(theirs, { items: [], total: 0 })
      })
    )

    it.effect(
      "reads the trails of a flow in slices, newest first, whatever is begun meanwhile",
      () =>
        Effect.gen(function* () {
          const store = yield* TrailStore
          const org = yield* Fixture.org
          const [flow, other] = [yield* Fixture.flow(org), yield* Fixture.flow(org, "other")]
          for (const index of [1, 2, 3, 4, 5]) {
            yield* Fixture.trail(flow, `trail-${index}`)
            yield* Fixture.trail(other, `other-${index}`)
          }
          const slice = (after: Option.Option<number>, limit: number) =>
            Effect.map(store.slice({ org: org.id, flow: flow.id, after, limit }), (found) => ({
              names: found.items.map((trail) => trail.name as string),
              next: found.next
            }))
          const first = yield* slice(Option.none(), 3)
          deepStrictEqual(first.names, ["trail-5", "trail-4", "trail-3"])
          yield* Fixture.trail(flow, "trail-6")
          const second = yield* slice(first.next, 3)
          deepStrictEqual(second, { names: ["trail-2", "trail-1"], next: Option.none() })
          const all = yield* slice(Option.none(), 7)
          deepStrictEqual([all.names.length, all.next], [6, Option.none()])
          const empty = yield* Fixture.flow(org, "empty")
          deepStrictEqual(
            yield* store.slice({ org: org.id, flow: empty.id, after: Option.none(), limit: 3 }),
            { items: [], next: Option.none() }
          )
        })
    )

    it.effect("replaces nothing when there is no such trail", () =>
      Effect.gen(function* () {
        const store = yield* TrailStore
        const trail = yield* Fixture.newTrail(yield* newFlow)
        yield* store.update(trail)
        deepStrictEqual(yield* store.findByName(keyOf(trail), { lock: true }), Option.none())
      })
    )

    it.effect("adds one of many concurrent trails of one name", () =>
      Effect.gen(function* () {
        const store = yield* TrailStore
        const transaction = yield* Transaction
        const flow = yield* newFlow
        const trails = yield* Effect.all(Array.from({ length: 8 }, () => Fixture.newTrail(flow)))
        const answers = yield* Effect.forEach(
          trails,
          (trail) =>
            transaction.run(flow.org_id, () =>
              Effect.zip(store.insert(trail), store.findByName(keyOf(trail), { lock: true }))
            ),
          { concurrency: "unbounded" }
        )
        const winner = trails[answers.findIndex(([added]) => added)]
        assert.strictEqual(answers.filter(([added]) => added).length, 1)
        deepStrictEqual(
          answers.map(([, found]) => found),
          trails.map(() => Option.fromNullable(winner))
        )
      })
    )
  })
