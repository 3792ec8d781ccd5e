/** What callers saw of a log while it was written, and what must hold of it afterwards. */
import * as Base64 from "@attestry/transparency-log/Base64"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import { assert } from "vitest"

/** A write that was answered: when, and with which entries. */
export interface AnsweredWrite {
  readonly sent: number
  readonly answered: number
  readonly entries: ReadonlyArray<string>
}

/** What a checkpoint says. */
export interface Head {
  readonly size: number
  readonly root: string
}

/** An entry as the feed of events gives it. */
export interface SeenEvent {
  readonly entry: string
  readonly index: number
  readonly kind: string
  readonly subject: { readonly type: string; readonly id: string }
  readonly prev: number | null
  readonly content: unknown
}

/** Reads the second and third line of a checkpoint. */
export const headOf = (note: string): Head => {
  const [, size = "", root = ""] = note.split("\n")
  return { size: Number(size), root }
}

/** LOG-14: indexes are dense, no entry comes twice, and each entry names the one before it about its subject. */
export const checkDense = (events: ReadonlyArray<SeenEvent>): void => {
  const newest = new Map<string, number>()
  for (const [place, { index, subject, prev }] of events.entries()) {
    assert.strictEqual(index, place)
    const key = `${subject.type} ${subject.id}`
    assert.strictEqual(prev, newest.get(key) ?? null, `entry ${index}`)
    newest.set(key, index)
  }
  assert.strictEqual(new Set(events.map(({ entry }) => entry)).size, events.length)
}

/** LOG-14: what was answered is there. */
export const checkKept = (
  writes: ReadonlyArray<AnsweredWrite>,
  events: ReadonlyArray<SeenEvent>
): void => {
  const there = new Set(events.map(({ entry }) => entry))
  const lost = writes.flatMap(({ entries }) => entries).filter((entry) => !there.has(entry))
  assert.deepStrictEqual(lost, [])
}

/** LOG-15: a write that was answered before another was sent has the smaller index. */
export const checkOrder = (
  writes: ReadonlyArray<AnsweredWrite>,
  events: ReadonlyArray<SeenEvent>
): void => {
  const indexOf = new Map(events.map(({ entry, index }) => [entry, index]))
  const indexes = ({ entries }: AnsweredWrite) => entries.map((each) => indexOf.get(each) ?? -1)
  const byAnswer = [...writes].sort((left, right) => left.answered - right.answered)
  let newest = -1
  let next = 0
  for (const write of [...writes].sort((left, right) => left.sent - right.sent)) {
    for (; (byAnswer[next]?.answered ?? Number.POSITIVE_INFINITY) < write.sent; next++) {
      const before = byAnswer[next]
      if (before !== undefined) newest = Math.max(newest, ...indexes(before))
    }
    assert.isAbove(Math.min(...indexes(write)), newest)
  }
}

/**
 * LOG-17: every checkpoint is the root of the first leaves of one tree, so every two of them are consistent. Gives how
 * many sizes there were.
 */
export const checkHeads = (
  heads: ReadonlyArray<Head>,
  leaves: ReadonlyArray<Uint8Array>
): number => {
  let { edge } = MerkleTree.append(MerkleTree.EMPTY, [])
  const roots = new Map([[edge.size, Base64.encode(MerkleTree.root(edge))]])
  for (const leaf of leaves) {
    edge = MerkleTree.append(edge, [leaf]).edge
    roots.set(edge.size, Base64.encode(MerkleTree.root(edge)))
  }
  for (const { size, root } of heads) assert.strictEqual(root, roots.get(size), `size ${size}`)
  return new Set(heads.map(({ size }) => size)).size
}
