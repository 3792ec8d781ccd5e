/** The queries of a timeline: the range in the URL, else the last 30 days or the time since the first snapshot. */
import type * as Route from "@attestry/web/Route"
import { useRef } from "preact/hooks"
import { callOf } from "../shared/Api.js"
import type { Timeline } from "../shared/Contract.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf, type QueryState } from "../shared/QueryCache.js"
import * as TimelineRange from "./TimelineRange.js"

const POLL_MS = 30_000
const COLUMN_PX = 2
const COLUMNS_STEP = 100
const COLUMNS_MAX = 1_000

/** The number of columns for a width. WHY steps: resizing the window should cause few requests. */
export const columnsFor = (width: number): number =>
  Math.min(
    COLUMNS_MAX,
    Math.max(COLUMNS_STEP, Math.ceil(width / COLUMN_PX / COLUMNS_STEP) * COLUMNS_STEP)
  )

/** The start of a history that is shorter than the default range, with a margin. */
export const youngFrom = ({ first, from, to }: Timeline): number | undefined =>
  first === null || first.timestamp <= from
    ? undefined
    : Math.floor(first.timestamp - (to - first.timestamp) * 0.03)

export interface TimelineReads {
  readonly state: QueryState<Timeline>
  /** The timeline to draw; the previous one while the next is loading. */
  readonly timeline: Timeline | undefined
  readonly retry: () => void
}

/** Reads a timeline; sends nothing until its width is known. */
export const useTimeline = (
  at: { readonly org: string; readonly env_name: string },
  route: Pick<Route.Route, "query">,
  width: number
): TimelineReads => {
  const buckets = columnsFor(width)
  const asked = TimelineRange.fromRoute(route)
  const usual = useQuery(
    "snapshot.timeline",
    { ...at, query: { buckets } },
    { poll: POLL_MS, skip: width === 0 }
  )
  const known = knownOf(usual)?.value
  const young = known === undefined ? undefined : youngFrom(known)
  const isNarrow = asked !== undefined || young !== undefined
  const query = asked === undefined ? { from: young ?? 0, buckets } : { ...asked, buckets }
  const narrow = useQuery(
    "snapshot.timeline",
    { ...at, query },
    { poll: POLL_MS, skip: width === 0 || !isNarrow }
  )
  const state = isNarrow ? narrow : usual
  const last = useRef<{ readonly key: string; readonly timeline: Timeline } | undefined>(undefined)
  const key = `${at.org}/${at.env_name}`
  const value = knownOf(state)?.value
  if (value !== undefined) last.current = { key, timeline: value }
  return {
    state,
    timeline: last.current?.key === key ? last.current.timeline : undefined,
    retry: () => {
      void cache.refresh(
        callOf("snapshot.timeline", { ...at, query: isNarrow ? query : { buckets } }).path
      )
    }
  }
}
