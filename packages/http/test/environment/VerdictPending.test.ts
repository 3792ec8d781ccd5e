/** Environments behind a policy of very many, on the wire. SPEC §3.10 */
import { MarkedConsumersMax } from "@attestry/core/PolicyStore"
import { Layer } from "effect"
import { assert, it } from "vitest"
import { policyYaml } from "../policy/Policies.js"
import { onBothStores } from "../shared/TestServer.js"

interface Shown {
  readonly name: string
  readonly state: boolean | null
  readonly verdict_pending?: true
}

const NAMES = ["one", "three", "two"]

onBothStores(
  "environments behind a policy",
  ({ call }) => {
    const save = (required: boolean) =>
      call("PUT /policies/{org}", {
        body: { name: "rules", policy_yaml: policyYaml(`  provenance: {required: ${required}}`) }
      })
    const get = async (env_name: string) =>
      (await call("GET /environments/{org}/{env_name}", { path: { env_name } })).body as Shown
    const list = async (query = "") =>
      (await call("GET /environments/{org}", { query })).body as ReadonlyArray<Shown>
    const shown = async () =>
      (await list()).map(({ state, verdict_pending }) => [state, verdict_pending])

    it("are marked in lists until each is read, reported or changed", async () => {
      assert.strictEqual((await save(false)).status, 201)
      for (const name of NAMES) {
        const body = { name, type: "server", policies: ["rules"] }
        assert.strictEqual((await call("PUT /environments/{org}", { body })).status, 201)
        const report = {
          path: { env_name: name },
          body: { artifacts: [{ digests: { app: "a".repeat(64) }, creationTimestamp: 1 }] }
        }
        await call("PUT /environments/{org}/{env_name}/report/server", report)
      }
      assert.deepStrictEqual(
        await shown(),
        NAMES.map(() => [true, undefined])
      )
      assert.strictEqual((await save(true)).status, 200)
      assert.deepStrictEqual(
        await shown(),
        NAMES.map(() => [true, true])
      )
      const matrix = await call("GET /control-coverage/{org}", {})
      assert.deepStrictEqual(
        (matrix.body as { environments: ReadonlyArray<Shown> }).environments.map(
          ({ verdict_pending }) => verdict_pending
        ),
        [true, true, true]
      )
      const read = await get("two")
      assert.deepStrictEqual([read.state, "verdict_pending" in read], [false, false])
      assert.deepStrictEqual(await shown(), [
        [true, true],
        [true, true],
        [false, undefined]
      ])
      const snapshot = await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
        path: { env_name: "one", snapshot_expression: "1" }
      })
      assert.strictEqual(snapshot.status, 200)
      const page = await call("GET /environments/{org}", { query: "?per_page=2" })
      assert.deepStrictEqual(
        (page.body as { environments: ReadonlyArray<Shown> }).environments.map(
          ({ verdict_pending }) => verdict_pending
        ),
        [undefined, true]
      )
    })
  },
  { services: Layer.succeed(MarkedConsumersMax, 2) }
)
