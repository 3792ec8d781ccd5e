/** Rules for id tokens on the wire: who sets them, their defaults, and what cannot be saved. */
import { assert, beforeAll, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

const GET = "GET /service-accounts/{org}/{name}/identity-rules"
const PUT = "PUT /service-accounts/{org}/{name}/identity-rules"
const path = { name: "ci" }

const RULE = { issuer: "https://issuer.example.org/x", subject: "repo:acme/shop:*" }
const FORGE = "https://token.actions.githubusercontent.com"

onEveryStore("PUT /service-accounts/{org}/{name}/identity-rules", ({ call, journal }) => {
  const put = (rules: ReadonlyArray<object>, as: "admin" | "member" = "admin") =>
    call(PUT, { path, body: { rules }, as })
  const problemsOf = async (rules: ReadonlyArray<object>) => {
    const { status, body } = await put(rules)
    assert.strictEqual(status, 400, JSON.stringify(body))
    return Object.keys((body as { errors: object }).errors)
  }

  beforeAll(async () => {
    await call("POST /service-accounts/{org}", { body: { name: "ci", privilege: "member" } })
  })

  it("saves rules with their defaults, shows them, and records a change once", async () => {
    const saved = await put([RULE])
    assert.strictEqual(saved.status, 200, JSON.stringify(saved.body))
    const { rules } = saved.body as { rules: ReadonlyArray<{ readonly [name: string]: unknown }> }
    assert.deepStrictEqual(rules, [
      { ...RULE, audience: rules[0]?.audience, claims: {}, lifetime: 900, single_use: false }
    ])
    assert.match(String(rules[0]?.audience), /^https?:\/\/.*[^/]$/)
    assert.deepStrictEqual((await call(GET, { path })).body, saved.body)
    await put([RULE])
    const entries = (await journal()).filter(({ kind }) => kind === "identity_rules_changed")
    assert.lengthOf(entries, 1)
  })

  it("belongs to admins", async () => {
    assert.strictEqual((await put([RULE], "member")).status, 403)
    assert.strictEqual((await call(GET, { path, as: "member" })).status, 403)
    assert.strictEqual((await call(GET, { path: { name: "none" } })).status, 404)
  })

  it("refuses an issuer that is no https URL, with its field", async () => {
    for (const issuer of [
      "http://issuer.example.org",
      "issuer.example.org",
      "https://user@issuer.example.org",
      "https://issuer.example.org?x=1",
      "https://issuer.example.org#x",
      "https://",
      ""
    ])
      assert.deepStrictEqual(await problemsOf([RULE, { ...RULE, issuer }]), ["rules[1].issuer"])
  })

  it("refuses a subject that begins with a wildcard, or fixes one segment alone", async () => {
    for (const subject of ["*", "**", "*:x", "repo:*", "repo:**", "repo*/x*"])
      assert.deepStrictEqual(
        await problemsOf([{ ...RULE, subject }]),
        ["rules[0].subject"],
        subject
      )
    for (const subject of ["repo:acme/*", "a", "repo:acme/shop:ref:refs/heads/**"])
      assert.strictEqual((await put([{ ...RULE, subject }])).status, 200, subject)
  })

  it("asks for a number where names can change hands", async () => {
    const forge = { ...RULE, issuer: FORGE }
    assert.deepStrictEqual(await problemsOf([forge]), ["rules[0].claims"])
    const wild = { ...forge, claims: { repository_id: "4*" } }
    assert.deepStrictEqual(await problemsOf([wild]), ["rules[0].claims"])
    const exact = { ...forge, claims: { repository_owner_id: "7" } }
    assert.strictEqual((await put([exact])).status, 200)
    const lab = { ...RULE, issuer: "https://gitlab.com" }
    assert.deepStrictEqual(await problemsOf([lab]), ["rules[0].claims"])
    assert.strictEqual((await put([{ ...lab, claims: { project_id: "7" } }])).status, 200)
  })

  it("has limits: 20 rules, 10 claims, lifetimes from a minute to an hour", async () => {
    assert.strictEqual((await put(Array.from({ length: 20 }, () => RULE))).status, 200)
    assert.deepStrictEqual(await problemsOf(Array.from({ length: 21 }, () => RULE)), ["rules"])
    const withClaims = (count: number) => ({
      ...RULE,
      claims: Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, "v"]))
    })
    assert.strictEqual((await put([withClaims(10)])).status, 200)
    assert.deepStrictEqual(await problemsOf([withClaims(11)]), ["rules[0].claims"])
    for (const [lifetime, status] of [
      [59, 400],
      [60, 200],
      [3_600, 200],
      [3_601, 400],
      [1.5, 400]
    ])
      assert.strictEqual((await put([{ ...RULE, lifetime }])).status, status)
  })
})
