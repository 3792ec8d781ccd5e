/** L-12: erased members are in no table, and every proof of before and after verifies. */
import * as Base64 from "@attestry/core/Base64"
import * as LogFinding from "@attestry/core/LogFinding"
import { LogVerification } from "@attestry/core/LogVerification"
import * as MerkleProof from "@attestry/core/MerkleProof"
import * as MerkleTree from "@attestry/core/MerkleTree"
import { OrgStore } from "@attestry/core/OrgStore"
import * as RecordFinding from "@attestry/core/RecordFinding"
import { RecordVerification } from "@attestry/core/RecordVerification"
import { Effect, Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import { onEveryStore } from "../shared/TestServer.js"
import { fill } from "./World.js"

const AUTHOR = "Ada <ada@example.org>"

interface Members {
  readonly entry: string
  readonly pointers: ReadonlyArray<string>
}

interface Erased {
  readonly erased: ReadonlyArray<Members>
  readonly preview: boolean
}

interface Receipt {
  readonly index: number
  readonly size: number
  readonly hashes: ReadonlyArray<string>
  readonly entry: string
  readonly disclosures: ReadonlyArray<string>
}

const bytes = (text: string) => Option.getOrThrow(Base64.decode(text))

onEveryStore("POST /erasures/{org}", (server) => {
  const { call, run } = server
  const post = (body: object) => call("POST /erasures/{org}", { body })
  const receiptOf = async (entry: string) => {
    const { body } = await call("GET /log/{org}/entries/{entry}", { path: { entry } })
    return body as Receipt
  }
  /** The rows of all tables that contain a text. */
  const rowsWith = (text: string) =>
    run(
      Effect.gen(function* () {
        const database = yield* Effect.serviceOption(TestDatabase)
        if (Option.isNone(database)) return []
        const { query } = database.value
        const tables = yield* query(
          "select table_name as name from information_schema.tables where table_schema = 'attestry'"
        )
        const found: Array<string> = []
        for (const { name } of tables) {
          const [counted] = yield* query(
            `select count(*)::int4 as n from attestry."${String(name)}" t
              where to_jsonb(t)::text like $1 or to_jsonb(t)::text like $2`,
            [`%${text}%`, `%${Buffer.from(text).toString("hex")}%`]
          )
          if (Number(counted?.n) > 0) found.push(String(name))
        }
        return found.sort()
      }).pipe(Effect.orDie)
    )
  const problems = () =>
    run(
      Effect.gen(function* () {
        const [org] = (yield* (yield* OrgStore).list).filter(({ name }) => name === server.org)
        if (org === undefined) return []
        const { findings } = yield* (yield* LogVerification).verify(org.id)
        const records = yield* (yield* RecordVerification).verify(org.id, 4)
        return [...findings.map(LogFinding.print), ...records.map(RecordFinding.print)]
      })
    )

  beforeAll(() => fill(server), 60_000)

  it("finds members by their value, and only tells them", async () => {
    const { status, body } = await post({ value: AUTHOR, reason: "asked" })
    assert.strictEqual(status, 200, JSON.stringify(body))
    const { erased, preview } = body as Erased
    assert.isTrue(preview)
    assert.isNotEmpty(erased)
    for (const { pointers } of erased) {
      for (const pointer of pointers) assert.match(pointer, /\/author$/)
    }
  })

  it("L-12: erases them for good; receipts of before and after prove the same leaf", async () => {
    const found = (await post({ value: AUTHOR, reason: "asked" })).body as Erased
    const before = await Promise.all(found.erased.map(({ entry }) => receiptOf(entry)))
    const { status, body } = await post({ value: AUTHOR, reason: "asked", preview: false })
    assert.strictEqual(status, 200, JSON.stringify(body))
    assert.deepStrictEqual((body as Erased).erased, found.erased)
    assert.deepStrictEqual(await rowsWith("ada@example.org"), [])
    for (const [at, { entry }] of found.erased.entries()) {
      const [old, now] = [before[at], await receiptOf(entry)]
      assert.strictEqual(now.entry, old?.entry)
      assert.isBelow(now.disclosures.length, old?.disclosures.length ?? 0)
      const leaf = MerkleTree.leafHash(bytes(now.entry))
      const { body: proof } = await call("GET /log/{org}/proofs/inclusion", {
        query: `?index=${now.index}&size=${now.size}`
      })
      const { root } = proof as { readonly root: string }
      assert.isTrue(
        MerkleProof.verifyInclusion(
          { index: now.index, size: now.size, leaf, hashes: now.hashes.map(bytes) },
          bytes(root)
        )
      )
    }
    assert.deepStrictEqual(await problems(), [])
    assert.deepStrictEqual(((await post({ value: AUTHOR, reason: "x" })).body as Erased).erased, [])
    const shown = await call("GET /trails/{org}/{flow_name}/{trail_name}", {
      path: { flow_name: "shop", trail_name: "one" }
    })
    assert.strictEqual(shown.status, 200)
    assert.include(JSON.stringify(shown.body), "**ERASED**")
    const { body: events } = await call("GET /events/{org}", { query: "?limit=1000" })
    const marked = (events as { events: ReadonlyArray<{ erased: ReadonlyArray<string> }> }).events
    assert.isTrue(
      marked.some(({ erased }) => erased.some((pointer) => pointer.endsWith("/author")))
    )
  }, 60_000)

  it("erases members that are named, and refuses others", async () => {
    const { body } = await call("GET /events/{org}", { query: "?limit=1000&kind=flow_updated" })
    const [event] = (body as { events: ReadonlyArray<{ entry: string }> }).events
    const entries = (pointer: string) => [{ entry: event?.entry ?? "", pointers: [pointer] }]
    const wrong = await post({ entries: entries("/facts/content/name"), reason: "asked" })
    assert.strictEqual(wrong.status, 400)
    assert.hasAllKeys((wrong.body as { errors: object }).errors, ["entries"])
    const unknown = [{ entry: "0000000000000000", pointers: ["/x"] }]
    assert.strictEqual((await post({ entries: unknown, reason: "asked" })).status, 404)
    for (const bad of [{ reason: "r" }, { value: "v", entries: unknown, reason: "r" }]) {
      assert.strictEqual((await post(bad)).status, 400)
    }
    const done = await post({ entries: entries("/facts/content/description"), reason: "asked" })
    assert.strictEqual(done.status, 200, JSON.stringify(done.body))
    const { body: flow } = await call("GET /flows/{org}/{flow_name}", {
      path: { flow_name: "shop" }
    })
    assert.deepInclude(flow, { description: "**ERASED**" })
    assert.deepStrictEqual(await problems(), [])
  })

  it("is listed, with what was erased and why, and is for admins", async () => {
    const { body } = await call("GET /erasures/{org}")
    assert.deepInclude((body as ReadonlyArray<object>)[0], { reason: "asked", by: "ada" })
    for (const as of ["member", "reader"] as const) {
      assert.strictEqual((await call("GET /erasures/{org}", { as })).status, 403)
    }
  })
})
