/**
 * Service accounts, their keys and their rules, for an admin of one space.
 *
 * AC-5: nobody gives more than they hold. AC-8: a list is the whole list without what is elsewhere. AC-10: what is
 * elsewhere answers as what never was. AC-11: a word that it has in every text is in no answer.
 */
import { assert, beforeAll, it } from "vitest"
import { fixtureOf } from "../grant/GrantFixture.js"
import { type Answer, type CallOptions, onEveryStore } from "../shared/TestServer.js"

const CANARY = "canary"
const HIDDEN = "canary-1"
const MISSING = "missing-1"

const text = ({ body, status }: Answer): string => `${status} ${JSON.stringify(body)}`

/** Everything of an answer that tells of a name. */
const twinOf = ({ body, headers, status }: Answer): string => {
  const kept = Array.from(headers).filter(([name]) => !["date", "x-request-id"].includes(name))
  const named = JSON.stringify([status, body, kept])
  return named.replaceAll(HIDDEN, "NAME").replaceAll(MISSING, "NAME")
}

const RULE = { issuer: "https://ci.example", audience: "attestry", subject: "repo:x" }

onEveryStore("an admin of one space", (server) => {
  const { call } = server
  const { as, end, grant, make, move, person, remove } = fixtureOf(server)
  const by =
    (who: string) =>
    (operation: string, options: CallOptions = {}) =>
      call(operation, { ...options, ...as(who) })
  const [rita, sam, pat] = [by("rita"), by("sam"), by("pat")]

  const ACCOUNTS = "/service-accounts/{org}"
  const KEYS = `${ACCOUNTS}/{name}/api-keys`
  const RULES = `${ACCOUNTS}/{name}/identity-rules`
  const named = (name: string): CallOptions => ({ path: { name } })
  const namesOf = ({ body }: Answer): ReadonlyArray<string> =>
    (body as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)

  const keyOf = async (name: string, more: object = {}) =>
    call(`POST ${KEYS}`, { ...named(name), body: { description: name, ...more } })

  beforeAll(async () => {
    for (const path of ["retail", "retail/payments", "platform"])
      assert.strictEqual((await make(path)).status, 201)
    for (const login of ["rita", "sam", "pat"]) await person(login, "none")
    const accounts = [
      ["mine", "retail"],
      ["below", "retail/payments"],
      [HIDDEN, "platform"],
      [`${CANARY}-root`, "/"]
    ] as const
    for (const [name, space] of accounts) {
      const body = { name, description: name, privilege: "none", space }
      const made = await call(`POST ${ACCOUNTS}`, { body })
      assert.strictEqual(made.status, 201, text(made))
      assert.deepInclude(made.body as object, { name, space })
      assert.strictEqual((await keyOf(name)).status, 201)
      const saved = await call(`PUT ${RULES}`, { ...named(name), body: { rules: [RULE] } })
      assert.strictEqual(saved.status, 200, text(saved))
    }
    assert.strictEqual((await grant("user rita", "retail", "admin")).status, 201)
    assert.strictEqual((await grant("user sam", "retail", "snapshotter")).status, 201)
    assert.strictEqual((await grant("user pat", "retail", "reader")).status, 201)
  }, 90_000)

  it("lists the accounts of the space and below, and no word of others: AC-8, AC-11", async () => {
    const listed = await rita(`GET ${ACCOUNTS}`)
    assert.deepStrictEqual(namesOf(listed), ["below", "mine"])
    const whole = (await call(`GET ${ACCOUNTS}`)).body as ReadonlyArray<{ readonly name: string }>
    assert.deepStrictEqual(
      listed.body,
      whole.filter(({ name }) => ["below", "mine"].includes(name))
    )
    const keys = await rita("GET /api-keys/{org}")
    assert.deepInclude(keys.body as object, { total_count: 2 })
    for (const answer of [listed, keys]) assert.notInclude(text(answer), CANARY)
    const pages = await rita("GET /api-keys/{org}", { query: "?page=2&per_page=1" })
    assert.deepInclude(pages.body as object, { total_count: 2, page: 2 })
    assert.strictEqual((await pat(`GET ${ACCOUNTS}`)).status, 403)
    assert.deepStrictEqual(namesOf(await sam(`GET ${ACCOUNTS}`)), [])
  })

  const TWINS: ReadonlyArray<readonly [operation: string, body?: object]> = [
    [`GET ${ACCOUNTS}/{name}`],
    [`PATCH ${ACCOUNTS}/{name}`, { description: "x" }],
    [`DELETE ${ACCOUNTS}/{name}`],
    [`GET ${KEYS}`],
    [`POST ${KEYS}`, { description: "x" }],
    [`GET ${RULES}`],
    [`PUT ${RULES}`, { rules: [] }]
  ]

  it("finds accounts elsewhere as absent, and changes nothing of them: AC-10", async () => {
    for (const [operation, body] of TWINS) {
      const of = (name: string) => ({ ...named(name), ...(body === undefined ? {} : { body }) })
      const [hidden, missing] = [
        await rita(operation, of(HIDDEN)),
        await rita(operation, of(MISSING))
      ]
      assert.strictEqual(missing.status, 404, `${operation} ${text(missing)}`)
      assert.strictEqual(twinOf(hidden), twinOf(missing), operation)
    }
    const kept = await call(`GET ${ACCOUNTS}/{name}`, named(HIDDEN))
    assert.deepInclude(kept.body as object, { description: HIDDEN })
    assert.lengthOf((await call(`GET ${KEYS}`, named(HIDDEN))).body as ReadonlyArray<unknown>, 1)
  })

  it("makes, changes and deletes accounts, keys and rules of the space", async () => {
    const made = await rita(`POST ${ACCOUNTS}`, { body: { name: "bot", privilege: "none" } })
    assert.strictEqual(made.status, 201, text(made))
    assert.deepInclude(made.body as object, { name: "bot", privilege: "none", space: "retail" })
    const patch = { ...named("bot"), body: { description: "new" } }
    assert.strictEqual((await rita(`PATCH ${ACCOUNTS}/{name}`, patch)).status, 200)
    const given = await grant("service-account bot", "retail", "member", {}, "rita")
    assert.strictEqual(given.status, 201, text(given))
    const key = await rita(`POST ${KEYS}`, { ...named("bot"), body: { description: "ci" } })
    assert.strictEqual(key.status, 201, text(key))
    const key_id = Object(key.body).id
    const rotated = await rita(`POST ${KEYS}/{key_id}/rotate`, { path: { name: "bot", key_id } })
    assert.strictEqual(rotated.status, 201, text(rotated))
    const revoked = await rita(`DELETE ${KEYS}/{key_id}`, { path: { name: "bot", key_id } })
    assert.strictEqual(revoked.status, 200, text(revoked))
    const rules = { ...named("bot"), body: { rules: [RULE] } }
    assert.strictEqual((await rita(`PUT ${RULES}`, rules)).status, 200)
    assert.strictEqual((await rita(`DELETE ${ACCOUNTS}/{name}`, named("bot"))).status, 200)
    assert.strictEqual((await call(`GET ${ACCOUNTS}/{name}`, named("bot"))).status, 404)
  })

  it("makes none elsewhere, nor with a name that is taken", async () => {
    const create = async (body: object) => {
      const answer = await rita(`POST ${ACCOUNTS}`, { body: { privilege: "none", ...body } })
      return answer.status
    }
    assert.strictEqual(await create({ name: "x", space: "platform" }), 400)
    assert.strictEqual(await create({ name: "x", space: "/" }), 400)
    assert.strictEqual(await create({ name: HIDDEN }), 403)
    assert.strictEqual(await create({ name: "mine" }), 400)
  })

  it("gives no more than it holds: AC-5", async () => {
    const base = { body: { name: "y", privilege: "reader" } }
    assert.strictEqual((await rita(`POST ${ACCOUNTS}`, base)).status, 403)
    const raise = { ...named("mine"), body: { privilege: "reader" } }
    assert.strictEqual((await rita(`PATCH ${ACCOUNTS}/{name}`, raise)).status, 403)
    const body = { description: "k" }
    const create = async () => (await rita(`POST ${KEYS}`, { ...named("mine"), body })).status
    const rule = async (subject: string) => {
      const rules = [RULE, { ...RULE, subject }]
      return (await rita(`PUT ${RULES}`, { ...named("mine"), body: { rules } })).status
    }
    assert.strictEqual(await create(), 201)
    assert.strictEqual(await rule("repo:one"), 200)
    const given = await grant("service-account mine", "platform", "reader")
    assert.strictEqual(given.status, 201)
    assert.deepStrictEqual([await create(), await rule("repo:two")], [403, 403])
    assert.strictEqual((await end(Object(given.body).number)).status, 200)
    assert.strictEqual(await create(), 201)
    const whole = { ...named("mine"), body: { privilege: "member" } }
    assert.strictEqual((await call(`PATCH ${ACCOUNTS}/{name}`, whole)).status, 200)
    assert.strictEqual(await create(), 403)
    const none = { ...named("mine"), body: { privilege: "none" } }
    assert.strictEqual((await rita(`PATCH ${ACCOUNTS}/{name}`, none)).status, 200)
    assert.strictEqual(await create(), 201)
  })

  it("the role at the space comes before the creator of an account", async () => {
    const own = await sam(`POST ${ACCOUNTS}`, { body: { name: "own", privilege: "none" } })
    assert.strictEqual(own.status, 201, text(own))
    assert.deepStrictEqual(namesOf(await sam(`GET ${ACCOUNTS}`)), ["own"])
    assert.strictEqual((await sam(`GET ${ACCOUNTS}/{name}`, named("mine"))).status, 403)
    const things = [{ type: "service-account", name: "own" }]
    assert.strictEqual((await move({ things, to: "platform" })).status, 200)
    assert.strictEqual((await sam(`GET ${ACCOUNTS}/{name}`, named("own"))).status, 404)
    assert.deepStrictEqual(namesOf(await sam(`GET ${ACCOUNTS}`)), [])
  })

  it("leaves a space empty when its accounts are deleted", async () => {
    assert.strictEqual((await make("retail/gone", "rita")).status, 201)
    const body = { name: "last", privilege: "none", space: "retail/gone" }
    assert.strictEqual((await rita(`POST ${ACCOUNTS}`, { body })).status, 201)
    assert.strictEqual((await remove("retail/gone", "rita")).status, 409)
    assert.strictEqual((await rita(`DELETE ${ACCOUNTS}/{name}`, named("last"))).status, 200)
    assert.strictEqual((await remove("retail/gone", "rita")).status, 200)
  })
})
