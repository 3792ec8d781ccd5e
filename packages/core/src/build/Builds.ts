/** Lists builds and their instants. SPEC §4.16 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import type { Artifact } from "../artifact/Artifact.js"
import { FlowStore } from "../flow/FlowStore.js"
import { RepoStore } from "../repo/RepoStore.js"
import { beside, show } from "../shared/DamagedRecords.js"
import { type OrgId, type OrgName, RepoId } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import * as TimeWindow from "../shared/TimeWindow.js"
import { Transaction } from "../shared/Transaction.js"
import { ReadModels } from "../snapshot/ReadModels.js"
import { TrailStore } from "../trail/TrailStore.js"
import type { Build } from "./Build.js"

/** Which builds are listed; of the three names of a repository the earlier wins. */
export interface BuildQuery extends TimeWindow.TimeWindow {
  /** Our id. */
  readonly repoInnerId?: string
  /** The provider's id. */
  readonly repoId?: string
  readonly repoName?: string
}

/** A repository is at most this often there under one id: once for each provider. */
const SAME_ID_MAX = 1_000

/** Use cases of builds. */
export class Builds extends Effect.Service<Builds>()("@attestry/core/Builds", {
  effect: Effect.gen(function* () {
    const store = yield* ReadModels
    const repos = yield* RepoStore
    const flows = yield* FlowStore
    const trails = yield* TrailStore
    const transaction = yield* Transaction
    const reaches = yield* Reaches

    /** The repositories that a query means; undefined when it names none. */
    const reposOf = (org: OrgId, { repoInnerId, repoId, repoName }: BuildQuery) => {
      if (repoInnerId !== undefined)
        return Effect.map(repos.find({ org: org, id: RepoId.make(repoInnerId) }), Option.toArray)
      if (repoId !== undefined)
        return Effect.map(
          repos.list(
            org,
            { repoId, tags: [], direction: "asc" },
            { page: 1, perPage: SAME_ID_MAX }
          ),
          ({ items }) => items
        )
      return repoName === undefined ? Effect.succeed(undefined) : repos.listByName(org, repoName)
    }

    /** WHY no check of the repository: one that no readable flow names has no build of a readable flow. */
    const filterOf = (granted: GrantedWithin, query: BuildQuery) =>
      Effect.gen(function* () {
        const org = granted.orgId
        const now = yield* transaction.run(org, (scope) => scope.now)
        const found = yield* reposOf(org, query)
        return {
          ...(yield* reaches.readableFlows(granted)),
          ...TimeWindow.complete(query, { now, days: TimeWindow.DAYS }),
          ...(found === undefined ? {} : { repos: found.map(({ id }) => id) })
        }
      })

    const shown = (org: OrgId, records: ReadonlyArray<Artifact>) =>
      Effect.gen(function* () {
        if (records.length === 0) return []
        const flowIds = new Set(records.map(({ flow_id }) => flow_id))
        const trailIds = new Set(records.map(({ trail_id }) => trail_id))
        const repoIds = new Set(records.flatMap(({ repo_id }) => repo_id ?? []))
        const flowNames = new Map(
          (yield* beside(flows.listByIds(org, [...flowIds]))).map(({ id, name }) => [id, name])
        )
        const trailNames = new Map(
          (yield* beside(trails.listByIds(org, [...trailIds]))).map(({ id, name }) => [id, name])
        )
        const named = new Map(
          (yield* beside(repos.listByIds(org, [...repoIds]))).map((repo) => [repo.id, repo])
        )
        return yield* show(records, (record): Build | undefined => {
          const flowName = flowNames.get(record.flow_id)
          const trailName = trailNames.get(record.trail_id)
          const repo = record.repo_id === null ? null : named.get(record.repo_id)
          return flowName === undefined || trailName === undefined || repo === undefined
            ? undefined
            : { record, flowName, trailName, repo }
        })
      })

    /** One page of builds, newest first; none of a repository that is not known. */
    const list = Effect.fn("Builds.list")(function* (org: OrgName, query: BuildQuery, page: Page) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { orgId } = granted
      const found = yield* store.builds(orgId, yield* filterOf(granted, query), page)
      return { items: yield* shown(orgId, found.items), total: found.total }
    })

    /** The window, and the instants of the builds in it. */
    const statistics = Effect.fn("Builds.statistics")(function* (org: OrgName, query: BuildQuery) {
      const granted = yield* reaches.authorize(org, "org.read")
      const filter = yield* filterOf(granted, query)
      const { from, to } = filter
      return { from, to, instants: yield* store.buildInstants(granted.orgId, filter) }
    })

    return { list, statistics } as const
  })
}) {}
