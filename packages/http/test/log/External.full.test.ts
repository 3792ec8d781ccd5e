/**
 * Programs of others agree: one in another language that was written from the RFCs alone, and one from npm with the
 * signatures of Node.
 *
 * The log is served by this program and stored as files: checkpoint with a cosignature, tiles, entry bundles, proofs,
 * and receipts with what they disclose. Without Python the first is skipped, unless `ATTESTRY_TEST_PYTHON` is
 * `required`.
 */
import { spawnSync } from "node:child_process"
import { createPublicKey, verify as verifySignature } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Base64 from "@attestry/transparency-log/Base64"
import { RFC9162 } from "@transmute/rfc9162"
import { Option } from "effect"
import { afterAll, assert, beforeAll, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"
import * as StoredLog from "./StoredLog.js"
import { WITNESS } from "./TestWitness.js"

const SCRIPT = fileURLToPath(new URL("./external/verify_log.py", import.meta.url))

const hasPython = spawnSync("python3", ["--version"]).status === 0
const isRequired = process.env.ATTESTRY_TEST_PYTHON === "required"

const bytes = (text: string) => Option.getOrThrow(Base64.decode(text))

const verify = (folder: string) => {
  // WHY -B: it would leave compiled files beside the sources.
  const ran = spawnSync("python3", ["-B", SCRIPT, folder], { encoding: "utf8" })
  return { status: ran.status, told: `${ran.stdout}${ran.stderr}` }
}

/** The header of the DER form of a public key of Ed25519, by RFC 8410. */
const SPKI = Buffer.from("302a300506032b6570032100", "hex")

/** Whether a line of a note is signed, by Node. */
const isSigned = (vkey: string, note: string): boolean => {
  const key = bytes(vkey.split("+").slice(2).join("+"))
  const publicKey = createPublicKey({
    key: Buffer.concat([SPKI, key.slice(1)]),
    format: "der",
    type: "spki"
  })
  const end = note.lastIndexOf("\n\n")
  const text = note.slice(0, end + 1)
  const line = note
    .slice(end + 2)
    .split("\n")
    .find((each) => each.startsWith(`— ${vkey.split("+")[0]} `))
  const blob = Buffer.from(bytes(line?.split(" ")[2] ?? "")).subarray(4)
  if (key[0] === 1) return verifySignature(null, Buffer.from(text), publicKey, blob)
  const time = blob.readBigUInt64BE(0)
  const message = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`)
  return verifySignature(null, message, publicKey, blob.subarray(8))
}

onBothStores(
  "a served log",
  (server) => {
    const folder = mkdtempSync(join(tmpdir(), "attestry-log-"))
    let log: StoredLog.StoredLog | undefined
    const stored = () => log ?? assert.fail("nothing is stored")
    afterAll(() => rmSync(folder, { recursive: true, force: true }))
    beforeAll(async () => {
      log = await StoredLog.store(server, folder)
    }, 60_000)

    it.skipIf(!hasPython && !isRequired)("is verified by a program in another language", () => {
      const { size, receipts } = stored()
      const { status, told } = verify(folder)
      assert.strictEqual(status, 0, told)
      assert.strictEqual(told, `verified ${size} entries and ${receipts.size} receipts\n`)
    })

    it("has checkpoints and cosignatures that Node verifies", () => {
      const { vkey, checkpoint } = stored()
      assert.isTrue(isSigned(vkey, checkpoint))
      assert.isTrue(isSigned(WITNESS.vkey, checkpoint))
      const other = checkpoint.replace(/\n\d+\n/, "\n1\n")
      assert.isFalse(isSigned(vkey, other))
      assert.isFalse(isSigned(WITNESS.vkey, other))
    })

    it("has entries whose tree head a library from npm computes", async () => {
      const { checkpoint, entries } = stored()
      const head = await RFC9162.treeHead(entries.map((entry) => Uint8Array.from(entry)))
      assert.strictEqual(Base64.encode(head), checkpoint.split("\n")[2])
    })

    it("has proofs that a library from npm verifies", async () => {
      for (const { index, size, hashes, leaf_hash, root } of stored().inclusion) {
        const proof = {
          log_id: "",
          tree_size: size,
          leaf_index: index,
          inclusion_path: hashes.map(bytes)
        }
        assert.isTrue(await RFC9162.verifyInclusionProof(bytes(root), bytes(leaf_hash), proof))
        const other = { ...proof, leaf_index: index === 0 ? 1 : index - 1 }
        assert.isFalse(await RFC9162.verifyInclusionProof(bytes(root), bytes(leaf_hash), other))
      }
      for (const { from, to, hashes, from_root, to_root } of stored().consistency) {
        // WHY: it does not take a tree without leaves, nor two equal sizes.
        if (from === 0 || from === to) continue
        const proof = {
          log_id: "",
          tree_size_1: from,
          tree_size_2: to,
          // WHY: it wants the root of the first tree in the path where RFC 9162 lets the verifier prepend it.
          consistency_path: [
            ...(Number.isInteger(Math.log2(from)) ? [from_root] : []),
            ...hashes
          ].map(bytes)
        }
        assert.isTrue(await RFC9162.verifyConsistencyProof(bytes(from_root), bytes(to_root), proof))
        assert.isFalse(
          await RFC9162.verifyConsistencyProof(bytes(to_root), bytes(from_root), proof)
        )
      }
    })

    it("has receipts that a library from npm verifies", async () => {
      for (const text of stored().receipts.values()) {
        const [head = "", ...note] = text.split("\n\n")
        const [, extra = "", index = "", ...path] = head.split("\n")
        const content = JSON.parse(Buffer.from(extra.slice(6), "base64").toString("utf8"))
        const [, size, root = ""] = note.join("\n\n").split("\n")
        const leaf = await RFC9162.leaf(Uint8Array.from(bytes(content.entry)))
        const proof = {
          log_id: "",
          tree_size: Number(size),
          leaf_index: Number(index.slice(6)),
          inclusion_path: path.map(bytes)
        }
        assert.isTrue(await RFC9162.verifyInclusionProof(bytes(root), leaf, proof))
        assert.isFalse(
          await RFC9162.verifyInclusionProof(bytes(root), await RFC9162.leaf(bytes(root)), proof)
        )
      }
    })

    // WHY on one store: the program reads files, and takes half a second for each change.
    if (!server.isInMemory) return

    /** What the program says after one bit of a file was changed. */
    const withChange = (path: string, place: number) => {
      const file = join(folder, path)
      const content = readFileSync(file)
      const altered = Buffer.from(content)
      altered[place] = (altered[place] ?? 0) ^ 1
      writeFileSync(file, altered)
      const ran = verify(folder)
      writeFileSync(file, content)
      return ran
    }

    it.skipIf(!hasPython && !isRequired)(
      "is refused by a program in another language after one bit of any file was changed",
      () => {
        for (const path of stored().files) {
          const length = readFileSync(join(folder, path)).length
          assert.strictEqual(withChange(path, length - 9).status, 1, path)
        }
        const proofs = readFileSync(join(folder, "proofs.json"))
        for (const member of [
          'leaf_hash":"',
          'root":"',
          'hashes":["',
          'from_root":"',
          'to_root":"'
        ]) {
          const place = proofs.indexOf(member) + member.length + 5
          assert.strictEqual(withChange("proofs.json", place).status, 1, member)
        }
        assert.strictEqual(verify(folder).status, 0)
      },
      120_000
    )

    it.skipIf(!hasPython && !isRequired)(
      "has receipts that the program refuses after one bit of any line was changed",
      () => {
        const [name = ""] = [...stored().receipts.keys()]
        const path = `receipts/${name}`
        const content = readFileSync(join(folder, path))
        let start = 0
        for (const line of content.toString("utf8").split("\n")) {
          const length = Buffer.byteLength(line)
          const place = start + Math.floor((length * 2) / 3)
          if (length > 0) assert.strictEqual(withChange(path, place).status, 1, line)
          start += length + 1
        }
      },
      120_000
    )
  },
  { publishing: WITNESS.publishing }
)
