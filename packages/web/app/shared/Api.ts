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
  E3: "GET /environments/{org}/{env_name}"
} as const

/** The query parameters that pages send. */
export const QUERY = {
  Z3: [],
  Z4: [],
  Z7: [],
  E2: ["page", "per_page", "name", "sort", "sort_direction"],
  E3: []
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
