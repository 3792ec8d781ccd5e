/** Searches while a person types: cached lists at once, the server after a pause. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import * as Session from "../session/Session.js"
import { type Answer, callOf, type OperationName, type ParamsOf } from "../shared/Api.js"
import type { ApiProblem } from "../shared/ApiProblem.js"
import * as Damaged from "../shared/Damaged.js"
import { useQuery } from "../shared/Query.js"
import { knownOf, type QueryState } from "../shared/QueryCache.js"
import { send } from "../shared/Transport.js"
import * as SearchResult from "./SearchResult.js"

/** The server is asked this long after the last key. */
const PAUSE_MS = 120

/** The results, and whether requests are pending. */
export interface Found {
  readonly results: ReadonlyArray<SearchResult.SearchResult>
  readonly isAsking: boolean
  readonly problem: ApiProblem | undefined
}

interface Remote {
  readonly query: string
  readonly results: ReadonlyArray<SearchResult.SearchResult>
  readonly problem: ApiProblem | undefined
}

interface Reply<A> {
  readonly value?: A
  readonly problem?: ApiProblem
}

/** The answer of an operation, or the problem; neither if nothing was found or the request was aborted. */
const ask = async <Id extends OperationName>(
  id: Id,
  params: ParamsOf<Id>,
  signal: AbortSignal
): Promise<Reply<Answer<Id>>> => {
  const outcome = await send(callOf(id, params), { signal })
  // WHY: the contract types the answer of this operation.
  if (outcome._tag === "Answered") return { value: outcome.value as Answer<Id> }
  return outcome._tag === "Refused" && outcome.problem.kind !== "missing"
    ? { problem: outcome.problem }
    : {}
}

const askAll = async (org: string, query: string, signal: AbortSignal): Promise<Remote> => {
  const { sha, commit, name } = SearchResult.questionsOf(query)
  const nothing = {}
  const [bySha, byCommit, trails, artifacts]: readonly [
    Reply<Answer<"search.sha">>,
    Reply<Answer<"search.trailsOfCommit">>,
    Reply<Answer<"trail.list">>,
    Reply<Answer<"artifact.list">>
  ] = await Promise.all([
    sha === undefined ? nothing : ask("search.sha", { org, value: sha }, signal),
    commit === undefined
      ? nothing
      : ask("search.trailsOfCommit", { org, sha: commit, query: { per_page: 10 } }, signal),
    name === undefined
      ? nothing
      : ask("trail.list", { org, query: { search: name, page: 1, per_page: 10 } }, signal),
    name === undefined
      ? nothing
      : ask("artifact.list", { org, query: { search: name, page: 1, per_page: 10 } }, signal)
  ])
  return {
    query,
    results: [
      ...(bySha.value === undefined ? [] : SearchResult.fromSha(org, bySha.value)),
      ...(byCommit.value === undefined ? [] : SearchResult.fromCommit(org, byCommit.value)),
      ...(artifacts.value === undefined ? [] : SearchResult.fromArtifacts(org, artifacts.value)),
      ...(trails.value === undefined ? [] : SearchResult.fromTrails(org, trails.value))
    ],
    problem: bySha.problem ?? byCommit.problem ?? trails.problem ?? artifacts.problem
  }
}

const listOf = <A, B>(
  state: QueryState<A>,
  itemsOf: (value: A) => ReadonlyArray<B>
): ReadonlyArray<B> => {
  const known = knownOf(state)
  return known === undefined ? [] : Damaged.readable(itemsOf(known.value)).items
}

/** The results for a text in an org, including the caller's commands. */
export const useSearch = (
  org: string,
  query: string,
  options: { readonly commands: ReadonlyArray<SearchResult.SearchResult>; readonly limit: number }
): Found => {
  const environments = useQuery("environment.list", { org, query: { page: 1, per_page: 100 } })
  const flows = useQuery("flow.list", { org, query: { page: 1, per_page: 100 } })
  const policies = useQuery("policy.list", { org })
  const controls = useQuery("control.list", { org, query: { page: 1, per_page: 100 } })
  const accounts = useQuery(
    "serviceAccount.list",
    { org },
    { skip: !Session.may(org, "service-account.manage") }
  )
  const remote = useSignal<Remote>({ query: "", results: [], problem: undefined })
  useEffect(() => {
    if (query.trim() === "") return
    const running = new AbortController()
    const timer = setTimeout(() => {
      void askAll(org, query, running.signal).then((found) => {
        if (!running.signal.aborted) remote.value = found
      })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      running.abort()
    }
  }, [org, query, remote])
  const lists: SearchResult.Lists = {
    environments: listOf(environments, (page) => page.environments),
    flows: listOf(flows, ({ data }) => data),
    policies: listOf(policies, (all) => all),
    controls: listOf(controls, (page) => page.controls),
    accounts: listOf(accounts, (all) => all),
    commands: options.commands
  }
  const isCurrent = remote.value.query === query
  return {
    results: [
      ...SearchResult.local(org, lists, { query, limit: options.limit }),
      ...(query.trim() === "" || !isCurrent ? [] : remote.value.results)
    ],
    isAsking: query.trim() !== "" && !isCurrent,
    problem: isCurrent ? remote.value.problem : undefined
  }
}
