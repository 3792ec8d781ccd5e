/**
 * Finds the operation of a method and a path.
 *
 * The table comes from the contract alone. Fixed segments have precedence over parameters, and a path without the
 * method lists the methods that it has. HEAD matches as GET does; hosts leave the body out. A caller learns which
 * mistake it made.
 */
import { Operation, type OperationRule } from "@attestry/api/Operation"
import { type OperationPlace, PLACES, SCIM_PLACES } from "@attestry/api/OperationPlaces"
import { REPO_ID_FORM } from "@attestry/api/PathParam"
import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Context from "effect/Context"
import type * as Option from "effect/Option"
import type * as SchemaAST from "effect/SchemaAST"

/** An operation of the contract. */
export interface Route {
  readonly group: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly rule: OperationRule
  readonly place: OperationPlace
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

/** WHY without names: routes through one node may name its parameter differently; the route found has the names. */
interface Node {
  readonly fixed: Map<string, Node>
  /** A parameter that matches only segments of its form. */
  formed: { readonly form: RegExp; readonly node: Node } | undefined
  parameter: Node | undefined
  /** A last parameter that matches the rest of the path, slashes included. */
  rest: Node | undefined
  readonly routes: Map<string, NamedRoute>
}

/** A route with the names of its parameters, in the order of the path. */
interface NamedRoute {
  readonly route: Route
  readonly names: ReadonlyArray<string>
}

const emptyNode = (): Node => ({
  fixed: new Map(),
  formed: undefined,
  parameter: undefined,
  rest: undefined,
  routes: new Map()
})

/** Last parameters that match the rest of the path: names of repositories and paths of tiles contain slashes. */
const REST_PARAMETERS: ReadonlyArray<string> = [":repo_name", ":tile_path"]

const descend = (node: Node, segment: string): Node => {
  if (REST_PARAMETERS.includes(segment)) {
    node.rest ??= emptyNode()
    return node.rest
  }
  if (segment === ":repo") {
    node.formed ??= { form: REPO_ID_FORM, node: emptyNode() }
    return node.formed.node
  }
  if (segment.startsWith(":")) {
    node.parameter ??= emptyNode()
    return node.parameter
  }
  const next = node.fixed.get(segment) ?? emptyNode()
  node.fixed.set(segment, next)
  return next
}

/** The places of operations by their names. */
export interface Places {
  readonly [operation: string]: OperationPlace
}

const OURS: Places = { ...PLACES, ...SCIM_PLACES }

/** The place that fits each access other than a permission. */
const FITTING: { readonly [access: string]: OperationPlace } = {
  open: "open",
  authenticated: "self",
  member: "member"
}

const isOfAccess = (place: OperationPlace): boolean =>
  place === "open" || place === "self" || place === "member"

/** The place of an operation; throws when it has none, or one that does not fit its access. */
export const placeOf = (
  operation: string,
  { access }: Pick<OperationRule, "access">,
  places: Places = OURS
): OperationPlace => {
  const place = Object.hasOwn(places, operation) ? places[operation] : undefined
  if (place === undefined) throw new Error(`operation ${operation} names no place`)
  const fitting = FITTING[access]
  const fits = fitting === undefined ? !isOfAccess(place) : place === fitting
  if (!fits) throw new Error(`operation ${operation} with access ${access} is at ${place}`)
  return place
}

/** Every operation of a contract; throws when one has no rule or no place, since it would have no access check. */
export const routesOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  places?: Places
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
        place: placeOf(`${group.identifier}.${endpoint.name}`, rule.value, places),
        endpoint,
        successes
      })
    }
  })
  return routes
}

/** The search for one path. WHY not a generator: every request runs it. */
class Search {
  /** The encoded values of the parameters so far. */
  readonly #texts: Array<string> = []
  /** The methods of the path, where it does not have the requested one. */
  readonly allowed = new Set<string>()

  constructor(
    readonly method: string,
    readonly segments: ReadonlyArray<string>
  ) {}

  /** The operation of the segments from `at` on; fixed segments are tried first, then those with a form. */
  find(node: Node, at: number): NamedRoute | undefined {
    const segment = this.segments[at]
    if (segment === undefined) return this.#end(node)
    const fixed = node.fixed.get(segment)
    const found = fixed === undefined ? undefined : this.find(fixed, at + 1)
    if (found !== undefined || segment === "") return found
    const formed = node.formed?.form.test(segment) === true ? node.formed.node : undefined
    return (
      this.#parameter(formed, at, segment) ??
      this.#parameter(node.parameter, at, segment) ??
      this.#rest(node.rest, at)
    )
  }

  #parameter(node: Node | undefined, at: number, segment: string): NamedRoute | undefined {
    if (node === undefined) return undefined
    this.#texts.push(segment)
    const found = this.find(node, at + 1)
    if (found === undefined) this.#texts.pop()
    return found
  }

  #rest(node: Node | undefined, at: number): NamedRoute | undefined {
    if (node === undefined) return undefined
    this.#texts.push(this.segments.slice(at).join("/"))
    const found = this.#end(node)
    if (found === undefined) this.#texts.pop()
    return found
  }

  #end({ routes }: Node): NamedRoute | undefined {
    const route = routes.get(this.method === "HEAD" ? "GET" : this.method)
    if (route === undefined) for (const other of routes.keys()) this.allowed.add(other)
    if (this.allowed.has("GET")) this.allowed.add("HEAD")
    return route
  }

  /** The values of the parameters; undefined when one is not percent-encoded UTF-8. */
  params(names: ReadonlyArray<string>): Params | undefined {
    const params: { [name: string]: string } = {}
    try {
      names.forEach((name, index) => {
        params[name] = decodeURIComponent(this.#texts[index] ?? "")
      })
      return params
    } catch {
      return undefined
    }
  }
}

const namesOf = (path: string): ReadonlyArray<string> =>
  path.split("/").flatMap((segment) => (segment.startsWith(":") ? [segment.slice(1)] : []))

/** The lookup of a list of routes. */
export const make = (routes: ReadonlyArray<Route>): ((method: string, path: string) => Match) => {
  const root = emptyNode()
  for (const route of routes) {
    const [, ...segments] = route.path.split("/")
    for (const last of [...segments.slice(-1), ...route.rule.aliases]) {
      const node = [...segments.slice(0, -1), last].reduce(descend, root)
      if (node.routes.has(route.method))
        throw new Error(`two operations at one path: ${route.path}`)
      node.routes.set(route.method, { route, names: namesOf(route.path) })
    }
  }
  return (method, path) => {
    const search = new Search(method, path.split("/"))
    const found = search.find(root, 1)
    if (found === undefined) {
      return search.allowed.size === 0
        ? { _tag: "NoSuchPath" }
        : { _tag: "WrongMethod", allowed: [...search.allowed].sort() }
    }
    const params = search.params(found.names)
    return params === undefined
      ? { _tag: "MalformedPath" }
      : { _tag: "Found", route: found.route, params }
  }
}
