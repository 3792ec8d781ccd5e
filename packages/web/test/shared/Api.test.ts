/** The operations that pages call are operations of the contract, with its methods, paths and query parameters. */
import { Api } from "@attestry/http/Api"
import * as OpenApiDocument from "@attestry/http/OpenApiDocument"
import { assert, describe, it } from "vitest"
import { OPERATIONS as SPECIFIED } from "../../../../scripts/checks/SpecPaths.js"
import * as RouteTable from "../../../http/src/shared/internal/RouteTable.js"
import { callOf, OPERATIONS, QUERY } from "../../app/shared/Api.js"

const shapeOf = (operation: string): string => operation.replace(/\{[^}]+\}|:[A-Za-z_]+/g, "{}")

const routes = RouteTable.routesOf(Api).map(({ method, path }) =>
  shapeOf(`${method} ${path.replace(/^\/api\/v2/, "")}`)
)

/** Parameter names of the published document, by method and path. */
const documented = new Map(
  Object.entries(OpenApiDocument.make().paths).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => [
      shapeOf(`${method.toUpperCase()} ${path.replace(/^\/api\/v2/, "")}`),
      ((operation as { parameters?: ReadonlyArray<{ in: string; name: string }> }).parameters ?? [])
        .filter((parameter) => parameter.in === "query")
        .map(({ name }) => name)
    ])
  )
)

describe("operations of pages", () => {
  it("are operations of the contract", () => {
    for (const operation of Object.values(OPERATIONS)) assert.include(routes, shapeOf(operation))
  })

  it("have the ids of the specification", () => {
    for (const [id, operation] of Object.entries(OPERATIONS)) {
      const specified = new Map<string, string>(Object.entries(SPECIFIED)).get(id)
      assert.strictEqual(shapeOf(operation), shapeOf(specified ?? ""), id)
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
