/**
 * Properties of every form of output: whatever a server or a repository calls its things, a terminal gets no control
 * characters, a CI no commands, and a format stays what it is.
 */
import { FastCheck } from "effect"
import { SaxesParser } from "saxes"
import { assert, describe, it } from "vitest"
import type { Assertion } from "../../src/assertion/Assertion.js"
import * as AssertionAnnouncement from "../../src/assertion/AssertionAnnouncement.js"
import * as AssertionReports from "../../src/assertion/AssertionReports.js"
import { resultOf } from "../../src/assertion/AssertionView.js"
import * as Annotations from "../../src/job/Annotations.js"
import * as LintAnnouncement from "../../src/policy/LintAnnouncement.js"
import { print } from "../../src/reading/NestedValue.js"
import * as ForeignText from "../../src/shared/ForeignText.js"
import * as Style from "../../src/shared/Style.js"
import { run } from "./Run.js"
import * as StubServer from "./StubServer.js"

const PIECES = [
  ":",
  "::",
  "#",
  "##",
  "[",
  "]",
  "(",
  ")",
  "<",
  ">",
  "|",
  "`",
  '"',
  "\\",
  "%",
  "%0A",
  ";",
  "\n",
  "\r\n",
  "\t",
  " ",
  "\u0000",
  "\u0007",
  "\u001b[2J",
  "\u001b]8;;https://evil.example.org\u0007",
  "\u009b31m",
  "\u2028",
  "\u202e",
  "\u200b",
  "\ufffe",
  "\ud800",
  "vso[task.setvariable variable=PATH]evil",
  "VSO[",
  "teamcity[",
  "set-output name=a::b",
  "error::x",
  "</failure>",
  "![x](javascript:alert(1))",
  "ä",
  "修",
  "x"
]

const hostile = FastCheck.array(FastCheck.constantFrom(...PIECES), {
  minLength: 1,
  maxLength: 12
}).map((pieces) => pieces.join(""))

/** A command of one CI begins its line; those of others stand anywhere. */
const OBEYED = /^\s*::|##(?:vso|teamcity)?\[/i

const isHarmless = (line: string): boolean =>
  !/\p{Cc}|[\u2028\u2029\u202a-\u202e\u200b]/u.test(line) && !OBEYED.test(line)

const check = (property: (text: string) => void, numRuns = 300): void =>
  FastCheck.assert(FastCheck.property(hostile, property), { numRuns })

const assertionOf = (text: string): Assertion => ({
  schema: "attestry.cli/assertion/v1",
  compliant: false,
  scope: "environment",
  environment: text,
  subject: { name: text, fingerprint: null },
  reasons: [
    {
      type: "missing_attestation",
      policy_name: text,
      policy_version: 1,
      rule_index: 2,
      rule: text,
      rule_number: null,
      flow_name: text,
      trail_name: text,
      attestation_name: text,
      attestation_type: text,
      description: text,
      found: [text],
      position: { file: text, line: 1, column: 1, text },
      command: ["attestry", "attest", text]
    }
  ],
  url: text,
  answer: { html_url: text }
})

const style = Style.make({ isTerminal: true, isColoured: false, columns: 80, nowMs: 0 })

describe("a hostile text", () => {
  it("is one harmless line, also after it was made safe before", () => {
    check((text) => {
      const line = ForeignText.line(text)
      assert.isTrue(isHarmless(line), JSON.stringify(line))
      assert.notInclude(line, "::")
      assert.strictEqual(ForeignText.line(line), line)
    }, 2_000)
  })

  it("is harmless for people, in every line of an answer and of a nested value", () => {
    check((text) => {
      const { lines: linesOf } = resultOf(assertionOf(text), "full", 0)
      const lines = [...linesOf(style), style.text(print({ a: text }))]
      for (const line of lines) assert.isTrue(isHarmless(line), JSON.stringify(line))
    })
  })

  it("is one annotation, whose command is ours", () => {
    check((text) => {
      const annotation = { level: "error", title: text, message: text, file: text } as const
      const all = [{ ...annotation, line: 1, column: 1 }]
      const [github = "", ...more] = Annotations.lines("GitHub Actions", all)
      assert.lengthOf(more, 0)
      const [, properties = "", message = ""] = /^::error ([^:]*)::(.*)$/s.exec(github) ?? []
      assert.notStrictEqual(properties, "")
      assert.isTrue(isHarmless(message), JSON.stringify(github))
      assert.lengthOf(properties.split(","), 4)
      const [azure = ""] = Annotations.lines("Azure DevOps", all)
      const [, issue = "", said = ""] = /^##vso\[([^\]]*)\](.*)$/s.exec(azure) ?? []
      assert.lengthOf(issue.split(";"), 5, azure)
      assert.isTrue(isHarmless(said), JSON.stringify(azure))
    })
  })

  it("keeps a summary of Markdown to its own lines and tables", () => {
    check((text) => {
      const { markdown } = AssertionAnnouncement.of(assertionOf(text))
      const problem = { path: text, line: 1, column: 1, message: text }
      const linted = { file: text, kind: "policy", problems: [problem], remarks: [] } as const
      const lint = LintAnnouncement.of([linted]).markdown
      for (const line of [...markdown.split("\n"), ...lint.split("\n")])
        assert.isTrue(isHarmless(line), JSON.stringify(line))
      const rows = markdown.split("\n").filter((line) => line.startsWith("| "))
      for (const row of rows)
        assert.lengthOf(row.replaceAll(/\\[\\|]/g, "").match(/\|/g) ?? [], 5, row)
      const outside = markdown.replaceAll(/`[^`]*`/g, "")
      assert.notMatch(outside, /(?<!\\)!\[|javascript:alert\(/)
    })
  })

  it("leaves every report well formed", () => {
    check((text) => {
      const printed = (format: string) => AssertionReports.print(format, assertionOf(text)) ?? ""
      for (const format of ["json", "sarif", "gitlab-annotations", "gitlab-codequality"])
        assert.doesNotThrow(() => JSON.parse(printed(format)), format)
      const { runs } = JSON.parse(printed("sarif"))
      const { message, locations } = runs[0].results[0]
      assert.isTrue(isHarmless(message.text))
      assert.notMatch(message.text.replaceAll(/\\[\\[\]]/g, ""), /[[\]]/)
      assert.match(locations[0].physicalLocation.artifactLocation.uri, /^[^\s:]*$/)
      assert.deepStrictEqual(JSON.parse(printed("gitlab-annotations")), { attestry: [] })
      assert.lengthOf(printed("dotenv").split("\n"), 4)
      const parser = new SaxesParser()
      parser.on("error", (error) => assert.fail(`${error.message}: ${printed("junit")}`))
      parser.write(printed("junit")).close()
    })
  })
})

describe("a server with hostile names", () => {
  const PAGE = (text: string) => ({
    name: text,
    message: text,
    compliant: false,
    scope: "flow",
    index: 1,
    artifacts: [{ name: text, fingerprint: text, annotation: { type: text } }],
    reasons_for_incompliance: [{ type: text, description: text, policy_name: text }],
    compliance_status: { attestations_statuses: [{ attestation_name: text }] },
    html_url: text,
    events: [{ description: text, artifact_name: text }],
    orgs: [{ name: text, role: text }],
    exposures: [{ name: text, environment: text, fingerprint: text, flow_name: text }],
    nodes: [{ id: text, type: text, label: text, html_url: text }],
    edges: [{ from: text, to: text, type: text }],
    truncated: [{ node: text, edge_type: text, more: 1 }],
    total_count: 1,
    rows: [{ name: text, reasons_for_incompliance: [{ description: text, policy_name: text }] }],
    remarks: [{ code: text, message: text }],
    snapshot: { environment: text, index: text },
    late_evidence: [{ attestation_name: text }]
  })
  const LINES: ReadonlyArray<ReadonlyArray<string>> = [
    ["whoami"],
    ["get", "flow", "a"],
    ["get", "snapshot", "a"],
    ["get", "trail", "a", "-f", "b"],
    ["list", "flows"],
    ["list", "events", "--environment", "a"],
    ["search", "abcdef"],
    ["log", "a"],
    ["diff", "a", "b"],
    ["where", "abcdef"],
    ["graph", "policy:a"],
    ["graph", "policy:a", "--dot"],
    ["policy", "dry-run", "a", "--environment", "b"],
    ["policy", "backtest", "a"],
    ["assert", "snapshot", "a", "--no-ci"],
    ["assert", "artifact", "-F", "a".repeat(64), "--no-ci"],
    ["begin", "t", "-f", "a"],
    ["put", "flow", "a"]
  ]

  it("steers neither a terminal nor a CI, as an answer, as a list and as a refusal", async () => {
    const state = { text: "", status: 200, isList: false }
    const server = await StubServer.start(() => {
      const page = PAGE(state.text)
      return { status: state.status, body: JSON.stringify(state.isList ? [page] : page) }
    })
    const env = { ATTESTRY_URL: server.url, ATTESTRY_API_KEY: "abcdefghijkl", ATTESTRY_ORG: "acme" }
    const samples = FastCheck.sample(hostile, { numRuns: 6, seed: 7 })
    for (const text of samples)
      for (const [status, isList] of [
        [200, false],
        [200, true],
        [404, false]
      ] as const) {
        Object.assign(state, { text, status, isList })
        for (const argv of LINES)
          for (const tty of [true, false]) {
            const machine = { env, tty }
            const line = [...argv, "--color", "never", "--retries", "0", "-v"]
            const { stdout, stderr, code } = await run(line, machine)
            assert.notStrictEqual(code, 70, `${argv.join(" ")}: ${stderr}`)
            for (const each of [...stdout.split("\n"), ...stderr.split("\n")])
              assert.isTrue(isHarmless(each), `${argv.join(" ")}: ${JSON.stringify(each)}`)
          }
      }
    await server.stop()
  })
})
