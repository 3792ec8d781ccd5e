/** `attestry policy test POLICY TESTS…`: runs the tests of a policy with core's evaluator. Works offline. */
import { writeFileSync } from "node:fs"
import { resolve } from "node:path"
import * as PolicyTests from "@attestry/policy-lab/PolicyTests"
import { CommandFailure } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import type { Style } from "../shared/Style.js"
import * as PolicyFile from "./PolicyFile.js"

interface FileRun {
  readonly file: string
  readonly run: PolicyTests.TestRun
}

const ENTITIES = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"]
])

const xml = (text: string): string =>
  text
    .replace(/[&<>"]/g, (character) => ENTITIES.get(character) ?? character)
    // WHY: XML 1.0 forbids the other control characters, even escaped.
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")

/** The results as JUnit XML, one suite per file. */
export const junit = (runs: ReadonlyArray<FileRun>): string => {
  const suites = runs.map(({ file, run }) => {
    const cases = run.tests.map(({ explanation, name, passed }) => {
      const open = `    <testcase classname="${xml(file)}" name="${xml(name)}"`
      const [first = ""] = explanation.split("\n")
      return passed
        ? `${open}/>`
        : `${open}>\n      <failure message="${xml(first)}">${xml(explanation)}</failure>\n    </testcase>`
    })
    const head = `  <testsuite name="${xml(file)}" tests="${run.tests.length}" failures="${run.failed}">`
    return [head, ...cases, "  </testsuite>"].join("\n")
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("\n")}\n</testsuites>\n`
}

const linesOf = ({ file, run }: FileRun, style: Style): ReadonlyArray<string> =>
  run.tests.flatMap(({ explanation, line, name, passed }) =>
    passed
      ? [`${style.tint("green", "ok")}    ${style.text(name)}`]
      : [
          `${style.tint("red", "FAIL")}  ${style.text(name)} (${style.text(file)}:${line})`,
          ...explanation.split("\n").map((text) => `        ${style.text(text)}`)
        ]
  )

type Coverage = PolicyTests.RuleCoverage

/** Sums the coverage of each rule over all files. */
const coverageOf = (runs: ReadonlyArray<FileRun>): ReadonlyArray<Coverage> => {
  const sums = new Map<number, Coverage>()
  for (const { run } of runs)
    for (const rule of run.coverage.rules) {
      const sum = sums.get(rule.rule_index)
      sums.set(rule.rule_index, {
        ...rule,
        applied: rule.applied + (sum?.applied ?? 0),
        passed: rule.passed + (sum?.passed ?? 0),
        failed: rule.failed + (sum?.failed ?? 0)
      })
    }
  return [...sums.values()]
}

/** Names the outcome of a rule that no test causes; empty if tests made the rule pass and fail. */
const gapOf = ({ applied, failed, passed, rule }: Coverage): ReadonlyArray<string> => {
  if (applied === 0) return [`no test makes this rule apply: ${rule}`]
  if (failed === 0) return [`no test makes this rule fail: ${rule}`]
  return passed === 0 ? [`no test makes this rule pass: ${rule}`] : []
}

/** Runs `attestry policy test`. */
export const run: CommandModule["run"] = async (context, args) => {
  const [policyFile = "", ...files] = args.positionals
  const document = await PolicyFile.policy(context, policyFile)
  const runs: Array<FileRun> = []
  for (const file of files)
    runs.push({ file, run: PolicyTests.run(document, await PolicyFile.tests(context, file)) })
  const [out] = args.texts("junit")
  if (out !== undefined)
    try {
      writeFileSync(resolve(context.host.cwd, out), junit(runs))
    } catch (cause) {
      throw new CommandFailure("unreadable", `${out} cannot be written`, { cause })
    }
  const failed = runs.reduce((sum, one) => sum + one.run.failed, 0)
  const passed = runs.reduce((sum, one) => sum + one.run.passed, 0)
  const rules = coverageOf(runs)
  return {
    exit: failed === 0 ? "done" : "no",
    value: {
      schema: "attestry.cli/policy-test/v1",
      passed,
      failed,
      files: runs.map(({ file, run: { tests } }) => ({ file, tests })),
      coverage: { rules }
    },
    items: runs.flatMap(({ file, run: { tests } }) => tests.map((test) => ({ file, ...test }))),
    quiet: failed === 0 ? "OK" : "FAILED",
    lines: (style) => [
      ...runs.flatMap((one) => linesOf(one, style)),
      ...rules.flatMap(gapOf).map(style.text),
      `${passed} passed, ${failed} failed`
    ]
  }
}
