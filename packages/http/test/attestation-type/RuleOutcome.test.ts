/** On the wire: the outcome of a custom type depends on the type and the data alone. */
import { availableParallelism } from "node:os"
import type { Worker } from "node:worker_threads"
import * as PayloadRulesWorker from "@attestry/evidence-rules/PayloadRulesWorker"
import { Effect, Metric } from "effect"
import { afterAll, assert, it } from "vitest"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as PrometheusText from "../../src/meta/internal/PrometheusText.js"
import { evidenceOf } from "../shared/Evidence.js"
import { onEveryStore, type TestServer } from "../shared/TestServer.js"

const jq = (...rules: ReadonlyArray<string>) => ({ content_type: "jq", rules })
const logs: Array<string> = []

const isDeep = process.env.ATTESTRY_DEEP === "1"

/** Evaluations of the same rule. */
const EVALUATIONS = lengthForRun({ quick: 130, full: 400, deep: 400 })

/** A hostile evaluation follows after so many others. */
const HOSTILE_EVERY = isDeep ? 10 : 50

/** Slow evaluations at the same time: as many as the engine has threads, or the most that it ever has. */
const SLOW = isDeep ? 4 : Math.min(4, Math.max(2, availableParallelism()))

/** Every thread that was started, and whether new ones end at once. */
const threads = new Set<Worker>()
let isBroken = false
const onThread = (worker: Worker): void => {
  threads.add(worker)
  if (isBroken) void worker.terminate()
}
process.on("worker", onThread)
afterAll(() => {
  process.off("worker", onThread)
})

/** The types and reports of one org. */
const orgOf = ({ call }: TestServer, org: "acme" | "globex") => {
  const options = org === "acme" ? {} : ({ as: "foreigner" } as const)
  const path = { org, flow_name: "f", trail_name: "t" }
  return {
    define: async (name: string, ...rules: ReadonlyArray<string>) => {
      const body = { name, evaluator: jq(...rules) }
      return (await call("POST /custom-attestation-types/{org}", { body, path, ...options })).status
    },
    report: async (type_name: string, attestation_data: unknown) =>
      call("POST /attestations/{org}/{flow_name}/trail/{trail_name}/custom", {
        path,
        body: { attestation_name: type_name, type_name, attestation_data },
        ...options
      })
  }
}

/** The metrics of failures. */
const metric = async ({ run }: TestServer): Promise<number> => {
  const printed = await run(Effect.map(Metric.snapshot, PrometheusText.print))
  return Number(/^attestry_rule_engine_failures_total (\d+)$/m.exec(printed)?.[1] ?? 0)
}

onEveryStore(
  "rules of custom attestation types",
  (server) => {
    const acme = orgOf(server, "acme")
    const globex = orgOf(server, "globex")
    const { named } = evidenceOf(server, "f")
    const verdicts = async (name: string) =>
      (await named("t", name)).map(({ is_compliant }) => is_compliant)

    it("are the same after many evaluations and after hostile rules, and malformed rules are refused", async () => {
      await acme.define("small", ".value < 1000")
      await globex.define("hostile", 'reduce range(40) as $i ("x"; . + .) | length > 0')
      for (let value = 0; value < EVALUATIONS; value += 1) {
        const answer = await acme.report("small", { value })
        assert.strictEqual(answer.status, 201)
        if (value % HOSTILE_EVERY === 0)
          assert.strictEqual((await globex.report("hostile", value)).status, 400)
      }
      assert.deepStrictEqual(new Set(await verdicts("small")), new Set([true]))
      for (const program of ["{", ".a | foo", "true), (true", "now > 0"])
        assert.strictEqual(await acme.define("malformed", program), 400, program)
    }, 240_000)

    it("evaluate valid data up to the largest accepted size", async () => {
      await acme.define("large", ".findings | all(.fixed)")
      for (const bytes of [100_000, 200_000, 1_000_000]) {
        const count = Math.floor(bytes / 40)
        const findings = Array.from({ length: count }, (_, id) => ({
          id: `CVE-${id}`,
          fixed: true
        }))
        assert.strictEqual((await acme.report("large", { bytes, findings })).status, 201)
      }
      assert.deepStrictEqual(await verdicts("large"), [true, true, true])
    }, 60_000)

    it("refuse data that exceeds the budget, with the rule, and record nothing", async () => {
      await acme.define("greedy", "true", '"x" * .times | length > 0')
      const { status, body } = await acme.report("greedy", { times: 1e9 })
      assert.strictEqual(status, 400)
      assert.deepStrictEqual((body as { errors: object }).errors, {
        attestation_data:
          "Data takes more steps or memory than evaluator.rules[1] of its type may use [input: …]"
      })
      assert.strictEqual((await acme.report("greedy", { times: 2 })).status, 201)
      assert.deepStrictEqual(await verdicts("greedy"), [true])
    })

    it("are 503, recorded nowhere, logged and counted when the engine fails, and then work again", async () => {
      await acme.define("steady", ". == 1")
      const before = await metric(server)
      const logged = logs.length
      isBroken = true
      await Promise.all([...threads].map((worker) => worker.terminate()))
      const failed = await acme.report("steady", 1)
      assert.strictEqual(failed.status, 503)
      assert.strictEqual(await acme.define("malformed", "{"), 503)
      assert.strictEqual(await acme.define("well-formed", "true"), 503)
      isBroken = false
      assert.strictEqual((await metric(server)) - before, 6)
      assert.isTrue(
        logs
          .slice(logged)
          .some((line) => line.includes("the engine of custom attestation types failed"))
      )
      assert.strictEqual((await acme.report("steady", 1)).status, 201)
      assert.deepStrictEqual(await verdicts("steady"), [true])
      assert.strictEqual(await acme.define("malformed", "{"), 400)
      const { body } = await server.call("GET /custom-attestation-types/{org}")
      assert.notInclude(JSON.stringify(body), "well-formed")
    }, 60_000)
  },
  { logs }
)

/** Steps of a rule that never ends: a deep run gives it all, which take seconds. */
const SLOW_STEPS = PayloadRulesWorker.defaults().steps / (isDeep ? 1 : 5)

onEveryStore(
  "slow rules of custom attestation types",
  (server) => {
    const acme = orgOf(server, "acme")
    const globex = orgOf(server, "globex")

    it(`of one org do not wait for ${SLOW} slow ones of another`, async () => {
      await acme.define("slow", "def f: f; f")
      await globex.define("quick", "true")
      await globex.report("quick", 0)
      const slow = Array.from({ length: SLOW }, (_, index) => acme.report("slow", index))
      await new Promise((resolve) => setTimeout(resolve, 100))
      let ended = 0
      for (const one of slow) void one.then(() => (ended += 1))
      assert.strictEqual((await globex.report("quick", 1)).status, 201)
      // WHY after the first alone: on a busy machine several reports take as long as the slow rules.
      assert.strictEqual(ended, 0)
      for (let value = 2; value <= 5; value += 1)
        assert.strictEqual((await globex.report("quick", value)).status, 201)
      assert.deepStrictEqual(
        (await Promise.all(slow)).map(({ status }) => status),
        slow.map(() => 400)
      )
    }, 240_000)
  },
  { rules: { steps: SLOW_STEPS } }
)
