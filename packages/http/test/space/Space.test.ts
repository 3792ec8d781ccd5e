/** Spaces on the wire: who makes, sees, moves and deletes them, and where things go. */
import { DESCRIPTION_LENGTH_MAX } from "@attestry/core/Space"
import { assert, beforeAll, describe, it } from "vitest"
import { fixtureOf } from "../grant/GrantFixture.js"
import { onEveryStore } from "../shared/TestServer.js"

const KINDS = ["space_created", "space_changed", "space_deleted", "thing_placed"]

onEveryStore("spaces", (server) => {
  const { call, journal } = server
  const { as, change, grant, idOf, make, move, person, remove, spaces } = fixtureOf(server)
  const pathsOf = async (who?: string) => (await spaces(who)).map(({ path }) => path)
  const entriesOf = async () =>
    (await journal()).map(({ kind }) => kind).filter((kind) => KINDS.includes(kind))
  const flow = (name: string) => call("PUT /flows/{org}", { body: { name, description: "" } })
  const thingsIn = async (path: string) =>
    (await spaces()).find((each) => each.path === path) as unknown as {
      readonly things: { readonly flows: number }
    }

  beforeAll(async () => {
    await person("pat", "none")
    await person("sam", "none")
    await person("none", "none")
  })

  it("are made below one another, once, and listed by path", async () => {
    assert.deepStrictEqual(await spaces(), [])
    const made = await call("POST /spaces/{org}", {
      body: { path: "retail", description: "shops" }
    })
    assert.strictEqual(made.status, 201)
    const body = made.body as Record<string, unknown>
    assert.deepStrictEqual(body, {
      id: body.id,
      path: "retail",
      name: "retail",
      description: "shops",
      things: { flows: 0, environments: 0, policies: 0, controls: 0, service_accounts: 0 },
      changed_at: body.changed_at
    })
    for (const path of ["retail/payments", "platform", "retail/cards"])
      assert.strictEqual((await make(path)).status, 201)
    assert.deepStrictEqual(await pathsOf(), [
      "platform",
      "retail",
      "retail/cards",
      "retail/payments"
    ])
    for (const path of ["retail", "retail/payments", "/"])
      assert.deepInclude(await make(path), {
        status: 409,
        body: { message: `there is a space \`${path}\` already` }
      })
    assert.strictEqual((await make("none/below")).status, 404)
    assert.deepStrictEqual(await entriesOf(), Array(4).fill("space_created"))
  })

  it("have paths and descriptions within their limits", async () => {
    const bad = ["", "..", "a/..", "%2f", "a%2fb", "a//b", "/a", "a/", "A", "-a", "ä", "a b"]
    for (const path of [...bad, "a".repeat(64)])
      assert.strictEqual((await make(path)).status, 400, path)
    const levels = ["d1", "d2", "d3", "d4", "d5", "d6"]
    for (let depth = 1; depth <= levels.length; depth++)
      assert.strictEqual((await make(levels.slice(0, depth).join("/"))).status, 201)
    assert.strictEqual((await make([...levels, "d7"].join("/"))).status, 400)
    assert.strictEqual((await make("a".repeat(63))).status, 201)
    const long = "d".repeat(DESCRIPTION_LENGTH_MAX)
    assert.strictEqual((await change("d1", { description: long })).status, 200)
    assert.strictEqual((await change("d1", { description: `${long}d` })).status, 400)
    assert.strictEqual((await change("d1", { other: "x" })).status, 400)
    for (let depth = levels.length; depth > 0; depth--)
      assert.strictEqual((await remove(levels.slice(0, depth).join("/"))).status, 200)
    assert.strictEqual((await remove("a".repeat(63))).status, 200)
  })

  it("are renamed and moved, never into themselves, nor too deep", async () => {
    assert.strictEqual((await change("retail/cards", { name: "debit" })).status, 200)
    const before = (await entriesOf()).length
    for (const body of [{}, { name: "debit" }, { name: null }, { parent: "retail" }])
      assert.strictEqual((await change("retail/debit", body)).status, 200)
    assert.strictEqual((await entriesOf()).length, before)
    for (const parent of ["retail", "retail/debit"]) {
      const { body, status } = await change("retail", { parent })
      assert.strictEqual(status, 400)
      assert.include(JSON.stringify(body), "a space cannot be moved into itself or below itself")
    }
    for (const path of ["e1", "e1/e2", "e1/e2/e3", "e1/e2/e3/e4", "e1/e2/e3/e4/e5"])
      await make(path)
    const deep = await change("retail", { parent: "e1/e2/e3/e4/e5" })
    assert.strictEqual(deep.status, 400)
    assert.include(JSON.stringify(deep.body), "a path has at most 6 names")
    const moved = await change("retail", { parent: "e1/e2/e3/e4" })
    assert.deepInclude(moved, { status: 200 })
    assert.include(await pathsOf(), "e1/e2/e3/e4/retail/debit")
    const back = await change("e1/e2/e3/e4/retail", { parent: "/", name: "retail" })
    assert.deepInclude(back.body as object, { path: "retail" })
    assert.strictEqual((await change("retail", { name: "platform" })).status, 409)
    assert.strictEqual((await change("retail", { parent: "none" })).status, 404)
    assert.strictEqual((await change("none", {})).status, 404)
    const odd = await call("DELETE /spaces/{org}/{space_id}", { path: { space_id: "../x" } })
    assert.strictEqual(odd.status, 404)
  })

  it("hold things that are moved, and say so in the journal", async () => {
    for (const name of ["pay-api", "pay-web", "other"]) await flow(name)
    const to = "retail/payments"
    const things = [
      { type: "flow", name: "pay-api" },
      { type: "flow", name: "pay-api" }
    ]
    const seen = await move({ things, to, preview: true })
    const report = { moved: [{ type: "flow", name: "pay-api" }], losing: [] }
    assert.deepInclude(seen, { status: 200, body: report })
    assert.strictEqual((await thingsIn(to)).things.flows, 0)
    assert.deepInclude(await move({ things, to }), { status: 200, body: report })
    assert.deepInclude(await move({ things, to }), { status: 200, body: { moved: [], losing: [] } })
    const rest = await move({ match: { type: "flow", name: "pay-*" }, to })
    assert.deepStrictEqual(rest.body, {
      moved: [{ type: "flow", name: "pay-web" }],
      losing: []
    })
    assert.strictEqual((await thingsIn(to)).things.flows, 2)
    const placed = (await journal()).filter(({ kind }) => kind === "thing_placed")
    assert.deepStrictEqual(
      placed.map(({ content }) => (JSON.parse(content) as { name: string }).name),
      ["pay-api", "pay-web"]
    )
  })

  it("refuse moves that name nothing, too much, or another place than there is", async () => {
    const one = [{ type: "flow", name: "pay-api" }]
    for (const body of [
      { to: "/" },
      { things: [], to: "/" },
      { things: one, match: { type: "flow", name: "*" }, to: "/" },
      { match: { type: "flow" }, to: "/" },
      { things: one, to: ".." },
      { things: one, to: "a/b/c/d/e/f/g" },
      { things: [{ type: "trail", name: "x" }], to: "/" },
      { things: Array(1_001).fill(one[0]), to: "/" }
    ])
      assert.strictEqual((await move(body)).status, 400, JSON.stringify(body).slice(0, 80))
    const many = await move({ things: Array(1_000).fill(one[0]), to: "/", preview: true })
    assert.deepInclude(many.body as object, { moved: one })
    assert.strictEqual((await move({ things: one, to: "none" })).status, 404)
    const unknown = [...one, { type: "flow", name: "none" }]
    assert.strictEqual((await move({ things: unknown, to: "/" })).status, 404)
    assert.strictEqual((await thingsIn("retail/payments")).things.flows, 2)
  })

  describe("of a partial reader", () => {
    it("are those of their grants, and all others are as absent as none", async () => {
      assert.strictEqual((await call("GET /spaces/{org}", as("pat"))).status, 403)
      assert.strictEqual((await grant("user pat", "retail", "admin")).status, 201)
      assert.strictEqual((await grant("user sam", "retail/payments", "reader")).status, 201)
      assert.deepStrictEqual(await pathsOf("pat"), ["retail", "retail/debit", "retail/payments"])
      assert.deepStrictEqual(await pathsOf("sam"), ["retail/payments"])
      assert.strictEqual((await call("GET /spaces/{org}", as("none"))).status, 403)
      const hidden = await change("platform", { description: "x" }, "pat")
      const missing = await call("PATCH /spaces/{org}/{space_id}", {
        ...as("pat"),
        path: { space_id: "none" },
        body: { description: "x" }
      })
      assert.deepStrictEqual(
        [hidden.status, JSON.stringify(hidden.body).replace(await idOf("platform"), "none")],
        [404, JSON.stringify(missing.body)]
      )
    })

    it("are made and moved within their own space alone", async () => {
      assert.strictEqual((await make("retail/loans", "pat")).status, 201)
      assert.strictEqual((await make("top", "pat")).status, 403)
      assert.strictEqual((await make("platform/x", "pat")).status, 404)
      assert.strictEqual((await make("retail/x", "sam")).status, 403)
      const out = await change("retail/loans", { parent: "/" }, "pat")
      assert.strictEqual(out.status, 403)
      assert.strictEqual((await change("retail", { name: "shop" }, "pat")).status, 403)
      const things = [{ type: "flow", name: "pay-web" }]
      assert.strictEqual((await move({ things, to: "/" }, "pat")).status, 404)
      assert.strictEqual((await move({ things, to: "retail/loans" }, "sam")).status, 403)
      assert.strictEqual((await move({ things, to: "retail/loans" }, "pat")).status, 200)
      const others = [{ type: "flow", name: "other" }]
      const hidden = await move({ things: others, to: "retail" }, "pat")
      assert.deepInclude(hidden, {
        status: 404,
        body: { message: "there is no flow `other`" }
      })
    })

    it("are named to the mover of what they read", async () => {
      const things = [{ type: "flow", name: "pay-api" }]
      const seen = await move({ things, to: "retail/loans", preview: true }, "pat")
      assert.deepStrictEqual((seen.body as { losing: unknown }).losing, [
        { subject: { kind: "user", name: "sam" }, role: "reader" }
      ])
    })
  })

  it("are deleted when they are empty", async () => {
    const refused = async (path: string, what: string) => {
      const answer = await remove(path)
      assert.strictEqual(answer.status, 409)
      assert.include(JSON.stringify(answer.body), `still has ${what}`)
    }
    await refused("retail", "spaces")
    await refused("retail/loans", "things")
    await make("granted")
    await grant("everyone", "granted", "reader")
    await refused("granted", "grants")
    assert.strictEqual((await remove("retail/debit")).status, 200)
    assert.notInclude(await pathsOf(), "retail/debit")
    assert.strictEqual((await make("retail/debit")).status, 201)
  })

  describe("placement rules", () => {
    const rules = (body: object, who?: string) =>
      call("PUT /placement-rules/{org}", { ...as(who), body })
    const rule = { type: "flow", name: "loan-*", space: "retail/loans" }

    it("are set and read back, in order, and refused with a reason", async () => {
      const both = { rules: [rule, { ...rule, name: "*", space: "/" }] }
      assert.deepInclude(await rules(both), { status: 200, body: both })
      assert.deepInclude(await rules(both), { status: 200, body: both })
      assert.deepStrictEqual((await call("GET /placement-rules/{org}")).body, both)
      const set = (await journal()).filter(({ kind }) => kind === "placement_rules_set")
      assert.strictEqual(set.length, 1)
      const unknown = await rules({ rules: [rule, { ...rule, space: "none" }] })
      assert.strictEqual(unknown.status, 400)
      assert.property((unknown.body as { errors: object }).errors, "rules[1].space")
      for (const more of [
        { name: "" },
        { name: "a".repeat(257) },
        { type: "trail" },
        { space: ".." }
      ])
        assert.strictEqual((await rules({ rules: [{ ...rule, ...more }] })).status, 400)
      assert.strictEqual((await rules({ rules: Array(501).fill(rule) })).status, 400)
      assert.strictEqual((await rules({ rules: Array(500).fill(rule) })).status, 200)
    })

    it("are for admins of the whole org, and keep their spaces", async () => {
      assert.strictEqual((await rules({ rules: [] }, "pat")).status, 403)
      assert.strictEqual((await rules({ rules: [rule] })).status, 200)
      await make("kept")
      await rules({ rules: [{ ...rule, space: "kept" }] })
      const answer = await remove("kept")
      assert.strictEqual(answer.status, 409)
      assert.include(JSON.stringify(answer.body), "still has placement rules")
      assert.strictEqual((await rules({ rules: [rule] })).status, 200)
    })
  })
})
