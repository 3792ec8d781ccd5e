/** The specification, the contract, the published document and the wire tests name the same operations. */
import { assert, describe, it } from "vitest"
import { OPERATIONS } from "../../packages/api/src/OperationIndex.js"
import * as Repository from "./shared/Repository.js"
import { parse } from "./shared/SourceFile.js"
import * as Tree from "./shared/Tree.js"
import { calledIn, documented, plainPaths, shapeOf, specifiedIn } from "./spec/Operations.js"

const offered: ReadonlyArray<string> = Object.values(OPERATIONS)

/** Operations of one list that another does not have. */
const missing = (
  operations: ReadonlyArray<string>,
  others: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const shapes = new Set(others.map(shapeOf))
  return operations.filter((operation) => !shapes.has(shapeOf(operation)))
}

describe("the endpoint index of the specification", () => {
  const specified = specifiedIn(Repository.read("docs/SPEC.md"))
  const open = plainPaths().map((path) => `GET ${path}`)

  it("has operations of the contract, and open paths that are served", () => {
    assert.isAbove(specified.length, 100)
    assert.deepStrictEqual(missing(specified, [...offered, ...open]), [])
  })

  it("has every operation of the contract", () =>
    assert.deepStrictEqual(missing(offered, specified), []))

  it("has each operation once", () => {
    const shapes = specified.map(shapeOf)
    assert.lengthOf(shapes, new Set(shapes).size)
  })
})

describe("the published document", () => {
  it("has every operation of the contract, and open paths beside them", () => {
    const open = plainPaths().map((path) => `GET ${path}`)
    assert.deepStrictEqual(missing(offered, documented()), [])
    assert.deepStrictEqual(missing(documented(), [...offered, ...open]), [])
  })
})

describe("wire tests", () => {
  it("call every operation", () => {
    const called = Tree.sourcesUnder("packages/http/test").flatMap(calledIn)
    assert.deepStrictEqual(missing(offered, called), [])
  })
})

describe("the check notices", () => {
  it("an operation that the other list does not have", () => {
    assert.deepStrictEqual(missing(["GET /a/{x}", "PUT /b"], ["GET /api/v2/a/{y}"]), ["PUT /b"])
  })

  it("the rows of the index, with paths outside of the prefix", () => {
    const index = [
      "| F3 | GET | `/flows/{org}` | list flows | GA |",
      "| M6 | GET | `{host}/ready` |"
    ]
    assert.deepStrictEqual(specifiedIn(index.join("\n")), ["GET /flows/{org}", "GET /ready"])
  })

  it("operations in code, whatever their parameters are called", () => {
    const text = [
      'onEveryStore("PUT /flows/{org}", ({ call }) => {',
      '  it.effect("GET /titles/{org}", () => call("GET /flows/{org}/{flow_name}"))',
      "})",
      "// PATCH /comments/{org}",
      'const operations = { server: "PUT /api/v2/environments/{org}/{name}/report/server" }',
      'const rows = { "policy.list": { least: "reader" } }'
    ]
    assert.deepStrictEqual(
      calledIn(parse({ path: "a.test.ts", text: text.join("\n") }))
        .map(shapeOf)
        .sort(),
      ["GET /flows/{}/{}", "GET /policies/{}", "PUT /environments/{}/{}/report/server"]
    )
  })
})
