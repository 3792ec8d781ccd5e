/**
 * Requests and answers of operations, which pages call by their names: `callOf("environment.list", { org })`.
 *
 * Methods, paths, queries and answers are those of the contract. Nothing here sends anything.
 */
import {
  OPERATIONS,
  type OperationName,
  type PathParameter,
  type QueryParameter
} from "@attestry/api/OperationIndex"
import type { WireAnswer } from "@attestry/api/WireAnswer"

/** The name of an operation. */
export type { OperationName } from "@attestry/api/OperationIndex"

/** A list that is an array or a page, as a page: pages always send `page` or `per_page`. */
type AsPage<A> = [Exclude<A, ReadonlyArray<unknown>>] extends [never]
  ? A
  : Exclude<A, ReadonlyArray<unknown>>

/** The answer of an operation. */
export type Answer<Name extends OperationName> = AsPage<WireAnswer<Name>>

/** The parameters of an operation: those of its path, and `query`. */
export type ParamsOf<Name extends OperationName> = {
  readonly [Each in PathParameter<Name>]: string
} & {
  readonly query?: { readonly [Each in QueryParameter<Name>]?: string | number | undefined }
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
export const callOf = <Name extends OperationName>(name: Name, params: ParamsOf<Name>): Call => {
  const [method = "GET", template = ""] = OPERATIONS[name].split(" ")
  const values = new Map<string, unknown>(Object.entries(params))
  const path = template.replace(/\{([a-z_]+)\}/g, (_, parameter: string) =>
    encodeURIComponent(String(values.get(parameter) ?? ""))
  )
  return { method, path: `/api/v2${path}${printQuery(params.query ?? {})}` }
}
