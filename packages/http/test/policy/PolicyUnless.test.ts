/** Saving a policy only where it accepts nothing new. SPEC §4.6 */
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

const HEAD = "_schema: https://attestry.example.com/schemas/environment-policy/v1\nartifacts:\n"
const UNIT = "    - { type: junit, name: unit }\n"
const SCAN = "    - { type: snyk, name: scan }\n"
const ONE = `${HEAD}  attestations:\n${UNIT}`
const TWO = `${ONE}${SCAN}`
/** Fourteen patterns on one term are more than a comparison looks at. */
const UNDECIDED = (salt: string) =>
  `${HEAD}  attestations:\n${Array.from(
    { length: 14 },
    (_, index) =>
      `    - { type: junit, name: unit, if: '\${{ matches(artifact.name, "^(a|b)*${salt}${index}$") }}' }\n`
  ).join("")}`

interface Refusal {
  readonly message: string
  readonly accepted_by_new_only?: {
    readonly facts: { readonly flows: ReadonlyArray<object> }
    readonly reasons: ReadonlyArray<{ readonly type: string; readonly attestation_name: string }>
  }
}

onEveryStore("PUT /policies/{org}/{name} with `unless`", ({ call }) => {
  const put = (name: string, policy_yaml: string, unless?: string) =>
    call("PUT /policies/{org}/{name}", {
      path: { name },
      body: { policy_yaml, ...(unless === undefined ? {} : { unless }) }
    })

  const versionsOf = async (name: string) =>
    (
      (await call("GET /policies/{org}/{name}", { path: { name } })).body as {
        versions: ReadonlyArray<object>
      }
    ).versions.length

  it("saves a new policy, an equal text, a stronger and an equivalent one", async () => {
    assert.strictEqual((await put("kept", ONE, "weaker")).status, 201)
    assert.strictEqual((await put("kept", ONE, "weaker")).status, 200)
    assert.strictEqual((await put("kept", TWO, "weaker")).status, 200)
    assert.strictEqual((await put("kept", `${TWO}# a remark\n`, "weaker")).status, 200)
    assert.strictEqual(await versionsOf("kept"), 3)
  })

  it("refuses a weaker text with facts that show it, and saves it without `unless`", async () => {
    await put("strict", TWO)
    const refused = await put("strict", ONE, "weaker")
    assert.strictEqual(refused.status, 409)
    const body = refused.body as Refusal
    assert.match(body.message, /^The text accepts what version 1 of policy 'strict'/)
    assert.deepStrictEqual(
      body.accepted_by_new_only?.reasons.map(({ attestation_name, type }) => [
        type,
        attestation_name
      ]),
      [["missing_attestation", "scan"]]
    )
    assert.strictEqual(body.accepted_by_new_only?.facts.flows.length, 1)
    assert.strictEqual(await versionsOf("strict"), 1)
    assert.strictEqual((await put("strict", ONE)).status, 200)
    assert.strictEqual(await versionsOf("strict"), 2)
  })

  it("refuses a text that asks for something else, which accepts what was refused", async () => {
    await put("other", ONE)
    const refused = await put("other", `${HEAD}  attestations:\n${SCAN}`, "weaker")
    assert.strictEqual(refused.status, 409)
  })

  it("refuses what cannot be decided, without facts", async () => {
    await put("large", UNDECIDED("c"))
    const refused = await put("large", UNDECIDED("d"), "weaker")
    assert.strictEqual(refused.status, 409)
    const body = refused.body as Refusal
    assert.match(body.message, /cannot be decided/)
    assert.notProperty(body, "accepted_by_new_only")
  })

  it("refuses another word", async () => {
    const refused = await put("strange", ONE, "stronger")
    assert.strictEqual(refused.status, 400)
    assert.property((refused.body as { errors: object }).errors, "unless")
  })
})
