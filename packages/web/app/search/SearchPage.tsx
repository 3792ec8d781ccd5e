/** Search results as a page: for links, and for narrow screens. */
import * as Route from "@attestry/web/Route"
import { useEffect } from "preact/hooks"
import type { PageProps } from "../pages.js"
import { TextFilter } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { ProblemNote } from "../shared/ProblemNote.js"
import { Skeleton } from "../shared/QueryView.js"
import { ResultLine } from "./ResultLine.js"
import { grouped, type SearchResult } from "./SearchResult.js"
import { useSearch } from "./useSearch.js"

const LIMIT = 50
const TITLES = {
  command: "Commands",
  environment: "Environments",
  flow: "Flows",
  policy: "Policies",
  control: "Controls",
  "service account": "Service accounts",
  artifact: "Artifacts",
  trail: "Trails"
} as const

const Group = ({
  title,
  results
}: {
  readonly title: string
  readonly results: ReadonlyArray<SearchResult>
}) => (
  <section class="block">
    <h2>{title}</h2>
    <ul class="results">
      {results.map((result) => (
        <li key={result.key}>
          {result.to === undefined ? null : (
            <a href={Navigation.hrefOf(result.to)}>
              <ResultLine result={result} />
            </a>
          )}
        </li>
      ))}
    </ul>
  </section>
)

const NO_COMMANDS: ReadonlyArray<SearchResult> = []

/** Redirects to a result that has exactly the searched fingerprint. */
export const SearchPage = ({ route }: PageProps<Route.RouteOf<"Search">>) => {
  const { org } = route.params
  const query = Route.parameter(route, "q") ?? ""
  const { results, isAsking, problem } = useSearch(org, query, {
    commands: NO_COMMANDS,
    limit: LIMIT
  })
  const artifacts = results.filter(({ kind }) => kind === "artifact")
  const isWhole = /^[0-9a-f]{64}$/i.test(query.trim())
  const only = isWhole && artifacts.length === 1 ? artifacts[0]?.to : undefined
  useEffect(() => {
    if (only !== undefined) Navigation.go(only, { replace: true })
  }, [only])
  return (
    <Page name={query === "" ? "Search" : `Search ${query}`} org={org} heading="Search">
      <search class="filters">
        <TextFilter route={route} name="q" label="Name, fingerprint or commit" isMain />
      </search>
      {problem === undefined ? null : (
        <ProblemNote problem={problem} retry={() => location.reload()} />
      )}
      {query.trim() === "" ? (
        <p class="quiet">
          Names of environments, flows, policies, controls and trails, or five or more characters of
          a fingerprint or a commit.
        </p>
      ) : results.length > 0 ? (
        grouped(results).map(([kind, each]) => (
          <Group key={kind} title={TITLES[kind]} results={each} />
        ))
      ) : isAsking ? (
        <Skeleton />
      ) : problem === undefined ? (
        <p class="quiet">Nothing fits.</p>
      ) : null}
    </Page>
  )
}
