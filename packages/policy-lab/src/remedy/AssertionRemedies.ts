/**
 * Asserts artifacts with remedies: steps that would make an artifact compliant, and the nearest earlier artifact that
 * is compliant now. SPEC §3.15
 */

import { type Artifact, commitOf } from "@attestry/core/Artifact"
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import {
  type AssertionQuery,
  Assertions,
  type AssertionView,
  compliantInFlows
} from "@attestry/core/Assertions"
import { AttestationStore } from "@attestry/core/AttestationStore"
import type { Fingerprint } from "@attestry/core/Fingerprint"
import { FlowStore } from "@attestry/core/FlowStore"
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import type { OrgId, OrgName, TrailId } from "@attestry/core/Identifier"
import type { Moment } from "@attestry/core/Moment"
import type { Placement, Run } from "@attestry/core/Placement"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { Facts, FlowView } from "@attestry/core/PolicyFacts"
import { type PolicySet, readingOf } from "@attestry/core/PolicySets"
import type { FlowRecord } from "@attestry/core/ProvenanceStore"
import { type GrantedWithin, Reaches } from "@attestry/core/Reaches"
import { ReadModels } from "@attestry/core/ReadModels"
import { type Known, RowEvidence } from "@attestry/core/RowEvidence"
import { toSeconds } from "@attestry/core/Timestamp"
import { TrailStore } from "@attestry/core/TrailStore"
import { Transaction } from "@attestry/core/Transaction"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ArrivalStatistics from "./internal/ArrivalStatistics.js"
import * as FailingEntries from "./internal/FailingEntries.js"
import * as PolicyRemedy from "./PolicyRemedy.js"
import type { PreviousCompliant, Remedy } from "./RemedyStep.js"

/** The number of earlier records that are evaluated. */
export const EARLIER_MAX = 50

/** The most flows whose usual times are looked up. */
const FLOWS_MAX = 3
/** The most attestations that are looked at for the usual times of one flow. */
const ATTESTATIONS_MAX = 500

/** An artifact that is not compliant, with the policies that decided so. */
interface Remedied {
  readonly org: OrgId
  readonly granted: GrantedWithin
  readonly set: PolicySet
  readonly facts: Facts
  readonly records: ReadonlyArray<FlowRecord>
  /** The environment that was asked about. */
  readonly environment?: string
  /** Whether an entry of the environment's allow-list is a remedy. */
  readonly canBeAllowed: boolean
  /** Only what this flow knows counts. */
  readonly flow?: string
  readonly limit: number
  readonly moment: Moment
}

/** Steps that would make an artifact compliant, and an earlier artifact that is. */
export interface RemediesFound {
  readonly remedies: ReadonlyArray<Remedy>
  readonly previous: PreviousCompliant | null
}

/** An assertion with remedies; a compliant artifact has none. */
export interface RemediedAssertion extends AssertionView {
  readonly found: RemediesFound
}

const NO_REMEDIES: RemediesFound = { remedies: [], previous: null }

/** The template of the last evaluation of each trail; the empty one where it is not known. */
type Templates = ReadonlyMap<TrailId, FlowTemplate.FlowTemplate>

/** The facts with what the template of each flow still asks for. */
const withEntries = (
  facts: Facts,
  records: ReadonlyArray<FlowRecord>,
  templates: Templates
): Facts => ({
  ...facts,
  flows: facts.flows.map((view, index): FlowView => {
    const record = records[index]
    const template = record === undefined ? undefined : templates.get(record.artifact.trail_id)
    if (record === undefined || template === undefined) return view
    return { ...view, entries: FailingEntries.of(template, record.standing) }
  })
})

const isFailing = ({ standing }: FlowRecord): boolean =>
  standing.flow_reasons_for_non_compliance.length > 0

const newer = (left: Run, right: Run): number =>
  Number(right.exited === null) - Number(left.exited === null) || right.started.at - left.started.at

/** The last run of an artifact: in the environment asked about where it ran there, else anywhere. */
const lastRun = (
  placements: ReadonlyArray<Placement>,
  environment: string | undefined
): PreviousCompliant["last_ran"] => {
  const here = placements.filter(({ environmentName }) => environmentName === environment)
  const [last] = (here.length === 0 ? placements : here)
    .flatMap(({ environmentName, runs }) => runs.map((run) => ({ environmentName, run })))
    .sort((left, right) => newer(left.run, right.run))
  if (last === undefined) return null
  const { exited, started } = last.run
  return {
    environment: last.environmentName,
    from: toSeconds(started.at),
    to: exited === null ? null : toSeconds(exited.at)
  }
}

/** Use cases of asserting with remedies. */
export class AssertionRemedies extends Effect.Service<AssertionRemedies>()(
  "@attestry/policy-lab/AssertionRemedies",
  {
    effect: Effect.gen(function* () {
      const assertions = yield* Assertions
      const transaction = yield* Transaction
      const artifacts = yield* ArtifactStore
      const placements = yield* ReadModels
      const attestations = yield* AttestationStore
      const evidence = yield* RowEvidence
      const evaluations = yield* TrailStore
      const versions = yield* FlowStore
      const reaches = yield* Reaches

      /** The template of each trail, as it was evaluated last. */
      const templatesOf = (org: OrgId, trails: ReadonlyArray<TrailId>) =>
        Effect.gen(function* () {
          const evaluated =
            trails.length === 0 ? [] : yield* evaluations.listEvaluations(org, trails)
          const ids = [...new Set(evaluated.map(({ template_id }) => template_id))]
          const found = yield* Effect.forEach(ids, (id) => versions.findTemplate(org, id))
          const templates = new Map(
            found.flatMap((version) =>
              Option.match(version, {
                onNone: () => [],
                // INVARIANT: only text that parses is stored.
                onSome: ({ content, id }) => [
                  [
                    id,
                    Either.getOrElse(FlowTemplate.parse(content), () => FlowTemplate.empty)
                  ] as const
                ]
              })
            )
          )
          return new Map(
            evaluated.flatMap(({ template_id, trail_id }) => {
              const template = templates.get(template_id)
              return template === undefined ? [] : [[trail_id, template] as const]
            })
          )
        })

      /** The newest records of the same slot before this one. */
      const earlierThan = (org: OrgId, { flow_id: flow, sequence, slot }: Artifact) =>
        artifacts.listEarlier({ org, flow, slot, before: sequence, limit: EARLIER_MAX })

      /** When attestations of these names usually arrive in the flow of a record. */
      const arrivalsIn = (
        { moment: { now }, org }: Remedied,
        { artifact, flowName }: FlowRecord,
        names: ReadonlyArray<string>
      ) =>
        Effect.gen(function* () {
          const earlier = yield* earlierThan(org, artifact)
          if (earlier.length < ArrivalStatistics.SAMPLES_MIN) return []
          const { items } = yield* attestations.listAfter(
            org,
            { flows: [artifact.flow_id], names, direction: "desc" },
            { after: Number.MAX_SAFE_INTEGER, limit: ATTESTATIONS_MAX }
          )
          const passed = Math.floor(toSeconds(now) - toSeconds(artifact.created_at))
          return names.flatMap((attestation_name): ReadonlyArray<PolicyRemedy.Arrival> => {
            const usually = ArrivalStatistics.usuallyAfter(attestation_name, earlier, items)
            if (usually === undefined) return []
            const times = { usually_after_seconds: usually, passed_seconds: Math.max(0, passed) }
            return [{ flow_name: flowName, attestation_name, ...times }]
          })
        })

      /** When what remedies ask for usually arrives. */
      const arrivalsOf = (remedied: Remedied, found: ReadonlyArray<Remedy>) =>
        Effect.gen(function* () {
          const asked = new Map<string, Set<string>>()
          for (const step of found.flatMap(({ steps }) => steps))
            if (step.do === "attest")
              asked.set(
                step.flow_name,
                (asked.get(step.flow_name) ?? new Set()).add(step.attestation_name)
              )
          const known = remedied.records.filter(({ flowName }) => asked.has(flowName))
          const arrivals = yield* Effect.forEach(known.slice(0, FLOWS_MAX), (record) =>
            arrivalsIn(remedied, record, [...(asked.get(record.flowName) ?? [])])
          )
          return arrivals.flat()
        })

      const isCompliant = (
        { flow, moment, set }: Remedied,
        name: string,
        known: Known
      ): boolean => {
        const at = known.records.flatMap(({ flowName }, index) =>
          flow === undefined || flow === flowName ? [index] : []
        )
        const fingerprint = known.records[0]?.artifact.fingerprint ?? ""
        const flows = at.flatMap((index) => known.facts[index] ?? [])
        const facts = { artifact: { name, fingerprint }, flows }
        const { verdict } = PolicyEvaluation.evaluate(set.compiled, facts, moment)
        if (verdict !== "Unknown") return verdict === "Compliant"
        return compliantInFlows(
          at.flatMap((index) => {
            const record = known.records[index]
            return record === undefined
              ? []
              : [
                  {
                    flow_name: record.flowName,
                    trail_name: record.trailName,
                    standing: record.standing
                  }
                ]
          })
        )
      }

      /** The newest earlier record of the same slot whose artifact is compliant now. */
      const nearest = (remedied: Remedied) =>
        Effect.gen(function* () {
          const [primary] = remedied.records
          if (primary === undefined) return undefined
          const { fingerprint } = primary.artifact
          const earlier = (yield* earlierThan(remedied.org, primary.artifact)).filter(
            (record) => record.fingerprint !== fingerprint
          )
          const newest = new Map<Fingerprint, Artifact>()
          for (const record of earlier)
            if (!newest.has(record.fingerprint)) newest.set(record.fingerprint, record)
          if (newest.size === 0) return undefined
          const knownOf = yield* evidence.gather(
            remedied.org,
            [...newest.keys()].sort(),
            readingOf(remedied.set)
          )
          return [...newest.values()].find((record) =>
            isCompliant(remedied, record.report.filename, knownOf(record.fingerprint))
          )
        })

      const previous = (remedied: Remedied) =>
        Effect.gen(function* () {
          const found = yield* nearest(remedied)
          if (found === undefined) return null
          const placed = yield* reaches.keepReadable(remedied.granted, {
            kind: "environment",
            things: yield* placements.placements(remedied.org, [found.fingerprint]),
            idOf: ({ environment }) => environment
          })
          return {
            fingerprint: found.fingerprint,
            name: found.report.filename,
            git_commit: commitOf(found.report),
            last_ran: lastRun(placed, remedied.environment)
          } satisfies PreviousCompliant
        })

      /** The remedies of an artifact that is not compliant. */
      const find = (remedied: Remedied) =>
        Effect.gen(function* () {
          const { canBeAllowed, environment, facts, limit, moment, records, set } = remedied
          const failing = records.filter(isFailing).map(({ artifact }) => artifact.trail_id)
          const templates = yield* templatesOf(remedied.org, [...new Set(failing)])
          const row = withEntries(facts, records, templates)
          const options = {
            limit,
            moment,
            ...(environment === undefined ? {} : { waiveIn: environment }),
            ...(environment === undefined || !canBeAllowed ? {} : { allowIn: environment })
          }
          const isByPolicies = PolicyEvaluation.enforced(set.compiled).policies.length > 0
          const search = (more: PolicyRemedy.RemedyOptions) =>
            isByPolicies
              ? PolicyRemedy.remedies(set.compiled, row, more)
              : PolicyRemedy.remediesInFlows(row, more)
          const found = search(options)
          const arrivals = yield* arrivalsOf(remedied, found)
          return {
            // WHY again: evidence that usually still arrives costs less than missing evidence, and may be listed first.
            remedies: arrivals.length === 0 ? found : search({ ...options, arrivals }),
            previous: yield* previous(remedied)
          } satisfies RemediesFound
        })

      /** Whether the artifact would be compliant, why not, and up to `limit` remedies. */
      const assert = Effect.fn("AssertionRemedies.assert")(function* (
        org: OrgName,
        query: AssertionQuery,
        limit: number
      ) {
        const granted = yield* reaches.authorize(org, "org.read")
        const { flow, target } = query
        return yield* transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const { canBeAllowed, facts, hidden, moment, records, set, shown } =
              yield* assertions.decide(granted, query, { withAttestations: true, now })
            // WHY none beside hidden flows: steps name what each flow of the artifact needs.
            const found =
              shown.compliant || limit === 0 || hidden !== undefined
                ? NO_REMEDIES
                : yield* find({
                    org: granted.orgId,
                    granted,
                    set,
                    facts,
                    records,
                    canBeAllowed,
                    limit,
                    moment,
                    ...(target.scope === "environment" ? { environment: target.environment } : {}),
                    ...(flow === undefined ? {} : { flow })
                  })
            const answer: RemediedAssertion = { ...shown, found }
            return answer
          })
        )
      })

      return { assert } as const
    })
  }
) {}
