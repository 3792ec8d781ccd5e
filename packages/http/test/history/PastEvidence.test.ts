/** Trails and assertions as of an instant, on the wire. HIST-31, HIST-33 */
import { assert, it } from "vitest"
import { evidenceOf, type ShownTrail } from "../shared/Evidence.js"
import { onBothStores } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

const TEMPLATE = `version: 1
trail:
  attestations: [{name: review, type: generic}]
`

const yaml = (name: string): string =>
  `_schema: https://example.org/policy/v1\nartifacts:\n  attestations: [{type: generic, name: ${name}}]\n`

onBothStores("GET /trails/{org}/{flow_name}/{trail_name}?as_of=", (server) => {
  const { call } = server
  const evidence = evidenceOf(server, "past")
  const at = (as_of: string, trail_name = "run") =>
    call("GET /trails/{org}/{flow_name}/{trail_name}", {
      path: { flow_name: "past", trail_name },
      query: `?as_of=${as_of}`
    })
  const eventAt = ({ events }: ShownTrail, index: number): number =>
    Number(events.at(index)?.timestamp)

  it("has the status, the template and the events of then", async () => {
    await evidence.putFlow("version: 1\n")
    await evidence.begin("run")
    const begun = await evidence.trail("run")
    await evidence.putFlow(TEMPLATE)
    await evidence.generic("run", "review", false)
    const failing = await evidence.trail("run")
    await evidence.generic("run", "review", true)
    const now = await evidence.trail("run")
    assert.deepStrictEqual(
      [begun, failing, now].map(({ compliance_state }) => compliance_state),
      ["COMPLIANT", "NON-COMPLIANT", "COMPLIANT"]
    )
    const { as_of: first, ...atFirst } = (await at(String(eventAt(begun, -1))))
      .body as ShownTrail & {
      readonly as_of: number
    }
    assert.strictEqual(first, eventAt(begun, -1))
    assert.deepStrictEqual(
      [atFirst.compliance_state, atFirst.template.content, atFirst.events.length],
      [begun.compliance_state, begun.template.content, begun.events.length]
    )
    const second = (await at(String(eventAt(failing, -1)))).body as ShownTrail
    assert.deepStrictEqual(
      [second.compliance_state, second.template.content, second.events],
      [failing.compliance_state, failing.template.content, failing.events]
    )
    assert.deepStrictEqual(second.compliance_status, failing.compliance_status)
  })

  it("HIST-33: is the trail itself with now", async () => {
    const { as_of, ...now } = (await at("now")).body as ShownTrail & { readonly as_of: number }
    assert.deepStrictEqual(now, await evidence.trail("run"))
    assert.isAbove(as_of, 0)
  })

  it("is 404 before the trail began, and 400 for another form", async () => {
    assert.strictEqual((await at("1000")).status, 404)
    assert.strictEqual((await at("yesterday")).status, 400)
  })
})

onBothStores("GET /asserts/{org}/fingerprint/{fingerprint}?as_of=", (server) => {
  const { call } = server
  const evidence = evidenceOf(server, "asserted")
  const save = (name: string, text: string) =>
    call("PUT /policies/{org}/{name}", { path: { name }, body: { policy_yaml: yaml(text) } })
  const ask = (query: string) =>
    call("GET /asserts/{org}/fingerprint/{fingerprint}", {
      path: { fingerprint: print("a") },
      query: `?${query}`
    })
  const compliantAt = async (query: string): Promise<unknown> =>
    ((await ask(query)).body as { readonly compliant: boolean }).compliant
  const clock = async () => ((await ask("as_of=now")).body as { readonly as_of: number }).as_of

  it("evaluates by the evidence, the attached policies and their versions of then", async () => {
    await save("gate", "scan")
    await call("PUT /environments/{org}", {
      body: { name: "prod", type: "server", policies: ["gate"] }
    })
    await evidence.artifact("run", "shop", print("a"), "c1".repeat(20))
    const recorded = await clock()
    await evidence.generic("run", "scan", true, { artifact_fingerprint: print("a") })
    const scanned = await clock()
    await save("gate", "other")
    const changed = await clock()
    await call("DELETE /environments/{org}/{env_name}/policies", {
      path: { env_name: "prod" },
      body: { policy_names: ["gate"] }
    })
    const of = (as_of: number) => compliantAt(`environment_name=prod&as_of=${as_of}`)
    assert.deepStrictEqual(
      [await of(recorded), await of(scanned), await of(changed)],
      [false, true, false]
    )
    assert.isFalse(await compliantAt(`policy_name=gate&as_of=${recorded}`))
    assert.isTrue(await compliantAt(`policy_name=gate&as_of=${scanned}`))
  })

  it("equals the assertion of now", async () => {
    const { as_of, ...now } = (await ask("policy_name=gate&as_of=now")).body as {
      readonly as_of: number
    }
    assert.deepStrictEqual(now as object, (await ask("policy_name=gate")).body)
  })

  it("is 404 before the artifact or the environment was there, and 400 with remedies", async () => {
    assert.strictEqual((await ask("as_of=1000")).status, 404)
    assert.strictEqual((await ask("environment_name=prod&as_of=1000")).status, 404)
    const both = await ask("as_of=now&remedies=1")
    assert.strictEqual(both.status, 400)
    assert.hasAllKeys((both.body as { readonly errors: object }).errors, ["query.remedies"])
  })
})
