/** Changes of who may do what in the whole org are told, in the transaction of the change. SPEC §6.2 */
import { Login, OrgName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import { OutboxStore } from "@attestry/core/OutboxStore"
import { Effect } from "effect"
import { assert, beforeAll, it } from "vitest"
import { fixtureOf } from "../grant/GrantFixture.js"
import { client, patchOf } from "../scim/Scim.js"
import { onEveryStore } from "../shared/TestServer.js"

const by = { kind: "system", id: "operator", name: "operator" } as const

onEveryStore("changes of access", (server) => {
  const { call, run } = server
  const { account, as, end, grant, make, person } = fixtureOf(server)
  const send = client(server)

  /** What waits to be sent since the last call: to whom, and what it says. */
  const told = () =>
    run(
      Effect.gen(function* () {
        const outbox = yield* OutboxStore
        const claimed = yield* outbox.claim({ limit: 1_000, perQueue: 1_000, leaseMillis: 600_000 })
        return claimed.flatMap(({ notification, target }) =>
          notification.event_type === "ACCESS_CHANGED"
            ? [
                `${target.type === "EMAIL" ? target.emails : target.type}: ${notification.description}`
              ]
            : []
        )
      })
    )
  const toTeam = (text: string) => `security@example.com: ${text}`

  const member = async (method: string, login: string, role?: string) => {
    const suffix = method === "POST" ? "/suspend" : ""
    const { body, status } = await call(`${method} /memberships/{org}/{login}${suffix}`, {
      path: { login },
      ...(role === undefined ? {} : { body: { role } })
    })
    assert.oneOf(status, [200, 201], JSON.stringify(body))
  }

  /** Sets the role of the first admin, as the operator does. */
  const operator = (role: "admin" | "reader") =>
    run(
      Effect.gen(function* () {
        const org = yield* (yield* Orgs).get(OrgName.make("acme"))
        const ada = { org, by, source: "script", login: Login.make("ada") } as const
        yield* (yield* Memberships).changeRole({ ...ada, role })
      })
    )

  beforeAll(async () => {
    await person("mia", "member")
    await make("retail")
    await call("PUT /teams/{org}/{team}", { path: { team: "payments" }, body: {} })
  })

  it("are told to nobody where no admin has an address, and the configuration says no failure", async () => {
    await member("PUT", "mia", "reader")
    assert.deepStrictEqual(await told(), [])
    const { body } = await call("GET /notification-config/{org}/{notification_type}", {
      path: { notification_type: "access_change" }
    })
    assert.strictEqual((body as { readonly last_failure: unknown }).last_failure, null)
  })

  it("are told to the admins with an address where there is no target", async () => {
    await run(
      Effect.gen(function* () {
        const org = yield* (yield* Orgs).get(OrgName.make("acme"))
        const user = { login: Login.make("zoe"), displayName: "Zoe", email: "zoe@example.com" }
        const added = { org, by, source: "script", role: "admin", ...user } as const
        yield* (yield* Memberships).add(added)
      })
    )
    assert.deepStrictEqual(await told(), ["zoe@example.com: operator has added zoe as admin"])
  })

  it("are told to the targets: members, by what changes their rights", async () => {
    const { status } = await call("PUT /notification-config/{org}/{notification_type}", {
      path: { notification_type: "access_change" },
      body: { targets: [{ type: "EMAIL", emails: ["security@example.com"] }] }
    })
    assert.strictEqual(status, 201)
    await member("PUT", "mia", "reader")
    assert.deepStrictEqual(await told(), [], "the same role")
    await member("PUT", "mia", "member")
    await member("PUT", "mia", "none")
    await member("POST", "mia")
    assert.deepStrictEqual(await told(), [
      toTeam("ada has changed the role of mia from reader to member"),
      toTeam("ada has changed the role of mia from member to none")
    ])
    await member("DELETE", "mia")
    await member("PUT", "mia", "none")
    assert.deepStrictEqual(await told(), [], "neither before nor after has a role")
    await member("PUT", "mia", "member")
    await member("POST", "mia")
    await member("DELETE", "mia")
    await member("PUT", "mia", "reader")
    assert.deepStrictEqual(await told(), [
      toTeam("ada has changed the role of mia from none to member"),
      toTeam("ada has suspended mia, who is member"),
      toTeam("ada has removed mia, who was member"),
      toTeam("ada has added mia as reader")
    ])
  })

  it("are told of grants in the whole org, and not of those in a space", async () => {
    const numbers: Array<number> = []
    for (const [subject, space, role, more] of [
      ["team payments", "/", "member", { reason: "they move" }],
      ["team payments", "/", "admin", {}],
      ["user mia", "/", "admin", { eligible: true }],
      ["everyone", "/", "reader", {}],
      ["user mia", "retail", "admin", {}]
    ] as const) {
      const { body, status } = await grant(subject, space, role, more)
      assert.oneOf(status, [200, 201], JSON.stringify(body))
      numbers.push((body as { readonly number: number }).number)
    }
    await grant("everyone", "/", "reader")
    assert.deepStrictEqual(await told(), [
      toTeam("ada has given the team payments the role member in the whole org"),
      toTeam("ada has given the team payments the role admin in the whole org"),
      toTeam("ada has made mia eligible for the role admin in the whole org"),
      toTeam("ada has given everyone in the org the role reader in the whole org")
    ])
    for (const number of numbers.slice(1)) assert.strictEqual((await end(number)).status, 200)
    assert.deepStrictEqual(await told(), [
      toTeam("ada has ended the grant of the role admin in the whole org to the team payments"),
      toTeam("ada has ended that mia is eligible for the role admin in the whole org"),
      toTeam("ada has ended the grant of the role reader in the whole org to everyone in the org")
    ])
  })

  it("are told of grants that end with their team or their account", async () => {
    await account("robot", "none", ["org.read"])
    await grant("service-account robot", "/", "reader")
    await grant("team payments", "/", "reader")
    await call("DELETE /service-accounts/{org}/{name}", { path: { name: "robot" } })
    await call("DELETE /teams/{org}/{team}", { path: { team: "payments" } })
    assert.deepStrictEqual(await told(), [
      toTeam("ada has given the service account robot the role reader in the whole org"),
      toTeam("ada has given the team payments the role reader in the whole org"),
      toTeam(
        "ada has ended the grant of the role reader in the whole org to the service account robot"
      ),
      toTeam("ada has ended the grant of the role reader in the whole org to the team payments")
    ])
  })

  it("are told of sign-in settings and of protections, and not of the same ones again", async () => {
    for (const _ of [1, 2]) {
      const body = { session_hours: 8, key_max_days: 30 }
      assert.strictEqual((await call("PUT /sign-in/{org}", { body })).status, 200)
      const protections = [{ kinds: ["policy"] }]
      const set = await call("PUT /protections/{org}", { body: { protections } })
      assert.strictEqual(set.status, 200, JSON.stringify(set.body))
    }
    assert.deepStrictEqual(await told(), [
      toTeam("ada has changed how people sign in to acme: session_hours, key_max_days"),
      toTeam("ada has changed which changes in acme need other people")
    ])
  })

  it("are told of SCIM where admins are concerned, and its refusals once an hour", async () => {
    await call("PUT /sign-in/{org}", { body: { provision_role: "member" } })
    await told()
    const made = await send("POST /Users", { userName: "chief", externalId: "c1" })
    const other = await send("POST /Users", { userName: "other", externalId: "c2" })
    const off = patchOf({ op: "replace", value: { active: false } })
    assert.strictEqual((await send(`PATCH /Users/${other.body.id}`, off)).status, 200)
    assert.deepStrictEqual(await told(), [], "SCIM brings and suspends people")
    const on = patchOf({ op: "replace", value: { active: true } })
    await send(`PATCH /Users/${other.body.id}`, on)
    await member("PUT", "acme:chief", "admin")
    await member("PUT", "acme:other", "admin")
    await send(`PATCH /Users/${other.body.id}`, off)
    assert.deepStrictEqual(await told(), [
      toTeam("ada has changed the role of acme:chief from member to admin"),
      toTeam("ada has changed the role of acme:other from member to admin"),
      toTeam("ada has suspended acme:other, who is admin")
    ])
    await account("okta", "admin", ["scim.write"])
    await member("DELETE", "zoe")
    await operator("reader")
    await told()
    const key = as("okta")
    for (const _ of [1, 2]) {
      const { status } = await call("DELETE /scim/{org}/Users/{id}", {
        ...key,
        path: { id: String(made.body.id) }
      })
      assert.strictEqual(status, 409)
    }
    assert.deepStrictEqual(await told(), [
      toTeam(
        "the SCIM client okta was refused to suspend or remove acme:chief, the last admin: " +
          "make somebody else an admin first"
      )
    ])
  })

  it("are not told where they are only tried, or held back", async () => {
    await operator("admin")
    await told()
    const body = { protections: [{ kinds: ["policy"] }, { kinds: ["access"] }] }
    const dry = { query: "?dry_run=true" }
    const tried = await call("PUT /protections/{org}", { body, ...dry })
    assert.strictEqual(tried.status, 200, JSON.stringify(tried.body))
    assert.deepStrictEqual(await told(), [])
    assert.strictEqual((await call("PUT /protections/{org}", { body })).status, 200)
    assert.lengthOf(await told(), 1)
    assert.strictEqual((await grant("user mia", "/", "member")).status, 403)
    assert.deepStrictEqual(await told(), [])
  })
})
