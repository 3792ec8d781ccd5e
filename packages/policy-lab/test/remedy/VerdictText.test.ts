import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Moment from "@attestry/core/Moment"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { Facts, FlowView } from "@attestry/core/PolicyFacts"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Generated from "@attestry/core/testing/PolicyDocument"
import { facts } from "@attestry/core/testing/PolicyFacts"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { attestation } from "../../../core/test/policy/AttestationSample.js"
import { sayStep } from "../../src/remedy/internal/VerdictRemedies.js"
import * as PolicyRemedy from "../../src/remedy/PolicyRemedy.js"
import type * as RemedyStep from "../../src/remedy/RemedyStep.js"
import * as VerdictText from "../../src/remedy/VerdictText.js"

const FOLDER = join(import.meta.dirname, "gate")
const NOW = 1_800_000_000

const policy = (artifacts: string, over: object = {}) => ({
  id: "prod-rules",
  name: "prod-rules",
  version: 7,
  document: Either.getOrThrow(
    PolicyDocument.parse(
      `_schema: https://x.example/${artifacts.includes("max_age") ? "v2" : "v1"}\nartifacts: ${artifacts}`
    )
  ),
  ...over
})

const view = (over: Partial<FlowView> = {}): FlowView => ({
  flow_name: "shop",
  tags: {},
  trail_name: "build-118",
  artifact_status: "COMPLIANT",
  attestations: [attestation({ is_compliant: false })],
  ...over
})

const row = (...flows: ReadonlyArray<FlowView>): Facts => ({
  artifact: { name: "shop:1.0", fingerprint: "4b7e2f91".repeat(8) },
  flows
})

/** The gate of policies and a row, with its remedies. */
const gate = (
  policies: ReadonlyArray<PolicyEvaluation.PolicyVersion>,
  given: Facts,
  more: Partial<VerdictText.Gate> & { readonly options?: PolicyRemedy.RemedyOptions } = {}
): VerdictText.Gate => {
  const compiled = PolicyEvaluation.compile(policies)
  const moment = Moment.at(Timestamp.fromSeconds(NOW))
  const { policy_decisions, verdict } = PolicyEvaluation.evaluate(compiled, given, moment)
  const { options, ...over } = more
  return {
    artifact: given.artifact,
    environment: "production",
    compliant: verdict !== "NonCompliant",
    flows: given.flows.map(({ artifact_status, entries, flow_name, trail_name }) => ({
      flow_name,
      trail_name,
      git_commit: "9f3c2ab1".repeat(5),
      status: artifact_status,
      reasons: entries ?? []
    })),
    decisions: policy_decisions,
    remedies: PolicyRemedy.remedies(compiled, given, {
      allowIn: "production",
      waiveIn: "production",
      moment,
      ...options
    }),
    previous: null,
    now: NOW,
    ...over
  }
}

const TWO_RULES = policy(
  "{attestations: [{type: snyk, name: snyk-scan}, {type: junit, name: unit}]}"
)
const CONTROL = policy("{attestations: [{type: decision, name: '*', for_control: CTL-7}]}")
const ANYTHING = policy("{attestations: [{type: '*', name: review}, {type: generic, name: '*'}]}")
const PROVENANCE = policy("{provenance: {required: true}, trail-compliance: {required: true}}")
const AGED = policy(
  "{provenance: {required: true, max_age: 90d}, attestations: " +
    "[{type: junit, name: unit, max_age: 7d}, {type: decision, for_control: CTL-7, max_age: 2w}]}"
)
const INVALID = {
  id: "broken",
  name: "broken",
  version: 2,
  document: Either.getOrThrow(Either.flip(PolicyDocument.parse("_schema: x\n")))
}

const previous = (last_ran: NonNullable<VerdictText.Gate["previous"]>["last_ran"]) => ({
  fingerprint: "91ac0d3e".repeat(8),
  name: "shop:0.9",
  git_commit: null,
  last_ran
})

const entries = [
  {
    type: "missing_attestation",
    level: "trail",
    attestation_name: "review",
    attestation_type: "pull_request"
  },
  {
    type: "non_compliant_attestation",
    level: "artifact",
    attestation_name: "unit",
    attestation_type: "junit"
  }
] as const

const arrival = (passed_seconds: number, usually_after_seconds = 240) => ({
  arrivals: [
    { flow_name: "shop", attestation_name: "snyk-scan", usually_after_seconds, passed_seconds }
  ]
})

const CASES: { readonly [name: string]: () => VerdictText.Gate } = {
  "missing-and-failing": () =>
    gate([TWO_RULES], row(view()), {
      options: arrival(60),
      previous: previous({ environment: "production", from: NOW - 900_000, to: NOW - 260_000 })
    }),
  "usual-time-has-passed": () => gate([TWO_RULES], row(view()), { options: arrival(7_200) }),
  "usually-with-the-artifact": () => gate([TWO_RULES], row(view()), { options: arrival(7_200, 0) }),
  "runs-elsewhere": () =>
    gate([TWO_RULES], row(view()), {
      previous: previous({ environment: "staging", from: NOW - 3_700, to: null })
    }),
  "never-ran": () => gate([TWO_RULES], row(view()), { previous: previous(null) }),
  "several-flows": () =>
    gate(
      [TWO_RULES],
      row(view(), view({ flow_name: "release", trail_name: "r-4", attestations: [] }))
    ),
  control: () => gate([CONTROL], row(view())),
  "control-fails": () =>
    gate(
      [CONTROL],
      row(
        view({
          attestations: [
            attestation({ name: "go", type: "decision", control: "CTL-7", is_compliant: false })
          ]
        })
      )
    ),
  "any-name-and-type": () => gate([ANYTHING], row(view())),
  "no-provenance": () =>
    gate([PROVENANCE], row(), {
      options: {
        reportable: [
          view({
            artifact_status: "INCOMPLETE",
            attestations: [],
            entries: [...entries].slice(0, 1)
          })
        ]
      }
    }),
  "unknown-fingerprint": () => {
    const given = { ...row(), artifact: { name: "shop:1.0", fingerprint: "" } }
    return gate([PROVENANCE], given)
  },
  "trail-with-entries": () =>
    gate([PROVENANCE], row(view({ artifact_status: "NON-COMPLIANT", entries }))),
  "trail-without-entries": () => gate([PROVENANCE], row(view({ artifact_status: "INCOMPLETE" }))),
  "policy-error": () => gate([INVALID], row(view())),
  "flows-decide": () => {
    const given = row(view({ artifact_status: "NON-COMPLIANT", entries }))
    return {
      ...gate([], given),
      compliant: false,
      environment: null,
      remedies: PolicyRemedy.remediesInFlows(given)
    }
  },
  "too-old": () => {
    const reported_at = NOW - 100 * 86_400
    const decision = { name: "review", type: "decision", control: "CTL-7" }
    return gate(
      [AGED],
      row(
        view({
          reported_at,
          attestations: [attestation({ reported_at }), attestation({ ...decision, reported_at })]
        })
      )
    )
  },
  "search-cut-short": () => {
    const found = gate([TWO_RULES], row(view()))
    return { ...found, remedies: found.remedies.map((remedy) => ({ ...remedy, complete: false })) }
  },
  compliant: () =>
    gate(
      [TWO_RULES],
      row(view({ attestations: [attestation(), attestation({ name: "snyk-scan", type: "snyk" })] }))
    ),
  "compliant-without-environment": () => ({
    ...gate([PROVENANCE], row(view())),
    environment: null
  }),
  "warning-only": () =>
    gate([PROVENANCE, { ...TWO_RULES, name: "new-rules", mode: "warn" }], row(view())),
  "refused-and-warned": () =>
    gate([CONTROL, { ...TWO_RULES, name: "new-rules", mode: "warn" }], row(view()))
}

/** A line for each kind of step; a new kind does not compile without one. */
const STEP_LINES: { readonly [Do in RemedyStep.Step["do"]]: RegExp } = {
  attest: /^ +(?:\d+ {2}|and )report `[^`]+` of type `[^`]+`(?! again)/,
  fix: /report `[^`]+` of type `[^`]+`.* again once it passes, or override it$/,
  renew: /report a new `[^`]+` of type `[^`]+`.*: the latest is too old$/,
  wait: /wait for `[^`]+` of type `[^`]+`.* \(usually arrives .+ after the artifact; .+ ha(?:s|ve) passed\)$/,
  decide: /record a decision `[^`]+` about control `[^`]+`/,
  complete: /report what trail .+ of flow .+ still misses$/,
  report:
    /report the artifact to flow .+$|report the artifact again, from a new build, in trail .+ of flow .+$/,
  save_policy: /save a valid version of policy .+$/,
  waive: /request a waiver of the rule about .+ of policy .+ in .+; it needs approval and ends$/,
  allow: /allow [0-9a-f]+… in .+: every rule, until removed$/
}

/** The lines that are no steps. */
const OTHER_LINES: ReadonlyArray<RegExp> = [
  /^error: .+ may not run in .+$/,
  /^error: .+ is not compliant$/,
  /^ok: .+ may run in .+$/,
  /^ok: .+ is compliant$/,
  /^ {2}(?:[0-9a-f]+…, )?built by flow .+ in trail .+ from commit [0-9a-f]+$/,
  /^ {2}(?:[0-9a-f]+…, )?built by flow .+, known to 1 other flow$/,
  /^ {2}[0-9a-f]+…, no flow knows it$/,
  /^ {2}no flow knows it$/,
  /^ {2}.+, version \d+: \d+ of \d+ rules? fails?$/,
  /^ {2}.+, version \d+: cannot be evaluated$/,
  /^ {4}rule \d+ +attestation.* none in trail .+ of flow .+$/,
  /^ {4}rule \d+ +attestation.* the latest in trail .+ of flow .+ fails$/,
  /^ {4}rule \d+ +attestation.*, at most .+ old +the latest in trail .+ of flow .+ is too old$/,
  /^ {4}rule \d+ +decision.*, at most .+ old +the latest is too old$/,
  /^ {4}rule \d+ +provenance, at most .+ old +the newest record in trail .+ of flow .+ is too old$/,
  /^ {4}rule \d+ +decision.* none in any flow$/,
  /^ {4}rule \d+ +decision.* the latest is not compliant$/,
  /^ {4}rule \d+ +provenance +no flow knows the artifact$/,
  /^ {4}rule \d+ +compliance in the trail +(?:NON-COMPLIANT|INCOMPLETE) in trail .+$/,
  /^ {4}rule \d+ +compliance in the trail +no flow knows the artifact$/,
  /^ {2}flow .+: (?:NON-COMPLIANT|INCOMPLETE) in trail .+$/,
  /^ {4}(?:missing|fails) +attestation .+ for the (?:trail|artifact)$/,
  /^ {2}to make it compliant, smallest first$/,
  /report it to the flow that builds it, and then what that flow still misses$/,
  /run .+ \([0-9a-f]+…\) instead: compliant now, it has never run$/,
  /run .+ instead: compliant now, it has run .+ for .+$/,
  /run .+ instead: compliant now, it ran here until .+ ago$/,
  /\(the search was cut short: there may be a smaller way\)$/,
  /^ {9}attestry attest .*'(?:--compliant=)?<[A-Z_]+>'/,
  /^ {9}attestry waiver request .+ --until '<END>' --reason '<REASON>'$/,
  /^warning: these policies are on trial and refuse nothing yet$/
]

describe("VerdictText", () => {
  for (const [name, make] of Object.entries(CASES))
    it(`prints \`${name}\` as its golden file`, () => {
      const file = join(FOLDER, `${name}.txt`)
      const text = VerdictText.render(make())
      if (process.env.ATTESTRY_GOLDEN === "write") writeFileSync(file, text)
      assert.isTrue(existsSync(file), `write it with ATTESTRY_GOLDEN=write`)
      assert.strictEqual(text, readFileSync(file, "utf8"))
    })

  it("has no golden file without a case", () => {
    assert.deepStrictEqual(
      readdirSync(FOLDER).sort(),
      Object.keys(CASES)
        .map((name) => `${name}.txt`)
        .sort()
    )
  })

  it("has a golden file for every line that it can print, and no line of another kind", () => {
    const lines = Object.values(CASES).flatMap((make) =>
      VerdictText.render(make()).trimEnd().split("\n")
    )
    const kinds = [...Object.values(STEP_LINES), ...OTHER_LINES]
    const missing = kinds.filter((kind) => !lines.some((line) => kind.test(line)))
    assert.deepStrictEqual(missing.map(String), [])
    const strange = lines.filter((line) => line !== "" && !kinds.some((kind) => kind.test(line)))
    assert.deepStrictEqual(strange, [])
  })

  it.prop(
    "REMEDY-6: names every step of a remedy once",
    { given: Generated.policies, drawn: facts },
    ({ drawn, given }) => {
      const found = gate(given, drawn)
      const shown = [...VerdictText.remedyLines(found)].slice(2)
      // WHY: the line about a report stands before every remedy of an artifact that no flow knows.
      if (found.flows.length === 0) shown.shift()
      const said = found.remedies.flatMap(({ steps }) =>
        steps.flatMap((step) => [
          sayStep(step, drawn.flows.length > 1),
          ...("command" in step && step.command !== undefined ? [step.command] : [])
        ])
      )
      assert.deepStrictEqual(
        shown.map((line) => line.replace(/^ +(?:\d+ +)?(?:and )?/, "")),
        said
      )
    }
  )
})
