/** Grants on the wire: who gives what to whom, what it is worth, and how it ends. */
import { REASON_LENGTH_MAX } from "@attestry/core/Grant"
import { assert, beforeAll, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"
import { fixtureOf } from "./GrantFixture.js"

interface Listed {
  readonly total_count: number
  readonly grants: ReadonlyArray<{
    readonly number: number
    readonly subject: { readonly kind: string; readonly name: string }
    readonly space: string
    readonly role: string
    readonly ended_at: number | null
  }>
}

onEveryStore("grants", (server) => {
  const { call, journal } = server
  const { account, as, end, grant, make, person, spaces } = fixtureOf(server)
  const listed = async (query = "", who?: string) => {
    const { body, status } = await call("GET /grants/{org}", { ...as(who), query })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Listed
  }
  const numbersOf = async (query = "", who?: string) =>
    (await listed(query, who)).grants.map(({ number }) => number)
  const entriesOf = async () =>
    (await journal()).filter(({ subject }) => subject.type === "grant").map(({ kind }) => kind)
  const later = Math.floor(Date.now() / 1_000) + 3_600

  beforeAll(async () => {
    for (const login of ["pat", "sam", "zoe"]) await person(login, "none")
    await person("max2", "member")
    await person("tom", "admin")
    await account("scoped", "admin", ["grant.write"])
    for (const path of ["retail", "retail/payments", "platform"]) await make(path)
    await call("PUT /teams/{org}/{team}", { path: { team: "pay" } })
  })

  it("are given once, and changed by the same request with another content", async () => {
    const given = await grant("user pat", "retail", "admin", { reason: "owns it" })
    assert.strictEqual(given.status, 201)
    const body = given.body as { readonly given_at: number }
    assert.deepStrictEqual(body, {
      number: 1,
      subject: { kind: "user", name: "pat" },
      space: "retail",
      role: "admin",
      eligible: false,
      expires_at: null,
      reason: "owns it",
      given_at: body.given_at,
      ended_at: null
    } as unknown)
    const again = await grant("user pat", "retail", "admin", { reason: "owns it" })
    assert.deepInclude(again, { status: 200, body: given.body })
    assert.deepStrictEqual(await entriesOf(), ["grant_given"])
    assert.strictEqual((await grant("team pay", "retail", "reader")).status, 201)
    const other = await grant("team pay", "retail", "member", { expires_at: later })
    assert.strictEqual(other.status, 200)
    assert.deepInclude(other.body as object, { number: 3, role: "member", expires_at: later })
    assert.strictEqual((await grant("everyone", "platform", "reader")).status, 201)
    assert.deepStrictEqual(await entriesOf(), [
      "grant_given",
      "grant_given",
      "grant_ended",
      "grant_given",
      "grant_given"
    ])
  })

  it("are listed newest first, by subject, space, role and end", async () => {
    assert.deepStrictEqual(await numbersOf(), [4, 3, 1])
    assert.deepStrictEqual(await numbersOf("?ended=true"), [4, 3, 2, 1])
    assert.deepStrictEqual(await numbersOf("?subject_kind=team&subject_name=pay"), [3])
    assert.deepStrictEqual(await numbersOf("?subject_kind=everyone"), [4])
    assert.deepStrictEqual(await numbersOf("?space=retail"), [3, 1])
    assert.deepStrictEqual(await numbersOf("?space=retail/payments"), [])
    assert.deepStrictEqual(await numbersOf("?role=reader"), [4])
    const page = await listed("?per_page=1&page=2")
    assert.deepStrictEqual([page.total_count, page.grants[0]?.number], [3, 3])
    for (const query of [
      "?subject_kind=user",
      "?subject_name=pat",
      "?subject_kind=everyone&subject_name=pat",
      "?subject_kind=group&subject_name=pat",
      "?space=..",
      "?role=none",
      "?ended=maybe"
    ])
      assert.strictEqual((await call("GET /grants/{org}", { query })).status, 400, query)
    for (const query of ["?space=none", "?subject_kind=user&subject_name=nobody"])
      assert.strictEqual((await call("GET /grants/{org}", { query })).status, 404, query)
  })

  it("are for subjects of the org, in its spaces, with a role and an end", async () => {
    for (const subject of ["user nobody", "user fay", "team none", "service-account none"])
      assert.strictEqual((await grant(subject, "retail", "reader")).status, 404, subject)
    assert.strictEqual((await grant("everyone all", "retail", "reader")).status, 404)
    assert.strictEqual((await grant("user", "retail", "reader")).status, 404)
    assert.strictEqual((await grant("user pat", "none", "reader")).status, 404)
    for (const path of ["..", "retail/..", "%2f", "retail%2fpayments", "a/b/c/d/e/f/g", ""])
      assert.strictEqual((await grant("user pat", path, "reader")).status, 400, path)
    for (const role of ["none", "owner", ""])
      assert.strictEqual((await grant("user pat", "retail", role)).status, 400, role)
    assert.strictEqual((await grant("group pay", "retail", "reader")).status, 400)
    for (const expires_at of [1, "soon"])
      assert.strictEqual((await grant("user sam", "retail", "reader", { expires_at })).status, 400)
    const long = "r".repeat(REASON_LENGTH_MAX + 1)
    const refused = await grant("user sam", "retail", "reader", { reason: long })
    assert.strictEqual(refused.status, 400)
    const most = { reason: long.slice(1), expires_at: later }
    const given = await grant("user sam", "retail/payments", "reader", most)
    assert.deepInclude(given, { status: 201 })
    assert.deepInclude(given.body as object, { reason: most.reason, expires_at: later })
    const fay = await call("GET /grants/{org}", { query: "?subject_kind=user&subject_name=fay" })
    assert.strictEqual(fay.status, 404)
  })

  it("give nothing where they are eligible, beside one that counts", async () => {
    const spacesOfMia = async () => (await spaces("mia")).map(({ path }) => path)
    await person("mia", "none")
    const seen = await spacesOfMia()
    const eligible = await grant("user mia", "retail", "admin", { eligible: true })
    assert.strictEqual(eligible.status, 201)
    assert.deepInclude(eligible.body as object, { role: "admin", eligible: true })
    const again = await grant("user mia", "retail", "admin", { eligible: true })
    assert.deepInclude(again, { status: 200, body: eligible.body })
    assert.deepStrictEqual(await spacesOfMia(), seen)
    const denied = await call("POST /spaces/{org}", {
      ...as("mia"),
      body: { path: "retail/mias" }
    })
    assert.strictEqual(denied.status, 403)
    assert.strictEqual((await grant("user mia", "retail", "reader")).status, 201)
    assert.includeMembers(await spacesOfMia(), ["retail"])
    const of = "?subject_kind=user&subject_name=mia"
    assert.strictEqual((await numbersOf(of)).length, 2)
    assert.strictEqual((await numbersOf(`${of}&eligible=true`)).length, 1)
    assert.strictEqual((await numbersOf(`${of}&eligible=false`)).length, 1)
    const robot = await grant("service-account scoped", "retail", "reader", { eligible: true })
    assert.strictEqual(robot.status, 400)
    for (const number of await numbersOf(of)) assert.strictEqual((await end(number)).status, 200)
    assert.deepStrictEqual(await spacesOfMia(), seen)
  })

  it("give no more than their giver holds, in the space and by the key", async () => {
    // An admin of `retail` gives every role in it and below it, and nothing elsewhere.
    assert.strictEqual((await grant("user zoe", "retail/payments", "admin", {}, "pat")).status, 201)
    for (const space of ["/", "platform", "none"])
      assert.strictEqual((await grant("user pat", space, "reader", {}, "pat")).status, 404, space)
    // A reader of a space, and a member of the org, give nothing at all.
    for (const who of ["sam", "max2"])
      assert.strictEqual((await grant("user sam", "retail", "admin", {}, who)).status, 403, who)
    // A key that leaves less than a role has does not give the role.
    assert.strictEqual((await grant("user sam", "retail", "reader", {}, "scoped")).status, 403)
    assert.strictEqual((await grant("user sam", "retail", "reader", {}, "tom")).status, 201)
  })

  it("are seen and ended by admins of their spaces alone", async () => {
    const own = await listed("", "pat")
    assert.isTrue(own.grants.every(({ space }) => space.startsWith("retail")))
    assert.strictEqual(own.total_count, own.grants.length)
    const everyone = (await listed("?subject_kind=everyone")).grants[0]?.number ?? 0
    const hidden = await end(everyone, "pat")
    const missing = await end(999, "pat")
    assert.deepStrictEqual(
      [hidden.status, JSON.stringify(hidden.body).replace(`${everyone}`, "999")],
      [404, JSON.stringify(missing.body)]
    )
    for (const number of ["0", "x", "-1", "2147483648"])
      assert.strictEqual(
        (await call("DELETE /grants/{org}/{number}", { path: { number } })).status,
        400
      )
    assert.strictEqual((await call("GET /grants/{org}", as("sam"))).status, 403)
  })

  it("end once, and what they gave ends with them", async () => {
    assert.deepStrictEqual(
      (await spaces("zoe")).map(({ path }) => path),
      ["platform", "retail/payments"]
    )
    const [number = 0] = await numbersOf("?subject_kind=user&subject_name=zoe")
    assert.strictEqual((await end(number, "pat")).status, 200)
    assert.strictEqual((await end(number, "pat")).status, 200)
    assert.deepStrictEqual(
      (await spaces("zoe")).map(({ path }) => path),
      ["platform"]
    )
    const entries = await journal()
    assert.strictEqual(
      entries.filter(({ kind, subject }) => kind === "grant_ended" && subject.id === `${number}`)
        .length,
      1
    )
    const ended = (await listed("?subject_kind=user&subject_name=zoe&ended=true")).grants
    assert.isNumber(ended[0]?.ended_at)
    assert.strictEqual((await grant("user zoe", "retail/payments", "reader")).status, 201)
  })
})
