/** Operations as the checks compare them: a method and a path whose parameters have no names. */
import * as Effect from "effect/Effect"
import { OPERATIONS } from "../../../packages/api/src/OperationIndex.js"
import { StoreHealth } from "../../../packages/core/src/shared/StoreHealth.js"
import * as StaticRoutes from "../../../packages/http/src/meta/internal/StaticRoutes.js"
import * as OpenApiDocument from "../../../packages/http/src/meta/OpenApiDocument.js"
import * as DocumentationPage from "../../../packages/http/src/node/DocumentationPage.js"
import {
  argumentsOf,
  isNode,
  literalOf,
  type Node,
  nameOf,
  type SourceFile
} from "../shared/SourceFile.js"

/** The operations of the endpoint index: `GET /flows/{org}`; paths outside of the prefix are below the host. */
export const specifiedIn = (specification: string): ReadonlyArray<string> =>
  [...specification.matchAll(/^\| [A-Z][0-9]+b? \| ([A-Z]+) \| `(?:\{host\})?([^`]+)` \|/gm)].map(
    ([, method = "", path = ""]) => `${method} ${path}`
  )

/** `PUT /flows/{}` for `PUT /flows/{org}` and for `PUT /api/v2/flows/{name}`. */
export const shapeOf = (operation: string): string =>
  operation.replace(" /api/v2/", " /").replaceAll(/\{[^}]*\}|\*/g, "{}")

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null

/** Every operation of the published document: `PUT /flows/{org}`. */
export const documented = (): ReadonlyArray<string> => {
  const document: unknown = OpenApiDocument.make()
  const paths = isRecord(document) && isRecord(document.paths) ? document.paths : {}
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(isRecord(methods) ? methods : {}).map(
      (method) => `${method.toUpperCase()} ${path.replace("/api/v2/", "/")}`
    )
  )
}

/** Every open path that a Node host serves beside the contract. */
export const plainPaths = (): ReadonlyArray<string> => {
  const open = StaticRoutes.make().pipe(
    Effect.provideService(StoreHealth, StoreHealth.of({ check: Effect.void }))
  )
  return [...Effect.runSync(open).keys(), ...Effect.runSync(DocumentationPage.make).keys()]
}

const NAMED = new Map<string, string>(Object.entries(OPERATIONS))

const TITLES: ReadonlySet<string> = new Set(["describe", "it", "test", "onEveryStore"])

const isTitle = (file: SourceFile, node: Node): boolean => {
  const holder = file.parentOf(node)
  if (holder === undefined || argumentsOf(holder)[0] !== node) return false
  const callee = isNode(holder.callee) ? holder.callee : undefined
  return TITLES.has(nameOf(callee) ?? "") || TITLES.has(nameOf(callee?.object) ?? "")
}

/** Every operation that a test names in code, by its path or by its name; a title or a comment calls nothing. */
export const calledIn = (file: SourceFile): ReadonlyArray<string> =>
  file.nodes.flatMap((node) => {
    const text = literalOf(node)
    if (text === undefined || isTitle(file, node)) return []
    const operation = NAMED.get(text) ?? text
    return /^(?:GET|PUT|POST|PATCH|DELETE) \/\S+$/.test(operation) ? [operation] : []
  })
