/** Logs that all callers may read, the state that `GET /log/{org}` shows, and the keys of logs as a JWK set. */

import { LogStore } from "@attestry/core/LogStore"
import { OrgStore } from "@attestry/core/OrgStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import { Effect, Option } from "effect"
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

interface Log {
  readonly keys: ReadonlyArray<{ readonly vkey: string }>
  readonly visibility: string
}

interface Jwk {
  readonly x: string
  readonly kid: string
  readonly [name: string]: unknown
}

const OPEN = [
  ["GET /log/{org}", ""],
  ["GET /log/{org}/checkpoint", ""],
  ["GET /log/{org}/tile/entries/{tile_path}", ""],
  ["GET /log/{org}/tile/{level}/{tile_path}", ""],
  ["GET /log/{org}/epochs/{epoch}/checkpoint", ""],
  ["GET /log/{org}/epochs/{epoch}/tile/entries/{tile_path}", ""],
  ["GET /log/{org}/epochs/{epoch}/tile/{level}/{tile_path}", ""],
  ["GET /log/{org}/proofs/inclusion", "?index=0"],
  ["GET /log/{org}/proofs/consistency", "?from=0&to=1"]
] as const

const PATH = { tile_path: "000.p/1", level: "0", epoch: "1" }

onBothStores("PATCH /log/{org}", ({ call, run, org }) => {
  const patch = (visibility: unknown, as: "admin" | "member" = "admin") =>
    call("PATCH /log/{org}", { body: { visibility }, as })
  const read = (operation: string, query: string, as: "nobody" | "foreigner" | "reader") =>
    call(operation, { path: PATH, query, as })
  const keys = async (query: string, as: "nobody" | "reader" | "foreigner") => {
    const found = await call("GET /keys", { query, as })
    // A JWK set has a media type of its own, which the test's client leaves as a text.
    const body: { keys?: ReadonlyArray<Jwk> } =
      typeof found.body === "string" ? JSON.parse(found.body) : found.body
    return { ...found, keys: body.keys ?? [] }
  }

  it("refuses what is no visibility, and callers who are not admins", async () => {
    for (const wrong of ["all", null, 1]) assert.strictEqual((await patch(wrong)).status, 400)
    assert.strictEqual((await patch("public", "member")).status, 403)
  })

  it("leaves a log to members until an admin says otherwise", async () => {
    await call("PUT /flows/{org}", { body: { name: "shop", description: "" } })
    assert.strictEqual((await call("GET /log/{org}")).status, 200)
    for (const [operation, query] of OPEN) {
      assert.strictEqual((await read(operation, query, "nobody")).status, 401, operation)
      assert.strictEqual((await read(operation, query, "foreigner")).status, 403, operation)
    }
    const { keys: none } = await keys("", "nobody")
    assert.deepStrictEqual(
      none.filter((key) => key["attestry:org"] === org),
      []
    )
    assert.strictEqual((await keys(`?org=${org}`, "nobody")).status, 403)
    assert.strictEqual((await keys(`?org=${org}`, "foreigner")).status, 403)
    assert.strictEqual((await keys(`?org=${org}`, "reader")).keys.length, 1)
  })

  it("opens a log for all callers, is recorded once, and closes it again", async () => {
    const { status, body, headers } = await patch("public")
    assert.strictEqual(status, 200, JSON.stringify(body))
    assert.strictEqual((body as Log).visibility, "public")
    assert.match(headers.get("attestry-entries") ?? "", /^[0-9a-f]{16}$/)
    assert.isNull((await patch("public")).headers.get("attestry-entries"))
    for (const [operation, query] of OPEN) {
      for (const as of ["nobody", "foreigner", "reader"] as const) {
        const found = await read(operation, query, as)
        assert.strictEqual(found.status, 200, `${operation} ${as} ${JSON.stringify(found.body)}`)
      }
    }
    for (const operation of ["GET /events/{org}", "GET /log/{org}/entries/{entry}"]) {
      const asked = { path: { entry: "0".repeat(16) }, as: "nobody" as const }
      assert.strictEqual((await call(operation, asked)).status, 401, operation)
    }
    assert.strictEqual((await call("GET /flows/{org}", { as: "nobody" })).status, 401)
    const { body: events } = await call("GET /events/{org}", { query: "?kind=log_visibility_set" })
    const recorded = (events as { events: ReadonlyArray<{ content: unknown }> }).events
    assert.deepStrictEqual(
      recorded.map(({ content }) => content),
      [{ visibility: "public" }]
    )
    assert.strictEqual(((await patch("members")).body as Log).visibility, "members")
    assert.strictEqual((await read("GET /log/{org}", "", "nobody")).status, 401)
  })

  it("lists the keys of public logs as a JWK set, named by their thumbprints", async () => {
    await patch("public")
    const { body } = await call("GET /log/{org}")
    const [{ vkey } = { vkey: "" }] = (body as Log).keys
    const verifier = Option.getOrThrow(SignedNote.parseKey(vkey))
    for (const query of ["", `?org=${org}`]) {
      const found = await keys(query, "nobody")
      assert.strictEqual(found.status, 200)
      assert.strictEqual(found.headers.get("content-type"), "application/jwk-set+json")
      const [key] = found.keys.filter((each) => each["attestry:org"] === org)
      const x = Base64.encodeUrl(verifier.publicKey)
      assert.deepStrictEqual(key, {
        kty: "OKP",
        crv: "Ed25519",
        x,
        use: "sig",
        alg: "EdDSA",
        kid: Base64.encodeUrl(Sha256.digestText(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)),
        "attestry:purpose": "log",
        "attestry:org": org,
        "attestry:origin": verifier.name,
        "attestry:vkey": vkey,
        "attestry:retired_at": null
      })
    }
    assert.strictEqual((await keys("?org=no-such-org", "nobody")).status, 403)
    assert.strictEqual((await keys("?org=", "nobody")).status, 400)
  })

  it("shows what waits and the last verification", async () => {
    const shown = async () => (await call("GET /log/{org}")).body as object
    assert.deepInclude(await shown(), {
      state: "current",
      pending: 0,
      scrub: { through: null, finished_at: null, findings: 0 }
    })
    await run(
      Effect.gen(function* () {
        const found = Option.getOrThrow(
          Option.fromNullable((yield* (yield* OrgStore).list).find(({ name }) => name === org))
        )
        yield* (yield* LogStore).putScrub(found.id, {
          through: 2,
          finished_at: Timestamp.fromMillis(1_800_000_000_000),
          findings: 1
        })
      })
    )
    assert.deepInclude(await shown(), {
      scrub: { through: 2, finished_at: 1_800_000_000, findings: 1 }
    })
  })
})
