/** Reports of a gate: Markdown, SARIF, JUnit, JSON and variables, with hostile names. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { folder, run } from "../shared/Run.js"
import * as StubServer from "../shared/StubServer.js"

const HOSTILE = 'x|y</failure>"\u001b[2J::error::'

const ANSWER = {
  compliant: false,
  scope: "environment",
  environment: "prod",
  html_url: "https://attestry.example.com/a",
  flows: [],
  policy_evaluations: [
    {
      policy_name: HOSTILE,
      policy_version: 3,
      rule_evaluations: [
        { rule: { type: "provenance", definition: { required: false } } },
        { rule: { type: "trail-compliance", definition: { required: true } } },
        { rule: { type: "attestation", definition: { name: "review" } } }
      ]
    }
  ],
  reasons_for_incompliance: [
    {
      type: "missing_attestation",
      policy_name: HOSTILE,
      policy_version: 3,
      rule_index: 2,
      flow_name: "shop",
      trail_name: "it's",
      attestation_name: "review",
      attestation_type: "pull_request",
      description: HOSTILE
    }
  ]
}

const gate = async (...formats: ReadonlyArray<string>) => {
  const server = await StubServer.start(() => ({ body: JSON.stringify(ANSWER) }))
  const cwd = folder()
  const reports = formats.flatMap((format) => ["--report", `${format}=${format}.out`])
  const argv = [
    "assert",
    "artifact",
    "-F",
    "a".repeat(64),
    "--environment",
    "prod",
    "--org",
    "acme"
  ]
  const ran = await run([...argv, ...reports], {
    cwd,
    env: { ATTESTRY_URL: server.url, ATTESTRY_API_KEY: "abcdefghijkl" }
  })
  await server.stop()
  return { ...ran, read: (format: string) => readFileSync(join(cwd, `${format}.out`), "utf8") }
}

describe("attestry assert --report", () => {
  it("writes every format also when the answer is no", async () => {
    const { code, read, stdout } = await gate("md", "sarif", "junit", "json", "dotenv")
    assert.strictEqual(code, 1)
    assert.include(read("md"), "### Not compliant: `artifact` in `prod`")
    assert.include(read("md"), "x\\|y")
    const sarif = JSON.parse(read("sarif"))
    assert.strictEqual(sarif.version, "2.1.0")
    assert.strictEqual(sarif.runs[0].results[0].ruleId, "attestry/missing_attestation")
    assert.match(read("junit"), /tests="1" failures="1"/)
    assert.include(read("junit"), "x|y&lt;/failure&gt;&quot;")
    assert.strictEqual(JSON.parse(read("json")).compliant, false)
    assert.include(read("dotenv"), "ATTESTRY_COMPLIANT=false\n")
    for (const text of [stdout, read("md"), read("junit"), read("dotenv")]) {
      assert.notInclude(text, "\u001b[2J")
      assert.notInclude(text, "::error::")
    }
    assert.include(
      stdout,
      "attestry attest pull-request --number '<PULL_REQUEST_NUMBER>' --name review --flow shop --trail 'it'\\''s'"
    )
  })

  it("counts rules for people from 1 over those of the text, and for programs as the API does", async () => {
    const { read, stdout } = await gate("json", "sarif")
    assert.include(stdout, "version 3, rule 2")
    assert.include(read("sarif"), "version 3, rule 2")
    const [reason] = JSON.parse(read("json")).reasons
    assert.deepInclude(reason, {
      rule_index: 2,
      rule: "artifacts.attestations[0]",
      rule_number: 2
    })
  })

  it("ends with 2 for a format that there is not", async () => {
    assert.strictEqual((await gate("pdf")).code, 2)
  })

  it("writes the reports that GitLab shows, with the same identity in every run", async () => {
    const formats = ["gitlab-annotations", "gitlab-codequality"]
    const [first, second] = [await gate(...formats), await gate(...formats)]
    const { attestry } = JSON.parse(first.read("gitlab-annotations"))
    assert.strictEqual(attestry[0].external_link.url, "https://attestry.example.com/a")
    const [finding] = JSON.parse(first.read("gitlab-codequality"))
    assert.deepInclude(finding, {
      check_name: "attestry/missing_attestation",
      severity: "blocker",
      location: { path: ".attestry.yaml", lines: { begin: 1 } }
    })
    assert.notMatch(finding.description, /\p{Cc}/u)
    assert.strictEqual(first.read("gitlab-codequality"), second.read("gitlab-codequality"))
  })
})
