/** Concurrent PUTs of one policy: versions without gap or repetition. SPEC §3.2, P-CONV */
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"
import { policyYaml, type ShownPolicy } from "./Policies.js"

const ROUNDS = process.env.ATTESTRY_DEEP === undefined ? 2 : 20
const CALLS = 64

const yaml = policyYaml("  provenance:\n    required: true\n")

onBothStores("racing PUTs of a policy", ({ call }) => {
  const race = async (name: string, textOf: (index: number) => string) => {
    const answers = await Promise.all(
      Array.from({ length: CALLS }, (_, index) =>
        call("PUT /policies/{org}/{name}", { path: { name }, body: { policy_yaml: textOf(index) } })
      )
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepStrictEqual(statuses, [...Array.from({ length: CALLS - 1 }, () => 200), 201])
    const { body } = await call("GET /policies/{org}/{name}", { path: { name } })
    return body as ShownPolicy
  }

  it("numbers 64 different texts from 1 to 64, each once", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { events, versions } = await race(
        `different-${round}`,
        (index) => `${yaml}# ${index}\n`
      )
      const numbers = Array.from({ length: CALLS }, (_, index) => index + 1)
      assert.deepStrictEqual(
        versions.map(({ version }) => version),
        numbers
      )
      assert.strictEqual(new Set(versions.map(({ policy_yaml }) => policy_yaml)).size, CALLS)
      assert.deepStrictEqual(
        events.map(({ data }) => data),
        numbers.map((version) => ({ version }))
      )
    }
  }, 120_000)

  it("creates one version of 64 identical texts", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { events, versions } = await race(`identical-${round}`, () => yaml)
      assert.strictEqual(versions.length, 1)
      assert.strictEqual(events.length, 1)
    }
  }, 120_000)
})
