/** Loads the facts that a draft is tried on, page by page. */
import { callOf } from "../shared/Api.js"
import type { ApiProblem } from "../shared/ApiProblem.js"
import type { ArtifactFacts, SnapshotFacts } from "../shared/Contract.js"
import { onSignedOut } from "../shared/Query.js"
import { send } from "../shared/Transport.js"
import type { TriedRow } from "./BlastRadius.js"
import { print, type TryTarget } from "./TryTarget.js"

export type RowToTry = Pick<TriedRow, "facts" | "environment" | "isAllowed">

export interface TryRows {
  /** A new key for each load, because facts change. */
  readonly key: string
  readonly rows: ReadonlyArray<RowToTry>
  /** The number of rows of the target, including those beyond the limit. */
  readonly total: number
  /** The index of the snapshot; undefined if the target is one artifact. */
  readonly index: number | undefined
}

export type TryOutcome =
  | { readonly _tag: "Loaded"; readonly found: TryRows }
  | { readonly _tag: "Failed"; readonly problem: ApiProblem }
  | { readonly _tag: "Aborted" }

/** The limit of a load, and the signal that ends it. */
export interface TryReading {
  readonly rowsMax: number
  readonly signal: AbortSignal
  readonly onRead?: (rows: number, total: number) => void
}

/** The maximum page size of the API. */
const PER_PAGE = 1_000

let reads = 0

const get = async (path: string, signal: AbortSignal): Promise<TryOutcome | { value: unknown }> => {
  const outcome = await send({ method: "GET", path }, { signal })
  if (outcome._tag === "Answered") return { value: outcome.value }
  if (outcome._tag === "Aborted") return outcome
  if (outcome.problem.kind === "signed-out") onSignedOut.run()
  return { _tag: "Failed", problem: outcome.problem }
}

const rowsOf = ({ rows }: SnapshotFacts): ReadonlyArray<RowToTry> =>
  rows.map(({ environment, facts, is_allowed }) => ({ facts, environment, isAllowed: is_allowed }))

/** Loads the rows of a target, up to a limit. */
export const load = async (
  org: string,
  target: TryTarget,
  { rowsMax, signal, onRead }: TryReading
): Promise<TryOutcome> => {
  reads += 1
  const key = `${org}/${print(target)}/${reads}`
  if (target._tag === "Artifact") {
    const { path } = callOf("fact.get", { org, fingerprint: target.fingerprint })
    const answer = await get(path, signal)
    if (!("value" in answer)) return answer
    // WHY: the contract types the answer of this operation.
    const facts = answer.value as ArtifactFacts
    const rows = [{ facts, environment: undefined, isAllowed: false }]
    return { _tag: "Loaded", found: { key, rows, total: 1, index: undefined } }
  }
  const rows: Array<RowToTry> = []
  for (let page = 1; ; page += 1) {
    const { path } = callOf("fact.list", {
      org,
      env_name: target.environment,
      snapshot_expression: target.expression,
      query: { page, per_page: PER_PAGE }
    })
    const answer = await get(path, signal)
    if (!("value" in answer)) return answer
    // WHY: the contract types the answer of this operation.
    const facts = answer.value as SnapshotFacts
    rows.push(...rowsOf(facts))
    onRead?.(rows.length, facts.total_count)
    if (page >= facts.total_pages || rows.length >= rowsMax)
      return {
        _tag: "Loaded",
        found: { key, rows, total: facts.total_count, index: facts.index }
      }
  }
}
