/** The contract of `LogStore` about the status of logs. */
import * as CheckpointThinning from "@attestry/core/CheckpointThinning"
import type { OrgId } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import { LogStore } from "@attestry/core/LogStore"
import type { Ports } from "@attestry/core/Ports"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const started = Effect.gen(function* () {
  const { id: org } = yield* Fixture.org
  const store = yield* LogStore
  yield* store.start({ org_id: org, origin: `o/${org}`, entryKey: new Uint8Array(16) })
  return { org, tree: Option.getOrThrow(yield* store.find(org)) }
})

const DAY = 86_400

/** The contract of `LogStore` about the status of logs. */
export const logStatusSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`${name}: LogStore, status`, ports, options, (it) => {
    it.effect("counts entries without a leaf up to a number", () =>
      Effect.gen(function* () {
        const { org, tree } = yield* started
        const status = yield* LogStore
        assert.strictEqual(yield* status.countPending(tree, 10), 0)
        const journal = yield* JournalStore
        const append = journal.append({
          org_id: org,
          kind: "k",
          subject: { type: "flow", id: "f" },
          at: Fixture.AT,
          actor: { kind: "user", id: "u", name: "anna" },
          content: "{}",
          digest: "0".repeat(64)
        })
        const first = yield* append
        yield* append
        yield* append
        assert.strictEqual(yield* status.countPending(tree, 10), 3)
        assert.strictEqual(yield* status.countPending(tree, 2), 2)
        const done = { ...tree, done: [first.sequence] }
        assert.strictEqual(yield* status.countPending(done, 10), 2)
        const behind = { ...tree, horizon: first.sequence }
        assert.strictEqual(yield* status.countPending(behind, 10), 2)
      })
    )

    it.effect("keeps the last verification", () =>
      Effect.gen(function* () {
        const { org } = yield* started
        const status = yield* LogStore
        deepStrictEqual(yield* status.findScrub(org), Option.none())
        const scrub = { through: 7, finished_at: Fixture.AT, findings: 0 }
        yield* status.putScrub(org, scrub)
        yield* status.putScrub(org, { ...scrub, through: 9, findings: 2 })
        deepStrictEqual(
          yield* status.findScrub(org),
          Option.some({ ...scrub, through: 9, findings: 2 })
        )
      })
    )

    it.effect("lists every log with its size, and how far it was verified", () =>
      Effect.gen(function* () {
        const [{ org }, { org: other }] = [yield* started, yield* started]
        const { id: without } = yield* Fixture.org
        const status = yield* LogStore
        yield* status.putScrub(org, { through: 7, finished_at: Fixture.AT, findings: 2 })
        const listed = yield* status.listScrubs
        const look = (id: OrgId) =>
          listed
            .filter((each) => each.org_id === id)
            .map(({ size, scrub }) => [
              size,
              Option.getOrNull(Option.map(scrub, (each) => [each.through, each.finished_at]))
            ])
        const sizeOf = (id: OrgId) =>
          Effect.map(status.listTrees(id), (trees) =>
            trees.reduce((sum, { edge }) => sum + edge.size, 0)
          )
        assert.deepStrictEqual(look(org), [[yield* sizeOf(org), [7, Fixture.AT]]])
        assert.deepStrictEqual(look(other), [[yield* sizeOf(other), null]])
        assert.deepStrictEqual(look(without), [[0, null]])
      })
    )

    it.effect("knows which logs are public", () =>
      Effect.gen(function* () {
        const [{ org }, { org: other }] = [yield* started, yield* started]
        const status = yield* LogStore
        assert.isFalse(yield* status.isPublic(org))
        yield* status.putPublic(org, true)
        yield* status.putPublic(org, true)
        assert.isTrue(yield* status.isPublic(org))
        assert.isFalse(yield* status.isPublic(other))
        const listed = yield* status.listPublic
        assert.include(listed, org)
        assert.notInclude(listed, other)
        yield* status.putPublic(org, false)
        assert.isFalse(yield* status.isPublic(org))
        assert.notInclude(yield* status.listPublic, org)
      })
    )

    it.effect("thins checkpoints with age, and keeps what a witness has cosigned last", () =>
      Effect.gen(function* () {
        const { org, tree } = yield* started
        const store = yield* LogStore
        const now = Timestamp.fromMillis(1_800_000_000_000)
        const before = (days: number, seconds: number) =>
          Timestamp.plusSeconds(now, seconds - days * DAY)
        const minute = 60 * Math.floor(Timestamp.toSeconds(now) / 60) - Timestamp.toSeconds(now)
        const hour = 3600 * Math.floor(Timestamp.toSeconds(now) / 3600) - Timestamp.toSeconds(now)
        // By size: in one hour of long ago, in two minutes of one hour, and of these days.
        const instants = [
          before(400, hour),
          before(400, hour + 60),
          before(400, hour + 3_599),
          before(100, minute),
          before(100, minute + 59),
          before(100, minute + 60),
          before(30, 0),
          before(30, 1),
          before(1, 0),
          before(1, 1)
        ]
        for (const [size, signed_at] of instants.entries()) {
          const note = `note ${size}`
          yield* store.insertCheckpoints([{ org_id: org, epoch: 1, size, signed_at, note }])
        }
        const cosign = (size: number, key_id: string) =>
          Effect.flatMap(LogStore, (cosignatures) =>
            cosignatures.insertCosignature(org, {
              epoch: 1,
              size,
              witness: "w",
              key_id,
              line: `${key_id}\n`,
              at: now
            })
          )
        yield* cosign(0, "a")
        yield* cosign(1, "a")
        yield* cosign(3, "b")
        const thinning = CheckpointThinning.at(now)
        assert.strictEqual(yield* store.thinCheckpoints(org, thinning), 1)
        assert.strictEqual(yield* store.thinCheckpoints(org, thinning), 0)
        const kept = yield* store.listCheckpoints(tree, { after: -1, upTo: 100 })
        assert.deepStrictEqual(
          kept.map(({ size }) => size),
          [1, 2, 3, 4, 5, 6, 7, 8, 9]
        )
        assert.deepStrictEqual(yield* store.listCosignatures(tree, { after: -1, upTo: 0 }), [])
        yield* cosign(9, "a")
        yield* cosign(9, "b")
        assert.strictEqual(yield* store.thinCheckpoints(org, thinning), 2)
        const left = yield* store.listCheckpoints(tree, { after: -1, upTo: 100 })
        assert.deepStrictEqual(
          left.map(({ size }) => size),
          [2, 4, 5, 6, 7, 8, 9]
        )
      })
    )
  })
