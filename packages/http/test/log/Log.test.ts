/** The log on the wire: a reader with nothing but these answers checks every hash. */

import * as LogEntry from "@attestry/core/LogEntry"
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as EntryBundle from "@attestry/transparency-log/EntryBundle"
import * as MerkleProof from "@attestry/transparency-log/MerkleProof"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import { Notes } from "@attestry/transparency-log/Notes"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as TlogProof from "@attestry/transparency-log/TlogProof"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { Effect, Layer, Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

interface Event {
  readonly entry: string
  readonly index: number
  readonly kind: string
  readonly subject: { readonly type: string; readonly id: string }
  readonly prev: number | null
  readonly content: unknown
}

interface Events {
  readonly events: ReadonlyArray<Event>
  readonly next: number
  readonly size: number
}

const bytes = (text: string) => Option.getOrThrow(Base64.decode(text))

/** What a verified note says. */
const opened = (note: string, vkey: string) =>
  Effect.gen(function* () {
    const notes = yield* Notes
    const key = Option.getOrThrow(SignedNote.parseKey(vkey))
    const { text } = Option.getOrThrow(yield* notes.open(note, [key]))
    return Option.getOrThrow(Checkpoint.parse(text))
  }).pipe(
    Effect.provide(Layer.provide(Notes.Default, SignaturesWebCrypto.layer)),
    Effect.runPromise
  )

onBothStores("the log of an org", ({ call, journal }) => {
  const get = async (path: string, query = "", as: "admin" | "reader" = "admin") => {
    const { status, body } = await call(`GET ${path}`, { query, as })
    assert.strictEqual(status, 200, JSON.stringify(body))
    // WHY: each test states the shape that it reads.
    return body as never
  }
  const state = async (): Promise<{
    readonly origin: string
    readonly size: number
    readonly root: string
    readonly state: string
    readonly keys: ReadonlyArray<{ readonly vkey: string }>
  }> => get("/log/{org}")
  const events = async (query = "", as: "admin" | "reader" = "admin"): Promise<Events> =>
    get("/events/{org}", query, as)
  const checkpoint = async () =>
    opened(await get("/log/{org}/checkpoint"), (await state()).keys[0]?.vkey ?? "")

  beforeAll(async () => {
    for (let n = 0; n < 6; n++) {
      await call("PUT /flows/{org}", { body: { name: `flow-${n % 4}`, description: `no ${n}` } })
    }
  })

  it("has one event for each entry of the journal, dense from 0", async () => {
    const stored = await journal()
    const { events: found, next, size } = await events("?limit=1000")
    assert.deepStrictEqual(
      found.map(({ index }) => index),
      stored.map((_, index) => index)
    )
    assert.deepStrictEqual(
      found.map(({ kind, subject, content }) => ({ kind, subject, content })),
      stored.map(({ kind, subject, content }) => {
        const { details, ...shown } = JSON.parse(content)
        // The check of a key is shown to no caller.
        return {
          kind,
          subject,
          content: subject.type === "api_key" ? shown : { ...JSON.parse(content) }
        }
      })
    )
    assert.strictEqual(next, stored.length - 1)
    assert.strictEqual(size, stored.length)
    assert.strictEqual(new Set(found.map(({ entry }) => entry)).size, stored.length)
  })

  it("LOG-26: gives the whole log in pages of any size, also with filters", async () => {
    const all = (await events("?limit=1000")).events
    for (const limit of [1, 2, 5, 7]) {
      for (const filter of ["", "&kind=flow_created", "&subject_type=user&subject_type=org"]) {
        const found: Array<Event> = []
        let after = -1
        for (;;) {
          const page = await events(`?limit=${limit}&after=${after}${filter}`)
          found.push(...page.events)
          if (page.next === after) break
          after = page.next
        }
        const kept = all.filter(
          ({ kind, subject }) =>
            filter === "" ||
            (filter.includes("kind")
              ? kind === "flow_created"
              : ["user", "org"].includes(subject.type))
        )
        assert.deepStrictEqual(found, kept)
      }
    }
  })

  it("LOG-27: chains the entries of each subject", async () => {
    const newest = new Map<string, number>()
    for (const { index, subject, prev } of (await events("?limit=1000")).events) {
      const key = `${subject.type} ${subject.id}`
      assert.strictEqual(prev, newest.get(key) ?? null)
      newest.set(key, index)
    }
  })

  it("hides keys and people from readers, and keeps their place", async () => {
    const { events: found } = await events("?limit=1000", "reader")
    const closed = found.filter(({ subject }) => ["api_key", "user"].includes(subject.type))
    assert.isNotEmpty(closed)
    for (const { content } of closed) assert.isNull(content)
    assert.deepInclude(found.at(-1)?.content, { description: "no 5" })
  })

  it("signs a checkpoint whose root every entry bundle and tile leads to", async () => {
    const { origin, size, root } = await checkpoint()
    assert.strictEqual(origin, "127.0.0.1:8080/api/v2/log/acme")
    const path = { tile_path: `000.p/${size}` }
    const bundle = (await call("GET /log/{org}/tile/entries/{tile_path}", { path })).body
    const entries = Option.getOrThrow(EntryBundle.parse(bundle as Uint8Array))
    const leaves = entries.map(MerkleTree.leafHash)
    assert.strictEqual(leaves.length, size)
    const { edge } = MerkleTree.append(MerkleTree.EMPTY, leaves)
    assert.deepStrictEqual([...MerkleTree.root(edge)], [...root])
    const tile = await call("GET /log/{org}/tile/{level}/{tile_path}", {
      path: { level: "0", ...path }
    })
    assert.deepStrictEqual(
      [...(tile.body as Uint8Array)],
      leaves.flatMap((leaf) => [...leaf])
    )
    assert.strictEqual(tile.headers.get("cache-control"), "private, immutable, max-age=31536000")
    const told = await state()
    assert.strictEqual(told.root, Base64.encode(root))
    assert.strictEqual(told.state, "current")
  })

  it.each(["000", "0", "x000/000", "000.p/0", "000.p/256", "001.p/1", "000.p/200", "entries"])(
    "has no tile %s",
    async (tile_path) => {
      for (const level of ["0", "entries"]) {
        const path = { level, tile_path }
        const { status } = await call("GET /log/{org}/tile/{level}/{tile_path}", { path })
        assert.strictEqual(status, 404)
      }
    }
  )

  it.each(["64", "-1", "01", "x"])("has no tile of level %s", async (level) => {
    const path = { level, tile_path: "000.p/1" }
    const { status } = await call("GET /log/{org}/tile/{level}/{tile_path}", { path })
    assert.strictEqual(status, 404)
  })

  it("proves every leaf at every size", async () => {
    const { size } = await checkpoint()
    for (let index = 0; index < size; index += 3) {
      const proof: {
        readonly leaf_hash: string
        readonly hashes: ReadonlyArray<string>
        readonly root: string
      } = await get("/log/{org}/proofs/inclusion", `?index=${index}&size=${size - (index % 2)}`)
      assert.isTrue(
        MerkleProof.verifyInclusion(
          {
            index,
            size: size - (index % 2),
            leaf: bytes(proof.leaf_hash),
            hashes: proof.hashes.map(bytes)
          },
          bytes(proof.root)
        )
      )
    }
  })

  it("proves that it only grew", async () => {
    const before = await checkpoint()
    await call("PUT /flows/{org}", { body: { name: "one-more", description: "" } })
    const after = await checkpoint()
    assert.isAbove(after.size, before.size)
    for (const from of [0, 1, before.size, after.size]) {
      const proof: {
        readonly hashes: ReadonlyArray<string>
        readonly from_root: string
        readonly to_root: string
      } = await get("/log/{org}/proofs/consistency", `?from=${from}&to=${after.size}`)
      if (from === before.size) assert.strictEqual(proof.from_root, Base64.encode(before.root))
      assert.isTrue(
        MerkleProof.verifyConsistency({
          from,
          to: after.size,
          hashes: proof.hashes.map(bytes),
          fromRoot: bytes(proof.from_root),
          toRoot: after.root
        })
      )
    }
  })

  it("needs no hashes to prove that it is itself", async () => {
    const { body } = await call("GET /log/{org}/proofs/consistency", { query: "?from=3&to=3" })
    assert.deepInclude(body, { from: 3, to: 3, hashes: [] })
  })

  it("refuses sizes and indexes that are not there, and names the field", async () => {
    const { size } = await checkpoint()
    const wrong: ReadonlyArray<readonly [string, string, string]> = [
      ["inclusion", `?index=${size}`, "query.index"],
      ["inclusion", `?index=0&size=${size + 1}`, "query.size"],
      ["inclusion", "?index=3&size=3", "query.index"],
      ["inclusion", "?index=-1", "query.index"],
      ["inclusion", "", "query.index"],
      ["consistency", `?from=0&to=${size + 1}`, "query.to"],
      ["consistency", "?from=3&to=2", "query.from"],
      ["consistency", "?from=x&to=2", "query.from"]
    ]
    for (const [proof, query, field] of wrong) {
      const { status, body } = await call(`GET /log/{org}/proofs/${proof}`, { query })
      assert.strictEqual(status, 400, JSON.stringify(body))
      assert.hasAllKeys((body as { errors: object }).errors, [field])
    }
  })

  it("gives receipts that prove an entry and show what the caller may see", async () => {
    const { events: found } = await events("?limit=1000")
    for (const { entry, index, subject } of found) {
      for (const as of ["admin", "reader"] as const) {
        const path = { entry }
        const { status, body } = await call("GET /log/{org}/entries/{entry}", { path, as })
        assert.strictEqual(status, 200)
        const receipt = body as {
          readonly status: string
          readonly index: number
          readonly size: number
          readonly hashes: ReadonlyArray<string>
          readonly entry: string
          readonly disclosures: ReadonlyArray<string>
          readonly checkpoint: string
        }
        assert.deepStrictEqual([receipt.status, receipt.index], ["included", index])
        const { root, size } = await opened(receipt.checkpoint, (await state()).keys[0]?.vkey ?? "")
        const leaf = MerkleTree.leafHash(bytes(receipt.entry))
        const hashes = receipt.hashes.map(bytes)
        assert.isTrue(MerkleProof.verifyInclusion({ index, size, leaf, hashes }, root))
        const read = Option.getOrThrow(LogEntry.read(bytes(receipt.entry), receipt.disclosures))
        const isClosed = ["api_key", "user"].includes(subject.type)
        if (as === "admin") assert.deepNestedInclude(read.shown, { "facts.subject": subject })
        else if (isClosed) assert.deepStrictEqual(read.shown, {})
      }
    }
  }, 60_000)

  it("gives receipts as texts of C2SP tlog-proof", async () => {
    const [first] = (await events()).events
    const path = { entry: first?.entry ?? "" }
    const { body } = await call("GET /log/{org}/entries/{entry}", {
      path,
      query: "?format=tlog-proof"
    })
    const proof = Option.getOrThrow(TlogProof.parse(String(body)))
    const { root, size } = await opened(proof.checkpoint, (await state()).keys[0]?.vkey ?? "")
    const extra = JSON.parse(Option.getOrThrow(Base64.textOf(Option.getOrThrow(proof.extra))))
    const leaf = MerkleTree.leafHash(bytes(extra.entry))
    assert.isTrue(
      MerkleProof.verifyInclusion({ index: proof.index, size, leaf, hashes: proof.hashes }, root)
    )
  })

  it("knows no entry of another org, and none with another id", async () => {
    const [first] = (await events()).events
    for (const entry of ["0000000000000000", "x", (first?.entry ?? "").toUpperCase()]) {
      const { status, body } = await call("GET /log/{org}/entries/{entry}", { path: { entry } })
      assert.strictEqual(status, 404)
      assert.deepStrictEqual(body, { message: `No entry ${entry} in organization 'acme'` })
    }
    const path = { org: "globex", entry: first?.entry ?? "" }
    const { status } = await call("GET /log/{org}/entries/{entry}", { path, as: "foreigner" })
    assert.strictEqual(status, 404)
  })

  it("answers no events above the size, and refuses an index below -1", async () => {
    const { size } = await events()
    assert.deepStrictEqual(await events(`?after=${size + 5}`), { events: [], next: size + 5, size })
    for (const query of ["?after=-2", "?limit=0", "?limit=1001"]) {
      assert.strictEqual((await call("GET /events/{org}", { query })).status, 400)
    }
  })
})

onBothStores("waiting for the log", ({ call }) => {
  it("LOG-26: answers as soon as there is an entry, with exactly the next ones", async () => {
    const { body } = await call("GET /events/{org}", { query: "?limit=1000" })
    const { next } = body as Events
    const waiting = call("GET /events/{org}", { query: `?after=${next}&wait=30` })
    await call("PUT /flows/{org}", { body: { name: "shop", description: "" } })
    const { status, body: page } = await waiting
    assert.strictEqual(status, 200)
    const found = page as Events
    assert.deepStrictEqual(
      found.events.map(({ index, kind }) => [index, kind]),
      [[next + 1, "flow_created"]]
    )
    const [event] = found.events
    const path = { entry: event?.entry ?? "" }
    const receipt = await call("GET /log/{org}/entries/{entry}", { path, query: "?wait=10" })
    assert.deepInclude(receipt.body, { status: "included", index: next + 1 })
  }, 40_000)

  it("ends after the time with nothing, and refuses a longer time", async () => {
    const { body } = await call("GET /events/{org}", { query: "?after=100000&wait=1" })
    assert.deepStrictEqual((body as Events).events, [])
    for (const query of ["?wait=31", "?wait=-1"]) {
      assert.strictEqual((await call("GET /events/{org}", { query })).status, 400)
    }
  })
})

onBothStores(
  "a log without a key",
  ({ call }) => {
    it("grows unsigned, says so, and has no checkpoint", async () => {
      const { body } = await call("GET /log/{org}")
      assert.deepInclude(body, { state: "unsigned", checkpoint: null, keys: [] })
      const { status, body: told } = await call("GET /log/{org}/checkpoint")
      assert.strictEqual(status, 503)
      assert.deepStrictEqual(told, {
        message: "The log has no signing key; the operator sets ATTESTRY_LOG_KEY_FILE"
      })
      const { status: proved } = await call("GET /log/{org}/proofs/inclusion", {
        query: "?index=0"
      })
      assert.strictEqual(proved, 200)
    })
  },
  { isSigned: false }
)
