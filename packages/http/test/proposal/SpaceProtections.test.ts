/**
 * Protections of spaces on the wire: what they cover, who approves there, and what people of other spaces see.
 *
 * AC-10: what is elsewhere answers as what never was. AC-18: a change in a space needs other people who may approve
 * there.
 */
import { assert, beforeAll, it } from "vitest"
import { fixtureOf } from "../grant/GrantFixture.js"
import { policyYaml } from "../policy/Policies.js"
import { type Answer, type CallOptions, onEveryStore } from "../shared/TestServer.js"

const YAML = policyYaml("  provenance:\n    required: true\n")
const OTHER = policyYaml("  provenance:\n    required: false\n")

type Shown = {
  readonly number: number
  readonly digest: string
  readonly state: string
  readonly space: string
  readonly kinds: ReadonlyArray<string>
}

const text = ({ body, status }: Answer): string => `${status} ${JSON.stringify(body)}`

onEveryStore("protections of spaces", (server) => {
  const { call } = server
  const { as, grant, make, move, person, remove } = fixtureOf(server)

  const by = (who: string, operation: string, options: CallOptions = {}) =>
    call(operation, who === "ada" ? options : { ...options, ...as(who) })
  const protect = (protections: ReadonlyArray<object>) =>
    call("PUT /protections/{org}", { body: { protections } })
  const putPolicy = (who: string, name: string, policy_yaml: string, more: object = {}) =>
    by(who, "PUT /policies/{org}/{name}", { path: { name }, body: { policy_yaml, ...more } })
  const propose = (who: string, operation: string, params: object, body: unknown) =>
    by(who, "POST /proposals/{org}", { body: { operation, params, body, reason: "why not" } })
  const proposed = async (...given: Parameters<typeof propose>): Promise<Shown> => {
    const made = await propose(...given)
    assert.strictEqual(made.status, 201, text(made))
    return made.body as Shown
  }
  const ofNumber = ({ number }: Shown) => ({ path: { number: String(number) } })
  const get = (who: string, proposal: Shown) =>
    by(who, "GET /proposals/{org}/{number}", ofNumber(proposal))
  const decide = (
    who: string,
    what: "approve" | "reject" | "withdraw",
    proposal: Shown
  ): Promise<Answer> =>
    by(who, `POST /proposals/{org}/{number}/${what}`, {
      ...ofNumber(proposal),
      ...(what === "approve" ? { body: { digest: proposal.digest } } : {})
    })
  const listed = async (who: string): Promise<ReadonlyArray<number>> => {
    const { body } = await by(who, "GET /proposals/{org}")
    return (body as { readonly proposals: ReadonlyArray<Shown> }).proposals.map(
      ({ number }) => number
    )
  }

  beforeAll(async () => {
    for (const path of ["retail", "retail/cards", "platform"])
      assert.strictEqual((await make(path)).status, 201)
    for (const login of ["rita", "roy", "sam", "pia"]) await person(login, "none")
    for (const [login, space, role] of [
      ["rita", "retail", "admin"],
      ["roy", "retail", "admin"],
      ["sam", "retail", "member"],
      ["pia", "platform", "admin"]
    ] as const)
      assert.strictEqual((await grant(`user ${login}`, space, role)).status, 201)
    for (const [name, space] of [
      ["cards", "retail/cards"],
      ["hosts", "platform"],
      ["whole", "/"]
    ] as const)
      assert.strictEqual((await putPolicy("ada", name, YAML, { space })).status, 201)
  }, 90_000)

  it("covers the space and what is below it, and nothing else", async () => {
    const rows = [{ kinds: ["policy"], space: "retail" }]
    const set = await protect(rows)
    assert.strictEqual(set.status, 200, text(set))
    assert.deepStrictEqual((await call("GET /protections/{org}")).body, {
      protections: [{ kinds: ["policy"], space: "retail", approvals: 1, team: null, days: 14 }]
    })
    assert.strictEqual((await putPolicy("rita", "cards", OTHER)).status, 403)
    assert.strictEqual((await putPolicy("sam", "new", OTHER, { space: "retail" })).status, 403)
    assert.strictEqual((await putPolicy("ada", "new", OTHER, { space: "retail" })).status, 403)
    assert.strictEqual((await putPolicy("pia", "hosts", OTHER)).status, 200)
    assert.strictEqual((await putPolicy("ada", "whole", OTHER)).status, 200)
  })

  it("asks for a space that there is", async () => {
    const { body, status } = await protect([{ kinds: ["policy"], space: "retail/gone" }])
    assert.strictEqual(status, 400)
    assert.match(JSON.stringify(body), /protections.*space.*There is no such space/)
    assert.strictEqual((await protect([{ kinds: ["policy"], space: "Retail" }])).status, 400)
  })

  it("is approved by an admin of the space, who is another person", async () => {
    const made = await proposed("sam", "policy.put", { name: "cards" }, { policy_yaml: OTHER })
    assert.deepInclude(made, { state: "made", space: "retail/cards" })
    assert.strictEqual((await decide("sam", "approve", made)).status, 403)
    const own = await proposed("rita", "policy.put", { name: "cards" }, { policy_yaml: OTHER })
    assert.strictEqual((await decide("rita", "approve", own)).status, 403)
    const applied = await decide("rita", "approve", made)
    assert.strictEqual(applied.status, 200, text(applied))
    assert.deepInclude(applied.body as Shown, { state: "applied" })
    assert.strictEqual((await decide("sam", "withdraw", own)).status, 403)
    assert.strictEqual((await decide("roy", "withdraw", own)).status, 200)
  })

  it("is absent for people of other spaces: AC-10", async () => {
    const made = await proposed("sam", "policy.put", { name: "cards" }, { policy_yaml: YAML })
    const never = { ...made, number: 999 }
    for (const what of ["approve", "reject", "withdraw"] as const) {
      const [hidden, missing] = [await decide("pia", what, made), await decide("pia", what, never)]
      assert.strictEqual(hidden.status, 404)
      assert.strictEqual(text(hidden).replaceAll(` ${made.number} `, " 999 "), text(missing))
    }
    assert.strictEqual((await get("pia", made)).status, 404)
    assert.notInclude(await listed("pia"), made.number)
    for (const who of ["ada", "rita", "sam"]) {
      assert.strictEqual((await get(who, made)).status, 200)
      assert.include(await listed(who), made.number)
    }
    const rejected = await decide("rita", "reject", made)
    assert.strictEqual(rejected.status, 200, text(rejected))
  })

  it("holds a move out of the space, which people of both ends approve", async () => {
    const body = { things: [{ type: "policy", name: "cards" }], to: "platform" }
    const moved = await move(body)
    assert.strictEqual(moved.status, 403, text(moved))
    const made = await proposed("ada", "space.move", {}, body)
    assert.strictEqual(made.space, "/")
    assert.deepStrictEqual(made.kinds, ["policy", "access"])
    assert.strictEqual((await decide("rita", "approve", made)).status, 404)
    assert.strictEqual((await decide("ada", "withdraw", made)).status, 200)
    const into = await move({ things: [{ type: "policy", name: "hosts" }], to: "retail" })
    assert.strictEqual(into.status, 200, text(into))
    assert.strictEqual((await putPolicy("roy", "hosts", YAML)).status, 403)
  })

  it("holds its own weakening, and keeps its space", async () => {
    assert.strictEqual((await protect([])).status, 403)
    assert.strictEqual((await protect([{ kinds: ["policy"], space: "retail/cards" }])).status, 403)
    assert.strictEqual((await make("bare")).status, 201)
    const more = { kinds: ["policy"], space: "bare" }
    const wider = await protect([{ kinds: ["policy"], space: "retail" }, more])
    assert.strictEqual(wider.status, 200, text(wider))
    const { body, status } = await remove("bare")
    assert.strictEqual(status, 409)
    assert.match(JSON.stringify(body), /still has protections/)
  })
})
