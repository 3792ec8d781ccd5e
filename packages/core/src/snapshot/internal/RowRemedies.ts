/**
 * The remedies of an artifact from the stores: what its templates still ask for, and the nearest earlier artifact that
 * is compliant now. DECISION B-321
 */
import * as Effect from "effect/Effect"
import { type Artifact, commitOf } from "../../artifact/Artifact.js"
import { ArtifactStore } from "../../artifact/ArtifactStore.js"
import type { Fingerprint } from "../../artifact/Fingerprint.js"
import type { Placement, Run } from "../../artifact/Placement.js"
import { PlacementStore } from "../../artifact/PlacementStore.js"
import type { PolicySet } from "../../policy/internal/PolicySets.js"
import * as PolicyEvaluation from "../../policy/PolicyEvaluation.js"
import type { Facts, FlowView } from "../../policy/PolicyFacts.js"
import * as PolicyRemedy from "../../policy/PolicyRemedy.js"
import type { PreviousCompliant, Remedy } from "../../policy/RemedyStep.js"
import type { OrgId } from "../../shared/Identifier.js"
import { toSeconds } from "../../shared/Timestamp.js"
import type { FlowRecord } from "../ProvenanceStore.js"
import { compliantInFlows } from "./ArtifactAssertion.js"
import { type Known, RowEvidence } from "./RowEvidence.js"

/** The number of earlier records that are judged. */
export const EARLIER_MAX = 50

/** The artifact, and what judges it. */
export interface Remedied {
  readonly org: OrgId
  readonly set: PolicySet
  readonly facts: Facts
  readonly records: ReadonlyArray<FlowRecord>
  /** The environment that was asked about. */
  readonly environment?: string
  /** Only what this flow knows counts. */
  readonly flow?: string
  readonly limit: number
}

/** What would help an artifact. */
export interface RemediesFound {
  readonly remedies: ReadonlyArray<Remedy>
  readonly previous: PreviousCompliant | null
}

/** The facts with what the template of each flow still asks for. */
const withEntries = (facts: Facts, records: ReadonlyArray<FlowRecord>): Facts => ({
  ...facts,
  flows: facts.flows.map((view, index): FlowView => {
    const entries = records[index]?.standing.flow_reasons_for_non_compliance ?? []
    return entries.length === 0 ? view : { ...view, entries }
  })
})

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

/** Finds remedies. */
export class RowRemedies extends Effect.Service<RowRemedies>()("@attestry/core/RowRemedies", {
  effect: Effect.gen(function* () {
    const artifacts = yield* ArtifactStore
    const placements = yield* PlacementStore
    const evidence = yield* RowEvidence

    const isCompliant = ({ flow, set }: Remedied, name: string, known: Known): boolean => {
      const at = known.records.flatMap(({ flowName }, index) =>
        flow === undefined || flow === flowName ? [index] : []
      )
      const fingerprint = known.records[0]?.artifact.fingerprint ?? ""
      const { verdict } = PolicyEvaluation.evaluate(set.compiled, {
        artifact: { name, fingerprint },
        flows: at.flatMap((index) => known.facts[index] ?? [])
      })
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
        const { fingerprint, flow_id: flow, sequence, slot } = primary.artifact
        const earlier = (yield* artifacts.listEarlier({
          org: remedied.org,
          flow,
          slot,
          before: sequence,
          limit: EARLIER_MAX
        })).filter((record) => record.fingerprint !== fingerprint)
        const newest = new Map<Fingerprint, Artifact>()
        for (const record of earlier)
          if (!newest.has(record.fingerprint)) newest.set(record.fingerprint, record)
        if (newest.size === 0) return undefined
        const knownOf = yield* evidence.gather(remedied.org, [...newest.keys()].sort(), {
          withAttestations: remedied.set.readsAttestations
        })
        return [...newest.values()].find((record) =>
          isCompliant(remedied, record.report.filename, knownOf(record.fingerprint))
        )
      })

    const previous = (remedied: Remedied) =>
      Effect.gen(function* () {
        const found = yield* nearest(remedied)
        if (found === undefined) return null
        const placed = yield* placements.list(remedied.org, [found.fingerprint])
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
        const { environment, facts, limit, records, set } = remedied
        const row = withEntries(facts, records)
        const options = { limit, ...(environment === undefined ? {} : { allowIn: environment }) }
        const isByPolicies = PolicyEvaluation.enforced(set.compiled).policies.length > 0
        return {
          remedies: isByPolicies
            ? PolicyRemedy.remedies(set.compiled, row, options)
            : PolicyRemedy.remediesInFlows(row, options),
          previous: yield* previous(remedied)
        } satisfies RemediesFound
      })

    return { find } as const
  })
}) {}
