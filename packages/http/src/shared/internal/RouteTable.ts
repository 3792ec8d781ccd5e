/**
 * Finds the operation of a method and a path.
 *
 * The table comes from the contract alone. Fixed segments have precedence over parameters, and a path without the
 * method lists the methods that it has. HEAD matches as GET does; hosts leave the body out. DECISION A-16
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

/** The decoded values of the path parameters. */
export interface Params {
  readonly [name: string]: string
}

/** The result of a lookup. */
export type Match =
  | { readonly _tag: "Found"; readonly route: Route; readonly params: Params }
  | { readonly _tag: "WrongMethod"; readonly allowed: ReadonlyArray<string> }
  | { readonly _tag: "NoSuchPath" }
  | { readonly _tag: "MalformedPath" }

interface Node {
  readonly fixed: Map<string, Node>
  parameter: { readonly name: string; readonly node: Node } | undefined
  /** A last parameter that matches the rest of the path, slashes included. */
  rest: { readonly name: string; readonly node: Node } | undefined
  readonly routes: Map<string, Route>
}

const emptyNode = (): Node => ({
  fixed: new Map(),
  parameter: undefined,
  rest: undefined,
  routes: new Map()
})

/** Last parameters that match the rest of the path: names of repositories contain slashes. */
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

/** Every operation of a contract; throws when one has no rule, since it would have no access check. */
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

/** The search for one path. WHY not a generator: every request runs it. */
class Search {
  /** The names and the encoded values of the parameters so far. */
  readonly #names: Array<string> = []
  readonly #texts: Array<string> = []
  /** The methods of the path, where it does not have the requested one. */
  readonly allowed = new Set<string>()

  constructor(
    readonly method: string,
    readonly segments: ReadonlyArray<string>
  ) {}

  /** The operation of the segments from `at` on; fixed segments are tried first. */
  find(node: Node, at: number): Route | undefined {
    const segment = this.segments[at]
    if (segment === undefined) return this.#end(node)
    const fixed = node.fixed.get(segment)
    const found = fixed === undefined ? undefined : this.find(fixed, at + 1)
    if (found !== undefined || segment === "") return found
    return this.#parameter(node, at, segment) ?? this.#rest(node, at)
  }

  #parameter({ parameter }: Node, at: number, segment: string): Route | undefined {
    if (parameter === undefined) return undefined
    this.#enter(parameter.name, segment)
    const found = this.find(parameter.node, at + 1)
    if (found === undefined) this.#leave()
    return found
  }

  #rest({ rest }: Node, at: number): Route | undefined {
    if (rest === undefined) return undefined
    this.#enter(rest.name, this.segments.slice(at).join("/"))
    const found = this.#end(rest.node)
    if (found === undefined) this.#leave()
    return found
  }

  #end({ routes }: Node): Route | undefined {
    const route = routes.get(this.method === "HEAD" ? "GET" : this.method)
    if (route === undefined) for (const other of routes.keys()) this.allowed.add(other)
    if (this.allowed.has("GET")) this.allowed.add("HEAD")
    return route
  }

  #enter(name: string, text: string): void {
    this.#names.push(name)
    this.#texts.push(text)
  }

  #leave(): void {
    this.#names.pop()
    this.#texts.pop()
  }

  /** The values of the parameters; undefined when one is not percent-encoded UTF-8. */
  params(): Params | undefined {
    const params: { [name: string]: string } = {}
    try {
      this.#names.forEach((name, index) => {
        params[name] = decodeURIComponent(this.#texts[index] ?? "")
      })
      return params
    } catch {
      return undefined
    }
  }
}

/** The lookup of a list of routes. */
export const make = (routes: ReadonlyArray<Route>): ((method: string, path: string) => Match) => {
  const root = emptyNode()
  for (const route of routes) {
    const [, ...segments] = route.path.split("/")
    for (const last of [...segments.slice(-1), ...route.rule.aliases]) {
      const path = [...segments.slice(0, -1), last]
      path.reduce(descend, root).routes.set(route.method, route)
    }
  }
  return (method, path) => {
    const search = new Search(method, path.split("/"))
    const route = search.find(root, 1)
    if (route === undefined) {
      return search.allowed.size === 0
        ? { _tag: "NoSuchPath" }
        : { _tag: "WrongMethod", allowed: [...search.allowed].sort() }
    }
    const params = search.params()
    return params === undefined ? { _tag: "MalformedPath" } : { _tag: "Found", route, params }
  }
}
