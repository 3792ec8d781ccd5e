/** SCIM requests that are hostile, malformed or of another org are refused in the form of the protocol, as a whole. */
import { ScimApi } from "@attestry/api/ScimApi"
import { Login, OrgName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import { Cause, Effect, Exit } from "effect"
import { assert, beforeAll, it } from "vitest"
import * as RouteTable from "../../src/shared/internal/RouteTable.js"
import { type Caller, onEveryStore } from "../shared/TestServer.js"
import { loginsIn, membersOf } from "./Outcome.js"
import { client, patchOf, type Resource } from "./Scim.js"

const by = { kind: "user", id: "u", name: "root" } as const

onEveryStore("hostile SCIM requests", (server) => {
  const send = client(server)
  let id = ""
  let group = ""

  beforeAll(async () => {
    const made = await send("POST /Users", {
      userName: "mia@corp.example",
      externalId: "e1",
      emails: [{ value: "mia@corp.example", type: "work" }]
    })
    id = String(made.body.id)
    const filled = await send("POST /Groups", { displayName: "Ops", members: [{ value: id }] })
    group = String(filled.body.id)
  })

  const refused = async (request: string, body: unknown, scimType: string) => {
    const started = performance.now()
    const answer = await send(request, body)
    const took = performance.now() - started
    assert.strictEqual(answer.status, 400, `${request}: ${JSON.stringify(answer.body)}`)
    assert.strictEqual(answer.body.scimType, scimType, `${request} ${answer.body.detail}`)
    return took
  }
  const filter = (text: string) => `GET /Users?filter=${encodeURIComponent(text)}`

  it("are filters that are not read", async () => {
    for (const text of [
      'userName eq "a" or userName eq "b"',
      'not (userName eq "a")',
      'userName co "a"',
      "userName pr",
      'userName eq "a',
      'userName eq "a" and',
      'userName eq "a"userName eq "b"',
      'password eq "a"',
      'members.value eq "a"',
      "userName eq 1",
      'active eq "yes"',
      'emails[type eq "home"].value eq "a"',
      '__proto__ eq "a"',
      "eq",
      '"'.repeat(900),
      "[".repeat(2_000),
      "x".repeat(2_049),
      Array.from({ length: 21 }, () => "active eq true").join(" and ")
    ])
      await refused(filter(text), undefined, "invalidFilter")
    const most = Array.from({ length: 20 }, () => "active eq true").join(" and ")
    assert.strictEqual((await send(filter(most))).body.totalResults, 1)
    for (const query of ["startIndex=x", "count=1.5"])
      await refused(`GET /Users?${query}`, undefined, "invalidValue")
  })

  it("are paths and values that are not read", async () => {
    const patch = (scimType: string, ...operations: ReadonlyArray<Resource>) =>
      refused(`PATCH /Users/${id}`, patchOf(...operations), scimType)
    for (const path of [
      "__proto__",
      "__proto__.polluted",
      "name.__proto__",
      "a.b.c",
      'emails[type eq "work" and value eq "x"].value',
      'emails[type co "work"]',
      "emails[",
      "emails[[]]",
      `emails${"[".repeat(1_000)}`,
      "urn:",
      " "
    ])
      await patch("invalidPath", { op: "replace", path, value: "x" })
    await patch("mutability", { op: "replace", path: "id", value: "x" })
    await patch("noTarget", { op: "remove" })
    await patch("invalidSyntax", { op: "move", path: "active", value: true })
    await patch("invalidValue", { op: "replace", path: "active", value: "yes" })
    await patch("invalidValue", { op: "replace", path: "userName", value: "" })
    await patch("invalidValue", { op: "replace", path: "userName", value: ["a"] })
    await patch("invalidValue", { op: "remove", path: "userName" })
    await patch("invalidValue", { op: "replace", path: "title", value: "x".repeat(8_193) })
    await refused(`PATCH /Users/${id}`, {}, "invalidSyntax")
    await refused(`PATCH /Users/${id}`, { Operations: [] }, "invalidSyntax")
    const polluted: { polluted?: unknown } = {}
    assert.isUndefined(polluted.polluted)
  })

  it("are bodies that are no users", async () => {
    for (const body of [
      [],
      "null",
      '"text"',
      '{"userName":"a","username":"b"}',
      '{"userName":"a","__proto__":{"x":1}}'
    ])
      await refused("POST /Users", body, "invalidSyntax")
    for (const body of [
      {},
      { userName: "" },
      { userName: "a".repeat(256) },
      { userName: 1 },
      { userName: "a", active: "yes" },
      { userName: "a", externalId: 1 },
      { userName: "a", title: "x".repeat(8_192) }
    ])
      await refused("POST /Users", body, "invalidValue")
    await refused("POST /Users", "{", "invalidSyntax")
    await refused("POST /Users", '{"userName":"a\\u0000b"}', "invalidSyntax")
  })

  it("are too many operations, values and members", async () => {
    const operation = { op: "replace", path: "title", value: "x" }
    const of = (count: number) => patchOf(...Array.from({ length: count }, () => operation))
    assert.strictEqual((await send(`PATCH /Users/${id}`, of(1_000))).status, 200)
    await refused(`PATCH /Users/${id}`, of(1_001), "tooMany")
    const members = (count: number) =>
      patchOf({
        op: "replace",
        path: "members",
        value: Array.from({ length: count }, (_, at) => ({ value: `u${at}` }))
      })
    await refused(`PATCH /Groups/${group}`, members(10_000), "invalidValue")
    await refused(`PATCH /Groups/${group}`, members(10_001), "tooMany")
    assert.strictEqual((await send("POST /Users", "x".repeat(1_048_577))).status, 413)
    assert.strictEqual(
      (
        await server.call("POST /scim/{org}/Users", {
          raw: "a=b",
          headers: { "content-type": "application/x-www-form-urlencoded" }
        })
      ).status,
      415
    )
    assert.lengthOf(await loginsIn(server, "ops"), 1)
  })

  it("are denied on every route to callers who may not provision", async () => {
    const routes = RouteTable.routesOf(ScimApi)
    assert.isAtLeast(routes.length, 15)
    for (const { method, path, rule } of routes) {
      assert.strictEqual(rule.access, "scim.write", path)
      assert.deepStrictEqual(rule.schemes, ["bearer"], path)
      const request = `${method} ${path.slice("/api/v2/scim/:org".length).replace(":id", id)}`
      for (const as of ["member", "snapshotter", "reader", "foreigner"] as const)
        assert.strictEqual((await send(request, undefined, as)).status, 403, `${request} ${as}`)
      assert.strictEqual((await send(request, undefined, "nobody")).status, 401, request)
    }
    assert.lengthOf(await loginsIn(server, "ops"), 1)
  })

  it("are of callers who may not provision, or of unknown paths", async () => {
    for (const as of [
      "member",
      "snapshotter",
      "reader",
      "foreigner"
    ] as const satisfies ReadonlyArray<Caller>) {
      assert.strictEqual((await send("GET /Users", undefined, as)).status, 403)
      assert.strictEqual((await send("POST /Users", { userName: "x" }, as)).status, 403)
      assert.strictEqual((await send("GET /Schemas", undefined, as)).status, 403)
    }
    assert.strictEqual((await send("GET /Users", undefined, "nobody")).status, 401)
    assert.strictEqual((await send("GET /Me")).status, 404)
    assert.strictEqual((await send("POST /Bulk", {})).status, 404)
    assert.strictEqual((await send("PUT /Users", {})).status, 405)
    for (const path of [`/Users/${"x".repeat(300)}`, "/Users/%00", "/Groups/none"])
      assert.oneOf((await send(`GET ${path}`)).status, [400, 404])
  })

  it("name members of other orgs, whom they do not get", async () => {
    const run = (login: string, org: string) =>
      server.run(
        Effect.gen(function* () {
          const target = yield* (yield* Orgs).get(OrgName.make(org))
          yield* (yield* Memberships).add({
            org: target,
            login: Login.make(login),
            by,
            source: "script",
            role: "reader",
            displayName: null,
            email: null
          })
        }).pipe(Effect.exit)
      )
    const stranger = await send("POST /Groups", {
      displayName: "Strangers",
      members: [{ value: "fay" }]
    })
    assert.strictEqual(stranger.body.scimType, "invalidValue")
    const same = await send("POST /Users", { userName: "fay", externalId: "fay" })
    assert.strictEqual(same.status, 201)
    const members = await membersOf(server)
    assert.property(members, "acme:fay")
    assert.notProperty(members, "fay")
    const stolen = await run("acme:mia@corp.example", "globex")
    assert.isTrue(Exit.isFailure(stolen) && Cause.pretty(stolen.cause).includes("there is no user"))
    assert.isTrue(Exit.isFailure(await run("acme:mia@corp.example", "acme")))
  })

  it("take no team that is kept by hand, and are kept apart from operations by hand", async () => {
    await server.call("PUT /teams/{org}/{team}", { path: { team: "by-hand" } })
    const taken = await send("POST /Groups", { displayName: "By Hand" })
    assert.deepStrictEqual([taken.status, taken.body.scimType], [409, "uniqueness"])
    const kept = await server.call("DELETE /teams/{org}/{team}", { path: { team: "ops" } })
    assert.strictEqual(kept.status, 409)
    const same = await send("POST /Groups", { displayName: "OPS" })
    assert.deepStrictEqual([same.status, same.body.scimType], [409, "uniqueness"])
    const other = await send("POST /Groups", { displayName: "支付" })
    assert.strictEqual(other.status, 201)
    const renamed = patchOf({ op: "replace", path: "displayName", value: "By hand" })
    assert.strictEqual((await send(`PATCH /Groups/${group}`, renamed)).status, 409)
    assert.lengthOf(await loginsIn(server, "ops"), 1)
  })

  it("never take the last admin away", async () => {
    const made = await send("POST /Users", { userName: "chief", externalId: "c1" })
    const account = await server.call("POST /service-accounts/{org}", {
      body: { name: "provisioning", privilege: "admin" }
    })
    assert.strictEqual(account.status, 201)
    const key = await server.call("POST /service-accounts/{org}/{name}/api-keys", {
      path: { name: "provisioning" },
      body: { description: "SCIM", expires_at: 0 }
    })
    const { key: text } = key.body as { key: string }
    await server.run(
      Effect.gen(function* () {
        const org = yield* (yield* Orgs).get(OrgName.make("acme"))
        const members = yield* Memberships
        const change = { org, by, source: "script" as const }
        yield* members.changeRole({ ...change, login: Login.make("acme:chief"), role: "admin" })
        yield* members.changeRole({ ...change, login: Login.make("ada"), role: "reader" })
      })
    )
    const call = (method: string, raw?: string) =>
      server.call(`${method} /scim/{org}/Users/{id}`, {
        as: "nobody",
        path: { id: String(made.body.id) },
        headers: {
          authorization: `Bearer ${text}`,
          ...(raw === undefined ? {} : { "content-type": "application/scim+json" })
        },
        ...(raw === undefined ? {} : { raw })
      })
    const off = JSON.stringify(patchOf({ op: "replace", value: { active: false } }))
    for (const answer of [await call("PATCH", off), await call("DELETE")]) {
      assert.strictEqual(answer.status, 409, String(answer.body))
      assert.include(String(answer.body), "is the last admin")
    }
    const shown = await call("GET")
    assert.include(String(shown.body), '"active":true')
  })
})
