/** The outcome of a rule depends on its text and the data alone. */
import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { lengthForRun } from "../../core/test/shared/Effort.js"
import * as PayloadRulesWorker from "../src/PayloadRulesWorker.js"
import { acme, evaluate, globex, passes, problems } from "./shared.js"

const hostile: ReadonlyArray<string> = JSON.parse(
  readFileSync(new URL("./data/hostile-programs.json", import.meta.url), "utf8")
)

/** A rule, data, and whether the data is compliant. */
const honest: ReadonlyArray<readonly [string, unknown, boolean]> = [
  [".missed / .total * 100 <= 5", { missed: 32, total: 1209 }, true],
  [".missed / .total * 100 <= 5", { missed: 320, total: 1209 }, false],
  ['[.findings[] | select(.severity == "high")] | length == 0', { findings: [] }, true],
  ['.findings | any(.severity == "high") | not', { findings: [{ severity: "high" }] }, false],
  ['.name | test("^[a-z]+-[0-9]+$")', { name: "build-17" }, true],
  [".at | fromdate < 1500000000", { at: "2015-03-05T23:51:47Z" }, true],
  ['error("never")', null, false],
  [".a.b", { a: 1 }, false]
]

const findings = (bytes: number) => {
  const one = { id: 1, name: "CVE-2024-0001", severity: "low", fixed: true, path: "/usr/lib/x" }
  const count = Math.floor(bytes / (JSON.stringify(one).length + 8))
  return { findings: Array.from({ length: count }, (_, id) => ({ ...one, id })) }
}

const isDeep = process.env.ATTESTRY_DEEP === "1"

/** Evaluations for each of two orgs. */
const EVALUATIONS = lengthForRun({ quick: 130, full: 400, deep: 5_000 })
const LIMITS = { steps: isDeep ? 20_000_000 : 2_000_000, threads: 2 }

layer(PayloadRulesWorker.layer(LIMITS), { excludeTestServices: true, timeout: 60_000 })(
  "the outcome of a rule",
  (it) => {
    it.effect(
      `is the same in ${2 * EVALUATIONS} evaluations of two orgs with every hostile program between them`,
      () =>
        Effect.gen(function* () {
          const wrong: Array<string> = []
          const one = (org: typeof acme, index: number) =>
            Effect.gen(function* () {
              const bad = hostile[index / (EVALUATIONS / hostile.length)]
              if (bad !== undefined) yield* evaluate([bad], null, undefined, org)
              const chosen = honest[index % honest.length]
              if (chosen === undefined) return
              const outcome = yield* evaluate([chosen[0]], chosen[1], undefined, org)
              if (outcome.problem !== null || outcome.isCompliant !== chosen[2])
                wrong.push(`${org} ${index} ${chosen[0]}`)
            })
          yield* Effect.forEach(
            [acme, globex],
            (org) =>
              Effect.forEach(Array.from({ length: EVALUATIONS }), (_, index) => one(org, index), {
                concurrency: 4,
                discard: true
              }),
            { concurrency: 2, discard: true }
          )
          assert.deepStrictEqual(wrong, [])
        }),
      900_000
    )

    it.effect(
      "is the same twice, and a problem for a program that exceeds its budget",
      () =>
        Effect.gen(function* () {
          let exhausted = 0
          for (const program of hostile) {
            const first = yield* evaluate(["true", program], null)
            assert.deepStrictEqual(yield* evaluate(["true", program], null), first, program)
            if (first.problem === null) continue
            exhausted += 1
            assert.strictEqual(
              first.problem,
              "Data takes more steps or memory than evaluator.rules[1] of its type may use"
            )
          }
          assert.isAbove(exhausted, 15)
          assert.isTrue(yield* passes("true"))
        }),
      900_000
    )

    it.effect("is a refusal for a malformed program, also after hostile ones", () =>
      Effect.gen(function* () {
        for (const program of [
          "{",
          "true), (true",
          ".a | foo",
          'import "m" as m; true',
          "\0true"
        ]) {
          assert.deepStrictEqual(yield* problems(["true", program]), [
            { field: "evaluator.rules[1]", message: "Expression should be a program of jq" }
          ])
        }
      })
    )
  }
)

layer(PayloadRulesWorker.layer({ threads: 2 }), { excludeTestServices: true, timeout: 60_000 })(
  "honest data",
  (it) => {
    const rule = '(.findings | all(.fixed and .severity != "high")) and (.findings | length > 100)'

    it.effect("of every accepted size is compliant", () =>
      Effect.gen(function* () {
        for (const bytes of [100_000, 200_000, 1_048_576])
          assert.deepStrictEqual(yield* evaluate([rule], findings(bytes)), {
            problem: null,
            isCompliant: true
          })
        const grouped = ".findings | group_by(.path) | map(length) | add > 0"
        const matched = '.findings | all(.name | test("^CVE-[0-9]{4}-[0-9]+$"))'
        assert.deepStrictEqual(yield* evaluate([rule, grouped, matched], findings(1_048_576)), {
          problem: null,
          isCompliant: true
        })
      })
    )
  }
)
