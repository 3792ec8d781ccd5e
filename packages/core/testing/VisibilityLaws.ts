/** The laws about what was known when, checked on everything that an org has. SPEC §3.21 */

import * as CommitPosition from "@attestry/core/CommitPosition"
import { type EnvironmentRef, modeOf } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import * as EvaluationTimeline from "@attestry/core/EvaluationTimeline"
import * as FactTimeline from "@attestry/core/FactTimeline"
import { type Fingerprint, isKnown } from "@attestry/core/Fingerprint"
import * as FingerprintHistory from "@attestry/core/FingerprintHistory"
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import { type AllowedPeriod, HistoryStore } from "@attestry/core/HistoryStore"
import type { OrgId } from "@attestry/core/Identifier"
import * as Moment from "@attestry/core/Moment"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import { PolicyStore } from "@attestry/core/PolicyStore"
import type { Ports } from "@attestry/core/Ports"
import { ProvenanceStore } from "@attestry/core/ProvenanceStore"
import * as RowDecision from "@attestry/core/RowDecision"
import type { EvaluatingPolicy, ListedRow, Snapshot } from "@attestry/core/Snapshot"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as TrailCompliance from "@attestry/core/TrailCompliance"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"

/** The policies of a snapshot in the versions that evaluated it. */
const compiledOf = (org: OrgId, policies: ReadonlyArray<EvaluatingPolicy>) =>
  Effect.gen(function* () {
    const found = yield* (yield* PolicyStore).listVersions(org, { keys: policies })
    return PolicyEvaluation.compile(
      policies.map(({ id, mode, name, version }) => {
        const text = found.find((one) => one.policy_id === id && one.version === version)
        return {
          id,
          name,
          version,
          document:
            version === 0
              ? PolicyEvaluation.REQUIRE_PROVENANCE.document
              : Either.merge(PolicyDocument.parse(text?.policy_yaml ?? "")),
          ...(mode === undefined ? {} : { mode })
        }
      })
    )
  })

/** The timelines of facts of fingerprints. */
const timelinesOf = (org: OrgId, fingerprints: ReadonlyArray<Fingerprint>) =>
  Effect.gen(function* () {
    const evidence = yield* (yield* HistoryStore).evidence(org, { fingerprints: fingerprints })
    const historyOf = FingerprintHistory.group(evidence)
    const timelines = new Map(
      fingerprints.map((each) => [each as string, FactTimeline.make(historyOf(each))])
    )
    return { evidence, factsOf: (fingerprint: string) => timelines.get(fingerprint) }
  })

/** What a row of a snapshot says of flows, in short. */
const shortOf = (
  flows: ReadonlyArray<{
    readonly artifact_id: string
    readonly flow_id: string
    readonly slot: string
    readonly status: string
    readonly trail_id: string
  }>
) =>
  flows.map(({ artifact_id, flow_id, slot, status, trail_id }) => [
    flow_id,
    trail_id,
    slot,
    artifact_id,
    status
  ])

/** Decides about a row again, and compares with what was recorded. */
const checkRow = (
  { index, policies }: Pick<Snapshot, "index" | "policies">,
  row: ListedRow,
  by: {
    readonly compiled: PolicyEvaluation.CompiledPolicies
    readonly evaluated: EvaluationTimeline.Evaluation
    readonly timeline: FactTimeline.FactTimeline | undefined
  }
): void => {
  const flows = isKnown(row.fingerprint) ? (by.timeline?.at(by.evaluated) ?? []) : []
  const { policy_decisions } = PolicyEvaluation.evaluate(
    by.compiled,
    {
      artifact: { name: row.name, fingerprint: row.fingerprint },
      flows: flows.map(({ view }) => view)
    },
    Moment.at(by.evaluated.at)
  )
  const again = RowDecision.fromDecisions(policy_decisions, (_, at) => policies[at]?.id ?? "")
  const where = JSON.stringify({ index, name: row.name, evaluated: by.evaluated })
  assert.deepStrictEqual(again, row.decisions, `HIST-1 ${where}`)
  assert.deepStrictEqual(shortOf(flows), shortOf(row.flows), `HIST-2 ${where}`)
}

/** HIST-1, HIST-2: the versions of a snapshot, on the facts that each row was evaluated by, decide as recorded. */
const reproduces = (
  ref: EnvironmentRef,
  fingerprints: ReadonlyArray<Fingerprint>
): Effect.Effect<number, unknown, HistoryStore | SnapshotStore | PolicyStore> =>
  Effect.gen(function* () {
    const store = yield* SnapshotStore
    const history = yield* HistoryStore
    const { factsOf } = yield* timelinesOf(ref.org, fingerprints)
    const evaluations = EvaluationTimeline.make(yield* history.evaluations(ref))
    const latest = Option.match(yield* store.latest(ref), {
      onNone: () => 0,
      onSome: ({ index }) => index
    })
    const indexes = Array.from({ length: latest }, (_, at) => at + 1)
    const numbered = new Map(
      (yield* history.snapshots(ref, indexes)).map((each) => [each.index, each])
    )
    let checked = 0
    for (const index of indexes) {
      const found = Option.getOrThrow(yield* store.find(ref, { _tag: "AtIndex", index }))
      const compiled = yield* compiledOf(ref.org, found.policies)
      for (const row of found.rows) {
        const started = numbered.get(row.started_index)
        if (row.annotation.type === "exited" || started === undefined) continue
        const evaluated = evaluations.evaluatedAt(started, found.timestamp)
        const timeline = factsOf(row.fingerprint)
        checkRow(found, row, { compiled, evaluated, timeline })
        checked += 1
      }
    }
    return checked
  })

/** HIST-3, HIST-4: with everything visible, facts equal those of now, and each event has the status of its time. */
const agreesWithNow = (org: OrgId, fingerprints: ReadonlyArray<Fingerprint>) =>
  Effect.gen(function* () {
    const { evidence, factsOf } = yield* timelinesOf(org, fingerprints)
    const records = yield* (yield* ProvenanceStore).records(org, fingerprints, [])
    for (const fingerprint of fingerprints) {
      const now = records
        .filter(({ artifact }) => artifact.fingerprint === fingerprint)
        .sort((left, right) => left.firstSequence - right.firstSequence)
      assert.deepStrictEqual(
        (factsOf(fingerprint)?.at(CommitPosition.everything) ?? []).map(({ view }) => [
          view.flow_name,
          view.tags,
          view.trail_name,
          view.template_reference_name,
          view.artifact_status
        ]),
        now.map(({ artifact, flowName, flowTags, standing, trailName }) => [
          flowName,
          flowTags,
          trailName,
          artifact.slot,
          standing.status
        ]),
        "HIST-3"
      )
    }
    for (const trail of evidence.trails)
      for (const event of trail.events) {
        const seen = ({ sequence }: { readonly sequence: number }) => sequence <= event.sequence
        const { trail: status } = TrailCompliance.evaluate({
          template: Either.getOrThrow(
            FlowTemplate.parse(evidence.templates.get(event.template_id) ?? "")
          ),
          artifacts: trail.artifacts.filter(seen),
          attestations: trail.attestations.filter(seen)
        })
        assert.strictEqual(status.status, event.status, `HIST-4 ${event.sequence}`)
      }
  })

const textsOf = ({
  fingerprint,
  name,
  reason
}: Pick<AllowedPeriod, "fingerprint" | "name" | "reason">) => [fingerprint, name, reason]

/** HIST-5: the open periods are the present state. */
const periodsStand = (org: OrgId) =>
  Effect.gen(function* () {
    const history = yield* HistoryStore
    for (const environment of yield* (yield* EnvironmentStore).list(org)) {
      const ref = { org, environment: environment.id }
      const allowed = (yield* history.allowedPeriods(ref)).filter(({ to }) => to === null)
      const entries = yield* (yield* EnvironmentStore).listAllowed(ref)
      assert.deepStrictEqual(
        allowed.map((period) => [...textsOf(period), period.expires_at]).sort(),
        entries.map((entry) => [...textsOf(entry), entry.expires_at]).sort(),
        "HIST-5"
      )
      const attached = (yield* history.attachments(ref)).filter(({ to }) => to === null)
      assert.deepStrictEqual(
        attached.map(({ mode, policy_id }) => [policy_id, mode]).sort(),
        environment.policies.map((id) => [id, modeOf(environment, id)]).sort(),
        "HIST-5"
      )
    }
  })

/** Checks the laws on an org; answers how many rows were decided again. */
export const check = (
  org: OrgId,
  fingerprints: ReadonlyArray<Fingerprint>
): Effect.Effect<number, unknown, Ports> =>
  Effect.gen(function* () {
    yield* agreesWithNow(org, fingerprints)
    yield* periodsStand(org)
    const environments = (yield* (yield* EnvironmentStore).list(org)).filter(
      ({ included }) => included === null
    )
    const counts = yield* Effect.forEach(environments, ({ id }) =>
      reproduces({ org, environment: id }, fingerprints)
    )
    return counts.reduce((sum, count) => sum + count, 0)
  })
