/** Receipts prove an entry without a server, in both forms, and nothing when a part of them is changed. */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as MerkleProof from "@attestry/transparency-log/MerkleProof"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as TlogProof from "@attestry/transparency-log/TlogProof"
import { assert, describe, it } from "@effect/vitest"
import { Either, Option } from "effect"
import * as InclusionReceipt from "../../src/log/InclusionReceipt.js"
import * as LogEntry from "../../src/log/LogEntry.js"
import * as LogKit from "./LogKit.js"

const SIZE = 11
const INDEX = 4

const { bytes, hash, concealed } = LogEntry.make(
  {
    kind: "flow_created",
    subject: { type: "flow", id: "f" },
    at: 1,
    prev: null,
    actor: { kind: "user", id: "u", name: "ada", credential: null },
    content: { name: "shop", description: "mine" }
  },
  new Uint8Array(32).fill(7)
)

const leaves = LogKit.leaves(SIZE).map((leaf, index) => (index === INDEX ? hash : leaf))
const root = MerkleTree.root(MerkleTree.append(MerkleTree.EMPTY, leaves).edge)
const read: MerkleProof.HashReader = ({ level, index }) =>
  level === 0
    ? (leaves[index] ?? MerkleTree.EMPTY_ROOT)
    : MerkleTree.nodeHash(
        read({ level: level - 1, index: index * 2 }),
        read({ level: level - 1, index: index * 2 + 1 })
      )
const hashes = MerkleProof.hashesOf(MerkleProof.inclusionRuns({ index: INDEX, size: SIZE }), read)
const disclosures = concealed.map(({ disclosure }) => disclosure)
const line = { name: "log.example", keyId: "00000001", signature: new Uint8Array(64) }
const checkpoint = SignedNote.print({
  text: Checkpoint.print({ origin: "log.example", size: SIZE, root }),
  signatures: [line]
})

const json = {
  status: "included",
  entry_id: "0".repeat(16),
  index: INDEX,
  size: SIZE,
  hashes: hashes.map(Base64.encode),
  entry: Base64.encode(bytes),
  disclosures,
  checkpoint
}

const outcome = (value: unknown) =>
  Option.match(InclusionReceipt.parse(JSON.stringify(value)), {
    onNone: () => "malformed",
    onSome: (receipt) =>
      Either.match(InclusionReceipt.check(receipt), {
        onLeft: (refusal) => refusal,
        onRight: () => "proved"
      })
  })

describe("a receipt", () => {
  it("proves its entry and says what it shows, in both forms", () => {
    const text = TlogProof.print({
      extra: Option.some(Sha256.utf8(JSON.stringify({ entry: json.entry, disclosures }))),
      index: INDEX,
      hashes,
      checkpoint
    })
    for (const each of [JSON.stringify(json), text]) {
      const receipt = Option.getOrThrow(InclusionReceipt.parse(each))
      const proved = Either.getOrThrow(InclusionReceipt.check(receipt))
      assert.deepStrictEqual([proved.index, proved.checkpoint.size], [INDEX, SIZE])
      assert.deepInclude(proved.said.shown.facts, { kind: "flow_created" })
      assert.isEmpty(proved.said.withheld)
    }
  })

  it("proves with fewer disclosures, and tells what was withheld", () => {
    assert.strictEqual(outcome({ ...json, disclosures: [] }), "proved")
  })

  it.each([
    ["another index", { index: INDEX + 1 }, "inclusion"],
    ["a missing hash", { hashes: json.hashes.slice(1) }, "inclusion"],
    ["another entry", { entry: Base64.encode(LogKit.flipped(bytes, 9)) }, "inclusion"],
    ["a changed hash", { hashes: [Base64.encode(root), ...json.hashes.slice(1)] }, "inclusion"],
    ["a foreign disclosure", { disclosures: ["WyJzIiwibiIsMV0"] }, "disclosures"],
    ["a repeated disclosure", { disclosures: [...disclosures, disclosures[0]] }, "disclosures"],
    [
      "another root",
      { checkpoint: checkpoint.replace(/\n.{44}\n/, `\n${json.hashes[0]}\n`) },
      "inclusion"
    ],
    ["no checkpoint", { checkpoint: "x" }, "checkpoint"],
    ["an index that is no number", { index: "4" }, "malformed"],
    ["a hash that is too short", { hashes: ["AA=="] }, "malformed"],
    ["an entry that is no Base64", { entry: "!" }, "malformed"],
    ["disclosures that are no texts", { disclosures: [1] }, "malformed"],
    ["a null checkpoint", { checkpoint: null }, "malformed"]
  ])("with %s is refused", (_, change, refusal) => {
    assert.strictEqual(outcome({ ...json, ...change }), refusal)
  })

  it.each([
    "",
    "{}",
    "[]",
    "null",
    '{"status":"pending","entry_id":"0"}',
    "c2sp.org/tlog-proof@v1\n"
  ])("is not read from %s", (text) => assert.isTrue(Option.isNone(InclusionReceipt.parse(text))))
})

describe("claims of a note", () => {
  const note = Option.getOrThrow(SignedNote.parse(checkpoint))
  const key = { name: "log.example", type: SignedNote.ED25519, publicKey: new Uint8Array(32) }

  it("are the lines by known keys alone", () => {
    assert.isEmpty(SignedNote.claims(note, [key]))
    const own = { ...line, keyId: SignedNote.keyId(key) }
    const short = { ...own, signature: new Uint8Array(63) }
    const signed = SignedNote.claims({ ...note, signatures: [line, own, short] }, [key])
    assert.deepStrictEqual(
      signed.map((claim) => Option.isSome(claim.signed)),
      [true, false]
    )
  })
})
