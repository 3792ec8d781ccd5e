/** What a gate tells the CI: a summary, annotations and outputs; hostile text steers none of it. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as Annotations from "../../src/job/Annotations.js"
import { limited, SUMMARY_BYTES_MAX } from "../../src/job/JobSummary.js"
import { folder, run } from "../shared/Run.js"
import * as StubServer from "../shared/StubServer.js"

const HOSTILE = "x\n::set-output name=a::b ##vso[task.setvariable variable=PATH]evil %0A::error::y"

const reason = (at: number) => ({
  type: "missing_attestation",
  policy_name: HOSTILE,
  policy_version: 3,
  rule_index: 2,
  flow_name: "shop",
  trail_name: "t",
  attestation_name: `review-${at}`,
  attestation_type: "generic",
  description: `${HOSTILE} ${at}`
})

const answer = (reasons: number) => ({
  compliant: reasons === 0,
  scope: "environment",
  environment: "prod",
  html_url: "https://attestry.example.com/a\nevil=1",
  flows: [],
  reasons_for_incompliance: Array.from({ length: reasons }, (_, at) => reason(at))
})

const HEX = "a".repeat(64)

const gate = async (
  reasons: number,
  env: { readonly [name: string]: string },
  ...flags: ReadonlyArray<string>
) => {
  const server = await StubServer.start(() => ({ body: JSON.stringify(answer(reasons)) }))
  const ran = await run(["assert", "artifact", "-F", HEX, "--org", "acme", ...flags], {
    env: { ATTESTRY_URL: server.url, ATTESTRY_API_KEY: "abcdefghijkl", ...env }
  })
  await server.stop()
  return ran
}

const github = () => {
  const cwd = folder()
  return {
    GITHUB_ACTIONS: "true",
    GITHUB_SHA: "b".repeat(40),
    GITHUB_STEP_SUMMARY: join(cwd, "summary.md"),
    GITHUB_OUTPUT: join(cwd, "output")
  }
}

const commands = (stderr: string) => stderr.split("\n").filter((line) => /^::|##/.test(line))

describe("a gate in a job of GitHub", () => {
  it("writes a summary, one annotation for each reason, and outputs", async () => {
    const env = github()
    const { code, stderr, stdout } = await gate(2, env)
    assert.strictEqual(code, 1)
    const summary = readFileSync(env.GITHUB_STEP_SUMMARY, "utf8")
    assert.match(summary, /^### Not compliant/)
    assert.include(summary, "| Rule | Reason | Found | Do |")
    assert.lengthOf(commands(stderr), 2)
    for (const line of commands(stderr)) assert.match(line, /^::error title=[^:]*::[^\n]*$/)
    const outputs = readFileSync(env.GITHUB_OUTPUT, "utf8").trim().split("\n")
    assert.deepStrictEqual(
      outputs.map((line) => line.split("=")[0]),
      ["compliant", "fingerprint", "url"]
    )
    assert.include(outputs, `fingerprint=${HEX}`)
    for (const text of [stdout, stderr, summary]) {
      assert.notMatch(text, /^::set-output/m)
      assert.notInclude(text, "##vso[")
    }
  })

  it("shows 9 annotations and counts the rest", async () => {
    const few = await gate(9, github())
    assert.lengthOf(commands(few.stderr), 9)
    const many = await gate(12, github())
    assert.lengthOf(commands(many.stderr), 10)
    assert.include(many.stderr, "3 more; the summary of the job has all of them")
  })

  it("has no annotations where the answer is yes", async () => {
    const env = github()
    const { code, stderr } = await gate(0, env)
    assert.deepStrictEqual([code, commands(stderr)], [0, []])
    assert.include(readFileSync(env.GITHUB_STEP_SUMMARY, "utf8"), "### Compliant")
    assert.include(readFileSync(env.GITHUB_OUTPUT, "utf8"), "compliant=true\n")
  })

  it("says nothing where that is turned off", async () => {
    for (const [more, ...flags] of [[{}, "--no-ci"], [{ ATTESTRY_CI: "off" }]] as const) {
      const env = { ...github(), ...more }
      const { code, stderr } = await gate(1, env, ...flags)
      assert.deepStrictEqual([code, commands(stderr)], [1, []])
      assert.isFalse(existsSync(env.GITHUB_STEP_SUMMARY))
    }
  })

  it("keeps its answer where the summary cannot be written", async () => {
    const env = { ...github(), GITHUB_STEP_SUMMARY: "/nowhere/summary.md" }
    const { code, stderr } = await gate(1, env)
    assert.strictEqual(code, 1)
    assert.include(stderr, "warning: the summary of the job cannot be written")
  })
})

describe("a gate in a job of another CI", () => {
  it("uploads a summary and logs issues", async () => {
    const place = folder()
    const env = {
      TF_BUILD: "True",
      BUILD_SOURCEVERSION: "c".repeat(40),
      AGENT_TEMPDIRECTORY: place
    }
    const { code, stderr } = await gate(1, env)
    assert.strictEqual(code, 1)
    const [issue = "", summary = "", ...others] = commands(stderr)
    assert.match(issue, /^##vso\[task\.logissue type=error;\][^\]]*$/)
    assert.match(summary, /^##vso\[task\.uploadsummary\]\S+attestry\.md$/)
    assert.deepStrictEqual(others, [])
    assert.include(readFileSync(summary.replace(/^.*\]/, ""), "utf8"), "### Not compliant")
  })

  it("annotates the build through the agent of Buildkite", async () => {
    const place = folder()
    const program = join(place, "buildkite-agent")
    writeFileSync(program, `#!/bin/sh\necho "$@" > ${place}/args\ncat > ${place}/stdin\n`)
    chmodSync(program, 0o755)
    const env = {
      BUILDKITE: "true",
      BUILDKITE_COMMIT: "d".repeat(40),
      PATH: `${place}:${process.env.PATH}`
    }
    const { code, stderr } = await gate(1, env)
    assert.deepStrictEqual([code, commands(stderr)], [1, []])
    assert.include(readFileSync(join(place, "args"), "utf8"), "annotate --style error")
    assert.include(readFileSync(join(place, "stdin"), "utf8"), "### Not compliant")
  })
})

describe("a summary", () => {
  it("is cut at a line, below the limit of a step", () => {
    const fits = "x".repeat(SUMMARY_BYTES_MAX)
    assert.strictEqual(limited(fits), fits)
    const long = limited("ä row\n".repeat(SUMMARY_BYTES_MAX / 4))
    assert.isAtMost(Buffer.byteLength(long), SUMMARY_BYTES_MAX)
    assert.match(long, /row\n\n\*The rest does not fit here\.\*\n$/)
  })
})

describe("an annotation", () => {
  it("has the place of its file, escaped", () => {
    const each = {
      level: "error",
      title: "a,b:c",
      message: "100 %",
      file: "a,b.yaml",
      line: 7,
      column: 3
    } as const
    assert.deepStrictEqual(Annotations.lines("GitHub Actions", [each]), [
      "::error file=a%2Cb.yaml,line=7,col=3,title=a%2Cb%3Ac::100 %25"
    ])
    assert.deepStrictEqual(Annotations.lines("Azure DevOps", [{ ...each, file: "a;b].yaml" }]), [
      "##vso[task.logissue type=error;sourcepath=a%3Bb%5D.yaml;linenumber=7;columnnumber=3;]a,b:c: 100 %AZP25"
    ])
    assert.deepStrictEqual(Annotations.lines("Jenkins", [each]), [])
  })
})
