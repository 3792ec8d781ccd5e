/** Reads artifacts by fingerprint, by commit or as a list, each with its compliance. SPEC §4.3 */

import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type GrantedWithin, Reaches, readableWithin } from "../access/Reaches.js"
import { type Artifact, commitOf } from "../artifact/Artifact.js"
import * as ArtifactLookup from "../artifact/ArtifactLookup.js"
import { ArtifactStore } from "../artifact/ArtifactStore.js"
import { Fingerprint, FingerprintPrefix } from "../artifact/Fingerprint.js"
import type { Placement } from "../artifact/Placement.js"
import type { Status } from "../compliance/ComplianceStatus.js"
import * as ArtifactHistory from "../compliance/internal/ArtifactHistory.js"
import * as ShaSearch from "../compliance/ShaSearch.js"
import * as UnreportedArtifact from "../compliance/UnreportedArtifact.js"
import { FlowNotFound } from "../flow/Flow.js"
import { FlowStore } from "../flow/FlowStore.js"
import * as ReadableFlows from "../flow/internal/ReadableFlows.js"
import { Journals } from "../journal/Journals.js"
import * as ReadableRepos from "../repo/internal/ReadableRepos.js"
import { RepoNotFound } from "../repo/Repo.js"
import { beside, show } from "../shared/DamagedRecords.js"
import type {
  ArtifactId,
  CommitSha,
  FlowId,
  FlowName,
  OrgId,
  OrgName,
  TrailName
} from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { ReadModels } from "../snapshot/ReadModels.js"
import { type Trail, TrailNotFound } from "../trail/Trail.js"
import { TrailStore } from "../trail/TrailStore.js"
import * as AsOf from "./AsOf.js"
import * as ArtifactAsOf from "./internal/ArtifactAsOf.js"
import * as NamesAsOf from "./NamesAsOf.js"

/** An artifact with its flow and trail, its compliance and its history. */
export interface ArtifactView extends ArtifactHistory.ArtifactHistory {
  readonly artifact: Artifact
  readonly flow: FlowName
  readonly trail: TrailName
  readonly state: Status
  /** Set if the read is as of an instant. */
  readonly asOf?: Timestamp
}

/** A flow, and a trail if one is given. */
export interface ArtifactPlace {
  readonly org: OrgName
  readonly flow: FlowName
  readonly trail?: TrailName | undefined
}

/** A fingerprint prefix, and the id of one record if one is given. */
export interface ArtifactKey {
  readonly prefix: FingerprintPrefix
  readonly id?: ArtifactId | undefined
}

/** The matches of a commit or a fingerprint prefix. */
export interface ShaMatches {
  readonly fingerprints: ReadonlyArray<Fingerprint>
  readonly commits: ReadonlyArray<CommitSha>
  readonly artifacts: ReadonlyArray<ArtifactView>
  /** The fingerprints without provenance, in order. */
  readonly unreported: ReadonlyArray<UnreportedArtifact.UnreportedArtifact>
}

/** A prefix matches at most this many fingerprints and commits. */
const MATCHES_MAX = 1_000

const isWhole = Schema.is(Fingerprint)

/** Use cases of reading artifacts. */
export class ArtifactViews extends Effect.Service<ArtifactViews>()("@attestry/core/ArtifactViews", {
  effect: Effect.gen(function* () {
    const store = yield* ArtifactStore
    const flows = yield* FlowStore
    const trails = yield* TrailStore
    const readableRepos = yield* ReadableRepos.make
    const placements = yield* ReadModels
    const journals = yield* Journals
    const names = yield* NamesAsOf.make
    const reaches = yield* Reaches
    const readable = yield* ReadableFlows.make
    const viewAt = yield* ArtifactAsOf.make

    /** The environments that the caller reads in which the fingerprints run and ran. */
    const placementsOf = (granted: GrantedWithin, fingerprints: ReadonlyArray<Fingerprint>) =>
      placements.placements(granted.orgId, [...new Set(fingerprints)]).pipe(
        Effect.flatMap((found) =>
          reaches.keepReadable(granted, {
            kind: "environment",
            things: found,
            idOf: ({ environment }) => environment
          })
        ),
        Effect.map((found) => {
          const byContent = Arr.groupBy(found, ({ fingerprint }) => fingerprint)
          return (fingerprint: Fingerprint): ReadonlyArray<Placement> =>
            byContent[fingerprint] ?? []
        })
      )

    /** Converts artifacts to views; reads each trail and flow once. */
    const toViews = (granted: GrantedWithin, found: ReadonlyArray<Artifact>) =>
      Effect.gen(function* () {
        const { orgId } = granted
        if (found.length === 0) return []
        const trailIds = [...new Set(found.map(({ trail_id }) => trail_id))]
        const flowIds = [...new Set(found.map(({ flow_id }) => flow_id))]
        const flowNames = new Map(
          (yield* beside(flows.listByIds(orgId, flowIds))).map(
            (flow) => [flow.id, flow.name] as const
          )
        )
        const trailNames = new Map(
          (yield* beside(trails.listByIds(orgId, trailIds))).map(
            (trail) => [trail.id, trail.name] as const
          )
        )
        const states = new Map(
          (yield* beside(trails.listEvaluations(orgId, trailIds))).flatMap(({ records }) =>
            records.map((record) => [record.artifact_id, record.status] as const)
          )
        )
        const histories = yield* journals.histories(orgId, { type: "trail", ids: trailIds })
        const placementsIn = yield* placementsOf(
          granted,
          found.map(({ fingerprint }) => fingerprint)
        )
        return yield* show(found, (artifact): ArtifactView | undefined => {
          const flow = flowNames.get(artifact.flow_id)
          const trail = trailNames.get(artifact.trail_id)
          const state = states.get(artifact.id)
          const entries = histories.get(artifact.trail_id)
          if (flow === undefined || trail === undefined) return undefined
          if (state === undefined || entries === undefined) return undefined
          const where = placementsIn(artifact.fingerprint)
          return { artifact, flow, trail, state, ...ArtifactHistory.of(artifact, entries, where) }
        })
      })

    /** Which of the fingerprints that no readable flow has another flow has. */
    const hiddenOf = (
      { orgId, readable }: GrantedWithin,
      fingerprints: ReadonlyArray<Fingerprint>
    ) =>
      readable._tag === "Whole"
        ? Effect.succeed<ReadonlySet<Fingerprint>>(new Set())
        : Effect.map(
            Effect.filter(fingerprints, (fingerprint) =>
              Effect.map(
                store.listByContent({ org: orgId, fingerprint }),
                (records) => records.length > 0
              )
            ),
            (known): ReadonlySet<Fingerprint> => new Set(known)
          )

    /** Describes fingerprints that no readable flow has, by the environments that run or ran them. */
    const describeUnreported = (granted: GrantedWithin, fingerprints: ReadonlyArray<Fingerprint>) =>
      Effect.gen(function* () {
        const { orgId } = granted
        if (fingerprints.length === 0) return []
        const where = yield* placementsOf(granted, fingerprints)
        const keys = fingerprints.flatMap((fingerprint) =>
          UnreportedArtifact.keysOf(where(fingerprint))
        )
        const rows = yield* placements.placedRows(orgId, keys)
        const hidden = yield* hiddenOf(granted, fingerprints)
        return fingerprints.map((fingerprint) =>
          UnreportedArtifact.of(fingerprint, where(fingerprint), { rows, hidden })
        )
      })

    /** Resolves a flow, and a trail if one is given, to their ids. */
    const place = (at: ArtifactPlace) =>
      Effect.gen(function* () {
        const granted = yield* reaches.authorize(at.org, "org.read")
        const { orgId } = granted
        const flow = yield* readable.find(granted, at.flow)
        const { org, trail: name } = at
        if (name === undefined) return { granted, org: orgId, flow: flow.id }
        const trail = yield* Effect.flatMap(
          trails.findByName({ org: orgId, flow: flow.id, name }),
          Either.fromOption(() => new TrailNotFound({ org, flow: at.flow, trail: name }))
        )
        return { granted, org: orgId, flow: flow.id, trail: trail.id }
      })

    /** The fingerprint that a prefix resolves to in a flow. */
    const contentOf = (
      at: { readonly org: OrgName; readonly flow: FlowName },
      where: { readonly org: OrgId; readonly flow: FlowId },
      prefix: FingerprintPrefix
    ) =>
      Effect.flatMap(
        store.matchFingerprints({ org: where.org, flow: where.flow, prefix, limit: MATCHES_MAX }),
        (matches) => ArtifactLookup.resolve({ ...at, prefix }, matches)
      )

    /** The record with an id, or the newest one, of the fingerprint that a prefix resolves to in a flow. */
    const find = (at: ArtifactPlace, { prefix, id }: ArtifactKey) =>
      Effect.gen(function* () {
        const { granted, ...where } = yield* place(at)
        const fingerprint = yield* contentOf(at, where, prefix)
        const records = yield* store.listByContent({ ...where, fingerprint })
        const record = id === undefined ? records[0] : records.find((one) => one.id === id)
        const [view] = yield* toViews(granted, record === undefined ? [] : [record])
        return view === undefined
          ? yield* new ArtifactLookup.ArtifactNotFound({ org: at.org, flow: at.flow, fingerprint })
          : { view, records }
      })

    /** As `find`; as of an instant, the record and its view at that instant. Fails if the record is later. */
    const get = Effect.fn("ArtifactViews.get")(function* (
      at: ArtifactPlace,
      of: ArtifactKey,
      asked?: AsOf.AsOf | undefined
    ) {
      if (asked === undefined) return (yield* find(at, of)).view
      const { orgId } = yield* reaches.authorize(at.org, "org.read")
      const { asOf, isEarlier } = yield* names.momentOf(orgId, asked)
      if (!isEarlier) return { ...(yield* find(at, of)).view, asOf } satisfies ArtifactView
      const then = { ...at, flow: yield* names.flow(orgId, at.flow, asOf) }
      const { view: now, records } = yield* Effect.catchTag(
        find(then, of),
        "FlowNotFound",
        // A flow that the caller does not read answers as an unknown one, under the name that was asked for.
        ({ org }) => new FlowNotFound({ org, flow: at.flow })
      )
      const record = records.find(
        ({ id, created_at }) => created_at <= asOf && (of.id === undefined || id === of.id)
      )
      if (record === undefined) {
        const { fingerprint: name } = now.artifact
        return yield* new AsOf.NotYetThere({ noun: "Artifact", name, asOf })
      }
      const isNow = record.id === now.artifact.id
      const view = isNow ? now : (yield* find(then, { ...of, id: record.id })).view
      return { ...view, ...(yield* viewAt(view, asOf)), asOf } satisfies ArtifactView
    })

    /** Every record of a flow whose commit has this prefix, newest first. */
    const listByCommit = Effect.fn("ArtifactViews.listByCommit")(function* (
      at: ArtifactPlace,
      prefix: string
    ) {
      const { granted, ...where } = yield* place(at)
      return yield* toViews(granted, yield* store.list({ ...where, commit: prefix }))
    })

    /** Every record of a trail that the caller reads, oldest first. */
    const listOnTrail = Effect.fn("ArtifactViews.listOnTrail")(function* (
      org: OrgName,
      { id: trail, flow_id: flow }: Trail
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { orgId } = granted
      const facts = yield* store.listFacts(orgId, trail)
      const found = yield* Effect.forEach(
        new Set(facts.map(({ fingerprint }) => fingerprint)),
        (fingerprint) => store.listByContent({ org: orgId, flow, trail, fingerprint })
      )
      return yield* toViews(
        granted,
        found.flat().sort((left, right) => left.sequence - right.sequence)
      )
    })

    /** One page of the records of a flow, of a repository, or of the org, newest first. */
    const list = Effect.fn("ArtifactViews.list")(function* (
      org: OrgName,
      query: {
        readonly flow?: FlowName | undefined
        readonly repo?: string | undefined
        /** Matches part of the file name, case-insensitively. */
        readonly search?: string | undefined
      },
      page: Page
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { orgId } = granted
      const flow = query.flow === undefined ? undefined : yield* readable.find(granted, query.flow)
      const { repo } = query
      const named = repo === undefined ? undefined : yield* readableRepos.listByName(granted, repo)
      if (repo !== undefined && named?.length === 0) return yield* new RepoNotFound({ org, repo })
      const found = yield* store.list(
        {
          org: orgId,
          ...(flow === undefined ? readableWithin(granted) : { flow: flow.id }),
          ...(named === undefined ? {} : { repos: named.map(({ id }) => id) }),
          ...(query.search === undefined ? {} : { search: query.search })
        },
        page
      )
      return yield* toViews(granted, found)
    })

    /**
     * The commit of the artifact that precedes this one in the flow, on a branch if one is given. A whole fingerprint
     * need not be reported yet: the newest artifact then precedes it.
     */
    const previousCommit = Effect.fn("ArtifactViews.previousCommit")(function* (
      at: { readonly org: OrgName; readonly flow: FlowName },
      { prefix, ...on }: { readonly prefix: FingerprintPrefix; readonly branch?: string }
    ) {
      const { granted: _granted, ...where } = yield* place(at)
      const fingerprint = isWhole(prefix) ? prefix : yield* contentOf(at, where, prefix)
      const previous = yield* store.findPrevious({ ...where, ...on, fingerprint })
      return Option.flatMapNullable(previous, ({ report }) => commitOf(report))
    })

    /**
     * Everything that the caller reads and that matches a prefix: fingerprints, commits, their artifacts, and
     * fingerprints that run or ran without provenance.
     */
    const search = Effect.fn("ArtifactViews.search")(function* (org: OrgName, text: string) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { orgId } = granted
      const within = readableWithin(granted)
      if (!ShaSearch.isSearchable(text)) return yield* new ShaSearch.NoMatches({ text })
      const query = { org: orgId, limit: MATCHES_MAX }
      const prefix = FingerprintPrefix.make(text)
      const reported = yield* store.matchFingerprints({ ...query, ...within, prefix })
      const environments = yield* reaches.readableEnvironments(granted)
      const placed = yield* placements.placedFingerprints({ ...query, ...environments, prefix })
      const commits = yield* store.matchCommits({ ...query, ...within, prefix: text })
      const fingerprints = [...new Set([...reported, ...placed])].sort().slice(0, MATCHES_MAX)
      if (fingerprints.length + commits.length === 0)
        return yield* new ShaSearch.NoMatches({ text })
      const known = new Set(reported)
      const byContent = yield* Effect.forEach(
        fingerprints.filter((fingerprint) => known.has(fingerprint)),
        (fingerprint) => store.listByContent({ org: orgId, ...within, fingerprint })
      )
      const byCommit =
        commits.length === 0 ? [] : yield* store.list({ org: orgId, ...within, commit: text })
      const artifacts = yield* toViews(
        granted,
        ShaSearch.newestOfEach([...byContent.flat(), ...byCommit])
      )
      const unreported = yield* describeUnreported(
        granted,
        fingerprints.filter((fingerprint) => !known.has(fingerprint))
      )
      return { fingerprints, commits, artifacts, unreported } satisfies ShaMatches
    })

    return { get, listByCommit, listOnTrail, list, previousCommit, search } as const
  })
}) {}
