/**
 * Histories of an environment through the use cases, on any store: after every command the snapshots are the
 * model's, and no snapshot ever changes.
 */

import { CurrentActor } from "@attestry/core/Actor"
import { AllowLists } from "@attestry/core/AllowLists"
import { ArtifactReport } from "@attestry/core/Artifact"
import { Artifacts } from "@attestry/core/Artifacts"
import { CommonFields } from "@attestry/core/AttestationReport"
import { Attestations } from "@attestry/core/Attestations"
import { Environments } from "@attestry/core/Environments"
import * as FastReportReader from "@attestry/core/FastReportReader"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { Flows } from "@attestry/core/Flows"
import { EnvironmentName, FlowName, PolicyName, TrailName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import { Policies } from "@attestry/core/Policies"
import { PolicyAttachments } from "@attestry/core/PolicyAttachments"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import type { Ports } from "@attestry/core/Ports"
import { Reports } from "@attestry/core/Reports"
import { type CompleteSnapshot, Snapshots } from "@attestry/core/Snapshots"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Fixture from "./Fixture.js"
import * as Model from "./internal/model/VerdictHistoryModel.js"
import * as ReportFixture from "./ReportFixture.js"
import { type SuiteOptions, suite } from "./Suite.js"

const prod = EnvironmentName.make("prod")
const FLOWS = ["build", "release"].map((name) => FlowName.make(name))
const POLICIES = ["base", "strict"]
const CONTENTS = ["a", "b"].map((digit) => Fingerprint.make(digit.repeat(64)))

const yaml = (artifacts: string): string =>
  `_schema: https://example.org/policy/v1\nartifacts:\n${artifacts}`

const TEXTS = [
  yaml("  provenance: {required: true}\n"),
  yaml("  trail-compliance: {required: true}\n"),
  yaml(`  attestations: [{type: generic, name: ${Model.ATTESTATION}}]\n`),
  yaml(`  provenance: {required: true, exceptions: [{if: '\${{ flow.tags.risk == "low" }}'}]}
  attestations: [{type: generic, if: '\${{ flow.tags.risk == "high" }}'}]\n`)
]

const DOCUMENTS = TEXTS.map((text) => Either.getOrThrow(PolicyDocument.parse(text)))

const of = <A>(values: ReadonlyArray<A>): FastCheck.Arbitrary<A> =>
  FastCheck.constantFrom(...values)

const rows = FastCheck.uniqueArray(
  FastCheck.record({ name: of(["shop", "mystery"]), fingerprint: of(CONTENTS) }),
  { maxLength: 3, selector: ({ fingerprint, name }) => `${name} ${fingerprint}` }
)

const tagged = <const Tag extends string, F extends object>(
  _tag: Tag,
  fields: { readonly [K in keyof F]: FastCheck.Arbitrary<F[K]> }
): FastCheck.Arbitrary<{ readonly _tag: Tag } & F> =>
  // WHY: the record has exactly the fields of the object it was made from.
  FastCheck.record(fields).map((drawn) => ({ _tag, ...(drawn as F) }))

const command: FastCheck.Arbitrary<Model.VerdictCommand> = FastCheck.oneof(
  { weight: 6, arbitrary: tagged("Report", { rows }) },
  { weight: 2, arbitrary: tagged("Attach", { policy: of(POLICIES) }) },
  { weight: 1, arbitrary: tagged("Detach", { policy: of(POLICIES) }) },
  { weight: 2, arbitrary: tagged("Save", { policy: of(POLICIES), text: of([0, 1, 2, 3]) }) },
  { weight: 1, arbitrary: tagged("Allow", { fingerprint: of(CONTENTS) }) },
  { weight: 1, arbitrary: tagged("Disallow", { fingerprint: of(CONTENTS) }) },
  { weight: 2, arbitrary: tagged("Build", { flow: of(FLOWS), fingerprint: of(CONTENTS) }) },
  {
    weight: 3,
    arbitrary: tagged("Attest", {
      flow: of(FLOWS),
      fingerprint: of(CONTENTS),
      isCompliant: FastCheck.boolean()
    })
  },
  { weight: 2, arbitrary: tagged("Tag", { flow: of(FLOWS), risk: of(["high", "low"]) }) }
)

const services = UseCases.layer.pipe(
  Layer.provide(SecretsWebCrypto.layer),
  Layer.provide(FastReportReader.layer)
)

const report = (org: Org, said: ReadonlyArray<Model.ModelKey>, count: number) =>
  Effect.flatMap(Reports, (reports) =>
    reports.accept(org.name, prod, ReportFixture.submitted("server", `body ${count}`, said))
  )

const build = (org: Org, flow: string, fingerprint: string) =>
  Effect.flatMap(Artifacts, (artifacts) =>
    artifacts.report(
      org.name,
      FlowName.make(flow),
      Schema.decodeSync(ArtifactReport)({
        fingerprint,
        filename: "shop",
        build_url: "b",
        commit_url: "c",
        trail_name: Model.TRAIL,
        template_reference_name: `slot-${fingerprint.slice(0, 1)}`
      })
    )
  )

const attest = (
  org: Org,
  { fingerprint, flow, isCompliant }: Model.VerdictCommand & { readonly _tag: "Attest" },
  count: number
) =>
  Effect.flatMap(Attestations, (attestations) =>
    attestations.report<never>(
      { org: org.name, flow: FlowName.make(flow), trail: TrailName.make(Model.TRAIL) },
      {
        type: "generic",
        isOverride: false,
        isCompliant,
        body: Schema.decodeSync(CommonFields)({
          attestation_name: Model.ATTESTATION,
          artifact_fingerprint: fingerprint,
          user_data: { count }
        })
      },
      []
    )
  ).pipe(Effect.catchTag("ArtifactNotInTrail", () => Effect.void))

const save = (org: Org, policy: string, text: number) =>
  Effect.flatMap(Policies, (policies) =>
    policies.put(org.name, {
      name: PolicyName.make(policy),
      description: "",
      comment: "",
      policy_yaml: TEXTS[text] ?? ""
    })
  )

/** Runs a command. */
const happen = (org: Org, said: Model.VerdictCommand, count: number) =>
  Effect.gen(function* () {
    const attachments = yield* PolicyAttachments
    const allowLists = yield* AllowLists
    switch (said._tag) {
      case "Report":
        return yield* report(org, said.rows, count)
      case "Attach":
        return yield* attachments.attach(org.name, prod, [said.policy])
      case "Detach":
        return yield* attachments.detach(org.name, prod, [said.policy])
      case "Save":
        return yield* save(org, said.policy, said.text)
      case "Allow": {
        const fingerprint = Fingerprint.make(said.fingerprint)
        return yield* allowLists.put(org.name, prod, { fingerprint, name: "n", reason: "r" })
      }
      case "Disallow":
        return yield* allowLists
          .remove(org.name, prod, Fingerprint.make(said.fingerprint))
          .pipe(Effect.catchTag("AllowListEntryNotFound", () => Effect.void))
      case "Build":
        return yield* build(org, said.flow, said.fingerprint)
      case "Attest":
        return yield* attest(org, said, count)
      case "Tag": {
        const tags = { set: { risk: said.risk }, remove: [] }
        return yield* (yield* Flows).tag(org.name, FlowName.make(said.flow), tags)
      }
    }
  })

/** A snapshot in the form of the model. */
const toModel = ({ policies, rows, snapshot }: CompleteSnapshot): Model.ModelSnapshot => ({
  verdict: snapshot.verdict,
  policies: policies.map(({ name, version }) => [name, version]),
  rows: rows
    .filter(({ annotation }) => annotation.type !== "exited")
    .map(
      (row): Model.ModelRow => ({
        name: row.name,
        fingerprint: row.fingerprint,
        verdict: row.verdict,
        statuses: row.policy_decisions.map(({ policy_name, status }) => [policy_name, status]),
        failing: row.reasons.map(({ flow_name, policy_name, policy_version, rule_index, type }) => [
          policy_name,
          policy_version,
          rule_index,
          flow_name,
          type
        ]),
        provenance: row.policy_decisions.length === 0 ? [] : row.flows.map(({ status }) => status)
      })
    )
    .sort((left, right) =>
      `${left.name} ${left.fingerprint}` < `${right.name} ${right.fingerprint}` ? -1 : 1
    )
})

/** The model's snapshot with the fields that a stored one has. */
const shown = ({ rows, ...snapshot }: Model.ModelSnapshot): Model.ModelSnapshot => ({
  ...snapshot,
  rows: rows.map((row) => ({
    ...row,
    failing: row.verdict === "NonCompliant" ? row.failing : [],
    provenance:
      row.statuses.length === 0
        ? []
        : row.provenance.map((view) => (Array.isArray(view) ? view[1] : view))
  }))
})

/** Laws that every snapshot keeps by itself. */
const checkLaws = ({ policies, rows, snapshot }: CompleteSnapshot): void => {
  const running = rows.filter(({ annotation }) => annotation.type !== "exited")
  const { counts } = snapshot
  // SNAP-21
  assert.strictEqual(counts.true + counts.false + counts.null, running.length)
  for (const row of running) {
    // POL-21
    assert.strictEqual(row.reasons.length > 0, row.verdict === "NonCompliant")
    assert.strictEqual(row.policy_decisions.length, policies.length)
  }
  for (const { failing_artifacts, name } of policies) {
    const failing = running.filter(({ policy_decisions }) =>
      policy_decisions.some((one) => one.policy_name === name && one.status !== "COMPLIANT")
    )
    // POL-22
    assert.deepStrictEqual(
      failing_artifacts,
      [...new Set(failing.map(({ fingerprint }) => fingerprint))].sort()
    )
  }
}

const read = (org: Org, index: number) =>
  Effect.flatMap(Snapshots, (snapshots) =>
    snapshots.get(org.name, prod, { _tag: "Index", n: index })
  )

const play = (commands: ReadonlyArray<Model.VerdictCommand>) =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    const step = Model.make(DOCUMENTS)
    const seen: Array<CompleteSnapshot> = []
    const life = Effect.gen(function* () {
      const environments = yield* Environments
      yield* environments.put(org.name, { name: prod, type: "server" })
      for (const flow of FLOWS) yield* (yield* Flows).put(org.name, { name: flow, description: "" })
      const first = POLICIES.map(
        (policy): Model.VerdictCommand => ({ _tag: "Save", policy, text: 0 })
      )
      for (const [count, said] of [...first, ...commands].entries()) {
        yield* happen(org, said, count)
        const expected = step(said)
        for (let index = seen.length + 1; index <= expected.length; index++) {
          const snapshot = yield* read(org, index)
          checkLaws(snapshot)
          seen.push(snapshot)
        }
        assert.deepStrictEqual(seen.map(toModel), expected.map(shown), JSON.stringify(said))
        const beyond = yield* Effect.flip(read(org, expected.length + 1))
        assert.strictEqual(beyond._tag, "SnapshotNotFound")
        const { environment } = yield* environments.get(org.name, prod)
        assert.strictEqual(environment.verdict, expected.at(-1)?.verdict ?? null)
      }
      // SNAP-34
      for (const [at, before] of seen.entries()) {
        const { policies, rows } = yield* read(org, at + 1)
        assert.deepStrictEqual([policies, rows], [before.policies, before.rows])
      }
    })
    yield* Effect.provideService(life, CurrentActor, Fixture.actor([org, "admin"]))
  }).pipe(Effect.provide(services))

/** Runs histories of environments on a store. */
export const verdictHistorySuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { lives, ...options }: SuiteOptions & { readonly lives: number }
): void =>
  suite(`verdicts over time (${name})`, ports, options, (it) => {
    it.effect.prop(
      "SNAP-6, SNAP-20 to SNAP-34, POL-6, POL-21, POL-22: are those of the model, and never change afterwards",
      { commands: FastCheck.array(command, { minLength: 5, maxLength: 25, size: "max" }) },
      ({ commands }) => play(commands),
      { fastCheck: { numRuns: lives }, timeout: 600_000 }
    )
  })
