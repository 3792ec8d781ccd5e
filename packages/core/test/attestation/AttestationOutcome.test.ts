import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, ParseResult, Schema } from "effect"
import * as Payload from "../../src/attestation/AttestationPayload.js"
import * as AttestationOutcome from "../../src/attestation/internal/AttestationOutcome.js"
import * as FieldErrors from "../../src/shared/FieldErrors.js"
import { ControlIdentifier } from "../../src/shared/Identifier.js"

/** Field errors of a payload, or none when it is accepted. */
const errors = <A, I>(schema: Schema.Schema<A, I>, input: unknown): FieldErrors.FieldErrors =>
  Either.match(ParseResult.decodeUnknownEither(schema)(input, { errors: "all" }), {
    onLeft: (issue) => FieldErrors.fromParseIssue(issue),
    onRight: () => ({})
  })

/** Decodes a payload and decides its outcome. */
const outcome =
  <A, I>(schema: Schema.Schema<A, I>, decide: (payload: A) => boolean) =>
  (input: unknown): boolean =>
    decide(Schema.decodeUnknownSync(schema)(input))

const counts = FastCheck.constantFrom(0, 0, 0, 1, 7)
const many = { fastCheck: { numRuns: 300 } }

const suite = (failures: number, errorCount: number, skipped = 0) => ({
  name: "core",
  failures,
  errors: errorCount,
  skipped,
  total: 42,
  duration: 3.2
})

describe("AttestationOutcome properties", () => {
  it.prop(
    "a generic attestation, a decision and an override have the outcome that they give",
    { is: FastCheck.boolean() },
    ({ is }) => {
      assert.strictEqual(AttestationOutcome.generic({ is_compliant: is }), is)
      assert.strictEqual(
        AttestationOutcome.decision({
          type_name: "decision",
          control: ControlIdentifier.make("CTL-7"),
          attestation_data: { is_compliant: is }
        }),
        is
      )
      assert.strictEqual(
        AttestationOutcome.override({
          reason: "false alarm",
          new_compliance_status: is,
          original_attestation_type: "snyk"
        }),
        is
      )
    }
  )

  it.prop(
    "junit is compliant when no suite has failures or errors, skipped tests or not",
    { suites: FastCheck.array(FastCheck.tuple(counts, counts, counts), { minLength: 1 }) },
    ({ suites }) =>
      assert.strictEqual(
        outcome(
          Payload.JunitPayload,
          AttestationOutcome.junit
        )({
          junit_results: suites.map(([failures, errorCount, skipped]) =>
            suite(failures, errorCount, skipped)
          )
        }),
        suites.reduce((sum, [failures, errorCount]) => sum + failures + errorCount, 0) === 0
      ),
    many
  )

  it.prop(
    "snyk is compliant without vulnerabilities of any severity",
    { results: FastCheck.array(FastCheck.tuple(counts, counts, counts)) },
    ({ results }) =>
      assert.strictEqual(
        outcome(
          Payload.SnykPayload,
          AttestationOutcome.snyk
        )({
          snyk_results: {
            schema_version: 1,
            tool: { name: "snyk", version: "1" },
            results: results.map(([high_count, medium_count, low_count]) => ({
              high_count,
              medium_count,
              low_count
            }))
          }
        }),
        results.flat().every((count) => count === 0)
      ),
    many
  )

  it.prop(
    "jira is compliant when issues were found and all of them exist",
    { exist: FastCheck.array(FastCheck.constantFrom(true, true, false), { maxLength: 4 }) },
    ({ exist }) =>
      assert.strictEqual(
        outcome(
          Payload.JiraPayload,
          AttestationOutcome.jira
        )({
          jira_results: exist.map((issue_exists, index) => ({
            issue_id: `EX-${index}`,
            issue_url: "https://issues.example.org",
            issue_exists
          }))
        }),
        exist.length > 0 && !exist.includes(false)
      ),
    many
  )

  it.prop(
    "pull_request is compliant when there is one, in any state",
    { states: FastCheck.array(FastCheck.string(), { maxLength: 3 }) },
    ({ states }) =>
      assert.strictEqual(
        outcome(
          Payload.PullRequestPayload,
          AttestationOutcome.pullRequest
        )({
          git_provider: "github",
          pull_requests: states.map((state) => ({ url: "https://git.example.org/1", state }))
        }),
        states.length > 0
      ),
    many
  )
})

const sonar = (qualityGate?: unknown) => ({
  sonar_results: {
    serverUrl: "https://sonar.example.org",
    taskId: "t",
    status: "SUCCESS",
    analysedAt: "2026-01-01",
    revision: "r",
    project: { key: "p", url: "https://sonar.example.org/p" },
    ...(qualityGate === undefined ? {} : { qualityGate })
  }
})

describe("AttestationOutcome examples", () => {
  it("sonar is compliant only when its gate is OK", () => {
    const decide = outcome(Payload.SonarPayload, AttestationOutcome.sonar)
    assert.isTrue(decide(sonar({ status: "OK", conditions: [] })))
    for (const gate of [
      undefined,
      null,
      ...["NONE", "WARN", "ERROR", "ok", ""].map((status) => ({ status }))
    ])
      assert.isFalse(decide(sonar(gate)))
  })

  it("junit without suites is never compliant, even if the schema is bypassed", () =>
    assert.isFalse(AttestationOutcome.junit({ junit_results: [] })))

  it("a clean scan may have no runs", () =>
    assert.isTrue(AttestationOutcome.snyk({ snyk_results: { results: [] } })))
})

const full = {
  url: "https://git.example.org/acme/shop/pull/7",
  state: "MERGED",
  author: "",
  title: "Fix rounding",
  created_at: 1_790_000_000,
  merged_at: 1_790_000_100.5,
  head_ref: "fix",
  base_ref: "main",
  merge_commit: "1".repeat(40),
  approvers: [{ username: "lee", state: "APPROVED", timestamp: 1_790_000_050 }],
  reviews: [{ username: "lee", state: "APPROVED", commit_sha: "2".repeat(40), timestamp: 1 }],
  commits: [
    {
      sha1: "2".repeat(40),
      message: "fix rounding",
      author: "R. Lee <r.lee@example.org>",
      timestamp: 1_789_999_999,
      branch: "fix",
      verified: false
    }
  ]
}

describe("AttestationPayload keeps unknown fields", () => {
  /** Decodes and encodes again. */
  const decode =
    <A, I>(schema: Schema.Schema<A, I>) =>
    (input: unknown): unknown => {
      const decoded = Schema.decodeUnknownSync(schema)(input)
      assert.deepStrictEqual<unknown>(Schema.encodeSync(schema)(decoded), input)
      return decoded
    }

  it("but not in a pull request and its commits, which the specification defines", () => {
    const short = { url: "u", state: "OPEN", merge_commit: null, approvers: ["lee"] }
    const payload = { git_provider: "github", pull_requests: [full, short] }
    assert.deepStrictEqual(decode(Payload.PullRequestPayload)(payload), payload)
    const wider = { ...full, commits: full.commits.map((commit) => ({ ...commit, more: [1] })) }
    const strict = Schema.decodeUnknownEither(Payload.PullRequest, { onExcessProperty: "error" })
    assert.deepStrictEqual<unknown>(strict(wider), Either.right(full))
    assert.isTrue(Either.isLeft(strict({ ...full, labels: ["more"] })))
  })

  it("in test suites, scans, analyses and issues", () => {
    const junit = { junit_results: [{ ...suite(0, 0), timestamp: null, hostname: "ci" }] }
    assert.deepStrictEqual(decode(Payload.JunitPayload)(junit), junit)
    const snyk = {
      snyk_results: {
        schema_version: 1,
        results: [{ high_count: 1, medium_count: 0, low_count: 0, high: [{ id: "SNYK-1" }] }]
      }
    }
    assert.deepStrictEqual(decode(Payload.SnykPayload)(snyk), snyk)
    const analysed = sonar({ status: "ERROR", conditions: [{ metric: "coverage" }] })
    assert.deepStrictEqual(decode(Payload.SonarPayload)(analysed), analysed)
    const jira = {
      jira_results: [
        { issue_id: "EX-1", issue_url: "u", issue_exists: true, issue_fields: { summary: "s" } }
      ]
    }
    assert.deepStrictEqual(decode(Payload.JiraPayload)(jira), jira)
  })

  it("and takes no field from __proto__", () => {
    const text =
      '{"git_provider":"g","pull_requests":[{"url":"u","state":"s","commits":[],"__proto__":{"author":"x"}}]}'
    assert.deepStrictEqual(Object.keys(errors(Payload.PullRequestPayload, JSON.parse(text))), [
      "pull_requests[0].author"
    ])
  })
})

describe("AttestationPayload refuses", () => {
  it("an empty list of suites, and counts that are negative, fractional or missing", () => {
    assert.deepStrictEqual(errors(Payload.JunitPayload, { junit_results: [] }), {
      junit_results: "List should have at least 1 item after validation [input: []]"
    })
    const { total, ...withoutTotal } = suite(0, 0)
    assert.deepStrictEqual(
      Object.keys(
        errors(Payload.JunitPayload, {
          junit_results: [suite(-1, 0), suite(0, 0.5), withoutTotal, null]
        })
      ),
      [
        "junit_results[0].failures",
        "junit_results[1].errors",
        "junit_results[2].total",
        "junit_results[3]"
      ]
    )
  })

  it("a pull request without url or state, or with commits but without an author", () => {
    const { author, ...anonymous } = full
    assert.deepStrictEqual(
      Object.keys(
        errors(Payload.PullRequestPayload, {
          git_provider: "github",
          pull_requests: [
            { state: "OPEN" },
            { url: "u" },
            anonymous,
            { ...full, author: null },
            { ...full, commits: null },
            { ...full, commits: [{ sha1: "short" }] },
            { ...full, approvers: [{ state: "APPROVED" }] },
            { url: "u", state: "OPEN", commits: [], author: "" }
          ]
        })
      ),
      [
        "pull_requests[0].url",
        "pull_requests[1].state",
        "pull_requests[2].author",
        "pull_requests[3].author",
        "pull_requests[4].commits",
        "pull_requests[5].commits[0].sha1",
        "pull_requests[6].approvers[0].username"
      ]
    )
  })

  it("a decision without a valid control", () => {
    const decision = (control: unknown) => ({
      type_name: "decision",
      control,
      attestation_data: { is_compliant: true }
    })
    for (const control of ["CTL-7", "1", "a.b~c_d", "x".repeat(256)])
      assert.deepStrictEqual(errors(Payload.DecisionPayload, decision(control)), {})
    for (const control of ["", ".", "..", "-a", "a b", "x".repeat(257), null, undefined])
      assert.deepStrictEqual(Object.keys(errors(Payload.DecisionPayload, decision(control))), [
        "control"
      ])
    assert.deepStrictEqual(
      Object.keys(errors(Payload.DecisionPayload, { type_name: "custom", control: "a" })),
      ["type_name", "attestation_data"]
    )
  })

  it("an override without a reason, or of a type without reports", () => {
    const override = (fields: object) => ({
      reason: "false alarm",
      new_compliance_status: true,
      original_attestation_type: "snyk",
      ...fields
    })
    for (const type of [
      "generic",
      "snyk",
      "junit",
      "sonar",
      "jira",
      "pull_request",
      "custom",
      "custom:x",
      "decision",
      "system:decision"
    ])
      assert.deepStrictEqual(
        errors(Payload.OverridePayload, override({ original_attestation_type: type })),
        {}
      )
    for (const type of ["*", "override", "", "custom:", 1])
      assert.deepStrictEqual(
        Object.keys(errors(Payload.OverridePayload, override({ original_attestation_type: type }))),
        ["original_attestation_type"]
      )
    for (const reason of ["", " \n\t"])
      assert.deepStrictEqual(Object.keys(errors(Payload.OverridePayload, override({ reason }))), [
        "reason"
      ])
  })

  it("outcomes that are not booleans", () => {
    for (const is_compliant of [null, "true", 1, undefined])
      assert.deepStrictEqual(Object.keys(errors(Payload.GenericPayload, { is_compliant })), [
        "is_compliant"
      ])
  })
})
