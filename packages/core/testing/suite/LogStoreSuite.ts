/** The contract of `LogStore`, and of sequencing on it. */
import type { OrgId } from "@attestry/core/Identifier"
import type { JournalDraft, JournalEntry } from "@attestry/core/JournalEntry"
import { JournalStore } from "@attestry/core/JournalStore"
import * as Log from "@attestry/core/Log"
import * as LogIntegration from "@attestry/core/LogIntegration"
import { LogSequencer } from "@attestry/core/LogSequencer"
import { LogStore } from "@attestry/core/LogStore"
import type { Ports } from "@attestry/core/Ports"
import * as Slices from "@attestry/core/Slices"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { layerSecrets } from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as MerkleProof from "@attestry/transparency-log/MerkleProof"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as Tile from "@attestry/transparency-log/Tile"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "../Suite.js"

const ORIGIN = "attestry.example.com/api/v2/log/acme"
const KEY = new Uint8Array(16).fill(9)

const draftOf = (org: OrgId, subject: string): JournalDraft => ({
  org_id: org,
  kind: "flow_updated",
  subject: { type: "flow", id: subject },
  actor: { kind: "user", id: "user-1", name: "anna" },
  at: Fixture.AT,
  content: `{"name":"${subject}","body":{"author":"Ada"}}`,
  digest: "0".repeat(64)
})

const EVERY = { above: 0, also: [], limit: 10_000 }

/** An org with a log. */
const started = Effect.gen(function* () {
  const { id: org } = yield* Fixture.org
  const store = yield* LogStore
  yield* store.start({ org_id: org, origin: ORIGIN, entryKey: KEY })
  return org
})

const append = (org: OrgId, subjects: ReadonlyArray<string>) =>
  Effect.flatMap(JournalStore, (journal) =>
    Effect.forEach(subjects, (subject) => journal.append(draftOf(org, subject)))
  )

const sequencer = Effect.provide(LogSequencer, LogSequencer.Default).pipe(
  Effect.provide(layerSecrets)
)

const integrate = (org: OrgId) => Effect.flatMap(sequencer, (each) => each.integrate(org))

const treeOf = (org: OrgId) =>
  Effect.flatMap(LogStore, (store) => Effect.map(store.find(org), Option.getOrThrow))

const startingTests = (it: SuiteIt) => {
  it.effect("begins a log once, and keeps it", () =>
    Effect.gen(function* () {
      const store = yield* LogStore
      const { id: org } = yield* Fixture.org
      deepStrictEqual(yield* store.find(org), Option.none())
      yield* store.start({ org_id: org, origin: ORIGIN, entryKey: KEY })
      yield* store.start({ org_id: org, origin: "other", entryKey: new Uint8Array(16) })
      const tree = yield* treeOf(org)
      assert.strictEqual(tree.origin, ORIGIN)
      assert.deepStrictEqual([...tree.entryKey], [...KEY])
      assert.deepStrictEqual([tree.epoch, tree.edge.size, tree.horizon], [1, 0, 0])
      assert.deepStrictEqual(tree.done, [])
    })
  )

  it.effect("tells the last number that was drawn", () =>
    Effect.gen(function* () {
      const store = yield* LogStore
      const org = yield* started
      const entries = yield* append(org, ["a", "b"])
      const last = yield* store.lastDrawn
      assert.isAtLeast(last, entries.at(-1)?.sequence ?? Number.NaN)
      yield* append(org, ["c"])
      assert.isAbove(yield* store.lastDrawn, last)
    })
  )

  it.effect("names orgs whose journal has entries without a leaf", () =>
    Effect.gen(function* () {
      const store = yield* LogStore
      const org = yield* started
      assert.notInclude(yield* store.listBehind(EVERY), org)
      yield* append(org, ["a"])
      assert.include(yield* store.listBehind(EVERY), org)
      assert.strictEqual((yield* store.listBehind({ ...EVERY, limit: 1 })).length, 1)
      yield* integrate(org)
      assert.notInclude(yield* store.listBehind(EVERY), org)
    })
  )

  it.effect("names orgs that have written since a number, and those that are asked for", () =>
    Effect.gen(function* () {
      const store = yield* LogStore
      const [early, late] = yield* Effect.all([started, started])
      yield* append(early, ["a"])
      const above = yield* store.lastDrawn
      const since = (also: ReadonlyArray<OrgId>) =>
        Effect.map(store.listBehind({ above, also, limit: 10_000 }), (found) =>
          [early, late].filter((org) => found.includes(org))
        )
      assert.deepStrictEqual(yield* since([]), [])
      assert.deepStrictEqual(yield* since([early, late]), [early])
      yield* append(late, ["b"])
      assert.deepStrictEqual(yield* since([late, early]), [early, late])
      yield* integrate(late)
      assert.deepStrictEqual(yield* since([]), [])
    })
  )
}

const growingTests = (it: SuiteIt) => {
  it.effect(
    "gives every entry one leaf, dense and by number, with the newest leaf of its subject",
    () =>
      Effect.gen(function* () {
        const store = yield* LogStore
        const org = yield* started
        const other = yield* started
        yield* append(org, ["a", "b", "a"])
        yield* append(other, ["a"])
        assert.deepStrictEqual(yield* integrate(org), { added: 3, isPart: false })
        assert.deepStrictEqual(yield* integrate(org), { added: 0, isPart: false })
        yield* append(org, ["b", "c", "a", "a"])
        assert.deepStrictEqual(yield* integrate(org), { added: 4, isPart: false })
        const tree = yield* treeOf(org)
        const logged = yield* store.listLogged(tree, { begin: 0, end: 100 })
        assert.deepStrictEqual(
          logged.map(({ entry, leaf }) => [leaf.index, entry.subject.id, leaf.prev]),
          [
            [0, "a", null],
            [1, "b", null],
            [2, "a", 0],
            [3, "b", 1],
            [4, "c", null],
            [5, "a", 2],
            [6, "a", 5]
          ]
        )
        const hashes = logged.map((each) => Log.entryOf(each).hash)
        for (const [place, { leaf }] of logged.entries()) {
          assert.deepStrictEqual([...leaf.hash], [...(hashes[place] ?? [])])
        }
        const edge = MerkleTree.append(MerkleTree.EMPTY, hashes).edge
        assert.deepStrictEqual([...MerkleTree.root(tree.edge)], [...MerkleTree.root(edge)])
        assert.strictEqual(tree.edge.size, 7)
        assert.deepStrictEqual(
          (yield* store.listLogged(tree, { begin: 2, end: 4 })).map(({ leaf }) => leaf.index),
          [2, 3]
        )
      })
  )

  it.effect("LOG-27: links an entry that comes late, and what follows it, to the newest leaf", () =>
    Effect.gen(function* () {
      const store = yield* LogStore
      const { run } = yield* Transaction
      const org = yield* started
      /** Adds the last entry of the journal in front of all that wait. */
      const addFirst = (entry: JournalEntry) =>
        run(org, () =>
          Effect.gen(function* () {
            const tree = Option.getOrThrow(yield* store.lock(org))
            const unlogged = yield* store.listUnlogged(tree, 100)
            const prev = unlogged.find((each) => each.entry.sequence === entry.sequence)?.prev
            const input = { entries: [{ entry, prev: prev ?? null }], salts: new Uint8Array(32) }
            const growth = Slices.runSync(
              LogIntegration.grow(tree, { ...input, visibleUpTo: 0, isPart: true })
            )
            yield* store.grow(tree, growth)
          })
        )
      const [, , early] = yield* append(org, ["a", "b", "a"])
      if (early !== undefined) yield* addFirst(early)
      yield* integrate(org)
      yield* append(org, ["b", "a"])
      yield* integrate(org)
      yield* append(org, ["a"])
      yield* integrate(org)
      const logged = yield* store.listLogged(yield* treeOf(org), { begin: 0, end: 100 })
      assert.deepStrictEqual(
        logged.map(({ entry, leaf }) => [leaf.index, entry.subject.id, leaf.prev]),
        [
          [0, "a", null],
          [1, "a", 0],
          [2, "b", null],
          [3, "b", 2],
          [4, "a", 1],
          [5, "a", 4]
        ]
      )
    })
  )

  it.effect("finds the leaves of subjects and of numbers, below a size", () =>
    Effect.gen(function* () {
      const store = yield* LogStore
      const [org, other] = [yield* started, yield* started]
      yield* append(org, ["a", "b", "a", "c", "a"])
      yield* append(other, ["a"])
      yield* integrate(org)
      const tree = yield* treeOf(org)
      const found = (below: number, ...ids: ReadonlyArray<string>) =>
        Effect.map(store.listSubjectLeaves(tree, { type: "flow", ids, below }), (leaves) =>
          leaves.map(({ index }) => index)
        )
      assert.deepStrictEqual(yield* found(5, "c", "a"), [0, 2, 3, 4])
      assert.deepStrictEqual(yield* found(4, "a"), [0, 2])
      assert.deepStrictEqual(yield* found(5), [])
      assert.deepStrictEqual(yield* found(5, "x"), [])
      assert.deepStrictEqual(
        yield* store.listSubjectLeaves(tree, { type: "trail", ids: ["a"], below: 5 }),
        []
      )
      const leaves = yield* store.listSubjectLeaves(tree, { type: "flow", ids: ["a"], below: 5 })
      for (const { bytes } of leaves) assert.isAbove(bytes, 10)
      const sequences = leaves.map(({ sequence }) => sequence).reverse()
      assert.deepStrictEqual(
        (yield* store.listLogged(tree, { sequences })).map(({ leaf }) => leaf.index),
        [0, 2, 4]
      )
      assert.deepStrictEqual(yield* store.listLogged(yield* treeOf(other), { sequences }), [])
    })
  )

  it.effect("finds the leaf of a number, in its own org alone", () =>
    Effect.gen(function* () {
      const store = yield* LogStore
      const [org, other] = [yield* started, yield* started]
      const [first] = yield* append(org, ["a"])
      const sequence = first?.sequence ?? 0
      const [tree, foreign] = [yield* treeOf(org), yield* treeOf(other)]
      deepStrictEqual(yield* store.listLogged(tree, { sequence }), [])
      yield* integrate(org)
      const [found] = yield* store.listLogged(tree, { sequence })
      assert.deepStrictEqual([found?.leaf.index, found?.entry], [0, first])
      deepStrictEqual(yield* store.listLogged(foreign, { sequence }), [])
      assert.deepStrictEqual(yield* store.listLogged(foreign, { begin: 0, end: 9 }), [])
    })
  )

  it.effect("refuses a second leaf of an entry, and keeps nothing of the attempt", () =>
    Effect.gen(function* () {
      const store = yield* LogStore
      const { run } = yield* Transaction
      const org = yield* started
      yield* append(org, ["a"])
      yield* integrate(org)
      const tree = yield* treeOf(org)
      const [logged] = yield* store.listLogged(tree, { begin: 0, end: 1 })
      const leaves = logged === undefined ? [] : [{ ...logged.leaf, index: 1 }]
      const growth = { leaves, nodes: [], edge: tree.edge, horizon: 0, done: [] }
      assert.isTrue(Either.isLeft(yield* Effect.either(run(org, () => store.grow(tree, growth)))))
      assert.strictEqual((yield* store.listLogged(tree, { begin: 0, end: 9 })).length, 1)
    })
  )
}

const tileTests = (it: SuiteIt) => {
  it.effect("reads tiles that prove every leaf", () =>
    Effect.gen(function* () {
      const store = yield* LogStore
      const journal = yield* JournalStore
      const org = yield* started
      const size = 600
      yield* journal.appendAll(Array.from({ length: size }, (_, at) => draftOf(org, `s${at % 7}`)))
      assert.deepStrictEqual(yield* integrate(org), { added: size, isPart: false })
      const tree = yield* treeOf(org)
      const root = MerkleTree.root(tree.edge)
      for (const index of [0, 255, 256, 511, 512, 599]) {
        const runs = MerkleProof.inclusionRuns({ index, size })
        const wanted = Tile.needed(size, [...MerkleProof.subtreesFor(runs), { level: 0, index }])
        const tiles = yield* store.listTiles(tree, wanted)
        const read = Either.getOrThrow(Tile.authenticate({ size, root }, tiles))
        const hashes = MerkleProof.hashesOf(runs, read)
        const leaf = read({ level: 0, index })
        assert.isTrue(MerkleProof.verifyInclusion({ index, size, leaf, hashes }, root))
      }
      const [missing] = yield* store.listTiles(tree, [{ level: 2, index: 0, width: 1 }])
      assert.deepStrictEqual(missing?.hashes, [])
    })
  )

  it.effect("integrates a long journal in batches", () =>
    Effect.gen(function* () {
      const journal = yield* JournalStore
      const org = yield* started
      yield* journal.appendAll(Array.from({ length: 1_030 }, () => draftOf(org, "a")))
      assert.deepStrictEqual(yield* integrate(org), { added: 1_024, isPart: true })
      assert.deepStrictEqual(yield* integrate(org), { added: 6, isPart: false })
      assert.strictEqual((yield* treeOf(org)).edge.size, 1_030)
    })
  )

  it.effect("keeps the first checkpoint of a size, and finds that of the largest", () =>
    Effect.gen(function* () {
      const store = yield* LogStore
      const org = yield* started
      const tree = yield* treeOf(org)
      const checkpoint = { epoch: 1, size: 9, signed_at: Fixture.AT, note: "nine" }
      deepStrictEqual(yield* store.findCheckpoint(tree), Option.none())
      deepStrictEqual(yield* store.listSigned(org), [{ tree, checkpoint: Option.none() }])
      yield* store.insertCheckpoints([{ org_id: org, ...checkpoint }])
      yield* store.insertCheckpoints([{ org_id: org, ...checkpoint, note: "other" }])
      yield* store.insertCheckpoints([{ org_id: org, ...checkpoint, size: 8, note: "eight" }])
      deepStrictEqual(yield* store.findCheckpoint(tree), Option.some(checkpoint))
      yield* store.start({ ...tree, epoch: 2 })
      const [old, young] = yield* store.listSigned(org)
      deepStrictEqual(old, { tree, checkpoint: Option.some(checkpoint) })
      deepStrictEqual([young?.tree.epoch, young?.checkpoint], [2, Option.none()])
      const listed = (after: number, upTo: number) =>
        Effect.map(store.listCheckpoints(tree, { after, upTo }), (found) =>
          found.map(({ size }) => size)
        )
      assert.deepStrictEqual(yield* listed(0, 9), [8, 9])
      assert.deepStrictEqual(yield* listed(8, 8), [])
      assert.deepStrictEqual(yield* listed(8, 9), [9])
      assert.deepStrictEqual(yield* listed(7, 8), [8])
    })
  )

  it.effect("adds checkpoints of several logs at once, also within a transaction of one org", () =>
    Effect.gen(function* () {
      const [store, transaction] = [yield* LogStore, yield* Transaction]
      const orgs = yield* Effect.all([started, started, started])
      for (const org of orgs) {
        yield* append(org, ["a", "b"])
        yield* integrate(org)
      }
      const [first] = orgs
      const rows = orgs.flatMap((org_id) =>
        [2, 1].map((size) => ({
          org_id,
          epoch: 1,
          size,
          signed_at: Fixture.AT,
          note: `${org_id} ${size}\n`
        }))
      )
      yield* store.insertCheckpoints([])
      const adding = Effect.zipRight(store.insertCheckpoints(rows), treeOf(first))
      assert.strictEqual((yield* transaction.run(first, () => adding)).org_id, first)
      for (const org of orgs) {
        const found = yield* store.listCheckpoints(yield* treeOf(org), { after: 0, upTo: 9 })
        assert.deepStrictEqual(
          found.map(({ size, note, max_at }) => [size, note, max_at]),
          [1, 2].map((size) => [size, `${org} ${size}\n`, Fixture.AT])
        )
      }
    })
  )

  it.effect(
    "keeps the newest time of the entries of a checkpoint, also where clocks step back",
    () =>
      Effect.gen(function* () {
        const [store, journal] = [yield* LogStore, yield* JournalStore]
        const org = yield* started
        const times = [5, 9, 2, 3, 11].map((seconds) => Timestamp.plusSeconds(Fixture.AT, seconds))
        for (const at of times) yield* journal.append({ ...draftOf(org, "a"), at })
        yield* integrate(org)
        const tree = yield* treeOf(org)
        for (const size of [1, 2, 4, 5]) {
          yield* store.insertCheckpoints([
            { org_id: org, epoch: 1, size, signed_at: Fixture.AT, note: "n" }
          ])
        }
        const found = yield* store.listCheckpoints(tree, { after: 0, upTo: 5 })
        assert.deepStrictEqual(
          found.map(({ max_at }) => max_at),
          [times[0], times[1], times[1], times[4]]
        )
      })
  )
}

/** The contract of `LogStore`. */
export const logStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`${name}: LogStore`, ports, options, (it) => {
    startingTests(it)
    growingTests(it)
    tileTests(it)
  })
