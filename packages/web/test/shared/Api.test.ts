/** The operations that pages call are operations of the contract, with its methods, paths and query parameters. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Api } from "@attestry/api/Api"
import * as OpenApiDocument from "@attestry/http/OpenApiDocument"
import { assert, describe, it } from "vitest"
import * as RouteTable from "../../../http/src/shared/internal/RouteTable.js"
import { callOf, OPERATIONS, QUERY } from "../../app/shared/Api.js"

const shapeOf = (operation: string): string => operation.replace(/\{[^}]+\}|:[A-Za-z_]+/g, "{}")

const routes = RouteTable.routesOf(Api).map(({ method, path }) =>
  shapeOf(`${method} ${path.replace(/^\/api\/v2/, "")}`)
)

/** Method and path by id, from the index of the specification. */
const specified = new Map(
  [
    ...readFileSync(join(import.meta.dirname, "../../../../docs/SPEC.md"), "utf8").matchAll(
      /^\| ([A-Z][0-9]+b?) \| ([A-Z]+) \| `([^`]+)` \|/gm
    )
  ].map(([, id = "", method = "", path = ""]) => [id, `${method} ${path}`])
)

interface Document {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: {
        readonly parameters?: ReadonlyArray<{ readonly in: string; readonly name: string }>
      }
    }
  }
}

/** Parameter names of the published document, by method and path. */
const documented = new Map(
  Object.entries((OpenApiDocument.make() as Document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [] }]) => [
      shapeOf(`${method.toUpperCase()} ${path.replace(/^\/api\/v2/, "")}`),
      parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name)
    ])
  )
)

describe("operations of pages", () => {
  it("are operations of the contract", () => {
    for (const operation of Object.values(OPERATIONS)) assert.include(routes, shapeOf(operation))
  })

  it("have the ids of the specification", () => {
    for (const [id, operation] of Object.entries(OPERATIONS)) {
      assert.strictEqual(shapeOf(operation), shapeOf(specified.get(id) ?? ""), id)
    }
  })

  it("send only query parameters that the document has", () => {
    const queries = new Map<string, ReadonlyArray<string>>(Object.entries(QUERY))
    for (const [id, operation] of Object.entries(OPERATIONS)) {
      assert.includeMembers(
        [...(documented.get(shapeOf(operation)) ?? [])],
        [...(queries.get(id) ?? [])],
        id
      )
    }
  })

  it("encode names and leave out what is undefined", () => {
    assert.deepStrictEqual(callOf("E3", { org: "acme", env_name: "a/b?c" }), {
      method: "GET",
      path: "/api/v2/environments/acme/a%2Fb%3Fc"
    })
    const { path } = callOf("E2", { org: "acme", query: { page: 1, name: "a b", sort: undefined } })
    assert.strictEqual(path, "/api/v2/environments/acme?page=1&name=a+b")
  })
})
