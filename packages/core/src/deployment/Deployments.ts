/** Lists deployments, finds one, and gives the series of a repository. SPEC §4.12 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { ArtifactStore } from "../artifact/ArtifactStore.js"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import * as ReadableRepos from "../repo/internal/ReadableRepos.js"
import { RepoNotFound } from "../repo/Repo.js"
import { RepoStore } from "../repo/RepoStore.js"
import { beside } from "../shared/DamagedRecords.js"
import type { EnvironmentName, FlowName, OrgId, OrgName } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import * as TimeWindow from "../shared/TimeWindow.js"
import { Transaction } from "../shared/Transaction.js"
import { ProvenanceStore } from "../snapshot/ProvenanceStore.js"
import { ReadModels } from "../snapshot/ReadModels.js"
import * as Deployment from "./Deployment.js"
import * as DeploymentSeries from "./DeploymentSeries.js"
import * as DeploymentPlaces from "./internal/DeploymentPlaces.js"
import * as DeploymentView from "./internal/DeploymentView.js"
import type { StoredDeployment } from "./StoredDeployment.js"

/** A window whose absent bounds get their defaults: now, and some days before its end. */
export interface DefaultedWindow extends TimeWindow.TimeWindow {
  readonly days: number
}

/** Which deployments are listed, by name; `repoId` is our id of a repository. */
export interface DeploymentQuery {
  readonly environments?: ReadonlyArray<EnvironmentName>
  readonly flow?: FlowName
  readonly fingerprint?: Fingerprint
  readonly repoName?: string
  readonly repoId?: string
  readonly window?: DefaultedWindow
}

/** Use cases of deployments. */
export class Deployments extends Effect.Service<Deployments>()("@attestry/core/Deployments", {
  effect: Effect.gen(function* () {
    const store = yield* ReadModels
    const reaches = yield* Reaches
    const { environmentIds, environmentOf, flowId } = yield* DeploymentPlaces.make
    const repos = yield* ReadableRepos.make
    const repoStore = yield* RepoStore
    const artifacts = yield* ArtifactStore
    const provenance = yield* ProvenanceStore
    const transaction = yield* Transaction

    const shown = (granted: GrantedWithin, stored: ReadonlyArray<StoredDeployment>) =>
      Effect.gen(function* () {
        const org = granted.orgId
        const flowIds = stored.flatMap(({ event }) => event.row.flows.map((view) => view.flow_id))
        const readableIds = yield* reaches.keepReadable(granted, {
          kind: "flow",
          things: [...new Set(flowIds)],
          idOf: (id) => id
        })
        const flowNames = yield* provenance.flowNames(org, readableIds)
        const records = yield* beside(artifacts.listByIds(org, DeploymentView.artifactIds(stored)))
        const repoIds = new Set(records.flatMap(({ repo_id }) => repo_id ?? []))
        const named = yield* beside(repoStore.listByIds(org, [...repoIds]))
        const readable = new Set(readableIds)
        const sources: DeploymentView.Sources = {
          isReadable: (flow) => readable.has(flow),
          flowNames,
          artifacts: new Map(records.map((record) => [record.id, record])),
          repos: new Map(named.map((repo) => [repo.id, repo]))
        }
        return stored.flatMap(DeploymentView.make(sources))
      })

    /** The repositories of a question, and the flows by whose records they are found. */
    const repoIds = (granted: GrantedWithin, { repoName, repoId }: DeploymentQuery) =>
      Effect.gen(function* () {
        if (repoId === undefined && repoName === undefined) return {}
        const flows = yield* reaches.readableFlows(granted)
        if (repoId !== undefined)
          return { ...flows, repos: [(yield* repos.get(granted, repoId)).id] }
        const name = repoName ?? ""
        const found = yield* repos.listByName(granted, name)
        return found.length === 0
          ? yield* new RepoNotFound({ org: granted.org, repo: name })
          : { ...flows, repos: found.map(({ id }) => id) }
      })

    /** WHY a transaction: its instant is that of the store, by which deployments are dated. */
    const complete = (org: OrgId, window: DefaultedWindow) =>
      Effect.map(
        transaction.run(org, ({ now }) => now),
        (now) => TimeWindow.complete(window, { now, days: window.days })
      )

    /** One page of deployments, newest first. */
    const list = Effect.fn("Deployments.list")(function* (
      org: OrgName,
      query: DeploymentQuery,
      page: Page
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { fingerprint, window } = query
      const filter = {
        ...(fingerprint === undefined ? {} : { fingerprint }),
        ...(yield* environmentIds(granted, query.environments)),
        ...(yield* flowId(granted, query.flow)),
        ...(yield* repoIds(granted, query)),
        ...(window === undefined ? {} : yield* complete(granted.orgId, window))
      }
      const found = yield* store.deployments(granted.orgId, filter, page)
      const items = yield* shown(granted, found.items)
      return { ...found, items } satisfies Paged<Deployment.Deployment>
    })

    /** The deployment of that id. */
    const get = Effect.fn("Deployments.get")(function* (org: OrgName, id: string) {
      const granted = yield* reaches.authorize(org, "org.read")
      const found = yield* Option.match(DeploymentView.parseId(id), {
        onNone: () => Effect.succeedNone,
        onSome: (key) => store.deployment(granted.orgId, key)
      })
      const readable = yield* reaches.keepReadable(granted, {
        kind: "environment",
        things: Option.toArray(found),
        idOf: ({ environmentId }) => environmentId
      })
      const [deployment] = yield* shown(granted, readable)
      return deployment === undefined
        ? yield* new Deployment.DeploymentNotFound({ org, id })
        : deployment
    })

    /** The newest deployment of a fingerprint to an environment. */
    const newest = Effect.fn("Deployments.newest")(function* (
      org: OrgName,
      environment: EnvironmentName,
      fingerprint: Fingerprint
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { id } = yield* environmentOf(granted, environment)
      const filter = { environments: [id], fingerprint }
      const found = yield* store.newestDeployment(granted.orgId, filter)
      const [deployment] = yield* shown(granted, Option.toArray(found))
      return deployment === undefined
        ? yield* new Deployment.NeverDeployed({ org, environment, fingerprint })
        : deployment
    })

    /**
     * The deployments of a repository within a window: for each environment that it was ever deployed to, or for
     * each of the given ones, by name.
     */
    const statistics = Effect.fn("Deployments.statistics")(function* (
      org: OrgName,
      repoId: string,
      asked: {
        readonly environments?: ReadonlyArray<EnvironmentName>
        readonly window: DefaultedWindow
      }
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const repo = yield* repos.get(granted, repoId)
      const named = yield* Effect.forEach(asked.environments ?? [], (name) =>
        environmentOf(granted, name)
      )
      const window = yield* complete(granted.orgId, asked.window)
      const flows = yield* reaches.readableFlows(granted)
      const series = yield* reaches.keepReadable(granted, {
        kind: "environment",
        things: yield* store.deploymentSeries(granted.orgId, repo.id, { ...window, ...flows }),
        idOf: ({ environmentId }) => environmentId
      })
      return {
        window,
        environments: asked.environments === undefined ? series : DeploymentSeries.of(named, series)
      }
    })

    return { list, get, newest, statistics } as const
  })
}) {}
