/** The members of an org on the wire. */
import { Login, OrgName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import { Effect } from "effect"
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

interface Page {
  readonly total_count: number
  readonly members: ReadonlyArray<{
    readonly user: string
    readonly login: string
    readonly role: string
    readonly created_at: number
  }>
}

const by = { kind: "user", id: "u", name: "root" } as const

onEveryStore("GET /memberships/{org}", ({ call, run }) => {
  const list = async (query = "") => {
    const { status, body } = await call("GET /memberships/{org}", { query })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Page
  }

  it("shows every member in the order of joining, by display name or login", async () => {
    await run(
      Effect.gen(function* () {
        const org = yield* (yield* Orgs).get(OrgName.make("acme"))
        const zoe = { org, login: Login.make("zoe"), by, source: "script" } as const
        const members = yield* Memberships
        yield* members.add({ ...zoe, role: "member", displayName: "Zoë 🦉", email: "z@x.org" })
        yield* members.changeRole({ ...zoe, role: "reader" })
      })
    )
    const { members, total_count } = await list()
    assert.strictEqual(total_count, 5)
    assert.deepStrictEqual(
      members.map(({ user, login, role }) => [user, login, role]),
      [
        ["ada", "ada", "admin"],
        ["max", "max", "member"],
        ["sue", "sue", "snapshotter"],
        ["rob", "rob", "reader"],
        ["Zoë 🦉", "zoe", "reader"]
      ]
    )
    const joined = members.map(({ created_at }) => created_at)
    assert.deepStrictEqual(joined, [...joined].sort())
    assert.notInclude(JSON.stringify(members), "@")
  })

  it("returns pages, and an empty one past the end", async () => {
    const second = await list("?page=2&per_page=3")
    assert.deepInclude<object>(second, { page: 2, per_page: 3, total_pages: 2, total_count: 5 })
    assert.deepStrictEqual(
      second.members.map(({ login }) => login),
      ["rob", "zoe"]
    )
    assert.deepInclude(await list("?page=9"), { members: [], total_count: 5 })
    for (const query of ["?page=0", "?per_page=101", "?per_page=x", "?unknown=1"])
      assert.strictEqual((await call("GET /memberships/{org}", { query })).status, 400, query)
  })

  it("forgets a member who was removed", async () => {
    await run(
      Effect.gen(function* () {
        const org = yield* (yield* Orgs).get(OrgName.make("acme"))
        const zoe = { org, login: Login.make("zoe"), by, source: "script" } as const
        yield* (yield* Memberships).remove(zoe)
      })
    )
    assert.strictEqual((await list()).total_count, 4)
  })

  it("is denied to everyone but admins of the org", async () => {
    for (const as of ["member", "snapshotter", "reader", "foreigner"] as const)
      assert.strictEqual((await call("GET /memberships/{org}", { as })).status, 403)
  })
})
