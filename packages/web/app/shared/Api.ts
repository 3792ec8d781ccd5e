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
  E2: "GET /environments/{org}",
  E3: "GET /environments/{org}/{env_name}",
  P7: "GET /snapshots/{org}/{env_name}/{snapshot_expression}/facts",
  O1: "PUT /policies/{org}/{name}",
  O2: "GET /policies/{org}",
  O3: "GET /policies/{org}/{name}",
  Q1: "GET /facts/{org}/{fingerprint}",
  C1: "POST /controls/{org}",
  C2: "GET /controls/{org}",
  C3: "GET /controls/{org}/{identifier}",
  C4: "PUT /controls/{org}/{identifier}",
  C5: "POST /controls/{org}/{identifier}/archive",
  C6: "POST /controls/{org}/{identifier}/unarchive",
  C7: "GET /controls/{org}/{identifier}/coverage",
  C8: "GET /controls/{org}/{identifier}/versions",
  C10: "GET /controls/{org}/{identifier}/decisions",
  C13: "GET /control-coverage/{org}"
} as const

/** The query parameters that pages send. */
export const QUERY = {
  Z3: [],
  Z4: [],
  Z7: [],
  E2: ["page", "per_page", "name", "sort", "sort_direction"],
  E3: [],
  P7: ["page", "per_page"],
  O1: [],
  O2: [],
  O3: [],
  Q1: [],
  C1: [],
  C2: ["page", "per_page", "search", "tag", "archived"],
  C3: [],
  C4: [],
  C5: [],
  C6: [],
  C7: ["page", "per_page"],
  C8: ["page", "per_page"],
  C10: ["page", "per_page", "flow_name", "is_compliant", "from_timestamp", "to_timestamp"],
  C13: ["page", "per_page", "search", "tag", "archived"]
} as const satisfies { readonly [Id in OperationId]: ReadonlyArray<string> }

/** The id of an operation. */
export type OperationId = keyof typeof OPERATIONS

/** What each operation answers. */
export interface Answers {
  readonly Z3: Contract.OpenedSession
  readonly Z4: string
  readonly Z7: Contract.Session
  readonly E2: Contract.Environments
  readonly E3: Contract.Environment
  readonly P7: Contract.SnapshotFacts
  readonly O1: unknown
  readonly O2: ReadonlyArray<Contract.Policy>
  readonly O3: Contract.Policy
  readonly Q1: Contract.ArtifactFacts
  readonly C1: Contract.Control
  readonly C2: Contract.Controls
  readonly C3: Contract.Control
  readonly C4: Contract.Control
  readonly C5: Contract.Control
  readonly C6: Contract.Control
  readonly C7: Contract.ControlCoverage
  readonly C8: Contract.ControlVersions
  readonly C10: Contract.ControlDecisions
  readonly C13: Contract.ControlMatrix
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
