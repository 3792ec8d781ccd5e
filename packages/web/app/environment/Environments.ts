/** Loads all environments of an org, with the newest snapshot and the last day of each. */
import { callOf } from "../shared/Api.js"
import type { Environment } from "../shared/Contract.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf, type QueryState } from "../shared/QueryCache.js"

const PER_PAGE = 100
const PAGES = [1, 2, 3, 4, 5]

export interface KnownEnvironments {
  /** The state of the first page, which has the total. */
  readonly state: QueryState<{ readonly total_count: number }>
  readonly environments: ReadonlyArray<Environment>
  readonly retry: () => void
}

const paramsOf = (org: string, page: number) => ({
  org,
  query: { page, per_page: PER_PAGE, include: "latest_snapshot,day" }
})

/** Loads up to 500 environments: the first page returns the total, and then the other pages load. */
export const useEnvironments = (org: string, poll: number): KnownEnvironments => {
  let pages = 1
  const states = PAGES.map((page) => {
    // INVARIANT: the number of pages is constant, so hooks run in the same order on every render.
    const state = useQuery("environment.list", paramsOf(org, page), { poll, skip: page > pages })
    if (page === 1) pages = knownOf(state)?.value.total_pages ?? 1
    return state
  })
  const [first = { _tag: "Loading" as const }] = states
  return {
    state: first,
    environments: states
      .slice(0, pages)
      .flatMap((state) => knownOf(state)?.value.environments ?? []),
    retry: () => {
      for (const page of PAGES.slice(0, pages))
        void cache.refresh(callOf("environment.list", paramsOf(org, page)).path)
    }
  }
}
