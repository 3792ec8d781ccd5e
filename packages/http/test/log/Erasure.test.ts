/** LOG-12: erased members are in no table, and every proof of before and after verifies. */

import * as LogFinding from "@attestry/core/LogFinding"
import { LogVerification } from "@attestry/core/LogVerification"
import { OrgStore } from "@attestry/core/OrgStore"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import * as Base64 from "@attestry/transparency-log/Base64"
import * as MerkleProof from "@attestry/transparency-log/MerkleProof"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import { Effect, Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import { onBothStores } from "../shared/TestServer.js"
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

onBothStores("POST /erasures/{org}", (server) => {
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
        return [...findings.map(LogFinding.print), ...records.map(TableFinding.print)]
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

  it("LOG-12: erases them for good; receipts of before and after prove the same leaf", async () => {
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
    assert.hasAllKeys((wrong.body as { errors: object }).errors, ["entries[0].pointers[0]"])
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

  it("LOG-12: removes erased texts from stored answers, deliveries and earlier reasons", async () => {
    const secret = "Grace Hopper <grace@example.org>"
    const key = { "idempotency-key": "k-erasure" }
    const env = { env_name: "prod" }
    const flow = { name: "secretive", description: secret }
    const first = await call("PUT /flows/{org}", { body: flow, headers: key })
    assert.strictEqual(first.status, 201, JSON.stringify(first.body))
    const allow = (description: string) =>
      call("PUT /allowlists/{org}/{env_name}", {
        path: env,
        body: { artifact_fingerprint: "e".repeat(64), artifact_name: "tool", description }
      })
    assert.isBelow((await allow(secret)).status, 300)
    assert.isBelow((await allow("another")).status, 300)
    await run(
      Effect.gen(function* () {
        const database = yield* Effect.serviceOption(TestDatabase)
        if (Option.isNone(database)) return
        const { query } = database.value
        // An answer and a delivery that tell what was recorded, as operations to come may have them.
        yield* query(
          `update attestry.idempotency set answer = to_json($1::text)::text
            where answer is not null`,
          [`by ${secret}`]
        )
        yield* query(
          `insert into attestry.outbox (org_id, delivery_id, queue, intent, intent_digest, target,
              notification, attempts, created_at, due_at)
            select org_id, 'd-erasure', 'q', 'i', '\\x00', '{}',
              jsonb_build_object('description', $1::text, 'ok', true), 0, 0, 0
            from attestry.org where name = $2`,
          [`reported by ${secret} today`, server.org]
        )
      }).pipe(Effect.orDie)
    )
    const { status, body } = await post({ value: secret, reason: "asked", preview: false })
    assert.strictEqual(status, 200, JSON.stringify(body))
    assert.isAtLeast((body as Erased).erased.length, 2)
    assert.deepStrictEqual(await rowsWith("grace@example.org"), [])
    assert.deepStrictEqual(await problems(), [])
    await run(
      Effect.gen(function* () {
        const database = yield* Effect.serviceOption(TestDatabase)
        if (Option.isNone(database)) return
        const { query } = database.value
        const [left] = yield* query(
          "select notification from attestry.outbox where delivery_id = 'd-erasure'"
        )
        assert.deepStrictEqual(left?.notification, {
          description: "reported by **ERASED** today",
          ok: true
        })
        yield* query("delete from attestry.outbox where delivery_id = 'd-erasure'")
      }).pipe(Effect.orDie)
    )
  }, 60_000)

  it("LOG-18: finds every use of the function that erases anything but personal members", async () => {
    await run(
      Effect.gen(function* () {
        const database = yield* Effect.serviceOption(TestDatabase)
        if (Option.isNone(database)) return
        const { query } = database.value
        const [org] = yield* query("select org_id as id from attestry.org where name = $1", [
          server.org
        ])
        const [row] = yield* query(
          `select j.sequence, convert_from(j.content, 'UTF8') as content,
              encode(j.digest, 'hex') as digest, encode(l.salt, 'hex') as salt
            from attestry.journal j join attestry.log_leaf l using (org_id, sequence)
            where j.org_id = $1 and j.kind = 'flow_archived' and l.salt is not null limit 1`,
          [org?.id]
        )
        const content = String(row?.content)
        yield* query("select set_config('attestry.org_id', $1, false)", [org?.id])
        const misuse = (changed: string, remains: object) =>
          Effect.gen(function* () {
            const digest = Buffer.from(Sha256.digestText(changed)).toString("hex")
            yield* query("select attestry.journal_erase($1, $2, $3, $4::jsonb)", [
              row?.sequence,
              changed,
              digest,
              JSON.stringify(remains)
            ])
            const told = yield* Effect.promise(problems)
            yield* query(
              `update attestry.journal set content = convert_to($2, 'UTF8'), digest = decode($3, 'hex')
                where sequence = $1`,
              [row?.sequence, content, row?.digest]
            )
            yield* query(
              `update attestry.log_leaf set salt = decode($2, 'hex'), disclosures = null
                where sequence = $1`,
              [row?.sequence, row?.salt]
            )
            return told
          })
        const nothing = { salts: {}, erased: {} }
        const claimed = { salts: {}, erased: { "/facts/content/name": "A".repeat(43) } }
        for (const changed of [
          misuse(content.replace('"older"', '"other"'), nothing),
          misuse(content.replace('"older"', `{"_erased":"${"A".repeat(43)}"}`), claimed),
          misuse(content, nothing)
        ]) {
          const told = yield* changed
          assert.isTrue(
            told.some((line) => line.startsWith("entry ")),
            told.join()
          )
        }
      }).pipe(Effect.orDie)
    )
    assert.deepStrictEqual(await problems(), [])
  }, 60_000)

  it("is listed, with what was erased and why, and is for admins", async () => {
    const { body } = await call("GET /erasures/{org}")
    assert.deepInclude((body as ReadonlyArray<object>)[0], { reason: "asked", by: "ada" })
    for (const as of ["member", "reader"] as const) {
      assert.strictEqual((await call("GET /erasures/{org}", { as })).status, 403)
    }
  })
})
