/** The specification, the published document and the wire tests name the same operations. */
import { assert, describe, it } from "vitest"
import { OPERATIONS, PLAIN_PATHS } from "./SpecPaths.js"
import { parse } from "./shared/SourceFile.js"
import * as Tree from "./shared/Tree.js"
import { NOT_BUILT_YET, PLAIN_NOT_BUILT_YET } from "./spec/NotBuiltYet.js"
import { calledIn, documented, plainPaths, shapeOf } from "./spec/Operations.js"

const shapes = (operations: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(operations.map(shapeOf))

/** What is missing without being on the list, and what is on the list without being missing. */
const drift = (lists: {
  readonly all: ReadonlyArray<string>
  readonly built: ReadonlyArray<string>
  readonly waiting: ReadonlyArray<string>
}): ReadonlyArray<string> => {
  const built = new Set(lists.built)
  const waiting = new Set(lists.waiting)
  return [
    ...lists.all
      .filter((each) => !built.has(each) && !waiting.has(each))
      .map((each) => `${each} is not built`),
    ...lists.waiting
      .filter((each) => built.has(each))
      .map((each) => `${each} is built: take it off the list`)
  ]
}

const specified = Object.entries(OPERATIONS)
/** WHY without open paths: the document names the schemas too, which are compared as open paths. */
const offered = documented().filter(
  (operation) => !PLAIN_PATHS.includes(operation.replace("GET ", "/api/v2"))
)

describe("the published document", () => {
  it("has every operation of the specification, except those on the shrinking list", () => {
    const inDocument = shapes(offered)
    const built = specified.filter(([, operation]) => inDocument.has(shapeOf(operation)))
    assert.deepStrictEqual(
      drift({
        all: specified.map(([id]) => id),
        built: built.map(([id]) => id),
        waiting: NOT_BUILT_YET
      }),
      []
    )
  })

  it("has no operation that nobody asked for", () => {
    const asked = shapes(specified.map(([, operation]) => operation))
    assert.deepStrictEqual(
      offered.filter((operation) => !asked.has(shapeOf(operation))),
      []
    )
  })

  it("stands beside every open path", () => {
    const lists = { all: PLAIN_PATHS, built: plainPaths(), waiting: PLAIN_NOT_BUILT_YET }
    assert.deepStrictEqual(drift(lists), [])
  })
})

describe("wire tests", () => {
  it("call every operation of the document", () => {
    const called = shapes(Tree.sourcesUnder("packages/http/test").flatMap(calledIn))
    assert.deepStrictEqual(
      offered.filter((operation) => !called.has(shapeOf(operation))),
      []
    )
  })
})

describe("the check notices", () => {
  it("what is missing, and what has been built", () => {
    const lists = { all: ["A", "B", "C"], built: ["A", "B"], waiting: ["B"] }
    assert.deepStrictEqual(drift(lists), ["C is not built", "B is built: take it off the list"])
  })

  it("each specified operation once", () => {
    const named = specified.map(([, operation]) => shapeOf(operation))
    assert.lengthOf(named, new Set(named).size)
  })

  it("operations in code, whatever their parameters are called", () => {
    const text = [
      'onEveryStore("PUT /flows/{org}", ({ call }) => {',
      '  it.effect("GET /titles/{org}", () => call("GET /flows/{org}/{flow_name}"))',
      "})",
      "// PATCH /comments/{org}",
      'const operations = { server: "PUT /api/v2/environments/{org}/{name}/report/server" }'
    ]
    assert.deepStrictEqual(
      calledIn(parse({ path: "a.test.ts", text: text.join("\n") }))
        .map(shapeOf)
        .sort(),
      ["GET /flows/{}/{}", "PUT /environments/{}/{}/report/server"]
    )
  })
})
