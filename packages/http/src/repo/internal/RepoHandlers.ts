/** Serves the operations of repositories. */
import { tagFilter } from "@attestry/api/QueryParam"
import {
  type ListRepos,
  PER_PAGE_DEFAULT,
  RepoApi,
  type RepoFilters,
  type RepoResponse
} from "@attestry/api/RepoApi"
import { lowerHost, type Repo, shownProvider, vcsInstance } from "@attestry/core/Repo"
import type { RepoFilter, RepoQuery } from "@attestry/core/RepoStore"
import { Repos } from "@attestry/core/Repos"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { counters, pageOf } from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

const responseOf = (repo: Repo): typeof RepoResponse.Type => {
  const { org_id: _, provider_alias: __, ...shown } = repo
  return { ...shown, provider: shownProvider(repo), vcs_instance: vcsInstance(repo.url) }
}

const filterOf = (query: typeof RepoFilters.Type): RepoFilter => ({
  ...(query.provider === undefined ? {} : { provider: query.provider }),
  ...(query.vcs_instance === undefined ? {} : { vcsInstance: lowerHost(query.vcs_instance) }),
  ...(query.namespace === undefined
    ? {}
    : { namespace: query.namespace.split("/").filter((segment) => segment !== "") }),
  tags: [query.tag ?? []].flat().flatMap(tagFilter)
})

const queryOf = (query: typeof ListRepos.Type): RepoQuery => ({
  ...filterOf(query),
  ...(query.name === undefined ? {} : { name: query.name }),
  ...(query.search === undefined ? {} : { search: query.search }),
  ...(query.repo_id === undefined ? {} : { repoId: query.repo_id }),
  direction: query.sort_direction ?? "asc"
})

/** Serves the operations of repositories. */
export const RepoHandlers = group(
  RepoApi,
  Effect.gen(function* () {
    const repos = yield* Repos
    const base = yield* PublicUrl
    return {
      list: ({ path, urlParams, incoming }) => {
        const page = pageOf(urlParams, PER_PAGE_DEFAULT)
        return repos.list(path.org, queryOf(urlParams), page).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({
              ...counters(base, incoming, { total, page }),
              repos: items.map(responseOf)
            })
          )
        )
      },
      tags: ({ path }) => repos.listTags(path.org).pipe(toWire, Effect.map(ok)),
      filterOptions: ({ path, urlParams }) =>
        repos.filterOptions(path.org, filterOf(urlParams)).pipe(
          toWire,
          Effect.map(({ providers, vcsInstances, namespaceValues }) =>
            ok({ providers, vcs_instances: vcsInstances, namespace_values: namespaceValues })
          )
        ),
      get: ({ path, urlParams }) =>
        repos.get(path.org, { name: path.repo_name, ...urlParams }).pipe(
          toWire,
          Effect.map((repo) => ok(responseOf(repo)))
        )
    }
  })
)
