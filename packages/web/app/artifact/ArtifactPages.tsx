/** A paged list of artifacts. The API returns no total, so a full page links to the next one. */
import type * as Route from "@attestry/web/Route"
import { callOf } from "../shared/Api.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { NothingFits } from "../shared/Filters.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { ArtifactTable } from "./ArtifactTable.js"

const PER_PAGE = 50

/** The artifacts of the org, of a flow, or of a repository. */
export const ArtifactPages = ({
  org,
  route,
  of
}: {
  readonly org: string
  readonly route: Route.Route
  readonly of: {
    readonly flow_name?: string
    readonly repo_name?: string
    /** Matches part of the name. */
    readonly search?: string
  }
}) => {
  const page = pageOf(route)
  const params = { org, query: { ...of, page, per_page: PER_PAGE } }
  const state = useQuery("artifact.list", params)
  return (
    <QueryView state={state} retry={() => void cache.refresh(callOf("artifact.list", params).path)}>
      {(found) => {
        const { items, damaged } = Damaged.readable(found)
        if (found.length === 0 && page === 1 && of.search !== undefined)
          return <NothingFits what="artifact" names={["q"]} />
        if (found.length === 0 && page === 1)
          return (
            <div class="note">
              <strong>No artifacts yet</strong>
              <p>Pipelines report what they build, with its fingerprint, to a trail of a flow.</p>
            </div>
          )
        return (
          <>
            <DamagedNote count={damaged} />
            <ArtifactTable org={org} artifacts={items} withFlow={of.flow_name === undefined} />
            <Pager route={route} perPage={PER_PAGE} count={found.length} what="artifacts" />
          </>
        )
      }}
    </QueryView>
  )
}
