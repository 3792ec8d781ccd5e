/** Finds what a capsule is about: snapshots, trails and artifacts by their names, and the subjects of their entries. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Granted } from "../../access/Access.js"
import type { Fingerprint } from "../../artifact/Fingerprint.js"
import type * as Environment from "../../environment/Environment.js"
import { EnvironmentNotFound } from "../../environment/EnvironmentFailure.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import { byIdentity } from "../../environment/RunningRow.js"
import { FlowNotFound } from "../../flow/Flow.js"
import { FlowStore } from "../../flow/FlowStore.js"
import type { TrailHistory } from "../../history/FingerprintHistory.js"
import { HistoryStore } from "../../history/HistoryStore.js"
import type { ReleaseQuery, Selection } from "../../release-evidence/internal/ReleaseReading.js"
import type {
  EnvironmentId,
  EnvironmentName,
  FlowName,
  OrgId,
  TrailName
} from "../../shared/Identifier.js"
import * as Slices from "../../shared/Slices.js"
import { fromMicros, type Timestamp } from "../../shared/Timestamp.js"
import { ProvenanceStore } from "../../snapshot/ProvenanceStore.js"
import * as Snapshot from "../../snapshot/Snapshot.js"
import type { SnapshotExpression } from "../../snapshot/SnapshotExpression.js"
import * as SnapshotLookup from "../../snapshot/SnapshotLookup.js"
import { SnapshotStore } from "../../snapshot/SnapshotStore.js"
import { TrailNotFound } from "../../trail/Trail.js"
import { TrailStore } from "../../trail/TrailStore.js"
import { runningOf } from "../../verification/internal/RunningRows.js"
import { WaiverStore } from "../../waiver/WaiverStore.js"
import type * as Capsule from "../Capsule.js"
import { CapsuleArtifactNotFound } from "../CapsuleFailure.js"
import type * as CapsuleLimits from "../CapsuleLimits.js"
import type { ReleaseQuestion } from "../CapsuleReleases.js"
import type { AnsweredReleases } from "./ReleaseAnswers.js"

/** What a caller asks to prove. */
export interface CapsuleAsked {
  readonly environments: ReadonlyArray<{
    readonly name: EnvironmentName
    readonly from: SnapshotExpression
    readonly to: SnapshotExpression
  }>
  readonly trails: ReadonlyArray<{ readonly flow: FlowName; readonly trail: TrailName }>
  readonly fingerprints: ReadonlyArray<Fingerprint>
  /** The evidence of releases in a period. */
  readonly releases?: ReleaseQuery
  readonly evidence: CapsuleLimits.CapsuleEvidence
}

/** The releases that a caller asks to prove, and those that were found. */
export interface SelectedReleases extends AnsweredReleases {
  readonly selection: Selection
}

/** What is selected: what a caller asks for, and the releases of it as they were answered. */
export interface CapsuleQuestion {
  readonly asked: CapsuleAsked
  readonly releases: SelectedReleases | undefined
  readonly now: Timestamp
}

/** A selected environment, and the changes of each of its snapshots up to the last selected one. */
export interface SelectedSnapshots {
  readonly ref: Environment.EnvironmentRef
  /** The last selected snapshot. */
  readonly last: number
  readonly changes: ReadonlyArray<{
    readonly index: number
    readonly begun: ReadonlyArray<Snapshot.SnapshotRow>
    readonly ended: Snapshot.RowChanges["ended"]
  }>
  readonly fingerprints: ReadonlySet<Fingerprint>
  readonly policies: ReadonlySet<string>
}

/** What a capsule is about, and the ids of all subjects whose entries it needs, by their type. */
export interface CapsuleScope {
  readonly selection: Capsule.Selection
  readonly environments: ReadonlyArray<SelectedSnapshots>
  readonly trails: ReadonlyArray<TrailHistory>
  readonly releases: SelectedReleases | undefined
  readonly subjects: ReadonlyMap<string, ReadonlyArray<string>>
}

/** A selected environment, with its id. */
interface SelectedRange extends Capsule.SelectedEnvironment {
  readonly id: EnvironmentId
}

/** Fingerprints whose evidence is read together. */
const TOGETHER = 500

/** Makes the finding of selections with the ports of a store. */
export const make = Effect.gen(function* () {
  const [environments, snapshots] = [yield* EnvironmentStore, yield* SnapshotStore]
  const [flows, trails] = [yield* FlowStore, yield* TrailStore]
  const [history, waivers] = [yield* HistoryStore, yield* WaiverStore]
  const provenance = yield* ProvenanceStore

  const environmentOf = (granted: Granted, name: EnvironmentName) =>
    Effect.flatMap(environments.findByName({ org: granted.orgId, name }), (found) =>
      Option.match(found, {
        onNone: () => new EnvironmentNotFound({ org: granted.org, environment: name }),
        onSome: ({ environment }) => Effect.succeed(environment)
      })
    )

  /** The changes of rows from the first snapshot to one. */
  const changesOf = (ref: Environment.EnvironmentRef, to: number) =>
    Effect.gen(function* () {
      const changes: Array<SelectedSnapshots["changes"][number]> = []
      const [fingerprints, policies] = [new Set<Fingerprint>(), new Set<string>()]
      let running: ReadonlyArray<Snapshot.SnapshotRow> = []
      for (let index = 1; index <= to; index++) {
        const found = yield* snapshots.find(ref, { _tag: "AtIndex", index })
        if (Option.isNone(found)) break
        const next = runningOf(found.value)
        yield* Slices.between(next.length)
        const { begun, ended } = Snapshot.rowChanges(running, next)
        for (const { fingerprint } of begun) if (fingerprint !== "") fingerprints.add(fingerprint)
        for (const { id, version } of found.value.policies) if (version > 0) policies.add(id)
        const isLogical = found.value.members !== null
        changes.push({
          index,
          begun: isLogical ? [] : [...begun].sort(byIdentity),
          ended: isLogical ? [] : [...ended].sort(byIdentity)
        })
        running = next
      }
      return { changes, fingerprints, policies }
    })

  /** The snapshots of one environment that are asked for. */
  const rangeOf = (
    granted: Granted,
    { from, name, to }: CapsuleAsked["environments"][number],
    now: Timestamp
  ) =>
    Effect.gen(function* () {
      const environment = yield* environmentOf(granted, name)
      const at = (expression: SnapshotExpression) =>
        Effect.map(
          SnapshotLookup.locate(snapshots, granted, { environment, expression, now, only: [] }),
          ({ index }) => index
        )
      const [one, other] = [yield* at(from), yield* at(to)]
      return {
        id: environment.id,
        name: environment.name,
        from: Math.min(one, other),
        to: Math.max(one, other)
      } satisfies SelectedRange
    })

  /** The snapshots of the members of a logical environment that its own refer to; none for a physical one. */
  const memberRanges = (orgId: OrgId, { from, id, to }: SelectedRange) =>
    Effect.gen(function* () {
      const found = yield* history.memberIndexes(
        { org: orgId, environment: id },
        { first: from, last: to }
      )
      const spans = new Map<EnvironmentId, { readonly from: number; readonly to: number }>()
      for (const [member, index] of found.flatMap(({ members }) => [...members])) {
        const { from: first, to: last } = spans.get(member) ?? { from: index, to: index }
        spans.set(member, { from: Math.min(first, index), to: Math.max(last, index) })
      }
      const names = yield* environments.names(orgId, [...spans.keys()])
      return [...spans].map(
        ([member, span]): SelectedRange => ({ id: member, name: names.get(member) ?? "", ...span })
      )
    })

  /** Every environment that ever belonged to one of these. */
  const includedIn = (orgId: OrgId, ids: Iterable<EnvironmentId>) =>
    Effect.map(
      Effect.forEach(ids, (environment) =>
        history.environmentVersions({ org: orgId, environment })
      ),
      (found) => new Set(found.flat().flatMap(({ included }) => included ?? []))
    )

  /** The environments whose releases are asked for, and every one that has a release. */
  const placesOf = (orgId: OrgId, { releases, selection }: SelectedReleases) =>
    Effect.gen(function* () {
      const { environments: named } = selection.filter
      const found = yield* environments.list(orgId, named)
      const known = new Set(found.map(({ id }) => id))
      const others = new Set(releases.map(({ environmentId }) => environmentId))
      const missing = [...others].filter((id) => !known.has(id))
      const rest = missing.length === 0 ? [] : yield* environments.list(orgId, missing)
      return [...found, ...rest].filter(({ type }) => type !== "logical")
    })

  /** The snapshots of some environments in the period of the releases. */
  const periodsOf = (
    orgId: OrgId,
    places: ReadonlyArray<Environment.Environment>,
    { selection: { filter } }: SelectedReleases
  ) =>
    Effect.gen(function* () {
      const ranges: Array<SelectedRange> = []
      for (const { id, name } of places) {
        const indexAt = (instant: Timestamp) =>
          Effect.map(
            snapshots.find({ org: orgId, environment: id }, { _tag: "AtInstant", instant }, []),
            Option.match({ onNone: () => 0, onSome: ({ index }) => index })
          )
        const [before, to] = [
          yield* indexAt(fromMicros(filter.from - 1)),
          yield* indexAt(filter.to)
        ]
        if (before < to) ranges.push({ id, name, from: before + 1, to })
      }
      return ranges
    })

  /** The flow whose releases are asked for. */
  const flowOf = (orgId: OrgId, { selection: { filter } }: SelectedReleases) =>
    Effect.map(
      provenance.flowNames(orgId, filter.flow === undefined ? [] : [filter.flow]),
      ([found]) => (found === undefined ? null : { id: found[0], name: found[1] })
    )

  /** The question about releases, and the snapshots that answer it. */
  const releasesOf = (orgId: OrgId, releases: SelectedReleases | undefined) =>
    Effect.gen(function* () {
      if (releases === undefined) return { ranges: [], policies: [], places: [] }
      const { filter, policy } = releases.selection
      const places = yield* placesOf(orgId, releases)
      const question: ReleaseQuestion = {
        environments: places.map(({ id, name }) => ({ id, name })),
        flow: yield* flowOf(orgId, releases),
        policy,
        from: filter.from,
        to: filter.to
      }
      return {
        question,
        ranges: yield* periodsOf(orgId, places, releases),
        policies: policy === null ? [] : [policy.id],
        places: places.map(({ id }) => id)
      }
    })

  /** The selected snapshots: those that are asked for, those of releases, and those of members. */
  const rangesOf = (
    granted: Granted,
    { asked, now }: CapsuleQuestion,
    ofReleases: ReadonlyArray<SelectedRange>
  ) =>
    Effect.gen(function* () {
      const named = yield* Effect.forEach(asked.environments, (each) => rangeOf(granted, each, now))
      const ranges = [...named, ...ofReleases]
      const members = yield* Effect.forEach(ranges, (range) => memberRanges(granted.orgId, range))
      const isAsked = (member: SelectedRange) =>
        ranges.some(
          ({ from, id, to }) => id === member.id && from <= member.from && member.to <= to
        )
      return [...ranges, ...members.flat().filter((member) => !isAsked(member))]
    })

  /** Each selected environment once, with its snapshots up to the last selected one. */
  const snapshotsOf = (orgId: OrgId, ranges: ReadonlyArray<SelectedRange>) =>
    Effect.gen(function* () {
      const lasts = new Map<EnvironmentId, number>()
      for (const { id, to } of ranges) lasts.set(id, Math.max(lasts.get(id) ?? 0, to))
      return yield* Effect.forEach(lasts, ([environment, last]) => {
        const ref = { org: orgId, environment }
        return Effect.map(
          changesOf(ref, last),
          (changes): SelectedSnapshots => ({ ref, last, ...changes })
        )
      })
    })

  const trailOf = (granted: Granted, asked: CapsuleAsked["trails"][number]) =>
    Effect.gen(function* () {
      const { org, orgId } = granted
      const flow = yield* flows.findByName({ org: orgId, name: asked.flow })
      if (Option.isNone(flow)) return yield* new FlowNotFound({ org, flow: asked.flow })
      const key = { org: orgId, flow: flow.value.id, name: asked.trail }
      const trail = yield* trails.findByName(key)
      if (Option.isNone(trail)) return yield* new TrailNotFound({ org, ...asked })
      return { id: trail.value.id, flow_name: flow.value.name, trail_name: trail.value.name }
    })

  /** The trails of some fingerprints, and those that were named. */
  const evidenceOf = (
    granted: Granted,
    fingerprints: ReadonlySet<Fingerprint>,
    named: ReadonlyArray<{ readonly id: TrailHistory["id"] }>
  ) =>
    Effect.gen(function* () {
      const found = new Map<string, TrailHistory>()
      const add = (all: ReadonlyArray<TrailHistory>) => {
        for (const trail of all) found.set(trail.id, trail)
      }
      for (const part of Slices.partsOf([...fingerprints], TOGETHER))
        add((yield* history.evidence(granted.orgId, { fingerprints: part })).trails)
      const missing = named.map(({ id }) => id).filter((id) => !found.has(id))
      if (missing.length > 0)
        add((yield* history.evidence(granted.orgId, { trails: missing })).trails)
      return [...found.values()]
    })

  const checkReported = (
    { org }: Granted,
    asked: ReadonlyArray<Fingerprint>,
    found: ReadonlyArray<TrailHistory>
  ) => {
    const known = new Set(
      found.flatMap(({ artifacts }) => artifacts.map(({ fingerprint }) => fingerprint))
    )
    const unknown = asked.find((fingerprint) => !known.has(fingerprint))
    return unknown === undefined
      ? Effect.void
      : new CapsuleArtifactNotFound({ org, fingerprint: unknown })
  }

  /** The numbers of the waivers that can count in an environment. */
  const waiversOf = ({ orgId }: Granted, all: ReadonlyArray<SelectedSnapshots>) =>
    Effect.map(
      Effect.forEach(all, ({ ref }) =>
        waivers.listApproved(orgId, { environment: ref.environment })
      ),
      (found) => new Set(found.flat().map(({ number }) => String(number)))
    )

  /** Finds what a capsule is about. */
  return (granted: Granted, question: CapsuleQuestion) =>
    Effect.gen(function* () {
      const { orgId } = granted
      const { asked } = question
      const releases = yield* releasesOf(orgId, question.releases)
      const ranges = yield* rangesOf(granted, question, releases.ranges)
      const selected = yield* snapshotsOf(orgId, ranges)
      const ids = selected.map(({ ref }) => ref.environment)
      const included = yield* includedIn(orgId, ids)
      const named = yield* Effect.forEach(asked.trails, (each) => trailOf(granted, each))
      const fingerprints = new Set([
        ...asked.fingerprints,
        ...selected.flatMap((each) => [...each.fingerprints])
      ])
      const evidence = yield* evidenceOf(granted, fingerprints, named)
      yield* checkReported(granted, asked.fingerprints, evidence)
      const policies = [...selected.flatMap((each) => [...each.policies]), ...releases.policies]
      const subjects = new Map<string, ReadonlyArray<string>>([
        ["environment", [...new Set([...ids, ...included, ...releases.places])]],
        ["policy", [...new Set(policies)]],
        ["flow", [...new Set(evidence.map(({ flow_id }) => flow_id))]],
        ["trail", evidence.map(({ id }) => id)],
        ["waiver", [...(yield* waiversOf(granted, selected))]]
      ])
      return {
        selection: {
          environments: ranges,
          trails: named,
          fingerprints: asked.fingerprints,
          ...(releases.question === undefined ? {} : { releases: releases.question }),
          evidence: asked.evidence
        },
        environments: selected,
        trails: evidence,
        releases: question.releases,
        subjects
      } satisfies CapsuleScope
    })
})
