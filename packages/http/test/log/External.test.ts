/**
 * Programs of others agree: one in another language that was written from the RFCs alone, and one from npm.
 *
 * The log is served by this program and stored as files. Without Python the first is skipped, unless
 * `ATTESTRY_TEST_PYTHON` is `required`.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Base64 from "@attestry/core/Base64"
import { OrgName } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import { OrgStore } from "@attestry/core/OrgStore"
import * as Tile from "@attestry/core/Tile"
import * as Fixture from "@attestry/core/testing/Fixture"
import { RFC9162 } from "@transmute/rfc9162"
import { Effect, Option } from "effect"
import { afterAll, assert, beforeAll, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

const SCRIPT = fileURLToPath(new URL("./verify_log.py", import.meta.url))

const hasPython = spawnSync("python3", ["--version"]).status === 0
const isRequired = process.env.ATTESTRY_TEST_PYTHON === "required"

/** More than two full tiles. */
const MORE = 590

interface Inclusion {
  readonly index: number
  readonly size: number
  readonly leaf_hash: string
  readonly hashes: ReadonlyArray<string>
  readonly root: string
}

interface Consistency {
  readonly from: number
  readonly to: number
  readonly hashes: ReadonlyArray<string>
  readonly from_root: string
  readonly to_root: string
}

const bytes = (text: string) => Option.getOrThrow(Base64.decode(text))

const verify = (folder: string) => {
  const { status, stdout, stderr } = spawnSync("python3", [SCRIPT, folder], { encoding: "utf8" })
  return { status, told: `${stdout}${stderr}` }
}

onEveryStore("a served log", ({ call, run }) => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-log-"))
  const files: Array<string> = []
  let size = 0
  const inclusion: Array<Inclusion> = []
  const consistency: Array<Consistency> = []
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const get = async <A>(path: string, query = ""): Promise<A> => {
    const { status, body } = await call(`GET ${path}`, { query })
    assert.strictEqual(status, 200, JSON.stringify(body))
    // WHY: each caller states the shape that the contract has.
    return body as A
  }
  const store = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
    files.push(path)
  }

  /** More entries than requests of a test should make. */
  const append = Effect.gen(function* () {
    const org = Option.getOrThrow(yield* (yield* OrgStore).findByName(OrgName.make("acme")))
    yield* (yield* JournalStore).appendAll(
      Array.from({ length: MORE }, (_, place) => ({
        org_id: org.id,
        kind: "flow_updated",
        subject: { type: "flow", id: `s${place % 9}` },
        actor: { kind: "user" as const, id: "u", name: "anna" },
        at: Fixture.AT,
        content: `{"place":${place}}`,
        digest: "0".repeat(64)
      }))
    )
  })

  beforeAll(async () => {
    await run(append)
    const log = await get<{ size: number; keys: ReadonlyArray<{ vkey: string }> }>("/log/{org}")
    size = log.size
    store("checkpoint", await get<string>("/log/{org}/checkpoint"))
    for (let level = 0; Tile.hashesAt(level, size) > 0; level++) {
      for (let index = 0; ; index++) {
        const tile = Tile.within(size, { level, index })
        if (tile.width === 0) break
        store(Tile.print(tile), await get<Uint8Array>(`/log/{org}/${Tile.print(tile)}`))
        const entries = Tile.printEntries(tile)
        if (level === 0) store(entries, await get<Uint8Array>(`/log/{org}/${entries}`))
      }
    }
    for (const [index, within] of [
      ...[0, 1, 255, 256, 511, 512, size - 1].map((each) => [each, size] as const),
      ...([
        [3, 4],
        [255, 256],
        [256, 257],
        [500, 513]
      ] as const)
    ]) {
      const query = `?index=${index}&size=${within}`
      inclusion.push(await get<Inclusion>("/log/{org}/proofs/inclusion", query))
    }
    for (const [from, to] of [
      [0, 5],
      [1, size],
      [255, 256],
      [256, size],
      [257, 512],
      [size, size]
    ] as const) {
      const query = `?from=${from}&to=${to}`
      consistency.push(await get<Consistency>("/log/{org}/proofs/consistency", query))
    }
    writeFileSync(join(folder, "vkey"), log.keys[0]?.vkey ?? "")
    writeFileSync(join(folder, "proofs.json"), JSON.stringify({ inclusion, consistency }))
  }, 60_000)

  it.skipIf(!hasPython && !isRequired)("is verified by a program in another language", () => {
    const { status, told } = verify(folder)
    assert.strictEqual(status, 0, told)
    assert.strictEqual(told, `verified ${size} entries\n`)
  })

  it.skipIf(!hasPython && !isRequired)(
    "is refused by it after one bit of any file was changed",
    () => {
      for (const path of [...files, "proofs.json"]) {
        const file = join(folder, path)
        const content = readFileSync(file)
        const place = path === "proofs.json" ? content.indexOf("hashes") + 12 : content.length - 9
        const altered = Buffer.from(content)
        altered[place] = (altered[place] ?? 0) ^ 1
        writeFileSync(file, altered)
        assert.notStrictEqual(verify(folder).status, 0, path)
        writeFileSync(file, content)
      }
      assert.strictEqual(verify(folder).status, 0)
    },
    60_000
  )

  it("has proofs that a library from npm verifies", async () => {
    for (const { index, size, hashes, leaf_hash, root } of inclusion) {
      const proof = {
        ...{ log_id: "", tree_size: size, leaf_index: index },
        inclusion_path: hashes.map(bytes)
      }
      assert.isTrue(await RFC9162.verifyInclusionProof(bytes(root), bytes(leaf_hash), proof))
      const other = { ...proof, leaf_index: index === 0 ? 1 : index - 1 }
      assert.isFalse(await RFC9162.verifyInclusionProof(bytes(root), bytes(leaf_hash), other))
    }
    for (const { from, to, hashes, from_root, to_root } of consistency) {
      // WHY: it does not take a tree without leaves, nor two equal sizes.
      if (from === 0 || from === to) continue
      const proof = {
        ...{ log_id: "", tree_size_1: from, tree_size_2: to },
        // WHY: it wants the root of the first tree in the path where RFC 9162 lets the verifier prepend it.
        consistency_path: [
          ...(Number.isInteger(Math.log2(from)) ? [from_root] : []),
          ...hashes
        ].map(bytes)
      }
      assert.isTrue(await RFC9162.verifyConsistencyProof(bytes(from_root), bytes(to_root), proof))
      assert.isFalse(await RFC9162.verifyConsistencyProof(bytes(to_root), bytes(from_root), proof))
    }
  })
})
