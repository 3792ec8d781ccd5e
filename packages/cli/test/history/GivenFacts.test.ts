/** HIST-12: the API, the command line and core decide alike about facts that are given. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { Facts } from "@attestry/core/PolicyFacts"
import { document } from "@attestry/core/testing/PolicyDocument"
import { facts } from "@attestry/core/testing/PolicyFacts"
import { toState } from "@attestry/core/Verdict"
import { Either, FastCheck } from "effect"
import { assert, it } from "vitest"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import { machineOf } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"

const RUNS = lengthForRun({ quick: 12, full: 40, deep: 400 })

/** What is decided about one artifact; which version decided is the same for all of them: none. */
interface Decided {
  readonly compliant: boolean | null
  readonly policy_decisions: ReadonlyArray<{
    readonly policy_name: string
    readonly status: string
    readonly rule_evaluations: ReadonlyArray<unknown>
  }>
  readonly reasons: ReadonlyArray<unknown>
}

const inShort = ({ compliant, policy_decisions, reasons }: Decided): Decided => ({
  compliant,
  reasons,
  policy_decisions: policy_decisions.map(({ policy_name, rule_evaluations, status }) => ({
    policy_name,
    rule_evaluations,
    status
  }))
})

/** By core alone. */
const byCore = (text: string, given: ReadonlyArray<Facts>): ReadonlyArray<Decided> => {
  const parsed = Either.getOrThrow(PolicyDocument.parse(text))
  const compiled = PolicyEvaluation.compile([
    { id: "rules", name: "rules", version: 0, document: parsed }
  ])
  return given.map((each) => {
    const evaluation = PolicyEvaluation.evaluate(compiled, each)
    const { policy_decisions, verdict } = evaluation
    const reasons = verdict === "NonCompliant" ? PolicyEvaluation.reasons(compiled, evaluation) : []
    return inShort({ compliant: toState(verdict), policy_decisions, reasons })
  })
}

/** The rows of a dry run. */
const byRows = ({ rows }: { readonly rows: ReadonlyArray<Decided & Answered> }) =>
  rows.map(({ compliant, policy_decisions, reasons_for_incompliance: reasons }) =>
    inShort({ compliant, policy_decisions, reasons })
  )

interface Answered {
  readonly reasons_for_incompliance: ReadonlyArray<unknown>
}

onEveryStore("facts that are given", (deployment) => {
  const cwd = folder()
  const machine = machineOf({ cwd, deployment, role: "reader" })
  const json = async (...argv: ReadonlyArray<string>) =>
    JSON.parse((await run([...argv, "-o", "json"], machine())).stdout)

  const byApi = async (policy_yaml: string, given: ReadonlyArray<Facts>) => {
    const response = await fetch(`${deployment().url}/api/v2/policies/acme/dry-run`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${deployment().keys.reader}`,
        "content-type": "application/json"
      },
      body: JSON.stringify({
        candidate: { policy_yaml, name: "rules" },
        on: { facts: given },
        show: "all"
      })
    })
    return byRows(await response.json())
  }

  const byDryRun = async (given: ReadonlyArray<Facts>) => {
    writeFileSync(join(cwd, "facts.json"), JSON.stringify(given))
    const asked = ["policy", "dry-run", "rules.yaml", "--facts", "facts.json", "--show", "all"]
    return byRows(await json(...asked))
  }

  const byEvaluate = async (given: Facts) => {
    writeFileSync(join(cwd, "one.json"), JSON.stringify(given))
    const asked = ["policy", "evaluate", "rules.yaml", "--facts", "one.json"]
    const { verdict, ...rest } = await json(...asked)
    return inShort({ compliant: toState(verdict), ...rest })
  }

  it("HIST-12: are decided alike by the API, the command line and core", { timeout: 300_000 }, () =>
    FastCheck.assert(
      FastCheck.asyncProperty(
        document.map(PolicyDocument.print),
        FastCheck.array(facts, { minLength: 1, maxLength: 6 }),
        async (text, given) => {
          writeFileSync(join(cwd, "rules.yaml"), text)
          const expected = byCore(text, given)
          assert.deepStrictEqual(await byApi(text, given), expected, "API")
          assert.deepStrictEqual(await byDryRun(given), expected, "policy dry-run")
          for (const [at, each] of given.slice(0, 2).entries())
            assert.deepStrictEqual(await byEvaluate(each), expected[at], "policy evaluate")
        }
      ),
      { numRuns: RUNS, endOnFailure: true }
    )
  )
})
