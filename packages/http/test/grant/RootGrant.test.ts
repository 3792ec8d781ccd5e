/**
 * A grant at the root gives what the base role gives: operations of the whole org are allowed exactly where the answer
 * to "why" says so. The last admin alone counts base roles.
 */
import { assert, beforeAll, it } from "vitest"
import { type CallOptions, onEveryStore } from "../shared/TestServer.js"
import { fixtureOf } from "./GrantFixture.js"

/** Reads of the whole org, with the least role of each. */
const READS = [
  ["log.get", "GET /log/{org}", "reader"],
  ["membership.members", "GET /memberships/{org}", "admin"],
  ["invitation.list", "GET /invitations/{org}", "admin"],
  ["signIn.get", "GET /sign-in/{org}", "admin"],
  ["protection.get", "GET /protections/{org}", "admin"],
  ["notificationConfig.secret", "GET /notification-config/{org}/signing-secret", "admin"]
] as const

const RANKS = ["reader", "snapshotter", "member", "admin"] as const

onEveryStore("a grant at the root", (server) => {
  const { call } = server
  const { as, grant, make, person } = fixtureOf(server)
  const by = (who: string, operation: string, options: CallOptions = {}) =>
    call(operation, { ...options, ...as(who) })

  beforeAll(async () => {
    assert.strictEqual((await make("retail")).status, 201)
    for (const role of RANKS) {
      await person(`root-${role}`, "none")
      await person(`below-${role}`, "none")
      assert.isBelow((await grant(`user root-${role}`, "/", role)).status, 300)
      assert.isBelow((await grant(`user below-${role}`, "retail", role)).status, 300)
    }
    await person("base-reader", "reader")
    assert.isBelow((await grant("user base-reader", "/", "admin")).status, 300)
  })

  it("allows what the explanation says, and nothing else", async () => {
    for (const role of RANKS)
      for (const where of ["root", "below"])
        for (const [operation, path, least] of READS) {
          const who = `${where}-${role}`
          const { body } = await by(who, "GET /access/{org}/explain", {
            query: `?operation=${operation}`
          })
          const { status } = await by(who, path)
          const isAllowed = where === "root" && RANKS.indexOf(role) >= RANKS.indexOf(least)
          assert.strictEqual(status === 200, isAllowed, `${who} ${operation} ${status}`)
          assert.deepInclude(body, { allowed: isAllowed }, `${who} ${operation}`)
        }
  })

  it("makes an admin of a reader, who changes what is of the whole org and sees all teams", async () => {
    const path = { team: "ops" }
    assert.strictEqual((await by("root-member", "PUT /teams/{org}/{team}", { path })).status, 403)
    assert.strictEqual((await by("base-reader", "PUT /teams/{org}/{team}", { path })).status, 201)
    for (const who of ["base-reader", "root-admin"])
      assert.deepInclude((await by(who, "GET /teams/{org}")).body, { total_count: 1 })
    for (const who of ["root-reader", "below-admin"])
      assert.deepInclude((await by(who, "GET /teams/{org}")).body, { total_count: 0 })
    const member = { ...path, login: "below-admin" }
    const added = await by("root-admin", "PUT /teams/{org}/{team}/members/{login}", {
      path: member
    })
    assert.strictEqual(added.status, 201)
    assert.deepInclude((await by("below-admin", "GET /teams/{org}")).body, { total_count: 1 })
  })

  it("does not count as the last admin, whose role stays", async () => {
    const { body } = await call("GET /memberships/{org}")
    const { members } = body as {
      readonly members: ReadonlyArray<{ readonly login: string; readonly role: string }>
    }
    const admins = members.filter(({ role }) => role === "admin")
    const last = admins.at(-1)?.login ?? ""
    for (const { login } of admins.slice(0, -1))
      assert.strictEqual(
        (
          await by("root-admin", "PUT /memberships/{org}/{login}", {
            path: { login },
            body: { role: "reader" }
          })
        ).status,
        200
      )
    const refused = await by("root-admin", "PUT /memberships/{org}/{login}", {
      path: { login: last },
      body: { role: "reader" }
    })
    assert.strictEqual(refused.status, 409, JSON.stringify(refused.body))
  })
})
