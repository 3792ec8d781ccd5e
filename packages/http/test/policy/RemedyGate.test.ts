/**
 * GATE-1: every remedy that a gate lists opens that gate when it is carried out. Each remedy is carried out by requests
 * of its own, in an org that is as it was when the gate was asked.
 *
 * Policies limit the age of evidence, and time passes before a gate is asked: evidence is too old, and an entry of the
 * allow-list has ended.
 */
import { FastCheck } from "effect"
import { assert, it } from "vitest"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import { c1, evidenceOf } from "../shared/Evidence.js"
import { onEveryStore, type TestServer } from "../shared/TestServer.js"
import { TRAVELLING, timeTravel } from "../shared/TimeTravel.js"
import { policyEnvironment } from "./PolicyEnvironment.js"

const NAMES = ["scan", "unit"] as const
const TYPES = ["generic", "junit", "*"] as const

/** The age that a rule allows; undefined without a limit. */
const maxAge = FastCheck.constantFrom(undefined, "30m", "2h")

/** Minutes until an entry ends that is made before time passes. */
const ENTRY_MINUTES = 10

/** A gate and the evidence that it finds. */
const gates = FastCheck.record({
  provenance: FastCheck.boolean(),
  provenanceAge: maxAge,
  trailCompliance: FastCheck.boolean(),
  rules: FastCheck.uniqueArray(
    FastCheck.record({
      name: FastCheck.constantFrom(...NAMES),
      type: FastCheck.constantFrom(...TYPES),
      age: maxAge
    }),
    { maxLength: 2, selector: ({ name }) => name }
  ),
  control: FastCheck.boolean(),
  controlAge: maxAge,
  /** Minutes between the evidence and the gate. */
  minutes: FastCheck.constantFrom(0, 45, 180),
  /** Whether an entry of the allow-list has ended before the gate. */
  hasEntry: FastCheck.boolean(),
  /** Whether entries that remedies ask for get an end. */
  entriesEnd: FastCheck.boolean(),
  template: FastCheck.subarray([...NAMES, "review"]),
  /** The outcomes that the flow knows; undefined if no flow knows the artifact. */
  evidence: FastCheck.option(
    FastCheck.array(
      FastCheck.record({
        name: FastCheck.constantFrom(...NAMES),
        isCompliant: FastCheck.boolean(),
        isOfArtifact: FastCheck.boolean()
      }),
      { maxLength: 3 }
    ),
    { nil: undefined }
  )
})

type Gate = typeof gates extends FastCheck.Arbitrary<infer A> ? A : never

interface Step {
  readonly do: string
  readonly trail_name: string
  readonly attestation_name: string
  readonly attestation_type: string
  readonly level: "artifact" | "trail"
  readonly for_control: string
  readonly policy_name: string
  readonly rule: object
}

type Travel = ReturnType<typeof timeTravel>

interface Answer {
  readonly compliant: boolean
  readonly reasons_for_incompliance: ReadonlyArray<object>
  readonly remedies: ReadonlyArray<{ readonly steps: ReadonlyArray<Step> }>
  readonly flows: ReadonlyArray<object>
}

const aged = (age: string | undefined): string => (age === undefined ? "" : `, max_age: ${age}`)

const textOf = (gate: Gate): string =>
  [
    "_schema: https://example.org/schemas/environment-policy/v2",
    "artifacts:",
    `  provenance: {required: ${gate.provenance}${aged(gate.provenanceAge)}}`,
    `  trail-compliance: {required: ${gate.trailCompliance}}`,
    "  attestations:",
    ...gate.rules.map(
      ({ age, name, type }) => `    - {name: ${name}, type: "${type}"${aged(age)}}`
    ),
    ...(gate.control
      ? [`    - {type: decision, for_control: GATE-1${aged(gate.controlAge)}}`]
      : []),
    ...(gate.rules.length === 0 && !gate.control ? ["    []"] : [])
  ].join("\n")

const templateOf = ({ template }: Gate): string =>
  [
    "version: 1",
    "trail:",
    "  artifacts:",
    "    - name: api",
    "      attestations:",
    ...(template.length === 0 ? ["        []"] : []),
    ...template.map((name) => `        - {name: ${name}, type: "*"}`)
  ].join("\n")

const SUITE = { name: "s", failures: 0, errors: 0, skipped: 0, total: 3, duration: 0.5 }

const BODIES = {
  generic: { is_compliant: true },
  junit: { junit_results: [SUITE] }
} as const

/** A gate with its evidence under names of its own. */
const build = (
  { server, travel }: { readonly server: TestServer; readonly travel: Travel },
  gate: Gate,
  { fingerprint, name }: { readonly fingerprint: string; readonly name: string }
) => {
  const env = policyEnvironment(server, name)
  const flow = evidenceOf(server, name)
  const done = async (answer: Promise<{ readonly status: number; readonly body: unknown }>) => {
    const { body, status } = await answer
    assert.isBelow(status, 300, JSON.stringify(body))
  }
  const carryOut = async (step: Step) => {
    const bound = step.level === "artifact" ? { artifact_fingerprint: fingerprint } : {}
    const attested = { attestation_name: step.attestation_name, ...bound }
    switch (step.do) {
      case "allow":
        return done(
          env.allow(fingerprint, gate.entriesEnd ? { expires_at: travel.now() + 60 } : {})
        )
      case "waive":
        return done(
          server.call("POST /waivers/{org}", {
            body: {
              policy_name: step.policy_name,
              rule: step.rule,
              environment: name,
              artifact_fingerprint: fingerprint,
              expires_at: travel.now() + 60,
              reason: "the gate proposed it",
              owner: "max"
            }
          })
        )
      case "report":
        return done(flow.artifact(step.trail_name ?? "t1", "api", fingerprint, c1))
      case "complete":
        for (const attested of gate.template)
          await done(flow.generic("t1", attested, true, { artifact_fingerprint: fingerprint }))
        return
      case "save_policy":
        return done(env.policy(name, textOf(gate)))
      case "decide":
        return done(
          flow.attest(step.trail_name, "system", {
            ...attested,
            type_name: "decision",
            control: step.for_control,
            attestation_data: { is_compliant: true }
          })
        )
      case "attest":
      case "renew":
      case "wait":
      case "fix": {
        const kind = step.attestation_type === "junit" ? "junit" : "generic"
        return done(flow.attest(step.trail_name, kind, { ...attested, ...BODIES[kind] }))
      }
      default:
        return assert.fail(`the gate lists a step that cannot be carried out: ${step.do}`)
    }
  }
  const open = async () => {
    await done(env.policy(name, textOf(gate)))
    await done(env.create({ policies: [name] }))
    if (gate.hasEntry && gate.minutes > ENTRY_MINUTES)
      await done(env.allow(fingerprint, { expires_at: travel.now() + ENTRY_MINUTES * 60 }))
    if (gate.evidence !== undefined) await bring(gate.evidence)
    await travel.wait(gate.minutes)
  }
  const bring = async (evidence: NonNullable<Gate["evidence"]>) => {
    await done(flow.putFlow(templateOf(gate)))
    await done(flow.artifact("t1", "api", fingerprint, c1))
    for (const { isCompliant, isOfArtifact, name: attested } of evidence)
      await done(
        flow.generic(
          "t1",
          attested,
          isCompliant,
          isOfArtifact ? { artifact_fingerprint: fingerprint } : {}
        )
      )
  }
  const ask = async () => {
    const { body, status } = await server.call("GET /asserts/{org}/fingerprint/{fingerprint}", {
      path: { fingerprint },
      query: `?environment_name=${name}&remedies=5`
    })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Answer
  }
  return { ask, carryOut, open }
}

const tests = (server: TestServer): void => {
  const travel = timeTravel(server)

  it("GATE-1: is opened by every remedy that it lists, and explains every no", async () => {
    const control = { identifier: "GATE-1", name: "decided" }
    assert.strictEqual((await server.call("POST /controls/{org}", { body: control })).status, 201)
    const settings = {
      max_days: 7,
      approvals_required: 0,
      approver_role: "admin",
      self_approval: false
    }
    assert.strictEqual(
      (await server.call("PUT /waiver-settings/{org}", { body: settings })).status,
      200
    )
    let count = 0
    const fresh = (gate: Gate) => {
      count++
      const fingerprint = count.toString(16).padStart(64, "0")
      return build({ server, travel }, gate, { fingerprint, name: `gate-${count}` })
    }
    const run = async (gate: Gate) => {
      const first = fresh(gate)
      await first.open()
      const answer = await first.ask()
      if (answer.compliant) return
      assert.isTrue(answer.reasons_for_incompliance.length > 0 || answer.flows.length > 0)
      assert.isNotEmpty(answer.remedies)
      for (const [index, { steps }] of answer.remedies.entries()) {
        const tried = fresh(gate)
        await tried.open()
        // WHY asked again: a remedy names trails and flows of its own gate.
        const own = (await tried.ask()).remedies[index]?.steps ?? []
        assert.deepStrictEqual(
          own.map((step) => [step.do, step.attestation_name]),
          steps.map((step) => [step.do, step.attestation_name])
        )
        for (const step of own) await tried.carryOut(step)
        assert.isTrue((await tried.ask()).compliant, JSON.stringify({ gate, own }))
      }
    }
    await FastCheck.assert(FastCheck.asyncProperty(gates, run), {
      numRuns: lengthForRun({ quick: 5, full: 25, deep: 500 })
    })
  }, 120_000)
}

onEveryStore("a gate", tests, TRAVELLING)
