/** Reads trails with their flow, status and history. SPEC §4.7 */

import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type GrantedWithin, Reaches, readableWithin } from "../access/Reaches.js"
import type { StoredEvaluation } from "../compliance/StoredEvaluation.js"
import { type Flow, FlowNotFound } from "../flow/Flow.js"
import { FlowStore } from "../flow/FlowStore.js"
import * as ReadableFlows from "../flow/internal/ReadableFlows.js"
import type { TemplateVersion } from "../flow/TemplateVersion.js"
import * as ErasedMembers from "../journal/ErasedMembers.js"
import type { JournalEntry } from "../journal/JournalEntry.js"
import { JournalStore } from "../journal/JournalStore.js"
import type { Repo } from "../repo/Repo.js"
import { RepoStore } from "../repo/RepoStore.js"
import * as CommitPosition from "../shared/CommitPosition.js"
import { beside, type Damage, DamagedRecords, show } from "../shared/DamagedRecords.js"
import type { CommitSha, FlowName, OrgId, OrgName, TrailName } from "../shared/Identifier.js"
import type * as Page from "../shared/Page.js"
import * as Slices from "../shared/Slices.js"
import { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { type Trail, TrailNotFound } from "../trail/Trail.js"
import { type TrailQuery, TrailStore } from "../trail/TrailStore.js"
import * as AsOf from "./AsOf.js"
import * as FactTimeline from "./FactTimeline.js"
import { HistoryStore } from "./HistoryStore.js"
import * as ReadableHistory from "./internal/ReadableHistory.js"
import * as NamesAsOf from "./NamesAsOf.js"

/** A trail with its flow and its status. */
export interface TrailSummary {
  readonly flow: Flow
  readonly trail: Trail
  readonly evaluation: StoredEvaluation
}

/** A trail with its template, repositories and history. */
export interface TrailView extends TrailSummary {
  /** The template that the evaluation used. */
  readonly template: TemplateVersion
  /** The repositories that its reports name, in order. */
  readonly repos: ReadonlyArray<Repo>
  /** The events of the trail that the caller reads, oldest first. */
  readonly history: ReadonlyArray<JournalEntry>
  /** Set if the read is as of an instant. */
  readonly asOf?: Timestamp
}

/** Several trails of a flow, read together. */
export interface TrailSlice {
  readonly items: ReadonlyArray<TrailSummary>
  /** The positions of damaged records in the slice. */
  readonly damages: ReadonlyArray<Damage>
}

/** The length of a slice. */
const SLICE_LENGTH = 200

/** INVARIANT: one transaction writes a trail and its first evaluation. */
const present = <A>(what: string, found: Option.Option<A>): Effect.Effect<A, StoreError> =>
  Option.match(found, {
    onSome: Effect.succeed,
    onNone: () =>
      new StoreError({ operation: "TrailViews.get", cause: new Error(`the ${what} is missing`) })
  })

/** Use cases of reading trails. */
export class TrailViews extends Effect.Service<TrailViews>()("@attestry/core/TrailViews", {
  effect: Effect.gen(function* () {
    const flows = yield* FlowStore
    const trails = yield* TrailStore
    const repos = yield* RepoStore
    const journal = yield* JournalStore
    const histories = yield* HistoryStore
    const names = yield* NamesAsOf.make
    const reaches = yield* Reaches
    const readable = yield* ReadableFlows.make
    const shownTo = yield* ReadableHistory.make

    /** The flow and the trail with these names; fails if either is absent. */
    const locate = (at: GrantedWithin, flowName: FlowName, name: TrailName) =>
      Effect.gen(function* () {
        const flow = yield* readable.find(at, flowName)
        const trail = yield* Effect.flatMap(
          trails.findByName({ org: at.orgId, flow: flow.id, name }),
          Either.fromOption(() => new TrailNotFound({ org: at.org, flow: flowName, trail: name }))
        )
        return { flow, trail }
      })

    /** The trail with its history; fails if it or its flow is absent. */
    const find = Effect.fn("TrailViews.find")(function* (
      org: OrgName,
      flowName: FlowName,
      name: TrailName
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { flow, trail } = yield* locate(granted, flowName, name)
      const evaluation = yield* Effect.flatMap(
        trails.findEvaluation(granted.orgId, trail.id),
        (found) => present("evaluation", found)
      )
      const template = yield* Effect.flatMap(
        flows.findTemplate(granted.orgId, evaluation.template_id),
        (found) => present("template", found)
      )
      const subject = { type: "trail", id: trail.id }
      const entries = yield* journal.listBySubject(granted.orgId, subject)
      const history = yield* shownTo(granted, yield* Slices.map(entries, ErasedMembers.shown))
      const named = yield* Effect.forEach(trail.repo_ids, (id) =>
        repos.find({ org: granted.orgId, id: id })
      )
      return {
        flow,
        trail,
        evaluation,
        template,
        repos: Arr.getSomes(named),
        history
      } satisfies TrailView
    })

    /** The evaluation of a trail at an instant. */
    const evaluationAt = ({ trail, evaluation }: TrailView, asOf: Timestamp) =>
      Effect.gen(function* () {
        const evidence = yield* histories.evidence(trail.org_id, { trails: [trail.id] })
        const [found] = evidence.trails
        const {
          evaluation: evaluate,
          last,
          template
        } = FactTimeline.visibleTrails(evidence)(
          yield* present("trail", Option.fromNullable(found)),
          CommitPosition.asOf(asOf)
        )
        const { records, trail: status } = evaluate()
        return {
          ...evaluation,
          template_id: template,
          evaluated_at: last?.at ?? trail.created_at,
          trail: status,
          records
        } satisfies StoredEvaluation
      })

    /** The trail with its history, now or as of an instant; fails if the trail began later. */
    const get = Effect.fn("TrailViews.get")(function* (
      org: OrgName,
      at: { readonly flow: FlowName; readonly trail: TrailName },
      asked?: AsOf.AsOf | undefined
    ) {
      if (asked === undefined) {
        const view: TrailView = yield* find(org, at.flow, at.trail)
        return view
      }
      const { orgId } = yield* reaches.authorize(org, "org.read")
      const { asOf, isEarlier } = yield* names.momentOf(orgId, asked)
      if (!isEarlier) return { ...(yield* find(org, at.flow, at.trail)), asOf } satisfies TrailView
      const found = yield* Effect.catchTags(
        find(org, yield* names.flow(orgId, at.flow, asOf), at.trail),
        {
          // A flow that the caller does not read answers as an unknown one, under the name that was asked for.
          FlowNotFound: () => new FlowNotFound({ org, flow: at.flow }),
          TrailNotFound: () => new TrailNotFound({ org, ...at })
        }
      )
      if (found.trail.created_at > asOf)
        return yield* new AsOf.NotYetThere({ noun: "Trail", name: at.trail, asOf })
      const evaluation = yield* evaluationAt(found, asOf)
      const template = yield* Effect.flatMap(
        flows.findTemplate(orgId, evaluation.template_id),
        (version) => present("template", version)
      )
      const { flow, history } = found
      const called = yield* names.flowNames(orgId, [flow.id], asOf)
      return {
        ...found,
        flow: { ...flow, name: called.get(flow.id) ?? flow.name },
        evaluation,
        template,
        history: history.filter((entry) => entry.at <= asOf),
        asOf
      } satisfies TrailView
    })

    /** Trails with their flows and statuses; reads each flow once. */
    const toSummaries = (orgId: OrgId, found: ReadonlyArray<Trail>) =>
      Effect.gen(function* () {
        if (found.length === 0) return []
        const flowIds = [...new Set(found.map(({ flow_id }) => flow_id))]
        const flowsById = new Map(
          (yield* beside(flows.listByIds(orgId, flowIds))).map((flow) => [flow.id, flow] as const)
        )
        const trailIds = found.map(({ id }) => id)
        const byTrail = new Map(
          (yield* beside(trails.listEvaluations(orgId, trailIds))).map(
            (one) => [one.trail_id, one] as const
          )
        )
        return yield* show(found, (trail): TrailSummary | undefined => {
          const flow = flowsById.get(trail.flow_id)
          const evaluation = byTrail.get(trail.id)
          return flow && evaluation && { flow, trail, evaluation }
        })
      })

    /** One page of the trails that match the filter, newest first. */
    const list = Effect.fn("TrailViews.list")(function* (
      org: OrgName,
      { flow: flowName, ...query }: Omit<TrailQuery, "flow"> & { readonly flow?: FlowName },
      page: Page.Page
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { orgId } = granted
      const flow = flowName === undefined ? undefined : yield* readable.find(granted, flowName)
      const filtered =
        flow === undefined ? { ...query, ...readableWithin(granted) } : { ...query, flow: flow.id }
      const { items, total } = yield* trails.list(orgId, filtered, page)
      return { items: yield* toSummaries(orgId, items), total } satisfies Page.Paged<TrailSummary>
    })

    /** One slice of the trails of a flow, with the positions of unreadable ones. */
    const sliceOf = (orgId: OrgId, flow: Flow, after: Option.Option<number>) =>
      Effect.suspend(() => {
        const damages: Array<Damage> = []
        return trails.slice({ org: orgId, flow: flow.id, after, limit: SLICE_LENGTH }).pipe(
          Effect.bindTo("slice"),
          Effect.bind("items", ({ slice }) => toSummaries(orgId, slice.items)),
          Effect.map(
            ({ slice, items }) => [{ items, damages }, Option.map(slice.next, Option.some)] as const
          ),
          Effect.provideService(DamagedRecords, damages)
        )
      })

    /** Every trail of a flow, newest first, in consecutive slices. */
    const listFlow = Effect.fn("TrailViews.listFlow")(function* (org: OrgName, flowName: FlowName) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { orgId } = granted
      const flow = yield* readable.find(granted, flowName)
      return Stream.paginateEffect(Option.none<number>(), (after) => sliceOf(orgId, flow, after))
    })

    /** One page of the trails with a commit in all flows, newest first. SPEC §4.7 */
    const listByCommit = Effect.fn("TrailViews.listByCommit")(function* (
      org: OrgName,
      sha: CommitSha,
      page: Page.Page
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const shown = { ...page, ...readableWithin(granted) }
      return yield* trails.listByCommit(granted.orgId, sha, shown)
    })

    return { get, list, listFlow, listByCommit } as const
  })
}) {}
