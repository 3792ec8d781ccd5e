/** Commands say that a part is hidden from the caller, print no false "none", and suggest nothing that is hidden. */
import { assert, describe, it } from "vitest"
import { run } from "../shared/Run.js"
import * as StubServer from "../shared/StubServer.js"

const PRINT = "a".repeat(64)

const answering = async (answer: object, argv: ReadonlyArray<string>) => {
  const server = await StubServer.start(() => ({ body: JSON.stringify(answer) }))
  const env = { ATTESTRY_URL: server.url, ATTESTRY_API_KEY: "abcdefghijkl", ATTESTRY_ORG: "acme" }
  try {
    return await run(argv, { env })
  } finally {
    await server.stop()
  }
}

const artifact = (more: object) => ({ name: "web", fingerprint: PRINT, flow: null, ...more })

const side = (...artifacts: ReadonlyArray<object>) => ({ snappish_id: "prod#1", artifacts })

const diffOf = (...came: ReadonlyArray<object>) => ({
  snappish1: side(),
  snappish2: side(...came),
  changed: side(),
  "not-changed": side()
})

const facts = { artifact: { name: "web", fingerprint: PRINT }, flows: [] }

const preview = (hidden_rows: number) => ({
  turning_red: [],
  left_out: 0,
  hidden_rows,
  rows_warning: 0,
  now: { true: 1, false: 0, null: 0 },
  after: { true: 1, false: 0, null: 0 }
})

describe("what is hidden", () => {
  it("is said in the place of the flow of a difference", async () => {
    const argv = ["diff", "prod#1", "prod#2"]
    const shown = await answering(diffOf(artifact({ hidden: true })), argv)
    assert.strictEqual(shown.code, 0, shown.stderr)
    assert.match(shown.stdout, /^\+\s.*web.*hidden/m)
    const known = await answering(diffOf(artifact({ flow: "shop" })), argv)
    assert.match(known.stdout, /^\+\s.*web.*shop/m)
    assert.notInclude(known.stdout, "hidden")
  })

  it("denies the facts of an artifact that a hidden flow knows", async () => {
    const argv = ["policy", "facts", PRINT]
    const denied = await answering({ ...facts, hidden: true }, argv)
    assert.notStrictEqual(denied.code, 0)
    assert.strictEqual(denied.stdout, "")
    assert.include(denied.stderr, "a flow that you may not read knows the artifact")
    assert.include(denied.stderr, "attestry assert")
    const shown = await answering(facts, argv)
    assert.deepStrictEqual([shown.code, shown.stderr], [0, ""])
    assert.include(shown.stdout, "no flow knows it")
  })

  it("leaves rows out of the facts of an environment, and says how many", async () => {
    const rows = [{ facts }, { facts, hidden: true }, { facts, hidden: true }]
    const argv = ["policy", "facts", "--environment", "prod", "-o", "json"]
    const shown = await answering({ rows }, argv)
    assert.strictEqual(shown.code, 0, shown.stderr)
    assert.lengthOf(JSON.parse(shown.stdout), 1)
    assert.include(shown.stderr, "left out 2 of 3 rows: a flow that you may not read knows them")
    assert.notInclude((await answering({ rows: [{ facts }] }, argv)).stderr, "left out")
  })

  it("is counted in a preview", async () => {
    const argv = ["preview", "prod"]
    const shown = await answering(preview(3), argv)
    assert.strictEqual(shown.code, 0, shown.stderr)
    assert.include(shown.stdout, "hidden   3, which a flow knows that you may not read")
    assert.notInclude((await answering(preview(0), argv)).stdout, "hidden")
  })

  it("gets no command that would repair it", async () => {
    const reason = {
      type: "missing_attestation",
      policy_name: "p",
      policy_version: 1,
      rule_index: null,
      flow_name: "shop",
      trail_name: "t",
      attestation_name: "review",
      attestation_type: "junit",
      description: "it is missing"
    }
    const answer = (more: object) => ({
      compliant: false,
      scope: "environment",
      environment: "prod",
      html_url: "https://attestry.example.com/a",
      flows: [],
      policy_evaluations: [],
      reasons_for_incompliance: [{ ...reason, ...more }]
    })
    const argv = ["assert", "artifact", "-F", PRINT, "--environment", "prod"]
    const known = await answering(answer({}), argv)
    assert.include(known.stdout, "attestry attest")
    const hidden = await answering(
      answer({ hidden: true, flow_name: null, trail_name: null }),
      argv
    )
    assert.include(hidden.stdout, "it is missing")
    assert.notInclude(hidden.stdout, "attestry attest")
  })
})
