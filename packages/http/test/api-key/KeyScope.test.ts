/** Keys that narrow, on the wire: permissions, networks, sessions, and what a scoped key gives to others. */
import { DeniedAttemptStore } from "@attestry/core/DeniedAttemptStore"
import { Effect } from "effect"
import { assert, it } from "vitest"
import {
  ADDRESS_HEADER,
  type CallOptions,
  onEveryStore,
  type TestServer
} from "../shared/TestServer.js"

interface Made {
  readonly id: string
  readonly key: string
  readonly scope?: object
}

const KEYS = "/service-accounts/{org}/{name}/api-keys"

const scoped = ({ call }: TestServer) => {
  /** A key of a new account. */
  const keyOf = async (name: string, privilege: string, scope?: object) => {
    await call("POST /service-accounts/{org}", { body: { name, privilege } })
    const body = { description: name, ...(scope === undefined ? {} : { scope }) }
    return (await call(`POST ${KEYS}`, { path: { name }, body })).body as Made
  }
  const callWith = (
    key: string,
    operation: string,
    { headers, ...options }: CallOptions & { readonly from?: string } = {}
  ) =>
    call(operation, {
      ...options,
      as: "nobody",
      headers: {
        authorization: `Bearer ${key}`,
        ...(options.from === undefined ? {} : { [ADDRESS_HEADER]: options.from }),
        ...headers
      }
    })
  const statusWith = async (...given: Parameters<typeof callWith>) =>
    (await callWith(...given)).status
  return { keyOf, callWith, statusWith }
}

const EXCEEDED = /scope of this API key does not allow .*: use a key with a wider scope/

onEveryStore("keys with a scope", (server) => {
  const { call } = server
  const { keyOf, callWith, statusWith } = scoped(server)

  it("have the permissions of the scope that their account has, and show them", async () => {
    const { key, scope } = await keyOf("gate", "admin", { permissions: ["gate"] })
    assert.deepStrictEqual(scope, { permissions: ["gate"] })
    assert.strictEqual(await statusWith(key, "GET /flows/{org}"), 200)
    const body = { name: "f", description: "" }
    assert.strictEqual(await statusWith(key, "PUT /flows/{org}", { body }), 403)
    assert.strictEqual(await statusWith(key, "GET /memberships/{org}"), 403)
    const { body: caller } = await callWith(key, "GET /whoami")
    assert.deepStrictEqual((caller as { api_key: Made }).api_key.scope, scope)
    const pipeline = await keyOf("pipeline", "reader", { permissions: ["pipeline"] })
    assert.strictEqual(await statusWith(pipeline.key, "PUT /flows/{org}", { body }), 403)
  })

  it("are as before without one: no answer names a scope", async () => {
    const { key } = await keyOf("plain", "reader")
    const listed = await call(`GET ${KEYS}`, { path: { name: "plain" } })
    assert.notInclude(JSON.stringify(listed.body), "scope")
    assert.notInclude(JSON.stringify((await callWith(key, "GET /whoami")).body), "scope")
    const entries = (await server.journal()).filter(({ kind }) => kind === "api_key_created")
    const [plain] = entries.filter(({ content }) => content.includes('"plain"'))
    assert.notInclude(plain?.content ?? "scope", "scope")
  })

  it("are in the journal with their scope, in the spelling that is stored", async () => {
    const scope = { networks: ["2001:0DB8::/32", "::ffff:10.0.0.0/104"] }
    const made = await keyOf("journalled", "reader", scope)
    assert.deepStrictEqual(made.scope, { networks: ["2001:db8::/32", "10.0.0.0/8"] })
    const entry = (await server.journal()).find(({ subject }) => subject.id === made.id)
    assert.include(entry?.content, `"scope":${JSON.stringify(made.scope)}`)
  })

  it("refuse scopes that cannot be, by field", async () => {
    const errorsOf = async (scope: unknown) => {
      const path = { name: "plain" }
      const asked = await call(`POST ${KEYS}`, { path, body: { description: "d", scope } })
      assert.strictEqual(asked.status, 400, JSON.stringify(scope))
      return Object.keys((asked.body as { errors: object }).errors)
    }
    assert.deepStrictEqual(await errorsOf({}), ["scope"])
    assert.deepStrictEqual(await errorsOf({ networks: ["10.0.0.0/8", "10.0.0.1/8"] }), [
      "scope.networks[1]"
    ])
    for (const scope of [
      { permissions: [] },
      { permissions: ["everything"] },
      { networks: [] },
      { networks: Array.from({ length: 21 }, () => "10.0.0.0/8") },
      { networks: ["0.0.0.0/0"] },
      "gate",
      7
    ])
      assert.isAbove((await errorsOf(scope)).length, 0)
  })

  it("keep it over a rotation", async () => {
    const { id, key } = await keyOf("rotated", "member", { permissions: ["gate"] })
    const path = { name: "rotated", key_id: id }
    const { body } = await call(`POST ${KEYS}/{key_id}/rotate`, { path, body: {} })
    const next = body as Made
    assert.deepStrictEqual(next.scope, { permissions: ["gate"] })
    for (const text of [key, next.key]) {
      assert.strictEqual(await statusWith(text, "GET /flows/{org}"), 200)
      const made = await statusWith(text, "PUT /flows/{org}", {
        body: { name: "r", description: "" }
      })
      assert.strictEqual(made, 403)
    }
  })

  it("open sessions that have the same", async () => {
    const { key } = await keyOf("browser", "admin", {
      permissions: ["gate"],
      networks: ["10.0.0.0/8"]
    })
    const opened = await callWith(key, "POST /session", { from: "10.0.0.9" })
    assert.strictEqual(opened.status, 201)
    const cookie = (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
    const inSession = (operation: string, from: string) =>
      call(operation, { as: "nobody", headers: { cookie, [ADDRESS_HEADER]: from } })
    const { body } = await inSession("GET /session", "10.0.0.9")
    assert.deepStrictEqual(
      (body as { orgs: ReadonlyArray<{ permissions: unknown }> }).orgs.map(
        (org) => org.permissions
      ),
      [["org.read"]]
    )
    assert.strictEqual((await inSession("GET /memberships/{org}", "10.0.0.9")).status, 403)
    assert.strictEqual((await inSession("GET /flows/{org}", "11.0.0.9")).status, 401)
    assert.strictEqual(await statusWith(key, "POST /session", { from: "11.0.0.9" }), 401)
  })
})

onEveryStore("networks of keys", (server) => {
  const { keyOf, callWith, statusWith } = scoped(server)

  it("refuse a key from elsewhere exactly like a wrong one, and record it", async () => {
    const { key } = await keyOf("office", "reader", { networks: ["192.0.2.0/24"] })
    const wrong = `${key.slice(0, -8)}AAAAAAAA`
    const [elsewhere, unknown, known] = [
      await callWith(key, "GET /flows/{org}", { from: "198.51.100.1" }),
      await callWith(key, "GET /flows/{org}"),
      await callWith(wrong, "GET /flows/{org}", { from: "198.51.100.1" })
    ]
    const seen = ({ status, body, headers }: typeof known) => {
      const shown = [...headers].filter(([name]) => name !== "x-request-id")
      return { status, body, headers: shown }
    }
    assert.deepStrictEqual(seen(elsewhere), seen(known))
    assert.deepStrictEqual(seen(unknown), seen(known))
    assert.strictEqual(known.status, 401)
    assert.strictEqual(await statusWith(key, "GET /flows/{org}", { from: "192.0.2.77" }), 200)
    assert.strictEqual(
      await statusWith(key, "GET /flows/{org}", { from: "::ffff:192.0.2.77" }),
      200
    )
    const attempts = await server.run(
      Effect.flatMap(DeniedAttemptStore, (store) => store.list({ org: "acme", limit: 100 }))
    )
    const denied = attempts.filter(({ actor }) => actor.name === "office")
    assert.isAbove(denied.length, 0)
    for (const { operation, reason } of denied)
      assert.deepStrictEqual([operation, reason], ["flow.list", "network"])
  })
})

const ADMIN = ["service-account.create", "service-account.manage", "identity-rule.write"]

onEveryStore("what a key with a scope gives (AC-5)", (server) => {
  const { call } = server
  const { keyOf, callWith } = scoped(server)
  const refused = async (...given: Parameters<typeof callWith>) => {
    const { status, body } = await callWith(...given)
    assert.strictEqual(status, 403, `${given[1]} ${JSON.stringify(given[2])}`)
    assert.match((body as { message: string }).message, EXCEEDED)
  }
  const allowed = async (...given: Parameters<typeof callWith>) => {
    const { status, body } = await callWith(...given)
    assert.oneOf(status, [200, 201], JSON.stringify(body))
    return body
  }

  it("gives accounts no role beyond the scope, and keys no more than itself", async () => {
    const scope = { permissions: ["gate", ...ADMIN], networks: ["10.0.0.0/8"] }
    const { key } = await keyOf("narrow", "admin", scope)
    const from = "10.1.1.1"
    const accounts = "POST /service-accounts/{org}"
    await refused(key, accounts, { from, body: { name: "a1", privilege: "admin" } })
    await refused(key, accounts, { from, body: { name: "a1", privilege: "member" } })
    await allowed(key, accounts, { from, body: { name: "a1", privilege: "reader" } })
    const path = { name: "a1" }
    await refused(key, "PATCH /service-accounts/{org}/{name}", {
      from,
      path,
      body: { privilege: "snapshotter" }
    })
    const make = (given?: object) => ({ from, path, body: { description: "d", scope: given } })
    await refused(key, `POST ${KEYS}`, make())
    await refused(key, `POST ${KEYS}`, make({ permissions: ["gate"] }))
    await refused(key, `POST ${KEYS}`, make({ networks: ["10.0.0.0/8"] }))
    await refused(key, `POST ${KEYS}`, make({ ...scope, networks: ["10.0.0.0/7"] }))
    await refused(key, `POST ${KEYS}`, make({ ...scope, permissions: ["pipeline"] }))
    await allowed(key, `POST ${KEYS}`, make(scope))
    await allowed(key, `POST ${KEYS}`, make({ permissions: ["gate"], networks: ["10.2.0.0/16"] }))
  })

  it("rotates no key that has more than itself", async () => {
    const wide = await keyOf("wide", "admin")
    const scope = { permissions: ["gate", ...ADMIN] }
    const { key } = await keyOf("rotator", "admin", scope)
    const path = { name: "wide", key_id: wide.id }
    await refused(key, `POST ${KEYS}/{key_id}/rotate`, { path, body: {} })
    const slim = await keyOf("slim", "admin", { permissions: ["gate"] })
    const own = { name: "slim", key_id: slim.id }
    await allowed(key, `POST ${KEYS}/{key_id}/rotate`, { path: own, body: {} })
  })

  it("makes no rule for id tokens with more than itself, and leaves rules that are there", async () => {
    const { key } = await keyOf("ruler", "admin", { permissions: ["gate", ...ADMIN] })
    const operation = "PUT /service-accounts/{org}/{name}/identity-rules"
    const path = { name: "ruler" }
    const rule = (subject: string, scope?: object) => ({
      issuer: "https://issuer.example.org",
      subject,
      ...(scope === undefined ? {} : { scope })
    })
    const rules = (...all: ReadonlyArray<object>) => ({ path, body: { rules: all } })
    await refused(key, operation, rules(rule("a")))
    await refused(key, operation, rules(rule("a", { permissions: ["pipeline"] })))
    const narrow = rule("a", { permissions: ["gate"] })
    const saved = await allowed(key, operation, rules(narrow))
    assert.deepInclude((saved as { rules: ReadonlyArray<object> }).rules[0], {
      scope: { permissions: ["gate"] }
    })
    await call(operation, rules(rule("wide"), narrow))
    await allowed(key, operation, rules(narrow, rule("wide")))
    await refused(key, operation, rules(narrow, rule("wide"), rule("wider")))
    const wrong = await call(operation, rules(rule("a", { networks: ["10.0.0.1/8"] })))
    assert.strictEqual(wrong.status, 400)
    assert.hasAllKeys((wrong.body as { errors: object }).errors, ["rules[0].scope.networks[0]"])
  })

  it("gives no role beyond the scope to people who join or are provisioned", async () => {
    const { key } = await keyOf("signer", "admin", { permissions: ["gate", "sign-in.write"] })
    const put = (body: object) => ({ body: { session_hours: 3, ...body } })
    await refused(key, "PUT /sign-in/{org}", put({ provision_role: "member" }))
    await refused(key, "PUT /sign-in/{org}", put({ provision_role: "snapshotter" }))
    await allowed(key, "PUT /sign-in/{org}", put({ provision_role: "reader" }))
    await allowed(key, "PUT /sign-in/{org}", put({ provision_role: "none" }))
    await call("PUT /sign-in/{org}", put({ provision_role: "member" }))
    await refused(key, "PUT /sign-in/{org}", put({ session_hours: 4, provision_role: "member" }))
    assert.deepInclude((await call("GET /sign-in/{org}")).body as object, {
      session_hours: 3,
      provision_role: "member"
    })
  })

  it("gives people no role beyond the scope: memberships, invitations, restoring", async () => {
    const { key } = await keyOf("people", "admin", {
      permissions: ["gate", "membership.write", "membership.read"]
    })
    const put = (login: string, role: string) => ({ path: { login }, body: { role } })
    await refused(key, "PUT /memberships/{org}/{login}", put("fay", "admin"))
    await refused(key, "PUT /memberships/{org}/{login}", put("rob", "member"))
    await allowed(key, "PUT /memberships/{org}/{login}", put("rob", "reader"))
    await refused(key, "POST /invitations/{org}", { body: { role: "member" } })
    await allowed(key, "POST /invitations/{org}", { body: { role: "reader" } })
    for (const [login, holds] of [
      ["max", false],
      ["rob", true]
    ] as const) {
      const path = { login }
      await allowed(key, "POST /memberships/{org}/{login}/suspend", { path })
      const restoring = holds ? allowed : refused
      await restoring(key, "POST /memberships/{org}/{login}/restore", { path })
    }
    await call("POST /memberships/{org}/{login}/restore", { path: { login: "max" } })
    const { status } = await callWith(key, "POST /memberships/{org}/{login}/restore", {
      path: { login: "nobody-knows" }
    })
    assert.strictEqual(status, 404)
  })
})

interface ListedKey {
  readonly id: string
  readonly owner: { readonly type: string; readonly name: string }
  readonly description: string | null
  readonly scope: object | null
  readonly created_at: number
  readonly last_used_at: number | null
}

interface Listed {
  readonly total_count: number
  readonly api_keys: ReadonlyArray<ListedKey>
}

onEveryStore("GET /api-keys/{org}", (server) => {
  const { call } = server
  const { keyOf, callWith } = scoped(server)
  const list = async (query = "") => {
    const { status, body } = await call("GET /api-keys/{org}", { query })
    assert.strictEqual(status, 200)
    return body as Listed
  }
  const ownersOf = ({ api_keys }: Listed) => api_keys.map(({ owner }) => owner.name)

  it("lists the keys of members and accounts with owner, scope, use and end, without secrets", async () => {
    const scope = { permissions: ["reporter"] }
    const { id, key } = await keyOf("listed", "snapshotter", scope)
    await callWith(key, "GET /flows/{org}")
    const all = await list("?per_page=100")
    assert.includeMembers(ownersOf(all), ["ada", "max", "sue", "rob", "listed"])
    assert.notInclude(ownersOf(all), "fay")
    const find = (name: string) => all.api_keys.find(({ owner }) => owner.name === name)
    const shown = find("listed")
    assert.isAbove(shown?.last_used_at ?? 0, 0)
    assert.deepStrictEqual<object>(
      { ...shown, last_used_at: 0, created_at: 0 },
      {
        id,
        owner: { type: "service-account", name: "listed" },
        description: "listed",
        scope,
        created_at: 0,
        last_used_at: 0,
        expires_at: null,
        grace_period_expires_at: null
      }
    )
    const { owner, description, scope: none } = find("ada") ?? {}
    assert.deepStrictEqual<unknown>(
      [owner, description, none],
      [{ type: "user", name: "ada" }, null, null]
    )
    assert.notInclude(JSON.stringify(all), key.slice(-20))
  })

  it("selects by use, end and scope, and pages", async () => {
    const path = { name: "listed" }
    const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * 86_400
    await call(`POST ${KEYS}`, { path, body: { description: "ends", expires_at: inDays(5) } })
    assert.deepStrictEqual(ownersOf(await list("?ends_within_days=6")), ["listed"])
    assert.deepStrictEqual(ownersOf(await list("?ends_within_days=4")), [])
    assert.deepStrictEqual(ownersOf(await list("?unused_days=1")), [])
    assert.notInclude(JSON.stringify(await list("?unscoped=true&per_page=100")), "reporter")
    assert.deepStrictEqual(ownersOf(await list("?unscoped=false")), ["listed"])
    const page = await list("?per_page=2&page=2")
    assert.strictEqual(page.api_keys.length, 2)
    assert.strictEqual(page.total_count, 6)
    for (const query of [
      "?unused_days=-1",
      "?unused_days=3651",
      "?ends_within_days=x",
      "?unscoped=maybe"
    ])
      assert.strictEqual((await call("GET /api-keys/{org}", { query })).status, 400, query)
  })
})
