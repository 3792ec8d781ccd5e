/** `RepoStore` in memory. */
import type { OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import { type Repo, type RepoKey, vcsInstance } from "@attestry/core/Repo"
import {
  type NamedByFlows,
  type RepoFilter,
  type RepoQuery,
  type RepoRef,
  RepoStore
} from "@attestry/core/RepoStore"
import * as Tags from "@attestry/core/Tags"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { MemoryState, table } from "../shared/MemoryState.js"
import { trails } from "../trail/TrailStoreMemory.js"

const repos = table<Repo>("repo")

// WHY JSON: ids, names and providers are free text and may contain any separator.
const keyOf = ({ org, provider, repoId, name }: RepoKey) =>
  JSON.stringify(repoId === null ? [org, provider, null, name] : [org, provider, repoId])

const keyOfRepo = ({ org_id, provider, repo_id, name }: Repo) =>
  keyOf({ org: org_id, provider, repoId: repo_id, name })

const fits =
  ({ provider, vcsInstance: host, namespace, tags }: RepoFilter) =>
  (repo: Repo): boolean =>
    (provider === undefined || repo.provider === provider) &&
    (host === undefined || vcsInstance(repo.url) === host) &&
    (namespace ?? []).every((segment, at) => repo.namespace_path?.[at] === segment) &&
    tags.every(({ key, value }) => Tags.has(repo.tags, key, value))

const passes =
  (query: RepoQuery) =>
  (repo: Repo): boolean =>
    fits(query)(repo) &&
    (query.name === undefined || repo.name === query.name) &&
    (query.search === undefined || repo.name.toLowerCase().includes(query.search.toLowerCase())) &&
    (query.repoId === undefined || repo.repo_id === query.repoId)

/** The distinct texts in ascending order. */
const distinct = (texts: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> =>
  [...new Set(texts.flatMap((text) => text ?? []))].sort()

const optionsOf = (repos: ReadonlyArray<Repo>, filter: RepoFilter) => {
  const { provider: _, ...anyProvider } = filter
  const { vcsInstance: __, ...anyHost } = filter
  const depth = filter.namespace?.length ?? 0
  return {
    providers: distinct(
      repos.filter(fits(anyProvider)).map(({ provider }) => (provider === "" ? null : provider))
    ),
    vcsInstances: distinct(repos.filter(fits(anyHost)).map(({ url }) => vcsInstance(url))),
    namespaceValues: distinct(
      repos.filter(fits(filter)).map(({ namespace_path }) => namespace_path?.[depth])
    )
  }
}

const compare = (left: string, right: string): number =>
  left === right ? 0 : left < right ? -1 : 1

const tagsOf = (repos: ReadonlyArray<Repo>) => {
  const tags = repos.flatMap((repo) =>
    Object.entries(repo.tags).map(([key, value]) => ({ key, value }))
  )
  const distinctTags = new Map(tags.map((tag) => [JSON.stringify([tag.key, tag.value]), tag]))
  return [...distinctTags.values()].sort(
    (left, right) => compare(left.key, right.key) || compare(left.value, right.value)
  )
}

const byCreation = (left: Repo, right: Repo): number =>
  left.created_at - right.created_at || (left.id < right.id ? -1 : 1)

const byName = (left: Repo, right: Repo): number =>
  left.name < right.name || (left.name === right.name && left.id < right.id) ? -1 : 1

/** `RepoStore` in memory. */
export const layer: Layer.Layer<RepoStore, never, MemoryState> = Layer.effect(
  RepoStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const rows = yield* MemoryRows.make(repos)

    /** Which repositories a trail of one of the flows names. */
    const namedBy = ({ flows }: NamedByFlows) =>
      flows === undefined
        ? Effect.succeed((_: Repo) => true)
        : Effect.map(state.read(trails), (all) => {
            const named = new Set(
              Array.from(HashMap.values(all))
                .filter(({ flow_id }) => flows.includes(flow_id))
                .flatMap(({ repo_ids }) => repo_ids)
            )
            return ({ id }: Repo) => named.has(id)
          })
    const ofOrg = (org: OrgId, filter: NamedByFlows = {}) =>
      Effect.zipWith(rows.values, namedBy(filter), (all, isNamed) =>
        all.filter((repo) => repo.org_id === org && isNamed(repo)).sort(byName)
      )
    const listByName = (org: OrgId, name: string, filter?: NamedByFlows) =>
      Effect.map(ofOrg(org, filter), (all) =>
        all.filter((repo) => repo.name === name).sort(byCreation)
      )
    const find = (key: RepoKey | RepoRef) => {
      if ("id" in key)
        return Effect.map(
          ofOrg(key.org),
          Arr.findFirst((repo) => repo.id === key.id)
        )
      return key.repoId === null
        ? Effect.map(
            listByName(key.org, key.name),
            Arr.findLast((repo) => repo.provider === key.provider)
          )
        : rows.find(keyOf(key))
    }
    return RepoStore.of({
      listByIds: (org, ids, filter) =>
        Effect.map(ofOrg(org, filter), (all) => all.filter(({ id }) => ids.includes(id))),
      filterOptions: (org, filter) =>
        Effect.map(ofOrg(org, filter), (all) => optionsOf(all, filter)),
      listTags: (org, filter) => Effect.map(ofOrg(org, filter), tagsOf),
      find,
      listByName,
      list: (org, query, page) =>
        Effect.map(ofOrg(org, query), (all) => {
          const found = all.filter(passes(query))
          return Page.slice(query.direction === "asc" ? found : found.reverse(), page)
        }),
      insert: (repo) => rows.insert(keyOfRepo(repo), repo),
      update: (repo) => rows.set(keyOfRepo(repo), repo),
      touch: (repo, at) =>
        Effect.flatMap(
          rows.find(keyOfRepo(repo)),
          Option.match({
            onNone: () => Effect.void,
            onSome: (known) =>
              known.latest_activity_at < at
                ? rows.set(keyOfRepo(repo), { ...known, latest_activity_at: at })
                : Effect.void
          })
        )
    })
  })
)
