/**
 * Which operation a method and a path mean.
 *
 * Made from the contract alone. Fixed segments win over parameters, and a path that exists with other
 * methods says which ones. DECISION A-16
 */
import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Context from "effect/Context"
import type * as Option from "effect/Option"
import type * as SchemaAST from "effect/SchemaAST"
import { Operation, type OperationRule } from "./Operation.js"

/** An operation of the contract. */
export interface Route {
  readonly group: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly rule: OperationRule
  readonly endpoint: HttpApiEndpoint.HttpApiEndpoint<
    string,
    HttpApiEndpoint.HttpApiEndpoint.AnyWithProps["method"]
  >
  readonly successes: ReadonlyMap<number, { readonly ast: Option.Option<SchemaAST.AST> }>
}

/** What a method and a path mean. */
export type Match =
  | { readonly _tag: "Found"; readonly route: Route; readonly params: ReadonlyMap<string, string> }
  | { readonly _tag: "WrongMethod"; readonly allowed: ReadonlyArray<string> }
  | { readonly _tag: "NoSuchPath" }
  | { readonly _tag: "MalformedPath" }

interface Node {
  readonly fixed: Map<string, Node>
  parameter: { readonly name: string; readonly node: Node } | undefined
  /** A last parameter that takes the rest of the path, slashes included. */
  rest: { readonly name: string; readonly node: Node } | undefined
  readonly routes: Map<string, Route>
}

const emptyNode = (): Node => ({
  fixed: new Map(),
  parameter: undefined,
  rest: undefined,
  routes: new Map()
})

/** Last parameters that take the rest of the path: repositories have slashes in their names. */
const REST_PARAMETERS: ReadonlyArray<string> = [":repo_name"]

const descend = (node: Node, segment: string): Node => {
  if (REST_PARAMETERS.includes(segment)) {
    node.rest ??= { name: segment.slice(1), node: emptyNode() }
    return node.rest.node
  }
  if (segment.startsWith(":")) {
    node.parameter ??= { name: segment.slice(1), node: emptyNode() }
    if (node.parameter.name !== segment.slice(1)) {
      throw new Error(
        `two names for one path parameter: ${node.parameter.name}, ${segment.slice(1)}`
      )
    }
    return node.parameter.node
  }
  const next = node.fixed.get(segment) ?? emptyNode()
  node.fixed.set(segment, next)
  return next
}

/** Every operation of a contract; throws when one has no rule, since it could be called by anybody. */
export const routesOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ReadonlyArray<Route> => {
  const routes: Array<Route> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint, mergedAnnotations, successes }) => {
      const rule = Context.getOption(mergedAnnotations, Operation)
      if (rule._tag === "None") {
        throw new Error(`operation ${group.identifier}.${endpoint.name} names no permission`)
      }
      routes.push({
        group: group.identifier,
        name: endpoint.name,
        method: endpoint.method,
        path: endpoint.path,
        rule: rule.value,
        endpoint,
        successes
      })
    }
  })
  return routes
}

type Params = ReadonlyArray<readonly [string, string]>

/** Every node with operations that the segments lead to, those through fixed segments first. */
function* search(
  node: Node,
  segments: ReadonlyArray<string>,
  params: Params = []
): Generator<readonly [Node, Params]> {
  const [segment, ...rest] = segments
  if (segment === undefined) {
    if (node.routes.size > 0) yield [node, params]
    return
  }
  const fixed = node.fixed.get(segment)
  if (fixed !== undefined) yield* search(fixed, rest, params)
  if (segment === "") return
  if (node.parameter !== undefined) {
    yield* search(node.parameter.node, rest, [...params, [node.parameter.name, segment]])
  }
  if (node.rest !== undefined) {
    yield [node.rest.node, [...params, [node.rest.name, segments.join("/")]]]
  }
}

const decodeParams = (
  params: ReadonlyArray<readonly [string, string]>
): ReadonlyMap<string, string> | undefined => {
  try {
    return new Map(params.map(([name, text]) => [name, decodeURIComponent(text)]))
  } catch {
    return undefined
  }
}

/** The function that finds operations. */
export const make = (routes: ReadonlyArray<Route>): ((method: string, path: string) => Match) => {
  const root = emptyNode()
  for (const route of routes) {
    route.path.split("/").slice(1).reduce(descend, root).routes.set(route.method, route)
  }
  return (method, path) => {
    const allowed = new Set<string>()
    for (const [node, raw] of search(root, path.split("/").slice(1))) {
      const route = node.routes.get(method)
      if (route !== undefined) {
        const params = decodeParams(raw)
        return params === undefined ? { _tag: "MalformedPath" } : { _tag: "Found", route, params }
      }
      for (const other of node.routes.keys()) allowed.add(other)
    }
    return allowed.size === 0
      ? { _tag: "NoSuchPath" }
      : { _tag: "WrongMethod", allowed: [...allowed].sort() }
  }
}
