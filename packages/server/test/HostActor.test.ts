/** People whom the host of an embedded Attestry signs in, over a socket of the host. */
import { once } from "node:events"
import * as Http from "node:http"
import { assert, describe, it, vi } from "vitest"
import { type Attestry, createAttestry } from "../src/Attestry.js"
import type { HostActor, HostSignIn } from "../src/HostActor.js"

/** A person of the host by the header that the host trusts. */
const PEOPLE: { readonly [name: string]: HostActor } = {
  ada: { subject: "1", name: "Ada", orgs: [{ org: "acme", role: "admin" }], authTime: new Date() },
  rob: { subject: "2", name: "Rob", orgs: [{ org: "acme", role: "reader" }] },
  eve: { subject: "3", name: "Eve", orgs: [{ org: "gone", role: "admin" }] },
  sam: { subject: "4", name: "Sam" },
  odd: { subject: "", name: "Odd" }
}

const signIn: HostSignIn = async ({ headers }) => {
  const name = headers("x-host-user")
  if (name === "broken") throw new Error("the directory is away")
  return name === undefined ? null : (PEOPLE[name] ?? null)
}

interface Call {
  readonly method?: string
  readonly body?: object
  readonly headers?: { readonly [name: string]: string }
}

type Caller = (
  as: string | undefined,
  path: string,
  call?: Call
) => Promise<{ readonly status: number; readonly body: unknown }>

const WRITE = { "x-attestry-request": "1" }

/** An Attestry with that sign-in, on a socket of its host. */
const inHost = async (
  actor: HostSignIn | undefined,
  use: (call: Caller, attestry: Attestry) => Promise<void>
) => {
  const attestry = await createAttestry({ store: "memory", ...(actor && { actor }) })
  await attestry.admin.createOrg("acme")
  const server = Http.createServer(attestry.listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  assert.isObject(address)
  const base = `http://127.0.0.1:${(address as { port: number }).port}/api/v2`
  const call: Caller = async (as, path, { method = "GET", body, headers = {} } = {}) => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(as === undefined ? {} : { "x-host-user": as }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: answer.status, body: await answer.json() }
  }
  try {
    await use(call, attestry)
  } finally {
    server.closeAllConnections()
    server.close()
    await attestry.close()
  }
}

const FLOW = { method: "PUT", body: { name: "shop", description: "" } }

describe("a host that signs people in", () => {
  it("decides their base roles at each request, and keeps one user for a subject", () =>
    inHost(signIn, async (call) => {
      const put = await call("ada", "/flows/acme", { ...FLOW, headers: WRITE })
      assert.deepStrictEqual(put, { status: 201, body: "OK" })
      const denied = await call("rob", "/flows/acme", { ...FLOW, headers: WRITE })
      assert.strictEqual(denied.status, 403)
      assert.strictEqual((await call("rob", "/flows/acme")).status, 200)
      assert.strictEqual((await call("eve", "/flows/acme")).status, 403)
      const [first, again] = await Promise.all([call("ada", "/whoami"), call("ada", "/whoami")])
      assert.deepStrictEqual(first, again)
      const { name, orgs, api_key, id } = Object(first.body)
      assert.deepStrictEqual(
        { name, orgs, api_key },
        {
          name: "Ada",
          orgs: [{ name: "acme", role: "admin" }],
          api_key: null
        }
      )
      assert.notStrictEqual(Object((await call("rob", "/whoami")).body).id, id)
      const members = await call("ada", "/memberships/acme")
      assert.notInclude(JSON.stringify(members.body), "Ada")
      const entries = JSON.stringify((await call("ada", "/journal/acme")).body)
      assert.include(entries, `host:${id}`)
    }))

  it("counts the memberships of the store where the host names no orgs", () =>
    inHost(signIn, async (call, { admin }) => {
      assert.strictEqual((await call("sam", "/flows/acme")).status, 403)
      await admin.addUser({ org: "acme", login: "host:4", role: "reader" })
      assert.strictEqual((await call("sam", "/flows/acme")).status, 200)
    }))

  it("wants a header of writes, which no foreign page can send", () =>
    inHost(signIn, async (call) => {
      for (const headers of [{}, { "x-attestry-request": "0" }]) {
        const { status, body } = await call("ada", "/flows/acme", { ...FLOW, headers })
        assert.strictEqual(status, 403)
        assert.match(Object(body).message, /X-Attestry-Request: 1/)
      }
      assert.strictEqual((await call("ada", "/flows/acme")).status, 200)
    }))

  it("is asked for requests without a key and without a session alone", () =>
    inHost(signIn, async (call, { first }) => {
      const wrong = { headers: { authorization: "Bearer wrong" } }
      assert.strictEqual((await call("ada", "/flows/acme", wrong)).status, 401)
      const cookie = { headers: { cookie: "attestry_session=none" } }
      assert.strictEqual((await call("ada", "/flows/acme", cookie)).status, 401)
      const key = { headers: { authorization: `Bearer ${first?.key}` } }
      assert.strictEqual((await call("rob", `/memberships/${first?.org}`, key)).status, 200)
      assert.strictEqual((await call(undefined, "/flows/acme")).status, 401)
      assert.strictEqual((await call("stranger", "/flows/acme")).status, 401)
    }))

  it("answers 503 when it throws, and when it answers no person", () =>
    inHost(signIn, async (call) => {
      const errors = vi.spyOn(console, "error").mockImplementation(() => undefined)
      for (const name of ["broken", "odd"])
        assert.strictEqual((await call(name, "/flows/acme")).status, 503, name)
      errors.mockRestore()
      assert.strictEqual((await call("ada", "/flows/acme")).status, 200)
    }))

  it("makes no session and no key of a membership that it says alone", () =>
    inHost(signIn, async (call) => {
      const opened = await call("ada", "/session", { method: "POST", body: {}, headers: WRITE })
      assert.include([400, 401], opened.status)
      const body = { description: "d" }
      const key = await call("ada", "/user/api-keys", { method: "POST", body, headers: WRITE })
      assert.strictEqual(key.status, 403)
    }))

  it("changes nothing where there is none", () =>
    inHost(undefined, async (call) => {
      assert.strictEqual((await call("ada", "/flows/acme")).status, 401)
    }))
})
