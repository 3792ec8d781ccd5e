/** Serves the operations of repositories. */
import { type Repo, shownProvider } from "@attestry/core/Repo"
import type { RepoQuery } from "@attestry/core/RepoStore"
import { Repos } from "@attestry/core/Repos"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { counters, pageOf } from "../../shared/internal/Paging.js"
import { tagFilter } from "../../shared/internal/QueryParam.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import { type ListRepos, PER_PAGE_DEFAULT, RepoApi, type RepoResponse } from "../RepoApi.js"

const responseOf = (repo: Repo): typeof RepoResponse.Type => {
  const { org_id: _, provider_alias: __, ...shown } = repo
  return { ...shown, provider: shownProvider(repo) }
}

const queryOf = (query: typeof ListRepos.Type): RepoQuery => ({
  ...(query.name === undefined ? {} : { name: query.name }),
  ...(query.search === undefined ? {} : { search: query.search }),
  ...(query.provider === undefined ? {} : { provider: query.provider }),
  ...(query.repo_id === undefined ? {} : { repoId: query.repo_id }),
  tags: [query.tag ?? []].flat().flatMap(tagFilter),
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
      get: ({ path, urlParams }) =>
        repos.get(path.org, { name: path.repo_name, ...urlParams }).pipe(
          toWire,
          Effect.map((repo) => ok(responseOf(repo)))
        )
    }
  })
)
