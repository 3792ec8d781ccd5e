/** Reads the releases of a period, as their caller may see them: selections, batches, and the form of answers. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import { AttestationStore } from "../../attestation/AttestationStore.js"
import * as DeploymentPlaces from "../../deployment/internal/DeploymentPlaces.js"
import type { DeploymentFilter } from "../../deployment/StoredDeployment.js"
import { NotYetThere } from "../../history/AsOf.js"
import { EntryIds } from "../../log/EntryIds.js"
import { PolicyNotFound } from "../../policy/Policy.js"
import { PolicySets } from "../../policy/PolicySets.js"
import { PolicyStore } from "../../policy/PolicyStore.js"
import { beside } from "../../shared/DamagedRecords.js"
import {
  AttestationId,
  type EnvironmentName,
  type FlowId,
  type FlowName,
  type OrgId,
  type OrgName,
  type PolicyName
} from "../../shared/Identifier.js"
import type { Page } from "../../shared/Page.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import * as TimeWindow from "../../shared/TimeWindow.js"
import { Transaction } from "../../shared/Transaction.js"
import * as MaskedFlows from "../../snapshot/internal/MaskedFlows.js"
import { ProvenanceStore } from "../../snapshot/ProvenanceStore.js"
import { ReadModels } from "../../snapshot/ReadModels.js"
import {
  DAYS,
  type DecidingAttestation,
  type Release,
  tooLong,
  tooMany
} from "../ReleaseEvidence.js"
import * as JudgedReleases from "./JudgedReleases.js"
import * as MaskedRelease from "./MaskedRelease.js"
import type * as ReleaseJudgement from "./ReleaseJudgement.js"

/** An org, and the origin for its log if the log must be created. */
export interface ReleaseOwner {
  readonly org: OrgName
  readonly origin: string
}

/** Which releases, and by which policy; without one by the templates of their flows. */
export interface ReleaseQuery extends TimeWindow.TimeWindow {
  readonly environments?: ReadonlyArray<EnvironmentName>
  readonly flow?: FlowName
  readonly policy?: PolicyName
}

/** A selection as it is read. */
export interface Selection {
  readonly granted: GrantedWithin
  readonly origin: string
  readonly filter: DeploymentFilter & TimeWindow.WholeWindow
  readonly judgement: ReleaseJudgement.Judgement
  /** The policy and its version; null for templates. */
  readonly policy: {
    readonly id: string
    readonly name: string
    readonly version: number
  } | null
}

const FIRST: Page = { page: 1, perPage: 1 }

/** How many releases are judged together. */
const BATCH = 200

/** Makes the reader with the ports of a store. */
export const make = Effect.gen(function* () {
  const reaches = yield* Reaches
  const { environmentIds, flowId } = yield* DeploymentPlaces.make
  const deployments = yield* ReadModels
  const judge = yield* JudgedReleases.make
  const policies = yield* PolicyStore
  const sets = yield* PolicySets
  const provenance = yield* ProvenanceStore
  const attestations = yield* AttestationStore
  const entryIds = yield* EntryIds
  const hiddenOf = yield* MaskedFlows.make
  const transaction = yield* Transaction

  /** WHY not after now: a release that comes while a file is written is not in it, nor moves others. */
  const periodOf = (org: OrgId, { from, to }: TimeWindow.TimeWindow) =>
    Effect.gen(function* () {
      const now = yield* transaction.run(org, (scope) => scope.now)
      const end = to === undefined || to > now ? now : to
      const period = TimeWindow.complete(
        { to: end, ...(from === undefined ? {} : { from }) },
        { now, days: DAYS }
      )
      const failure = tooLong(period)
      return failure === undefined ? period : yield* failure
    })

  /** The version of a policy that was the latest when the period ended; fails if there was none. */
  const policyAt = (granted: GrantedWithin, name: PolicyName, end: Timestamp) =>
    Effect.gen(function* () {
      const { org, orgId } = granted
      const policy = yield* reaches.permitFound(
        granted,
        yield* policies.findByName({ org: orgId, name }),
        {
          kind: "policy",
          idOf: ({ id }) => id,
          notFound: () => new PolicyNotFound({ org, policy: name })
        }
      )
      const versions = yield* policies.listVersions(orgId, { policies: [policy.id] })
      const then = versions.filter(({ timestamp }) => timestamp <= end).at(-1)
      if (then === undefined) return yield* new NotYetThere({ noun: "Policy", name, asOf: end })
      const { version } = then
      const { compiled } = yield* sets.at(orgId, [{ id: policy.id, name, version }])
      return { compiled, shown: { id: policy.id, name, version } }
    })

  const selectionOf = ({ org, origin }: ReleaseOwner, query: ReleaseQuery) =>
    Effect.gen(function* () {
      const granted = yield* reaches.authorize(org, "org.read")
      const period = yield* periodOf(granted.orgId, query)
      const flow: { readonly flow?: FlowId } = yield* flowId(granted, query.flow)
      const policy =
        query.policy === undefined ? undefined : yield* policyAt(granted, query.policy, period.to)
      return {
        granted,
        origin,
        filter: {
          ...(yield* environmentIds(granted, query.environments)),
          ...flow,
          ...period,
          // An environment that lived in the period counts, whether it is archived now or not.
          archivedBy: period.from
        },
        judgement: { policy: policy?.compiled, flow: flow.flow },
        policy: policy?.shown ?? null
      } satisfies Selection
    })

  /** One batch of releases with their results, as the caller may see them. */
  const batch = ({ granted, filter, judgement }: Selection, page: number) =>
    Effect.gen(function* () {
      const { orgId } = granted
      const asked = { page, perPage: BATCH }
      const { items, total } = yield* deployments.deployments(orgId, filter, asked)
      const judged = yield* judge(orgId, items, judgement)
      const names = yield* provenance.flowNames(orgId, MaskedRelease.flowsOf(judged))
      const hidden = yield* hiddenOf(granted, names)
      const mask = MaskedRelease.make({
        names,
        hidden: hidden?.ids ?? new Set(),
        isByTemplate: judgement.policy === undefined
      })
      const next = page * BATCH < total ? Option.some(page + 1) : Option.none<number>()
      return [judged.map(mask), next] as const
    })

  const batches = (selection: Selection) =>
    Stream.paginateEffect(1, (page) => batch(selection, page))

  /** A way to show the attestations that decided: by whom they were made, and the entries that recorded them. */
  const showOf = (
    { granted: { orgId }, origin }: Selection,
    releases: ReadonlyArray<MaskedRelease.MaskedRelease>
  ) =>
    Effect.gen(function* () {
      const known = new Map(
        releases
          .flatMap(({ results }) => results.flatMap(({ decisive }) => decisive))
          .map(({ attestation }) => [attestation.id, attestation.sequence])
      )
      const ids = [...known.keys()].map((id) => AttestationId.make(id))
      const found = ids.length === 0 ? [] : yield* beside(attestations.listByIds(orgId, ids))
      const makers = new Map<string, string>(found.map((one) => [one.id, one.created_by]))
      const sequences = [...known.values()]
      const entries =
        sequences.length === 0 ? [] : yield* entryIds.of({ org: orgId, origin }, sequences)
      const entryOf = new Map(sequences.map((sequence, at) => [sequence, entries[at]]))
      return ({ attestation, flow, flowName }: MaskedRelease.Shown): DecidingAttestation => ({
        attestation_id: attestation.id,
        attestation_name: attestation.name,
        attestation_type: attestation.type,
        is_compliant: attestation.isCompliant,
        is_override: attestation.isOverride,
        flow_name: flowName,
        trail_name: flow.view.trail_name,
        created_by: makers.get(attestation.id) ?? "",
        created_at: attestation.at,
        log_entry: entryOf.get(attestation.sequence) ?? null
      })
    })

  /** Releases in the form of answers. */
  const completed = (selection: Selection, releases: ReadonlyArray<MaskedRelease.MaskedRelease>) =>
    Effect.map(showOf(selection, releases), (show) =>
      releases.map(
        ({ release, results }): Release => ({
          ...release,
          results: results.map(({ decisive, requirement, state, waivers }) => ({
            requirement: requirement.key,
            state,
            waivers,
            attestations: decisive.map(show)
          }))
        })
      )
    )

  /** Every release of a selection; fails for more than are counted. */
  const all = (selection: Selection) =>
    Effect.gen(function* () {
      const { filter, granted } = selection
      const { total } = yield* deployments.deployments(granted.orgId, filter, FIRST)
      const failure = tooMany(total)
      if (failure !== undefined) return yield* failure
      return Chunk.toReadonlyArray(yield* Stream.runCollect(batches(selection))).flat()
    })

  return { selectionOf, batches, completed, all } as const
})
