/** The statements whose cost is held, each as a call of the port that runs it. */

import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { AttestationStore } from "@attestry/core/AttestationStore"
import { AuditLogStore } from "@attestry/core/AuditLogStore"
import { BuildStore } from "@attestry/core/BuildStore"
import { ControlStore } from "@attestry/core/ControlStore"
import { DeploymentStore } from "@attestry/core/DeploymentStore"
import { ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { EvaluationStore } from "@attestry/core/EvaluationStore"
import * as Fingerprint from "@attestry/core/Fingerprint"
import { FlowStore } from "@attestry/core/FlowStore"
import * as Identifier from "@attestry/core/Identifier"
import { IdentityRuleStore } from "@attestry/core/IdentityRuleStore"
import { JournalStore } from "@attestry/core/JournalStore"
import { SEMANTICS } from "@attestry/core/PolicySemantics"
import type { Ports } from "@attestry/core/Ports"
import { ProvenanceStore } from "@attestry/core/ProvenanceStore"
import { RepoStore } from "@attestry/core/RepoStore"
import type { SnapshotDraft } from "@attestry/core/SnapshotStore"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import { Staleness } from "@attestry/core/Staleness"
import * as Timestamp from "@attestry/core/Timestamp"
import { TrailStore } from "@attestry/core/TrailStore"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import { Effect, Option, Stream } from "effect"
import * as HistoryStatements from "./HistoryStatements.js"
import * as World from "./World.js"

type World_ = World.World
type Statement = (world: World_) => Effect.Effect<unknown, unknown, Ports>

const page = { page: 1, perPage: 20 }

const fingerprint = (index: number) => Fingerprint.Fingerprint.make(World.fingerprintOf(index))
const trail = ({ flow }: World_, index: number) => Identifier.TrailId.make(`${flow.id}/${index}`)

const repo = ({ flow }: World_, index: number) => Identifier.RepoId.make(`${flow.id}/${index}`)

const ALWAYS = { from: Timestamp.fromMicros(0), to: Timestamp.fromMicros(1_000_000) }

/** The middle third of a history. */
const middle = (size: number) => ({
  from: Timestamp.fromMicros(size / 3),
  to: Timestamp.fromMicros((2 * size) / 3)
})

const at = (index: number) => ({ _tag: "AtIndex" as const, index })
const span = (first: number, last: number) => ({ first, last })

const row = (index: number, started_index: number) => ({
  name: `name-${index}`,
  fingerprint: fingerprint(index),
  verdict: "Unknown" as const,
  started_index,
  flows: [],
  decisions: [],
  creationTimestamp: [1],
  pods: null,
  container_task_context: null,
  serverless_run_context: null,
  cloudx_app_context: null
})

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)

/** A snapshot in which artifacts with the numbers `begun` replace those with the numbers `ended`. */
const draft = (
  index: number,
  ended: ReadonlyArray<number>,
  begun: ReadonlyArray<number>
): SnapshotDraft => ({
  index,
  timestamp: Timestamp.fromMicros(index),
  verdict: "Unknown",
  counts: { true: 0, false: 0, null: begun.length },
  policies: [],
  ended: ended.map((number) => row(number, 1)),
  begun: begun.map((number) => row(number, index)),
  events: [
    ...ended.map((number) => ({
      ...row(number, 1),
      annotation: { type: "exited" as const, was: 1, now: 0 },
      arrived: false
    })),
    ...begun.map((number) => ({
      ...row(number, 1),
      annotation: { type: "started-compliant" as const, was: 0, now: 1 },
      arrived: true
    }))
  ],
  judged_all: true,
  semantics: SEMANTICS
})

const account = ({ org }: World_, index: number) => ({
  org_id: org.id,
  id: Identifier.ServiceAccountId.make(`${org.id}-account-${index}`)
})
/** An event on a trail that is told with what it marks. */
const event = {
  trail_id: Identifier.TrailId.make("trail-1"),
  sequence: 1,
  template_id: Identifier.TemplateId.make("template-1"),
  status: "COMPLIANT",
  at: Timestamp.fromMicros(1)
}

/** Reads about as much from a large org as from a small one. */
export const FLAT: { readonly [name: string]: Statement } = {
  ...HistoryStatements.FLAT,
  "the rules of a service account for id tokens": (world) =>
    Effect.flatMap(IdentityRuleStore, (store) => store.list(account(world, 1))),
  "the head of the newest snapshot": ({ wide }) =>
    Effect.flatMap(SnapshotStore, (store) => store.latest(wide)),
  "a snapshot of a long history": ({ long, size }) =>
    Effect.flatMap(SnapshotStore, (store) => store.find(long, at(size / 2))),
  "a snapshot at an instant": ({ long, size }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.find(long, { _tag: "AtInstant", instant: Timestamp.fromMicros(size / 2) })
    ),
  "the newest snapshots of environments, and since when they have their verdicts": ({
    wide,
    long,
    size
  }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.recent(long.org, [wide.environment, long.environment], Timestamp.fromMicros(size - 20))
    ),
  "a window of the timeline of a long history": ({ long, size }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.verdicts(long, {
        from: Timestamp.fromMicros(size / 2),
        to: Timestamp.fromMicros(size / 2 + 20)
      })
    ),
  "decisions about what runs, in an environment with a long history": ({ org, long }) =>
    Effect.flatMap(SnapshotStore, (store) => store.countDecided(org.id, [long.environment])),
  "heads of snapshots": ({ long, size }) =>
    Effect.flatMap(SnapshotStore, (store) => store.heads(long, span(size - 20, size))),
  "the first page of the event log": ({ long, size }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.events(long, {
        span: span(1, size),
        skip: 0,
        after: Option.none(),
        limit: 20,
        newestFirst: true
      })
    ),
  "the length of the event log": ({ long, size }) =>
    Effect.flatMap(SnapshotStore, (store) => store.countEvents(long, span(1, size))),
  "a page in the middle of the event log": ({ long, size }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.events(long, {
        span: span(1, size),
        skip: size,
        after: Option.none(),
        limit: 20,
        newestFirst: true
      })
    ),
  "the event log after a place": ({ wide, size }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.events(wide, {
        span: span(1, 1),
        skip: 0,
        after: Option.some({ index: 1, position: size / 2 }),
        limit: 20,
        newestFirst: false
      })
    ),
  "what ran in a place before": ({ long, flow, size }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.predecessors(
        long,
        [1, 2, 3].map((index) => ({
          flow: flow.id,
          slot: Identifier.SlotName.make("backend"),
          fingerprint: fingerprint(size - index),
          before: size - index
        }))
      )
    ),
  "the audit log of few snapshots": ({ long, size }) =>
    Effect.flatMap(AuditLogStore, (store) =>
      Stream.runDrain(
        store.lines(long, {
          environment: Identifier.EnvironmentName.make("long"),
          span: span(size - 20, size),
          filter: {}
        })
      )
    ),
  "a deployment": ({ long, size }) =>
    Effect.flatMap(DeploymentStore, (store) =>
      store.find(long.org, { environment: long.environment, index: size / 2, position: 2 })
    ),
  "a slice of the trails of a flow": ({ org, flow }) =>
    Effect.flatMap(TrailStore, (store) =>
      store.slice({ org: org.id, flow: flow.id, after: Option.none(), limit: 20 })
    ),
  "deployments of an org": ({ org }) =>
    Effect.flatMap(DeploymentStore, (store) => store.list(org.id, {}, page)),
  "deployments of an environment": ({ org, long }) =>
    Effect.flatMap(DeploymentStore, (store) =>
      store.list(org.id, { environments: [long.environment] }, page)
    ),
  "deployments of a flow": ({ org, flow }) =>
    Effect.flatMap(DeploymentStore, (store) => store.list(org.id, { flow: flow.id }, page)),
  "deployments of a fingerprint": ({ org }) =>
    Effect.flatMap(DeploymentStore, (store) =>
      store.list(org.id, { fingerprint: fingerprint(7) }, page)
    ),
  "deployments of a window": ({ org, size }) =>
    Effect.flatMap(DeploymentStore, (store) => store.list(org.id, middle(size), page)),
  "deployments of a repository": (world) =>
    Effect.flatMap(DeploymentStore, (store) =>
      store.list(world.org.id, { repos: [repo(world, 1)] }, page)
    ),
  "deployments of repositories to environments": (world) =>
    Effect.flatMap(DeploymentStore, (store) =>
      store.list(
        world.org.id,
        {
          repos: [repo(world, 1), repo(world, 2)],
          environments: [world.long.environment, world.wide.environment],
          ...middle(world.size)
        },
        page
      )
    ),
  "the newest deployment of a fingerprint to an environment": ({ org, long }) =>
    Effect.flatMap(DeploymentStore, (store) =>
      store.list(
        org.id,
        { environments: [long.environment], fingerprint: fingerprint(7) },
        { page: 1, perPage: 1 }
      )
    ),
  "builds of an org": ({ org }) =>
    Effect.flatMap(BuildStore, (store) => store.list(org.id, ALWAYS, page)),
  "builds of a repository": (world) =>
    Effect.flatMap(BuildStore, (store) =>
      store.list(world.org.id, { ...ALWAYS, repos: [repo(world, 1)] }, page)
    ),
  "artifact records by id": ({ org }) =>
    Effect.flatMap(ArtifactStore, (store) =>
      store.listByIds(
        org.id,
        [7, 8, 9].map((index) => Identifier.ArtifactId.make(`artifact-${index}`))
      )
    ),
  "repositories by id": (world) =>
    Effect.flatMap(RepoStore, (store) =>
      store.listByIds(world.org.id, [repo(world, 1), repo(world, 7)])
    ),
  "repositories of a host": ({ org }) =>
    Effect.flatMap(RepoStore, (store) =>
      store.list(org.id, { vcsInstance: "git1.example.org", tags: [], direction: "asc" }, page)
    ),
  "repositories of a namespace": ({ org }) =>
    Effect.flatMap(RepoStore, (store) =>
      store.list(org.id, { namespace: ["team1"], tags: [], direction: "asc" }, page)
    ),
  "a repository by its provider's id": ({ org }) =>
    Effect.flatMap(RepoStore, (store) =>
      store.list(org.id, { repoId: "7", tags: [], direction: "asc" }, page)
    ),
  "an environment by its name": ({ org }) =>
    Effect.flatMap(EnvironmentStore, (store) =>
      store.findByName({ org: org.id, name: Identifier.EnvironmentName.make("long") })
    ),
  "locking an environment with a long history": ({ org, long }) =>
    Effect.flatMap(EnvironmentStore, (store) =>
      store.lockById({ org: org.id, environment: long.environment })
    ),
  "environments whose evaluation is due": ({ org }) =>
    Effect.flatMap(EnvironmentStore, (store) => store.listPending(org.id)),
  "marking environments that run a content": ({ org }) =>
    Effect.flatMap(Staleness, (store) => store.markRunning(org.id, [fingerprint(3)], event)),
  "what flows know about few fingerprints": ({ org }) =>
    Effect.flatMap(ProvenanceStore, (store) =>
      store.records(org.id, [fingerprint(3), fingerprint(4)], [fingerprint(3)])
    ),
  "attestations of few trails": (world) =>
    Effect.flatMap(ProvenanceStore, (store) =>
      store.attestations(world.org.id, [trail(world, 3), trail(world, 4)])
    ),
  "names of flows": ({ org, flow }) =>
    Effect.flatMap(ProvenanceStore, (store) => store.flowNames(org.id, [flow.id])),
  "a trail by its name": ({ org, flow }) =>
    Effect.flatMap(TrailStore, (store) =>
      store.findByName({ org: org.id, flow: flow.id, name: Identifier.TrailName.make("run-7") })
    ),
  "trails by their ids": (world) =>
    Effect.flatMap(TrailStore, (store) =>
      store.listByIds(world.org.id, [trail(world, 3), trail(world, 4)])
    ),
  "locking a trail": ({ org }) =>
    Effect.flatMap(Transaction, ({ run }) =>
      run(org.id, () =>
        Effect.flatMap(TrailStore, (store) =>
          store.lockWithFlow({
            org: org.id,
            flow: Identifier.FlowName.make("build"),
            name: Identifier.TrailName.make("run-7")
          })
        )
      )
    ),
  "trails of an org": ({ org }) =>
    Effect.flatMap(TrailStore, (store) => store.list(org.id, {}, page)),
  "trails of a flow": ({ org, flow }) =>
    Effect.flatMap(TrailStore, (store) => store.list(org.id, { flow: flow.id }, page)),
  "trails of a flow by status": ({ org, flow }) =>
    Effect.flatMap(TrailStore, (store) =>
      store.list(org.id, { flow: flow.id, status: "COMPLIANT" }, page)
    ),
  "trails with a fingerprint": ({ org }) =>
    Effect.flatMap(TrailStore, (store) =>
      store.list(org.id, { fingerprint: fingerprint(7) }, page)
    ),
  "trails of a commit": ({ org }) =>
    Effect.flatMap(TrailStore, (store) =>
      store.listByCommit(org.id, Identifier.CommitSha.make(World.commitOf(7)), page)
    ),
  "a flow by its name": ({ org }) =>
    Effect.flatMap(FlowStore, (store) =>
      store.findByName({ org: org.id, name: Identifier.FlowName.make("build") })
    ),
  "flows by latest activity": ({ org }) =>
    Effect.flatMap(FlowStore, (store) =>
      store.list(org.id, { sort: "latest_activity", direction: "desc" }, Option.some(page))
    ),
  "flows that were never active": ({ org }) =>
    Effect.flatMap(FlowStore, (store) =>
      store.list(org.id, { sort: "latest_activity", direction: "asc" }, Option.some(page))
    ),
  "flows by name": ({ org }) =>
    Effect.flatMap(FlowStore, (store) =>
      store.list(org.id, { sort: "name", direction: "asc" }, Option.some(page))
    ),
  "artifacts of a flow": ({ org, flow }) =>
    Effect.flatMap(ArtifactStore, (store) => store.list({ org: org.id, flow: flow.id }, page)),
  "artifacts of an org": ({ org }) =>
    Effect.flatMap(ArtifactStore, (store) => store.list({ org: org.id }, page)),
  "artifacts of a content": ({ org }) =>
    Effect.flatMap(ArtifactStore, (store) =>
      store.listByContent({ org: org.id, fingerprint: fingerprint(7) })
    ),
  "artifacts of a commit": ({ org }) =>
    Effect.flatMap(ArtifactStore, (store) =>
      store.listByCommit({ org: org.id, prefix: World.commitOf(7) })
    ),
  "fingerprints that begin alike": ({ org }) =>
    Effect.flatMap(ArtifactStore, (store) =>
      store.matchFingerprints({
        org: org.id,
        prefix: Fingerprint.FingerprintPrefix.make(World.fingerprintOf(7)),
        limit: 2
      })
    ),
  "the artifact before": ({ org, flow, size }) =>
    Effect.flatMap(ArtifactStore, (store) =>
      store.findPrevious({ org: org.id, flow: flow.id, fingerprint: fingerprint(size) })
    ),
  "earlier artifacts of a slot": ({ org, flow, size }) =>
    Effect.flatMap(ArtifactStore, (store) =>
      store.listEarlier({
        org: org.id,
        flow: flow.id,
        slot: Identifier.SlotName.make("backend"),
        before: size,
        limit: 50
      })
    ),
  "what a trail has": (world) =>
    Effect.gen(function* () {
      yield* (yield* ArtifactStore).listFacts(world.org.id, trail(world, 7))
      yield* (yield* AttestationStore).listFacts(world.org.id, trail(world, 7))
      yield* (yield* EvaluationStore).find(world.org.id, trail(world, 7))
    }),
  "attestations of an org": ({ org }) =>
    Effect.flatMap(AttestationStore, (store) => store.list(org.id, {}, page)),
  "attestations after a place": ({ org, size }) =>
    Effect.flatMap(AttestationStore, (store) =>
      store.listAfter(org.id, {}, { after: size, limit: page.perPage })
    ),
  "attestations of commits": ({ org }) =>
    Effect.flatMap(AttestationStore, (store) =>
      store.list(
        org.id,
        { commits: [7, 8].map((index) => Identifier.CommitSha.make(World.commitOf(index))) },
        page
      )
    ),
  "attestations of a flow": ({ org, flow }) =>
    Effect.flatMap(AttestationStore, (store) => store.list(org.id, { flows: [flow.id] }, page)),
  "attestations of a trail": (world) =>
    Effect.flatMap(AttestationStore, (store) =>
      store.list(world.org.id, { trail: trail(world, 7) }, page)
    ),
  "attestations of trails of a name": ({ org }) =>
    Effect.flatMap(AttestationStore, (store) => store.list(org.id, { trailName: "run-7" }, page)),
  repositories: ({ org }) =>
    Effect.flatMap(RepoStore, (store) => store.list(org.id, { tags: [], direction: "asc" }, page)),
  "a repository by its name": ({ org }) =>
    Effect.flatMap(RepoStore, (store) =>
      store.find({ org: org.id, provider: "github", repoId: null, name: "team/repo-7" })
    ),
  controls: ({ org }) =>
    Effect.flatMap(ControlStore, (store) =>
      store.list(org.id, { archived: false, tags: [], direction: "asc" }, page)
    ),
  "the journal of a trail": (world) =>
    Effect.flatMap(JournalStore, (store) =>
      store.listBySubject(world.org.id, { type: "trail", id: trail(world, 7) })
    ),
  "the journal of few trails": (world) =>
    Effect.flatMap(JournalStore, (store) =>
      store.listBySubjects(world.org.id, { type: "trail", ids: [trail(world, 7), trail(world, 8)] })
    ),
  "the journal after a place": ({ org }) =>
    Effect.flatMap(JournalStore, (store) => store.listAfter({ org: org.id, after: 10, limit: 20 })),
  "the newest entries of the journal": ({ org }) =>
    Effect.flatMap(JournalStore, (store) =>
      store.lookBack({ org: org.id, filter: {}, limit: 20, readMax: 21 })
    )
}

/** Reads at most in proportion to the rows that it answers or goes through. */
export const LINEAR: { readonly [name: string]: Statement } = {
  ...HistoryStatements.LINEAR,
  "the outline of a large snapshot": ({ wide }) =>
    Effect.flatMap(SnapshotStore, (store) => store.outline(wide, 1, { page: 1, perPage: 20 })),
  "a large snapshot": ({ wide }) =>
    Effect.flatMap(SnapshotStore, (store) => store.find(wide, at(1))),
  "what runs in a large environment": ({ wide }) =>
    Effect.flatMap(SnapshotStore, (store) => store.running(wide)),
  "locking a large environment": ({ org, wide }) =>
    Effect.flatMap(EnvironmentStore, (store) =>
      store.lockById({ org: org.id, environment: wide.environment })
    ),
  "the whole event log": ({ wide, size }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.events(wide, {
        span: span(1, 1),
        skip: 0,
        after: Option.none(),
        limit: size,
        newestFirst: true
      })
    ),
  "the timeline of a long history": ({ long, size }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.verdicts(long, {
        from: Timestamp.fromMicros(0),
        to: Timestamp.fromMicros(size)
      })
    ),
  "environments whose next report must be evaluated": ({ org }) =>
    Effect.flatMap(EnvironmentStore, (store) => store.listStale(org.id)),
  "the audit log of a large snapshot": ({ wide }) =>
    Effect.flatMap(AuditLogStore, (store) =>
      Stream.runDrain(
        store.lines(wide, {
          environment: Identifier.EnvironmentName.make("wide"),
          span: span(1, 1),
          filter: {}
        })
      )
    ),
  "the audit log of a long history": ({ long, size }) =>
    Effect.flatMap(AuditLogStore, (store) =>
      Stream.runDrain(
        store.lines(long, {
          environment: Identifier.EnvironmentName.make("long"),
          span: span(1, size),
          filter: {}
        })
      )
    ),
  "what flows know about many fingerprints": ({ org, size }) => {
    const all = Array.from({ length: size }, (_, index) => fingerprint(index + 1))
    return Effect.flatMap(ProvenanceStore, (store) => store.records(org.id, all, all))
  },
  "the deployments of a repository as series": (world) =>
    Effect.flatMap(DeploymentStore, (store) =>
      store.series(world.org.id, repo(world, 1), middle(world.size))
    ),
  "what of a repository runs": (world) =>
    Effect.flatMap(DeploymentStore, (store) => store.live(world.org.id, repo(world, 1))),
  "the instants of builds": ({ org }) =>
    Effect.flatMap(BuildStore, (store) => store.instants(org.id, ALWAYS)),
  "the values to filter repositories by": ({ org }) =>
    Effect.flatMap(RepoStore, (store) => store.filterOptions(org.id, { tags: [] })),
  "the tags of repositories": ({ org }) =>
    Effect.flatMap(RepoStore, (store) => store.listTags(org.id)),
  "trails of a flow by a part of the name": ({ org, flow }) =>
    Effect.flatMap(TrailStore, (store) =>
      store.list(org.id, { flow: flow.id, search: "run-7" }, page)
    ),
  "names of attestations": ({ org }) =>
    Effect.flatMap(AttestationStore, (store) => store.listNames(org.id, 10_001)),
  "attestations of many trails": (world) =>
    Effect.flatMap(ProvenanceStore, (store) =>
      store.attestations(
        world.org.id,
        Array.from({ length: world.size }, (_, index) => trail(world, index + 1))
      )
    ),
  "what ran in many places before": ({ long, flow, size }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.predecessors(
        long,
        Array.from({ length: size }, (_, index) => ({
          flow: flow.id,
          slot: Identifier.SlotName.make("backend"),
          fingerprint: fingerprint(index + 1),
          before: index + 1
        }))
      )
    ),
  "marking environments that run many contents": ({ org, size }) =>
    Effect.flatMap(Transaction, ({ run }) =>
      run(org.id, () =>
        Effect.flatMap(Staleness, (store) =>
          store.markRunning(
            org.id,
            Array.from({ length: size }, (_, index) => fingerprint(index + 1)),
            event
          )
        )
      )
    ),
  "service accounts by the issuer of id tokens": ({ org }) =>
    Effect.flatMap(IdentityRuleStore, (store) =>
      store.listByIssuer(org.id, "https://issuer-1.example.org")
    ),
  "environments of an org": ({ org }) =>
    Effect.flatMap(EnvironmentStore, (store) => store.list(org.id)),
  "appending snapshots that replace one row and all rows": ({ org, size }) =>
    Effect.gen(function* () {
      const store = yield* SnapshotStore
      const environment = ref(yield* Fixture.environment(org, `env-${yield* Fixture.freshId}`))
      // WHY numbers of their own: what the world's environments run stays the same.
      const first = size * 10
      yield* store.append(environment, draft(1, [], numbers(first, size)))
      yield* store.append(environment, draft(2, [first], [first + size]))
      const ended = numbers(first + 1, size)
      yield* store.append(environment, draft(3, ended, numbers(first + size + 1, size)))
      yield* store.find(environment, at(3))
    })
}
