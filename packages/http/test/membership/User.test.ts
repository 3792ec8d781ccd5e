/** Default orgs on the wire, and the effect of memberships on requests. */
import { Login, OrgName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import { Effect } from "effect"
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

const by = { kind: "system", id: "test", name: "test" } as const

onEveryStore("GET /user/default-org, PUT /user/{org}", ({ call, journal }) => {
  const defaultOf = async (as: "admin" | "reader" | "foreigner") => {
    const { status, body } = await call("GET /user/default-org", { as })
    assert.strictEqual(status, 200)
    return body
  }

  it("is empty until it is set, and separate for each caller", async () => {
    assert.deepStrictEqual(await defaultOf("reader"), { default_org_name: "" })
    for (const _ of [1, 2]) {
      const { status, body } = await call("PUT /user/{org}", { as: "reader", raw: "null" })
      assert.deepStrictEqual([status, body], [200, "OK"])
    }
    assert.deepStrictEqual(await defaultOf("reader"), { default_org_name: "acme" })
    assert.deepStrictEqual(await defaultOf("admin"), { default_org_name: "" })
    const entries = (await journal()).filter(({ kind }) => kind === "default_org_set")
    assert.strictEqual(entries.length, 1)
  })

  it("refuses orgs without a membership of the caller, whether or not they exist", async () => {
    for (const org of ["globex", "no-such-org", "-"]) {
      const { status, body } = await call("PUT /user/{org}", { path: { org } })
      assert.strictEqual(status, 403)
      assert.deepStrictEqual(body, { message: `Access denied to /api/v2/user/${org}` })
    }
  })

  it("is the org of a service account", async () => {
    await call("POST /service-accounts/{org}", { body: { name: "bot", privilege: "reader" } })
    const { body } = await call("POST /service-accounts/{org}/{name}/api-keys", {
      path: { name: "bot" },
      body: { description: "d" }
    })
    const headers = { authorization: `Bearer ${(body as { key: string }).key}` }
    const get = await call("GET /user/default-org", { as: "nobody", headers })
    assert.deepStrictEqual(get.body, { default_org_name: "acme" })
    assert.strictEqual((await call("PUT /user/{org}", { as: "nobody", headers })).status, 200)
    const foreign = { as: "nobody", headers, path: { org: "globex" } } as const
    assert.strictEqual((await call("PUT /user/{org}", foreign)).status, 403)
  })
})

onEveryStore("memberships", ({ call, run }) => {
  const change = (login: string) =>
    Effect.gen(function* () {
      const org = yield* (yield* Orgs).get(OrgName.make("acme"))
      return { org, login: Login.make(login), by, source: "script" } as const
    })
  const tagOf = <A, E extends { readonly _tag: string }>(exit: Effect.Effect<A, E>) =>
    Effect.map(Effect.either(exit), (result) => (result._tag === "Left" ? result.left._tag : ""))

  it("take effect at once: a new role, and a removed membership", async () => {
    const put = () =>
      call("PUT /flows/{org}", { as: "reader", body: { name: "f", description: "" } })
    assert.strictEqual((await put()).status, 403)
    await run(
      Effect.gen(function* () {
        const members = yield* Memberships
        yield* members.changeRole({ ...(yield* change("rob")), role: "member" })
      })
    )
    assert.strictEqual((await put()).status, 201)
    await call("PUT /user/{org}", { as: "reader" })
    await run(
      Effect.gen(function* () {
        yield* (yield* Memberships).remove(yield* change("rob"))
      })
    )
    assert.strictEqual((await put()).status, 403)
    const { body } = await call("GET /user/default-org", { as: "reader" })
    assert.deepStrictEqual(body, { default_org_name: "" })
  })

  it("keep at least one admin under concurrent removals", async () => {
    const tags = await run(
      Effect.gen(function* () {
        const members = yield* Memberships
        const ada = yield* change("ada")
        const bob = yield* change("bob")
        assert.strictEqual(yield* tagOf(members.remove(ada)), "LastAdmin")
        assert.strictEqual(
          yield* tagOf(members.changeRole({ ...ada, role: "member" })),
          "LastAdmin"
        )
        assert.strictEqual(yield* tagOf(members.remove(yield* change("nobody"))), "NotAMember")
        yield* members.add({ ...bob, role: "admin", displayName: null, email: null })
        return yield* Effect.all(
          [tagOf(members.changeRole({ ...ada, role: "reader" })), tagOf(members.remove(bob))],
          { concurrency: 2 }
        )
      })
    )
    assert.deepStrictEqual([...tags].sort(), ["", "LastAdmin"])
  })
})
