/**
 * Plans and locks what the documents of a file are linked to.
 *
 * Trails are locked in order of their ids, and the fingerprints of subjects after them, so that a report of an artifact
 * either is seen by the plan or sees the document. A plan that changed before its locks were held is made again.
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Reach from "../../access/Reach.js"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import { ArtifactStore } from "../../artifact/ArtifactStore.js"
import { Fingerprint } from "../../artifact/Fingerprint.js"
import { FlowStore } from "../../flow/FlowStore.js"
import {
  CommitSha,
  type FlowName,
  type OrgId,
  type TrailId,
  type TrailName
} from "../../shared/Identifier.js"
import type { TransactionScope } from "../../shared/Transaction.js"
import type { TrailEvent } from "../../trail/internal/TrailEvent.js"
import { type CommitTrail, TrailStore } from "../../trail/TrailStore.js"
import { type TrailPath, Trails } from "../../trail/Trails.js"
import type { Subject } from "../EvidenceFacts.js"
import type { EvidenceTarget } from "../EvidenceRecord.js"
import { EvidenceStore } from "../EvidenceStore.js"
import * as SubjectLinks from "../SubjectLinks.js"

/** What the caller names. */
export interface NamedTarget {
  readonly trail: TrailPath | null
  readonly fingerprint: Fingerprint | null
}

/** Another write has changed what a file is linked to; the plan has to be made again. */
export class LinkPlanChanged extends Schema.TaggedError<LinkPlanChanged>()("LinkPlanChanged", {}) {
  override get message(): string {
    return "an artifact was reported while evidence about it was accepted"
  }
}

/** The locked trails, and what documents may be linked to. */
export interface LinkPlan {
  readonly named: SubjectLinks.Named
  readonly events: ReadonlyMap<string, TrailEvent>
  readonly targetsOf: (subjects: ReadonlyArray<Subject>) => SubjectLinks.LinkTargets
}

interface PlannedTrail {
  readonly id: TrailId
  readonly flow: FlowName
  readonly name: TrailName
}

const byId = (left: PlannedTrail, right: PlannedTrail): number => (left.id < right.id ? -1 : 1)

const sameTargets = (
  left: ReadonlyArray<EvidenceTarget>,
  right: ReadonlyArray<EvidenceTarget>
): boolean =>
  left.length === right.length &&
  left.every(
    ({ fingerprint, trail_id }, at) =>
      right[at]?.fingerprint === fingerprint && right[at]?.trail_id === trail_id
  )

/** Plans on the stores of trails, flows and documents. */
export const make = Effect.gen(function* () {
  const store = yield* EvidenceStore
  const artifacts = yield* ArtifactStore
  const trailStore = yield* TrailStore
  const flowStore = yield* FlowStore
  const trails = yield* Trails
  const reaches = yield* Reaches

  const namesOf = (org: OrgId, ids: ReadonlyArray<TrailId>) =>
    Effect.gen(function* () {
      const found = yield* trailStore.listByIds(org, ids)
      const flows = yield* flowStore.listByIds(org, [
        ...new Set(found.map(({ flow_id }) => flow_id))
      ])
      const named = new Map(flows.map(({ id, name }) => [id, name]))
      return Arr.filterMap(found, ({ flow_id, id, name }) =>
        Option.map(
          Option.fromNullable(named.get(flow_id)),
          (flow): PlannedTrail => ({
            id,
            flow,
            name
          })
        )
      )
    })

  const idOf = (org: OrgId, { flow, trail }: CommitTrail) =>
    Effect.gen(function* () {
      const found = yield* flowStore.findByName({ org, name: flow })
      if (Option.isNone(found)) return Option.none<PlannedTrail>()
      const at = { org, flow: found.value.id, name: trail }
      return Option.map(
        yield* trailStore.findByName(at),
        ({ id, name }): PlannedTrail => ({ id, flow, name })
      )
    })

  /** The trails that report a commit and that the permission reaches, newest first. */
  const ofCommit = ({ orgId: org, reach }: GrantedWithin, sha: string) =>
    Effect.gen(function* () {
      const within = Reach.idsOf(reach)
      const page = {
        page: 1,
        perPage: SubjectLinks.COMMIT_TRAILS_MAX,
        ...(within === undefined ? {} : { within })
      }
      const { items } = yield* trailStore.listByCommit(org, CommitSha.make(sha), page)
      return Arr.getSomes(yield* Effect.forEach(items, (item) => idOf(org, item)))
    })

  /** Locks trails in order of their ids; one that is gone, or that the permission does not reach, is left out. */
  const lockAll = (
    { orgId, reach }: GrantedWithin,
    planned: ReadonlyArray<PlannedTrail>,
    writer: TrailEvent["writer"]
  ) =>
    Effect.gen(function* () {
      const found = yield* Effect.forEach([...planned].sort(byId), ({ flow, name }) =>
        trailStore.lockWithFlow({ org: orgId, flow, name })
      )
      const reached = yield* reaches.keepReadable(
        { orgId, readable: reach },
        { kind: "flow", things: Arr.getSomes(found), idOf: ({ flow }) => flow.id }
      )
      return new Map<string, TrailEvent>(
        reached.map((locked) => [locked.trail.id, { writer, ...locked }])
      )
    })

  /** Locks trails by their ids, in order. */
  const lockTrails = (
    granted: GrantedWithin,
    ids: ReadonlyArray<TrailId>,
    writer: TrailEvent["writer"]
  ) => Effect.flatMap(namesOf(granted.orgId, ids), (planned) => lockAll(granted, planned, writer))

  const onTrail = (granted: GrantedWithin, trail: TrailPath, scope: TransactionScope) =>
    Effect.gen(function* () {
      const event = yield* trails.lockOrCreate(granted, trail, scope)
      const facts = yield* artifacts.listFacts(granted.orgId, event.trail.id)
      const known = facts.map(({ fingerprint }) => ({ fingerprint, trail: event.trail.id }))
      return {
        id: event.trail.id,
        events: new Map<string, TrailEvent>([[event.trail.id, event]]),
        targets: { artifacts: known, commitTrails: [] }
      }
    })

  /** Plans links for documents with these subjects, and locks what they need. */
  const plan = Effect.fnUntraced(function* (
    granted: GrantedWithin,
    {
      fingerprint,
      trail,
      documents
    }: NamedTarget & {
      readonly documents: ReadonlyArray<ReadonlyArray<Subject>>
    },
    { scope, writer }: { readonly scope: TransactionScope; readonly writer: TrailEvent["writer"] }
  ) {
    if (trail !== null) {
      const { events, id, targets } = yield* onTrail(granted, trail, scope)
      const named = { trail: id, fingerprint }
      return { named, events, targetsOf: () => targets } satisfies LinkPlan
    }
    const { orgId: org } = granted
    const named = { trail: null, fingerprint }
    const wanted = documents.map((subjects) => SubjectLinks.wanted(subjects, named))
    const asked = [...new Set(wanted.flatMap(({ fingerprints }) => fingerprints))].sort()
    const fingerprints = asked.map((each) => Fingerprint.make(each))
    const commits = [...new Set(wanted.flatMap((each) => each.commits))].sort()
    const found = yield* store.listTargets(org, fingerprints)
    const ofCommits = new Map(
      yield* Effect.forEach(commits, (sha) =>
        Effect.map(ofCommit(granted, sha), (all) => [sha, all] as const)
      )
    )
    const ofTargets = yield* namesOf(org, [...new Set(found.map(({ trail_id }) => trail_id))])
    const planned = new Map(
      [...ofTargets, ...[...ofCommits.values()].flat()].map((each) => [each.id, each])
    )
    const events = yield* lockAll(granted, [...planned.values()], writer)
    const locked = yield* store.listTargets(org, fingerprints, { lock: true })
    if (!sameTargets(found, locked)) return yield* new LinkPlanChanged()
    const known = locked
      .filter(({ trail_id }) => events.has(trail_id))
      .map((each) => ({ fingerprint: each.fingerprint, trail: each.trail_id }))
    return {
      named,
      events,
      targetsOf: (subjects) => ({
        artifacts: known,
        commitTrails: SubjectLinks.wanted(subjects, named)
          .commits.flatMap((sha) => ofCommits.get(sha) ?? [])
          .map(({ id }) => id)
          .filter((id) => events.has(id))
      })
    } satisfies LinkPlan
  })

  return { lockTrails, plan } as const
})
