/** Entries that become visible in any order each get one leaf, and none is lost behind the horizon. */

import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type { JournalEntry } from "../../src/journal/JournalEntry.js"
import type { LogLeaf, LogTree } from "../../src/log/Log.js"
import * as LogIntegration from "../../src/log/LogIntegration.js"
import { OrgId } from "../../src/shared/Identifier.js"
import * as Slices from "../../src/shared/Slices.js"
import * as Timestamp from "../../src/shared/Timestamp.js"

const ORG = OrgId.make("org")

const START: LogTree = {
  org_id: ORG,
  epoch: 1,
  origin: "o",
  entryKey: new Uint8Array(16),
  edge: MerkleTree.EMPTY,
  horizon: 0,
  done: []
}

const entryOf = (sequence: number): JournalEntry => ({
  org_id: ORG,
  sequence,
  kind: "k",
  subject: { type: "flow", id: `s${sequence % 3}` },
  actor: { kind: "user", id: "u", name: "anna" },
  at: Timestamp.fromMicros(1),
  content: "{}",
  digest: ""
})

/** When the entry with each number becomes visible, if ever; and how many entries one integration reads. */
const history = FastCheck.record({
  visibleAt: FastCheck.array(FastCheck.option(FastCheck.nat(9)), { maxLength: 40 }),
  limit: FastCheck.integer({ min: 1, max: 12 })
})

/** The largest number up to which nothing becomes visible after a step. */
const settledAt = (visibleAt: ReadonlyArray<number | null>, step: number): number => {
  const late = visibleAt.findIndex((at) => at !== null && at > step)
  return late < 0 ? visibleAt.length : late
}

describe("LogIntegration", () => {
  it.prop(
    "LOG-14: gives every visible entry one leaf, dense",
    { history },
    ({ history: given }) => {
      const { visibleAt, limit } = given
      const leaves: Array<LogLeaf> = []
      let tree = START
      for (let step = 0; step <= 9; step++) {
        const visibleUpTo = settledAt(visibleAt, step)
        for (let isPart = true; isPart; ) {
          const known = new Set(tree.done)
          const entries = visibleAt
            .flatMap((at, place) => (at !== null && at <= step ? [place + 1] : []))
            .filter((sequence) => sequence > tree.horizon && !known.has(sequence))
            .slice(0, limit)
            .map((sequence) => ({ entry: entryOf(sequence), prev: null }))
          isPart = entries.length === limit
          const salts = new Uint8Array(32 * entries.length)
          const growth = Slices.runSync(
            LogIntegration.grow(tree, { entries, salts, visibleUpTo, isPart })
          )
          leaves.push(...growth.leaves)
          assert.isAtLeast(growth.horizon, tree.horizon)
          tree = { ...tree, ...growth }
        }
      }
      const wanted = visibleAt.flatMap((at, place) => (at === null ? [] : [place + 1]))
      assert.sameMembers(
        leaves.map(({ sequence }) => sequence),
        wanted
      )
      assert.deepStrictEqual(
        leaves.map(({ index }) => index),
        wanted.map((_, index) => index)
      )
      assert.strictEqual(tree.edge.size, wanted.length)
      assert.deepStrictEqual(tree.done, [])
    }
  )

  it("names the entry before it in the batch, or the one that the store found", () => {
    const entries = [3, 4, 6, 9].map((sequence) => ({ entry: entryOf(sequence), prev: sequence }))
    const input = { entries, salts: new Uint8Array(128), visibleUpTo: 9, isPart: false }
    const { leaves } = Slices.runSync(LogIntegration.grow(START, input))
    assert.deepStrictEqual(
      leaves.map(({ prev }) => prev),
      [3, 4, 0, 2]
    )
  })

  it.prop(
    "LOG-27: chains the entries of a subject in their order; a chain without one of them is broken",
    { batches: FastCheck.array(FastCheck.integer({ min: 1, max: 6 }), { maxLength: 8 }) },
    ({ batches }) => {
      const chains = new Map<string, Array<LogLeaf>>()
      let tree = START
      let last = 0
      for (const count of batches) {
        const sequences = Array.from({ length: count }, (_, place) => last + place + 1)
        last += count
        const entries = sequences.map((sequence) => {
          const entry = entryOf(sequence)
          return { entry, prev: chains.get(entry.subject.id)?.at(-1)?.index ?? null }
        })
        const salts = new Uint8Array(32 * count)
        const input = { entries, salts, visibleUpTo: last, isPart: false }
        const growth = Slices.runSync(LogIntegration.grow(tree, input))
        for (const leaf of growth.leaves) {
          const { id } = entryOf(leaf.sequence).subject
          chains.set(id, [...(chains.get(id) ?? []), leaf])
        }
        tree = { ...tree, ...growth }
      }
      const isWhole = (chain: ReadonlyArray<LogLeaf>, newest: number | undefined) =>
        chain.every(({ prev }, place) => prev === (chain[place - 1]?.index ?? null)) &&
        chain.at(-1)?.index === newest
      for (const chain of chains.values()) {
        const newest = chain.at(-1)?.index
        assert.isTrue(isWhole(chain, newest))
        for (const left of chain) {
          const others = chain.filter((each) => each !== left)
          assert.isFalse(isWhole(others, newest))
        }
      }
    }
  )
})
