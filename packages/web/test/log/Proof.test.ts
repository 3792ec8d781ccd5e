/** Proofs are computed: an answer that was changed anywhere proves nothing. */

import * as LogEntry from "@attestry/core/LogEntry"
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import { assert, describe, it } from "vitest"
import { check } from "../../app/log/ProofCheck.js"
import type { ProofQuestion } from "../../app/log/ProofMessages.js"
import { isAbout, queryOf, refusalText } from "../../app/log/ProofText.js"
import * as SeenLogs from "../../app/log/SeenLogs.js"

const { bytes, hash, concealed } = LogEntry.make(
  {
    kind: "trail_attestation_reported",
    subject: { type: "trail", id: "t" },
    at: 5_000_000,
    prev: null,
    actor: { kind: "user", id: "u", name: "ada", credential: null },
    content: { attestation_id: "a1" }
  },
  new Uint8Array(32)
)
const first = MerkleTree.leafHash(Uint8Array.of(1))
const root = MerkleTree.nodeHash(first, hash)
const key = { name: "log.example", type: SignedNote.ED25519, publicKey: new Uint8Array(32) }
const checkpoint = SignedNote.print({
  text: Checkpoint.print({ origin: "log.example", size: 2, root }),
  signatures: [
    { name: key.name, keyId: SignedNote.keyId(key), signature: new Uint8Array(64).fill(1) }
  ]
})
const receipt = {
  status: "included",
  entry_id: "0",
  index: 1,
  size: 2,
  hashes: [Base64.encode(first)],
  entry: Base64.encode(bytes),
  disclosures: concealed.map(({ disclosure }) => disclosure),
  checkpoint
}
const question: ProofQuestion = { receipt, vkeys: [SignedNote.printKey(key)] }

const outcome = async (asked: ProofQuestion, verified = true): Promise<string> => {
  const answer = await check(asked, async () => verified)
  return answer.outcome === "refused" ? answer.refusal : answer.outcome
}

describe("a receipt", () => {
  it("proves its entry", async () => {
    const answer = await check(question, async () => true)
    assert.deepInclude(answer, { outcome: "proved", index: 1, size: 2, at: 5, withheld: 0 })
    assert.isTrue(answer.outcome === "proved" && isAbout({ what: "attestation", id: "a1" }, answer))
    assert.isFalse(
      answer.outcome === "proved" && isAbout({ what: "attestation", id: "a2" }, answer)
    )
  })

  it("proves nothing when it was changed, or is signed by no known key", async () => {
    const changed = (change: object) => outcome({ ...question, receipt: { ...receipt, ...change } })
    assert.strictEqual(await changed({ index: 0 }), "inclusion")
    assert.strictEqual(await changed({ disclosures: ["WyJzIiwibiIsMV0"] }), "disclosures")
    assert.strictEqual(await changed({ checkpoint: "x" }), "checkpoint")
    assert.strictEqual(await changed({ hashes: 1 }), "malformed")
    assert.strictEqual(await outcome(question, false), "unsigned")
    assert.deepStrictEqual(await check(question, async () => undefined), { outcome: "unable" })
    assert.strictEqual(await outcome({ ...question, vkeys: [] }), "unsigned")
    assert.strictEqual(await outcome({ ...question, vkeys: ["nonsense"] }), "unsigned")
  })

  it("is compared with the tree that was seen before", async () => {
    const seen = (size: number, of: Uint8Array, hashes: ReadonlyArray<string> = []) =>
      outcome({ ...question, grown: { from: { size, root: Base64.encode(of) }, hashes } })
    assert.strictEqual(await seen(2, root), "proved")
    assert.strictEqual(await seen(1, first, [Base64.encode(hash)]), "proved")
    assert.strictEqual(await seen(1, hash, [Base64.encode(hash)]), "fork")
    assert.strictEqual(await seen(2, first), "fork")
    assert.strictEqual(await seen(3, root), "fork")
    assert.strictEqual(await seen(1, first, ["x"]), "fork")
  })
})

describe("the words of proofs", () => {
  it("find each subject by what its page knows", () => {
    const artifact = { what: "artifact", id: "i", fingerprint: "f", flow: "shop" } as const
    assert.deepStrictEqual(queryOf(artifact), { fingerprint: "f", flow_name: "shop" })
    const snapshot = { what: "snapshot", environment: "prod", index: 3 } as const
    assert.deepStrictEqual(queryOf(snapshot), { env_name: "prod", snapshot: 3 })
    const facts = { kind: "snapshot_created", content: { index: 3 } }
    assert.isTrue(isAbout(snapshot, { shown: { facts } }))
    assert.isFalse(isAbout({ ...snapshot, index: 4 }, { shown: { facts } }))
    const shown = { facts: { content: { artifact_id: "i" } }, report: { fingerprint: "f" } }
    assert.isTrue(isAbout(artifact, { shown }))
    assert.isFalse(isAbout(artifact, { shown: { ...shown, report: { fingerprint: "g" } } }))
    assert.isFalse(isAbout(artifact, { shown: {} }))
    assert.include(refusalText("unsigned"), "not signed")
  })

  it("remember what was verified, and nothing else", () => {
    const seen = { size: 2, root: "r", vkeys: ["k"], at: 1 }
    assert.deepStrictEqual(SeenLogs.parse(JSON.stringify(seen)), seen)
    for (const text of [
      null,
      "",
      "1",
      "[]",
      '{"size":0,"root":"","vkeys":[],"at":1}',
      '{"size":1}'
    ])
      assert.isUndefined(SeenLogs.parse(text))
  })
})
