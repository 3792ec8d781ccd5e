/**
 * Requests and answers of operations. Pages call operations by name: `callOf("environment.list", { org })`.
 *
 * Methods, paths, queries and answers come from the contract. This module sends nothing.
 */
import {
  OPERATIONS,
  type OperationName,
  type PathParameter,
  type QueryParameter
} from "@attestry/api/OperationIndex"
import type { WireAnswer } from "@attestry/api/WireAnswer"

export type { OperationName } from "@attestry/api/OperationIndex"

/** The paged form of a list: pages always send `page` or `per_page`. */
type AsPage<A> = [Exclude<A, ReadonlyArray<unknown>>] extends [never]
  ? A
  : Exclude<A, ReadonlyArray<unknown>>

export type Answer<Name extends OperationName> = AsPage<WireAnswer<Name>>

/** The parameters of an operation: those of its path, and `query`; every write has `dry_run`. */
export type ParamsOf<Name extends OperationName> = {
  readonly [Each in PathParameter<Name>]: string
} & {
  readonly query?: { readonly [Each in QueryParameter<Name>]?: string | number | undefined } & {
    readonly dry_run?: true | undefined
  }
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

export const callOf = <Name extends OperationName>(name: Name, params: ParamsOf<Name>): Call => {
  const [method = "GET", template = ""] = OPERATIONS[name].split(" ")
  const values = new Map<string, unknown>(Object.entries(params))
  const path = template.replace(/\{([a-z_]+)\}/g, (_, parameter: string) =>
    encodeURIComponent(String(values.get(parameter) ?? ""))
  )
  return { method, path: `/api/v2${path}${printQuery(params.query ?? {})}` }
}
