/**
 * The operations that pages call: method and path of each, and the type of its answer.
 *
 * A test compares the table with the contract. Nothing here sends anything.
 */
import type * as Contract from "./Contract.js"

/** Method and path below `/api/v2`, by the ids of the specification. */
export const OPERATIONS = {
  Z3: "POST /session",
  Z4: "DELETE /session",
  Z7: "GET /session",
  A1: "POST /artifacts/{org}/{flow_name}",
  A2: "GET /artifacts/{org}",
  E1: "PUT /environments/{org}",
  E2: "GET /environments/{org}",
  E3: "GET /environments/{org}/{env_name}",
  E4: "PATCH /environments/{org}/{env_name}",
  E5: "PUT /environments/{org}/{env_name}/archive",
  E6: "PUT /environments/{org}/{env_name}/rename",
  E8: "POST /environments/{org}/{env_name}/policies",
  E9: "DELETE /environments/{org}/{env_name}/policies",
  E10: "GET /environments/{org}/{env_name}/events",
  E11: "GET /environments/{org}/{env_name}/auditlog",
  F1: "PUT /flows/{org}/template_file",
  F3: "GET /flows/{org}",
  G1: "PATCH /tags/{org}/{resource_type}/{resource_id}",
  L1: "PUT /allowlists/{org}/{env_name}",
  L2: "GET /allowlists/{org}/{env_name}",
  L3: "DELETE /allowlists/{org}/{env_name}/{fingerprint}",
  N10: "GET /attestations/{org}",
  O1: "PUT /policies/{org}/{name}",
  O2: "GET /policies/{org}",
  P1: "GET /snapshots/{org}/{env_name}",
  P4: "GET /snapshots/{org}/{env_name}/{snapshot_expression}/rows",
  P5: "GET /snapshots/{org}/{env_name}/{snapshot_expression}/row",
  P6: "GET /snapshots/{org}/{env_name}/timeline",
  T2: "GET /trails/{org}",
  X1: "GET /asserts/{org}/fingerprint/{fingerprint}"
} as const

/** The query parameters that pages send. */
export const QUERY = {
  Z3: [],
  Z4: [],
  Z7: [],
  A1: [],
  A2: ["per_page"],
  E1: [],
  E2: ["page", "per_page", "name", "sort", "sort_direction", "include"],
  E3: ["include"],
  E4: [],
  E5: [],
  E6: [],
  E8: [],
  E9: [],
  E10: ["page", "per_page", "from", "to", "event_types", "flow_names", "repo_name"],
  E11: ["from_timestamp", "to_timestamp", "event_types", "flow_names", "repo_names"],
  F1: [],
  F3: ["page", "per_page", "sort", "sort_direction"],
  G1: [],
  L1: [],
  L2: [],
  L3: [],
  N10: ["per_page", "flow_name", "trail_name"],
  O1: [],
  O2: [],
  P1: ["per_page"],
  P4: ["page", "per_page", "search", "verdict", "rule", "flow_name"],
  P5: ["name", "fingerprint", "environment"],
  P6: ["from", "to", "buckets"],
  T2: ["per_page"],
  X1: ["environment_name"]
} as const satisfies { readonly [Id in OperationId]: ReadonlyArray<string> }

/** The id of an operation. */
export type OperationId = keyof typeof OPERATIONS

/** What each operation answers. */
export interface Answers {
  readonly Z3: Contract.OpenedSession
  readonly Z4: string
  readonly Z7: Contract.Session
  readonly A1: unknown
  readonly A2: ReadonlyArray<Contract.ListedArtifact>
  readonly E1: unknown
  readonly E2: Contract.Environments
  readonly E3: Contract.Environment
  readonly E4: unknown
  readonly E5: unknown
  readonly E6: unknown
  readonly E8: unknown
  readonly E9: unknown
  readonly E10: ReadonlyArray<Contract.EnvironmentEvent>
  readonly E11: string
  readonly F1: unknown
  readonly F3: Contract.Flows
  readonly G1: unknown
  readonly L1: unknown
  readonly L2: ReadonlyArray<Contract.AllowedArtifact>
  readonly L3: unknown
  readonly N10: Contract.Attestations
  readonly O1: unknown
  readonly O2: ReadonlyArray<Contract.Policy>
  readonly P1: ReadonlyArray<Contract.SnapshotSummary>
  readonly P4: Contract.ShortSnapshot
  readonly P5: Contract.SnapshotRow
  readonly P6: Contract.Timeline
  readonly T2: Contract.Trails
  readonly X1: Contract.Assertion
}

type NamesOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesOf<Rest>
  : never

/** The parameters of an operation: those of its path, and `query`. */
export type ParamsOf<Id extends OperationId> = {
  readonly [Name in NamesOf<(typeof OPERATIONS)[Id]>]: string
} & {
  readonly query?: { readonly [Name in (typeof QUERY)[Id][number]]?: string | number | undefined }
}

/** A request without its body. */
export interface Call {
  readonly method: string
  /** Path and query, below the base of the deployment. */
  readonly path: string
}

const printQuery = (query: object): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]]
  )
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`
}

/** The request of an operation. */
export const callOf = <Id extends OperationId>(id: Id, params: ParamsOf<Id>): Call => {
  const [method = "GET", template = ""] = OPERATIONS[id].split(" ")
  const values = new Map<string, unknown>(Object.entries(params))
  const path = template.replace(/\{([a-z_]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name) ?? ""))
  )
  return { method, path: `/api/v2${path}${printQuery(params.query ?? {})}` }
}
