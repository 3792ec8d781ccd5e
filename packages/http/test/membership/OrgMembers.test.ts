/** Members on the wire: admins add, change, suspend, restore, sign out and remove people. */
import * as UseCases from "@attestry/core/UseCases"
import { Effect } from "effect"
import { assert, it } from "vitest"
import * as Server from "../../src/Server.js"
import * as WebHandler from "../../src/WebHandler.js"
import { onBothStores, onEveryStore } from "../shared/TestServer.js"

interface Member {
  readonly user: string
  readonly login: string
  readonly role: string
  readonly created_at: number
  readonly suspended?: true
}

const MEMBER = "/memberships/{org}/{login}"

onBothStores("PUT, DELETE /memberships/{org}/{login}", ({ call, journal }) => {
  const put = (login: string, body: object) => call(`PUT ${MEMBER}`, { path: { login }, body })
  const list = async () => {
    const { body } = await call("GET /memberships/{org}")
    return (body as { members: ReadonlyArray<Member> }).members
  }
  const kinds = async () => (await journal()).map(({ kind }) => kind)

  it("adds a person of the deployment, once, and then changes the role", async () => {
    const added = await put("fay", { role: "reader" })
    assert.strictEqual(added.status, 201, JSON.stringify(added.body))
    const { created_at, ...shown } = added.body as Member
    assert.deepStrictEqual(shown, { user: "fay", login: "fay", role: "reader" })
    const changed = await put("fay", { role: "member" })
    assert.strictEqual(changed.status, 200)
    assert.deepStrictEqual(changed.body, { ...shown, role: "member", created_at })
    assert.deepStrictEqual(
      (await list()).find(({ login }) => login === "fay"),
      { ...shown, role: "member", created_at }
    )
    const entries = (await kinds()).length
    assert.strictEqual((await put("fay", { role: "member" })).status, 200)
    assert.lengthOf(await kinds(), entries)
    assert.strictEqual((await call("GET /flows/{org}", { as: "foreigner" })).status, 200)
    const { body } = await call("GET /membership-audit-log/{org}", { query: "?source=app" })
    assert.deepStrictEqual(
      (body as { events: ReadonlyArray<{ event_type: string; changed_by: string }> }).events.map(
        ({ event_type, changed_by }) => [event_type, changed_by]
      ),
      [
        ["changed", "ada"],
        ["added", "ada"]
      ]
    )
  })

  it("tells to invite a person whose login nobody has", async () => {
    const { status, body } = await put("nobody", { role: "reader" })
    assert.deepStrictEqual(
      [status, body],
      [404, { message: "there is no user `nobody`: invite the person" }]
    )
  })

  it("takes every role away, and leaves the membership", async () => {
    const asRob = { as: "reader" } as const
    assert.strictEqual((await put("rob", { role: "none" })).status, 200)
    assert.strictEqual((await call("GET /flows/{org}", asRob)).status, 403)
    assert.strictEqual((await call("GET /organizations/{org}", asRob)).status, 200)
    assert.strictEqual((await call("GET /custom-attestation-types/{org}", asRob)).status, 200)
    const chosen = await call("PUT /user/{org}", { ...asRob, headers: { "x-dry-run": "1" } })
    assert.strictEqual(chosen.status, 200)
    const { body } = await call("GET /whoami", asRob)
    assert.deepStrictEqual((body as { orgs: ReadonlyArray<object> }).orgs, [
      { name: "acme", role: "none" }
    ])
    assert.strictEqual((await put("rob", { role: "reader" })).status, 200)
    assert.strictEqual((await call("GET /flows/{org}", asRob)).status, 200)
    const last = await put("ada", { role: "none" })
    assert.strictEqual(last.status, 409)
  })

  it("refuses an unknown role and an unknown field", async () => {
    assert.strictEqual((await put("rob", { role: "owner" })).status, 400)
    assert.strictEqual((await put("rob", {})).status, 400)
    assert.strictEqual((await put("rob", { role: "reader", login: "eve" })).status, 400)
  })

  it("removes a member, and is 404 for one who is none", async () => {
    const remove = (login: string) => call(`DELETE ${MEMBER}`, { path: { login } })
    assert.deepStrictEqual([(await remove("fay")).status, (await remove("fay")).status], [200, 404])
    assert.strictEqual((await call("GET /flows/{org}", { as: "foreigner" })).status, 403)
    assert.deepStrictEqual((await remove("fay")).body, {
      message: "`fay` is not a member of org `acme`"
    })
    assert.deepStrictEqual((await remove("nobody")).body, {
      message: "`nobody` is not a member of org `acme`"
    })
  })

  it("keeps the last admin who is not suspended: 409 for every way out", async () => {
    const ada = { path: { login: "ada" } }
    await put("max", { role: "admin" })
    const max = { path: { login: "max" } }
    assert.strictEqual((await call(`POST ${MEMBER}/suspend`, max)).status, 200)
    const attempts = [
      await put("ada", { role: "member" }),
      await call(`POST ${MEMBER}/suspend`, ada),
      await call(`DELETE ${MEMBER}`, ada)
    ]
    for (const { status, body } of attempts) {
      assert.strictEqual(status, 409)
      assert.deepStrictEqual(body, {
        message: "`ada` is the last admin of org `acme`: make somebody else an admin first"
      })
    }
    assert.strictEqual((await call(`POST ${MEMBER}/restore`, max)).status, 200)
    assert.strictEqual((await put("max", { role: "member" })).status, 200)
  })

  it("is done by a service account that is an admin, and by no other", async () => {
    for (const [privilege, status] of [
      ["admin", 200],
      ["member", 403]
    ] as const) {
      await call("POST /service-accounts/{org}", { body: { name: privilege, privilege } })
      const { body } = await call("POST /service-accounts/{org}/{name}/api-keys", {
        path: { name: privilege },
        body: { description: "d" }
      })
      const headers = { authorization: `Bearer ${(body as { key: string }).key}` }
      const options = { as: "nobody" as const, headers, path: { login: "rob" } }
      const answer = await call(`PUT ${MEMBER}`, { ...options, body: { role: "reader" } })
      assert.strictEqual(answer.status, status)
    }
  })
})

onBothStores("POST /memberships/{org}/{login}/suspend, restore, sign-out", ({ call, journal }) => {
  const rob = { path: { login: "rob" } }
  const flows = async () => (await call("GET /flows/{org}", { as: "reader" })).status

  it("suspends and restores a member, who keeps the role", async () => {
    assert.strictEqual(await flows(), 200)
    const suspended = await call(`POST ${MEMBER}/suspend`, rob)
    assert.strictEqual(suspended.status, 200)
    assert.deepInclude(suspended.body, { login: "rob", role: "reader", suspended: true })
    assert.strictEqual(await flows(), 403)
    const { body } = await call("GET /memberships/{org}")
    const { members } = body as { members: ReadonlyArray<Member> }
    assert.deepStrictEqual(
      members.map(({ login, ...member }) => [login, "suspended" in member]),
      [
        ["ada", false],
        ["max", false],
        ["sue", false],
        ["rob", true]
      ]
    )
    const entries = (await journal()).length
    assert.deepStrictEqual((await call(`POST ${MEMBER}/suspend`, rob)).body, suspended.body)
    assert.lengthOf(await journal(), entries)
    const restored = await call(`POST ${MEMBER}/restore`, rob)
    assert.notProperty(restored.body, "suspended")
    assert.strictEqual(await flows(), 200)
    for (const type of ["suspended", "restored"]) {
      const found = await call("GET /membership-audit-log/{org}", { query: `?event_type=${type}` })
      const { events } = found.body as {
        events: ReadonlyArray<{ user: string; role: string; previous_role: string }>
      }
      assert.deepStrictEqual(
        events.map(({ user, role, previous_role }) => [user, role, previous_role]),
        [["rob", "reader", "reader"]]
      )
    }
  })

  it("ends the browser sessions of a member in this org, and not the keys", async () => {
    const opened = await call("POST /session", { as: "reader" })
    const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? ""
    const bySession = async (operation: string) =>
      await call(operation, { as: "nobody", headers: { cookie } })
    assert.strictEqual((await bySession("GET /flows/{org}")).status, 200)
    const { status, body } = await call(`POST ${MEMBER}/sign-out`, rob)
    assert.strictEqual(status, 200)
    assert.deepInclude(body, { login: "rob", role: "reader" })
    assert.strictEqual((await bySession("GET /flows/{org}")).status, 403)
    assert.deepInclude((await bySession("GET /session")).body, { orgs: [] })
    assert.strictEqual(await flows(), 200)
    const again = await call("POST /session", { as: "reader" })
    const fresh = again.headers.get("set-cookie")?.split(";")[0] ?? ""
    const answer = await call("GET /flows/{org}", { as: "nobody", headers: { cookie: fresh } })
    assert.strictEqual(answer.status, 200)
    const [last] = (await journal()).slice(-1)
    assert.strictEqual(last?.kind, "membership_signed_out")
  })

  it("is 404 for a person who is no member", async () => {
    for (const verb of ["suspend", "restore", "sign-out"])
      assert.strictEqual(
        (await call(`POST ${MEMBER}/${verb}`, { path: { login: "fay" } })).status,
        404
      )
  })
})

/** A second server that shares the store alone with the first. */
const another = Effect.flatMap(Server.make(), (dispatch) => WebHandler.make(dispatch)).pipe(
  Effect.provide(UseCases.layer)
)

onEveryStore("a member who is suspended or removed on one server", ({ call, run, keyOf }) => {
  it("is denied on another server a second later", async () => {
    const handler = await run(another)
    const elsewhere = async (as: "reader" | "member") => {
      const headers = { authorization: `Bearer ${keyOf(as)}` }
      const url = "http://attestry.test/api/v2/flows/acme"
      return (await handler(new Request(url, { headers }))).status
    }
    const gone = [
      ["reader", () => call(`POST ${MEMBER}/suspend`, { path: { login: "rob" } })],
      ["member", () => call(`DELETE ${MEMBER}`, { path: { login: "max" } })]
    ] as const
    for (const [as, take] of gone) {
      assert.strictEqual(await elsewhere(as), 200)
      assert.strictEqual((await take()).status, 200)
      const since = performance.now()
      while ((await elsewhere(as)) === 200) {
        assert.isBelow(performance.now() - since, 1_000)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      assert.strictEqual(await elsewhere(as), 403)
    }
  })
})
