/**
 * Histories of a trail through the use cases, on any store: after every report, the stored status is the
 * model's for the journal.
 */

import { CurrentActor } from "@attestry/core/Actor"
import { ArtifactReport } from "@attestry/core/Artifact"
import { Artifacts } from "@attestry/core/Artifacts"
import type { ArtifactRecord, AttestationRecord } from "@attestry/core/AttestationBinding"
import { type AttestationReport, CommonFields } from "@attestry/core/AttestationReport"
import { Attestations } from "@attestry/core/Attestations"
import { FlowStore } from "@attestry/core/FlowStore"
import { Flows } from "@attestry/core/Flows"
import { type FlowTemplate, print } from "@attestry/core/FlowTemplate"
import { FlowName, TrailName } from "@attestry/core/Identifier"
import type { JournalEntry } from "@attestry/core/JournalEntry"
import { JournalStore } from "@attestry/core/JournalStore"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import { TrailStore } from "@attestry/core/TrailStore"
import { Trails } from "@attestry/core/Trails"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TrailHistory from "./arbitrary/TrailHistory.js"
import * as Fixture from "./Fixture.js"
import * as Model from "./internal/model/TrailComplianceModel.js"
import { type SuiteOptions, suite } from "./Suite.js"

const flow = FlowName.make("build")
const trail = TrailName.make("run")

const services = UseCases.layer.pipe(Layer.provide(SecretsWebCrypto.layer))

const reportOf = (event: TrailHistory.TrailEvent & { readonly _tag: "Artifact" }, index: number) =>
  Schema.decodeSync(ArtifactReport)({
    fingerprint: event.fingerprint,
    filename: event.slot,
    build_url: `build-${index}`,
    commit_url: "c",
    trail_name: trail,
    template_reference_name: event.slot,
    ...(event.commit === null ? {} : { git_commit: event.commit })
  })

const attestationOf = (
  event: TrailHistory.TrailEvent & { readonly _tag: "Attestation" },
  index: number
): AttestationReport => ({
  type: event.type,
  isOverride: event.isOverride,
  isCompliant: event.isCompliant,
  body: {
    ...Schema.decodeSync(CommonFields)({
      attestation_name: event.name,
      artifact_fingerprint: event.fingerprint,
      target_artifacts: event.slots,
      git_commit_info: event.commit === null ? null : { sha1: event.commit },
      user_data: { index }
    })
  }
})

/** One report; a report about an absent artifact is refused without an effect. */
const happen = (org: Org, event: TrailHistory.TrailEvent, index: number) =>
  event._tag === "Artifact"
    ? Effect.flatMap(Artifacts, (artifacts) =>
        artifacts.report(org.name, flow, reportOf(event, index))
      )
    : Effect.flatMap(Attestations, (attestations) =>
        attestations.report<never>({ org: org.name, flow, trail }, attestationOf(event, index), [])
      ).pipe(Effect.catchTag("ArtifactNotInTrail", () => Effect.succeed("refused" as const)))

const ArtifactContent = Schema.parseJson(
  Schema.Struct({
    artifact_id: Schema.String,
    report: Schema.Struct({
      fingerprint: Schema.String,
      template_reference_name: Schema.String,
      git_commit: Schema.optional(Schema.String)
    })
  })
)

const AttestationContent = Schema.parseJson(
  Schema.Struct({
    attestation_id: Schema.String,
    name: Schema.String,
    type: Schema.String,
    isCompliant: Schema.Boolean,
    isOverride: Schema.Boolean,
    fingerprint: Schema.NullOr(Schema.String),
    slots: Schema.Array(Schema.String),
    commit: Schema.NullOr(Schema.String)
  })
)

/** The evidence in the journal. */
const evidenceOf = (entries: ReadonlyArray<JournalEntry>) => {
  const artifacts: Array<ArtifactRecord> = []
  const attestations: Array<AttestationRecord> = []
  for (const { kind, sequence, content } of entries) {
    if (kind === "artifact_creation_reported") {
      const { artifact_id, report } = Schema.decodeSync(ArtifactContent)(content)
      artifacts.push({
        sequence,
        id: artifact_id,
        slot: report.template_reference_name,
        fingerprint: report.fingerprint,
        commit: report.git_commit ?? null
      })
    } else if (kind.includes("attestation")) {
      const { attestation_id, ...said } = Schema.decodeSync(AttestationContent)(content)
      attestations.push({ ...said, sequence, id: attestation_id })
    }
  }
  return { artifacts, attestations }
}

const compare = (org: Org, template: FlowTemplate) =>
  Effect.gen(function* () {
    const found = Option.getOrThrow(
      yield* (yield* FlowStore).findByName({ org: org.id, name: flow })
    )
    const key = { org: org.id, flow: found.id, name: trail }
    const { id } = Option.getOrThrow(yield* (yield* TrailStore).findByName(key))
    const stored = Option.getOrThrow(yield* (yield* TrailStore).findEvaluation(org.id, id))
    const entries = yield* (yield* JournalStore).listBySubject(org.id, { type: "trail", id })
    const expected = Model.evaluate({ template, ...evidenceOf(entries) })
    deepStrictEqual({ trail: stored.trail, records: stored.records }, expected)
    assert.strictEqual(stored.evaluated_at, entries.at(-1)?.at)
  })

/** States that stored statuses are the model's, after every report of any history. */
export const trailStatusSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { histories, ...options }: SuiteOptions & { readonly histories: number }
): void =>
  suite(`the status of trails (${name})`, ports, options, (it) => {
    it.effect.prop(
      "is the model's for the journal, after every report",
      { history: TrailHistory.trailHistory },
      ({ history: { template, events } }) =>
        Effect.gen(function* () {
          const org = yield* Fixture.org
          yield* Effect.gen(function* () {
            const content = { name: flow, description: "", template: print(template) }
            yield* (yield* Flows).put(org.name, content)
            yield* (yield* Trails).begin(org.name, flow, { name: trail })
            for (const [index, event] of events.entries()) {
              yield* happen(org, event, index)
              yield* compare(org, template)
            }
          }).pipe(
            Effect.provide(services),
            Effect.provideService(CurrentActor, Fixture.actor([org, "member"]))
          )
        }),
      { fastCheck: { numRuns: histories }, timeout: 180_000 }
    )
  })
