/** `createAttestry`: the API in a host, without a listener of its own. */
import { once } from "node:events"
import { mkdtempSync, writeFileSync } from "node:fs"
import * as Http from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as LogKey from "@attestry/transparency-log/LogKey"
import { assert, describe, it, vi } from "vitest"
import { type Attestry, type AttestryOptions, createAttestry } from "../src/Attestry.js"
import * as Banner from "../src/internal/Banner.js"
import * as Version from "../src/internal/Version.js"
import { onDatabase } from "./shared/Database.js"

const withAttestry = async (
  options: Partial<AttestryOptions>,
  use: (attestry: Attestry) => Promise<void>
) => {
  const attestry = await createAttestry({ store: "memory", ...options })
  try {
    await use(attestry)
  } finally {
    await attestry.close()
  }
}

const HOST = "http://host.test"

const withKey = (key: string, init: RequestInit = {}): RequestInit => ({
  ...init,
  headers: {
    authorization: `Bearer ${key}`,
    ...(init.body === undefined ? {} : { "content-type": "application/json" }),
    ...init.headers
  }
})

const FLOW = { method: "PUT", body: JSON.stringify({ name: "shop", description: "" }) }

/** Creates a flow and lists it, at a path of the host. */
const useApi = async ({ fetch }: Attestry, org: string, key: string, base = "") => {
  const path = `${HOST}${base}/api/v2/flows/${org}`
  const put = await fetch(new Request(path, withKey(key, FLOW)))
  assert.deepStrictEqual([put.status, await put.json()], [201, "OK"])
  const listed = await fetch(new Request(path, withKey(key)))
  assert.match(await listed.text(), /^\[\{.*"name":"shop"/)
}

/** Serves a listener on a socket of its own. */
const onSocket = async (listener: Http.RequestListener, use: (url: string) => Promise<void>) => {
  const server = Http.createServer(listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  assert.isObject(address)
  try {
    await use(`http://127.0.0.1:${(address as { port: number }).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe("createAttestry", () => {
  it("serves a memory store with the org that it makes", () =>
    withAttestry({}, async (attestry) => {
      const { first } = attestry
      assert.isDefined(first)
      await useApi(attestry, first.org, first.key)
      const health = await attestry.fetch(new Request(`${HOST}/ready`))
      assert.strictEqual(await health.text(), "OK")
      const meta = await attestry.fetch(new Request(`${HOST}/api/v2/meta`, withKey(first.key)))
      assert.deepInclude(await meta.json(), { version: Version.read() })
    }))

  it(
    "serves PostgreSQL, and finds it as it was left",
    () =>
      onDatabase(async (env) => {
        const store = { postgres: env.ATTESTRY_DATABASE_URL ?? "" }
        let known: Attestry["first"]
        await withAttestry({ store }, async (attestry) => {
          known = attestry.first
          assert.isDefined(known)
          await useApi(attestry, known.org, known.key)
        })
        await withAttestry({ store }, async ({ fetch, first }) => {
          assert.isUndefined(first)
          const path = `${HOST}/api/v2/flows/${known?.org}`
          const listed = await fetch(new Request(path, withKey(known?.key ?? "")))
          assert.match(await listed.text(), /"name":"shop"/)
        })
      }),
    60_000
  )

  it(
    "warns once at its start of an evidence log that is not signed",
    () =>
      onDatabase(async (env) => {
        const store = { postgres: env.ATTESTRY_DATABASE_URL }
        const warnings = async (settings: { readonly [variable: string]: string }) => {
          const errors = vi.spyOn(console, "error").mockImplementation(() => undefined)
          await withAttestry({ store, settings }, async () => undefined)
          const lines = errors.mock.calls.map(String)
          errors.mockRestore()
          return lines.filter((line) => line.includes(Banner.UNSIGNED)).length
        }
        assert.strictEqual(await warnings({}), 1)
        const file = join(mkdtempSync(join(tmpdir(), "attestry-")), "log-key")
        const seed = new Uint8Array(LogKey.SEED_BYTES).fill(7)
        writeFileSync(file, LogKey.printLine({ generation: 1, seed, until: null }))
        assert.strictEqual(await warnings({ ATTESTRY_LOG_KEY_FILE: file }), 0)
      }),
    60_000
  )

  it("makes orgs, users and keys", () =>
    withAttestry({}, async (attestry) => {
      const { admin } = attestry
      await admin.createOrg("acme")
      await admin.addUser({ org: "acme", login: "ada", role: "admin", displayName: "Ada L" })
      const { id, key } = await admin.issueKey({ user: "ada", expiresIn: "90d" })
      await useApi(attestry, "acme", key)
      await admin.revokeKey(id)
      const refused = await attestry.fetch(new Request(`${HOST}/api/v2/flows/acme`, withKey(key)))
      assert.strictEqual(refused.status, 401)
    }))

  it("rejects with the reason what cannot be done", async () => {
    const reasonOf = (work: Promise<unknown>) =>
      work.then(
        () => "done",
        (error: Error) => error.message
      )
    await withAttestry({}, async ({ admin }) => {
      await admin.createOrg("acme")
      assert.include(await reasonOf(admin.createOrg("acme")), "acme")
      assert.include(await reasonOf(admin.createOrg("")), "name")
    })
    const closed = createAttestry({ store: { postgres: "postgres://127.0.0.1:1/none" } })
    assert.match(await reasonOf(closed), /store|connect/)
    const wrong = createAttestry({ store: "memory", basePath: "attestry/" })
    assert.include(await reasonOf(wrong), "ATTESTRY_BASE_PATH: Input should be a path")
  })

  it("serves below a path, with links that begin with it", () =>
    withAttestry({ basePath: "/attestry", publicUrl: `${HOST}/attestry` }, async (attestry) => {
      const first = attestry.first
      assert.isDefined(first)
      await useApi(attestry, first.org, first.key, "/attestry")
      const outside = await attestry.fetch(new Request(`${HOST}/api/v2/flows/${first.org}`))
      assert.strictEqual(outside.status, 404)
      assert.match(await outside.text(), /below `\/attestry`/)
      const path = `${HOST}/attestry/api/v2/flows/${first.org}`
      const put = await attestry.fetch(new Request(path, withKey(first.key, FLOW)))
      assert.include(put.headers.get("link") ?? "", `<${HOST}/attestry/api/v2/doc/`)
      assert.strictEqual((await attestry.fetch(new Request(`${HOST}/ready`))).status, 200)
    }))

  it("answers browsers of permitted origins alone", () =>
    withAttestry({ corsOrigins: ["https://app.test"] }, async ({ fetch, first }) => {
      const path = `${HOST}/api/v2/flows/${first?.org}`
      const preflight = (origin: string) =>
        fetch(
          new Request(path, {
            method: "OPTIONS",
            headers: { origin, "access-control-request-method": "PUT" }
          })
        )
      const allowed = await preflight("https://app.test")
      assert.strictEqual(allowed.status, 200)
      assert.strictEqual(allowed.headers.get("access-control-allow-origin"), "https://app.test")
      assert.include(allowed.headers.get("access-control-allow-headers") ?? "", "authorization")
      const other = await preflight("https://other.test")
      assert.isNull(other.headers.get("access-control-allow-origin"))
      const read = await fetch(
        new Request(path, withKey(first?.key ?? "", { headers: { origin: "https://app.test" } }))
      )
      assert.strictEqual(read.status, 200)
      assert.strictEqual(read.headers.get("access-control-allow-origin"), "https://app.test")
    }))

  it("says that a body was read before, instead of waiting for it", () =>
    withAttestry({}, async ({ fetch: serve, first, listener }) => {
      const init = withKey(first?.key ?? "", FLOW)
      const used = new Request(`${HOST}/api/v2/flows/${first?.org}`, init)
      await used.text()
      const answer = await serve(used)
      assert.deepStrictEqual(
        [answer.status, (await answer.text()).includes("was read")],
        [500, true]
      )
      const parsing: Http.RequestListener = (request, response) =>
        request.resume().once("end", () => listener(request, response))
      await onSocket(parsing, async (url) => {
        const late = await fetch(`${url}/api/v2/flows/${first?.org}`, init)
        assert.strictEqual(late.status, 500)
        assert.match(await late.text(), /mount Attestry before body parsers/)
        const bodiless = await fetch(`${url}/ready`)
        assert.strictEqual(bodiless.status, 200)
      })
      await onSocket(listener, async (url) => {
        const put = await fetch(`${url}/api/v2/flows/${first?.org}`, init)
        assert.strictEqual(put.status, 201)
      })
    }))
})
