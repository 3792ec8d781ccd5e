/** The queries of a snapshot's page: its index, its rows, and its predecessor. */
import { useEffect, useRef } from "preact/hooks"
import { callOf } from "../shared/Api.js"
import type { ApiProblem } from "../shared/ApiProblem.js"
import type { ShortSnapshot } from "../shared/Contract.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { type RowFilter, toQuery } from "./RowFilter.js"

/** The interval at which the newest snapshot is polled. */
const POLL_MS = 5_000

export const ROWS_PER_PAGE = 5_000

/** The environment and the snapshot in a URL; without an expression, the page follows the newest snapshot. */
export interface Place {
  readonly org: string
  readonly environment: string
  readonly expression: string | undefined
}

export type Found<A> =
  | { readonly _tag: "Loading" }
  | { readonly _tag: "Failed"; readonly problem: ApiProblem; readonly retry: () => void }
  | { readonly _tag: "Ready"; readonly value: A }

const INDEX = /^#?0*([1-9][0-9]{0,8})$/

/** The index, if the expression is one. */
export const indexIn = (expression: string): number | undefined => {
  const digits = INDEX.exec(expression)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The index of the newest snapshot, polled; 0 if there is none. */
export const useLatest = ({ org, environment }: Place): Found<number> => {
  const params = { org, env_name: environment, query: { per_page: 1 } }
  const state = useQuery("snapshot.list", params, { poll: POLL_MS })
  const known = knownOf(state)
  if (known !== undefined) return { _tag: "Ready", value: known.value[0]?.index ?? 0 }
  return state._tag === "Failed"
    ? {
        _tag: "Failed",
        problem: state.problem,
        retry: () => void cache.refresh(callOf("snapshot.list", params).path)
      }
    : { _tag: "Loading" }
}

/** The index of an expression, resolved when the page was opened, so that rows do not move while a person reads. */
export const useResolved = ({ org, environment, expression }: Place): Found<number> => {
  const pinned = useRef<{ readonly key: string; readonly index: number } | undefined>(undefined)
  const own = expression === undefined ? undefined : indexIn(expression)
  // WHY: an index is requested together with its rows, which are needed next; any other expression is only resolved.
  const params = {
    org,
    env_name: environment,
    snapshot_expression: own === undefined ? (expression ?? "-1") : String(own),
    query: { per_page: own === undefined ? 0 : ROWS_PER_PAGE }
  }
  const state = useQuery("snapshot.rows", params, own === undefined ? {} : { immutable: true })
  const key = `${org}/${environment}/${expression}`
  if (own !== undefined && state._tag !== "Failed") return { _tag: "Ready", value: own }
  if (pinned.current?.key === key) return { _tag: "Ready", value: pinned.current.index }
  if (state._tag === "Ready") {
    pinned.current = { key, index: state.value.index }
    return { _tag: "Ready", value: state.value.index }
  }
  return state._tag === "Failed"
    ? {
        _tag: "Failed",
        problem: state.problem,
        retry: () => void cache.refresh(callOf("snapshot.rows", params).path)
      }
    : { _tag: "Loading" }
}

const rowsOf = ({ environment, org }: Place, index: number, query: object = {}) => ({
  org,
  env_name: environment,
  snapshot_expression: String(index),
  query: { per_page: ROWS_PER_PAGE, ...query }
})

/** Reads the rows again when the next change of the environment moves: new evidence moves the ends of rows. */
export const useMovedEnds = (
  place: Place,
  index: number,
  dueAt: number | null | undefined
): void => {
  const last = useRef<number | null | undefined>(undefined)
  useEffect(() => {
    const before = last.current
    last.current = dueAt ?? before
    if (before !== undefined && dueAt !== undefined && before !== dueAt)
      void cache.refresh(callOf("snapshot.rows", rowsOf(place, index)).path)
  }, [dueAt])
}

/** One page of the rows of a snapshot, which never change but for the ends of rows in the latest one. */
const useRows = (place: Place, index: number, query: object): Found<ShortSnapshot> => {
  const params = rowsOf(place, index, query)
  const state = useQuery("snapshot.rows", params, { immutable: true })
  if (state._tag === "Ready") return { _tag: "Ready", value: state.value }
  return state._tag === "Failed"
    ? {
        _tag: "Failed",
        problem: state.problem,
        retry: () => void cache.refresh(callOf("snapshot.rows", params).path)
      }
    : { _tag: "Loading" }
}

export interface ReadSnapshot {
  readonly snapshot: ShortSnapshot
  /** Whether it has more rows than one answer; the server then filters and pages. */
  readonly isLong: boolean
}

/** The rows of a snapshot; the previous snapshot's rows stay until they are loaded. */
export const useSnapshot = (
  place: Place,
  index: number,
  { filter, page }: { readonly filter: RowFilter; readonly page: number }
): Found<ReadSnapshot> => {
  const last = useRef<{ readonly key: string; readonly value: ReadSnapshot } | undefined>(undefined)
  const whole = useRows(place, index, {})
  const isLong = whole._tag === "Ready" && whole.value.total_count > ROWS_PER_PAGE
  const part = useRows(place, index, isLong ? { ...toQuery(filter), page } : {})
  const key = `${place.org}/${place.environment}`
  if (part._tag === "Ready") {
    const value = { snapshot: part.value, isLong }
    last.current = { key, value }
    return { _tag: "Ready", value }
  }
  if (part._tag === "Failed") return part
  return last.current?.key === key ? { _tag: "Ready", value: last.current.value } : part
}
