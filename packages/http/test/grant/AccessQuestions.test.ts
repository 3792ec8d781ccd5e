/** Questions about access on the wire: who can do what, and why, now and at past instants. */
import { assert, beforeAll, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"
import { fixtureOf } from "./GrantFixture.js"

interface Binding {
  readonly kind: string
  readonly role: string
  readonly space: string
  readonly number: number | null
  readonly team: string | null
}

interface Subject {
  readonly kind: string
  readonly name: string
  readonly role: string
  readonly via: ReadonlyArray<Binding>
}

interface Who {
  readonly as_of?: number
  readonly subjects: ReadonlyArray<Subject>
  readonly eligible: ReadonlyArray<Subject>
}

const base = (role: string) => ({ kind: "base", role, space: "/", number: null, team: null })

onEveryStore("questions about access", (server) => {
  const { call } = server
  const { account, as, end, grant, make, move, person } = fixtureOf(server)
  const ask = (what: "who" | "effective" | "explain", query: string, who?: string) =>
    call(`GET /access/{org}/${what}`, { ...as(who), query })
  const whoCan = async (query: string, who?: string) => {
    const { body, status } = await ask("who", query, who)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Who
  }
  const named = ({ subjects }: Who) => subjects.map(({ name, role }) => `${name} ${role}`)
  const bindingsOf = async (query: string, who?: string) => {
    const { body, status } = await ask("effective", query, who)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return (body as { readonly bindings: ReadonlyArray<Binding> }).bindings
  }
  const explained = async (query: string, who?: string) => {
    const { body, status } = await ask("explain", query, who)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Record<string, unknown>
  }
  /** An instant after everything so far, and before everything to come. */
  const instant = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    const now = Date.now() / 1_000
    await new Promise((resolve) => setTimeout(resolve, 20))
    return now
  }
  let before = 0
  const team = { team: "pay" }

  beforeAll(async () => {
    for (const login of ["pat", "sam", "zoe"]) await person(login, "none")
    await account("robot", "none", ["org.read"])
    before = await instant()
    for (const path of ["retail", "retail/payments", "platform"]) await make(path)
    await call("PUT /teams/{org}/{team}", { path: team })
    await call("PUT /teams/{org}/{team}/members/{login}", { path: { ...team, login: "sam" } })
    for (const name of ["pay-api", "other"])
      await call("PUT /flows/{org}", { body: { name, description: "" } })
    await move({ things: [{ type: "flow", name: "pay-api" }], to: "retail/payments" })
    await grant("user pat", "retail", "admin")
    await grant("team pay", "retail/payments", "member")
    await grant("service-account robot", "retail/payments", "member")
    await grant("everyone", "platform", "reader")
  })

  it("name all who has a permission at a place, and why", async () => {
    assert.deepStrictEqual(named(await whoCan("?permission=flow.write")), [
      "ada admin",
      "max member"
    ])
    const found = await whoCan("?permission=flow.write&flow=pay-api")
    assert.deepStrictEqual(named(found), [
      "ada admin",
      "max member",
      "pat admin",
      "sam member",
      "robot member"
    ])
    assert.deepStrictEqual(
      found.subjects.map(({ via }) => via),
      [
        [base("admin")],
        [base("member")],
        [{ kind: "grant", role: "admin", space: "retail", number: 1, team: null }],
        [{ kind: "team", role: "member", space: "retail/payments", number: 2, team: "pay" }],
        [{ kind: "grant", role: "member", space: "retail/payments", number: 3, team: null }]
      ]
    )
    assert.deepStrictEqual(
      named(await whoCan("?permission=environment.report&space=retail/payments")),
      ["ada admin", "max member", "pat admin", "sam member", "sue snapshotter", "robot member"]
    )
    const readers = await whoCan("?permission=org.read&space=platform")
    assert.deepStrictEqual(named(readers), [
      "ada admin",
      "max member",
      "pat reader",
      "rob reader",
      "sam reader",
      "sue snapshotter",
      "zoe reader",
      "robot reader"
    ])
    assert.deepStrictEqual(
      readers.subjects.find(({ name }) => name === "rob")?.via.map(({ kind }) => kind),
      ["base", "everyone"]
    )
  })

  it("name those who may open break-glass apart", async () => {
    const given = await grant("user zoe", "retail", "admin", { eligible: true })
    const { number } = given.body as { readonly number: number }
    const binding = { kind: "grant", role: "admin", space: "retail", number, team: null }
    const found = await whoCan("?permission=flow.write&flow=pay-api")
    assert.notInclude(named(found).join(), "zoe")
    assert.deepStrictEqual(found.eligible, [
      { kind: "user", name: "zoe", role: "admin", via: [binding] }
    ])
    const { body } = await ask("effective", "?user=zoe")
    assert.deepInclude(body as object, {
      bindings: [{ kind: "everyone", role: "reader", space: "platform", number: 4, team: null }],
      eligible: [binding]
    })
    assert.deepInclude(await explained("?operation=flow.put&flow=pay-api&user=zoe"), {
      allowed: false,
      because: "no-role",
      binding: null,
      missing: "member",
      eligible: binding
    })
    assert.strictEqual((await end(number)).status, 200)
    assert.deepStrictEqual((await whoCan("?permission=flow.write&flow=pay-api")).eligible, [])
  })

  it("are refused where they ask for nothing that there is, or for two places", async () => {
    for (const query of [
      "",
      "?permission=none",
      "?permission=flow.write&space=..",
      "?permission=flow.write&space=/&flow=pay-api",
      "?permission=flow.write&as_of=soon"
    ])
      assert.strictEqual((await ask("who", query)).status, 400, query)
    for (const query of ["&space=none", "&flow=none", "&policy=none", "&control=none"])
      assert.strictEqual((await ask("who", `?permission=flow.write${query}`)).status, 404, query)
    assert.strictEqual((await ask("effective", "?user=pat&service_account=robot")).status, 400)
    for (const query of ["?user=nobody", "?user=fay", "?service_account=none"])
      assert.strictEqual((await ask("effective", query)).status, 404, query)
    for (const query of ["", "?operation=none.at.all", "?operation=flow.put&space=/&flow=x"])
      assert.strictEqual((await ask("explain", query)).status, 400, query)
  })

  it("are answered to admins of a space within it, and hide the rest", async () => {
    const within = await whoCan("?permission=flow.write&flow=pay-api", "pat")
    assert.deepStrictEqual(named(within), [
      "ada admin",
      "max member",
      "pat admin",
      "sam member",
      "robot member"
    ])
    assert.strictEqual((await ask("who", "?permission=flow.write", "pat")).status, 403)
    const question = "?permission=flow.write&flow="
    const hidden = await ask("who", `${question}other`, "pat")
    const missing = await ask("who", `${question}none`, "pat")
    assert.deepStrictEqual(
      [hidden.status, JSON.stringify(hidden.body).replace("other", "none")],
      [404, JSON.stringify(missing.body)]
    )
    assert.strictEqual(
      (await ask("who", "?permission=flow.write&space=platform", "pat")).status,
      404
    )
    assert.strictEqual((await ask("who", `${question}pay-api`, "sam")).status, 403)
    assert.deepStrictEqual(await bindingsOf("?user=sam", "pat"), [
      { kind: "team", role: "member", space: "retail/payments", number: 2, team: "pay" }
    ])
    assert.strictEqual((await ask("effective", "?user=pat", "sam")).status, 403)
  })

  it("are answered to every member about itself", async () => {
    const sams = [
      { kind: "team", role: "member", space: "retail/payments", number: 2, team: "pay" },
      { kind: "everyone", role: "reader", space: "platform", number: 4, team: null }
    ]
    for (const query of ["", "?user=sam"])
      assert.deepStrictEqual(await bindingsOf(query, "sam"), sams)
    assert.deepStrictEqual(await bindingsOf("?user=sam"), sams)
    assert.deepInclude((await ask("effective", "")).body as object, {
      kind: "user",
      name: "ada",
      suspended: false,
      bindings: [
        base("admin"),
        { kind: "everyone", role: "reader", space: "platform", number: 4, team: null }
      ]
    })
  })

  it("say why an operation is allowed, or what is missing", async () => {
    assert.deepStrictEqual(await explained("?operation=flow.put&flow=pay-api", "sam"), {
      operation: "flow.put",
      permission: "flow.write",
      allowed: true,
      because: "binding",
      space: "retail/payments",
      binding: { kind: "team", role: "member", space: "retail/payments", number: 2, team: "pay" },
      missing: null,
      eligible: null
    })
    assert.deepInclude(await explained("?operation=flow.put&space=platform", "sam"), {
      allowed: false,
      because: "no-role",
      space: "platform",
      binding: null,
      missing: "member",
      eligible: null
    })
    // What is asked for in the whole org is not had in a space.
    assert.deepInclude(await explained("?operation=journal.list&space=retail", "pat"), {
      allowed: false,
      space: "/",
      missing: "admin",
      eligible: null
    })
    assert.deepInclude(await explained("?operation=org.get", "zoe"), {
      allowed: true,
      because: "membership",
      permission: null
    })
    // The key of the account leaves reading alone.
    const put = "?operation=flow.put&space="
    assert.deepInclude(await explained(`${put}retail/payments`, "robot"), {
      allowed: false,
      because: "key-scope",
      missing: null,
      eligible: null
    })
    assert.deepInclude(await explained(`${put}/`, "robot"), {
      allowed: false,
      because: "no-role",
      missing: "member",
      eligible: null
    })
    const unread = await ask("explain", "?operation=flow.put&flow=other", "sam")
    const absent = await ask("explain", "?operation=flow.put&flow=none", "sam")
    assert.deepStrictEqual(
      [unread.status, JSON.stringify(unread.body).replace("other", "none")],
      [404, JSON.stringify(absent.body)]
    )
    const about = "?operation=flow.put&flow=pay-api&user=sam"
    assert.deepInclude(await explained(about, "pat"), { allowed: true })
    assert.strictEqual((await ask("explain", about, "zoe")).status, 403)
  })

  it("are answered for every past instant", async () => {
    const then = await instant()
    await end(2)
    await call("DELETE /teams/{org}/{team}/members/{login}", { path: { ...team, login: "sam" } })
    await grant("team pay", "retail", "member")
    await move({ things: [{ type: "flow", name: "pay-api" }], to: "platform" })
    await call("DELETE /memberships/{org}/{login}", { path: { login: "max" } })
    const question = "?permission=flow.write&flow=pay-api"
    assert.deepStrictEqual(named(await whoCan(question)), ["ada admin"])
    const past = await whoCan(`${question}&as_of=${then}`)
    assert.deepStrictEqual(named(past), [
      "ada admin",
      "max member",
      "pat admin",
      "sam member",
      "robot member"
    ])
    assert.approximately(past.as_of ?? 0, then, 0.001)
    // Before the first space the root is the only place.
    assert.deepStrictEqual(named(await whoCan(`${question}&as_of=${before}`)), [
      "ada admin",
      "max member"
    ])
    assert.strictEqual((await whoCan("?permission=org.read&as_of=1")).subjects.length, 0)
    assert.deepStrictEqual(
      (await bindingsOf(`?user=sam&as_of=${then}`)).map(({ kind }) => kind),
      ["team", "everyone"]
    )
    assert.deepStrictEqual(
      (await bindingsOf("?user=sam")).map(({ kind }) => kind),
      ["everyone"]
    )
    const gone = await bindingsOf(`?user=max&as_of=${then}`)
    assert.deepStrictEqual(gone[0], base("member"))
    assert.strictEqual((await ask("effective", "?user=max")).status, 404)
    // The thing was where the caller does not administer: it is answered as absent there.
    const elsewhere = await ask("who", `${question}&as_of=${then}`, "pat")
    assert.strictEqual(elsewhere.status, 404)
  })
})
