/**
 * Nothing is hidden: every operation of the API is called by the command line or by a page, or has a reason.
 * `docs/OPERATIONS.md` has the table; `ATTESTRY_GOLDEN=write` writes it.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { OPERATIONS } from "../../packages/api/src/OperationIndex.js"
import { COMMANDS } from "../../packages/cli/src/CommandTree.js"
import { GET_NOUNS } from "../../packages/cli/src/reading/GetTable.js"
import { LIST_NOUNS } from "../../packages/cli/src/reading/NounTable.js"
import { callers, callsIn } from "./operations/Calls.js"
import { COMMANDS_OF } from "./operations/Commands.js"
import { REASONS } from "./operations/Reasons.js"
import * as Table from "./operations/Table.js"
import * as Repository from "./shared/Repository.js"
import { parse } from "./shared/SourceFile.js"
import * as Tree from "./shared/Tree.js"

const DOCUMENT = "docs/OPERATIONS.md"

const known = new Set(Object.keys(OPERATIONS))

const found = (): Table.Callers => ({
  operations: OPERATIONS,
  commandLine: callers(Tree.sourcesUnder("packages/cli/src"), known),
  pages: callers(Tree.sourcesUnder("packages/web/app"), known),
  commandOf: new Map([
    ...LIST_NOUNS.filter(({ fixedQuery }) => fixedQuery === undefined).map(
      ({ noun, operation }) => [operation, `list ${noun}`] as const
    ),
    ...GET_NOUNS.map(({ noun, operation }) => [operation, `get ${noun}`] as const),
    ...Object.entries(COMMANDS_OF)
  ]),
  commands: new Set(COMMANDS.map(({ words }) => words.join(" "))),
  reasons: new Map(Object.entries(REASONS))
})

const renewed = (document: string, table: string): string =>
  document.replace(
    /(<!-- made: operations -->\n)[\s\S]*?(<!-- end -->)/,
    (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`
  )

describe("every operation", () => {
  it("is called by the command line or by a page, or has a reason", () => {
    assert.isAbove(known.size, 150)
    assert.deepStrictEqual(Table.problems(found()), [])
  })

  it("is in the table of the document", () => {
    const document = Repository.read(DOCUMENT)
    const written = renewed(document, Table.print(found()))
    if (process.env.ATTESTRY_GOLDEN === "write")
      writeFileSync(join(Repository.root, DOCUMENT), written)
    else assert.strictEqual(document, written, "write it with ATTESTRY_GOLDEN=write")
    for (const name of known) assert.include(written, `| \`${name}\` |`)
  })
})

describe("the check", () => {
  const calls = (text: string) => [
    ...callsIn(parse({ path: "packages/cli/src/A.ts", text }), new Set(["flow.get", "flow.put"]))
  ]

  it("finds the name of an operation in a call, in a table and in a choice", () => {
    for (const text of [
      'api.call("flow.get", {})',
      "api.call(`flow.get`)",
      'const noun = listed({ operation: "flow.get" })',
      'const both = ["flow.get", "a"] as const',
      'const one = isNew ? "other" : "flow.get"',
      'useQuery<A>("flow.get" satisfies string)'
    ])
      assert.deepStrictEqual(calls(text), ["flow.get"], text)
  })

  it("does not take a type, a comment, a key, a comparison or a part of a name for a call", () => {
    for (const text of [
      'type A = Answer<"flow.get">',
      'const make = (name: "flow.get" | "flow.put") => name',
      '// api.call("flow.get")',
      'const texts = { "flow.get": "Show a flow" }',
      'if (operation === "flow.get") stop()',
      'switch (operation) { case "flow.get": stop() }',
      'api.call("flow.get.more")',
      ["api.call(`flow.$", "{verb}`)"].join(""),
      'import a from "flow.get"'
    ])
      assert.deepStrictEqual(calls(text), [], text)
  })

  const sample = (more: Partial<Table.Callers>): Table.Callers => ({
    operations: { "flow.get": "GET /flows", "flow.put": "PUT /flows" },
    commandLine: new Map([["flow.get", ["packages/cli/src/A.ts"]]]),
    pages: new Map([["flow.put", ["packages/web/app/flow/FlowPage.tsx"]]]),
    commandOf: new Map([["flow.get", "get flow"]]),
    commands: new Set(["get flow"]),
    reasons: new Map(),
    ...more
  })

  it("accepts an operation with a command or a page, and names every other", () => {
    assert.deepStrictEqual(Table.problems(sample({})), [])
    assert.deepStrictEqual(Table.problems(sample({ pages: new Map() })), [
      "flow.put has neither a command, a page nor a reason"
    ])
    const reasons = new Map([["flow.put", "another one writes it"]])
    assert.deepStrictEqual(Table.problems(sample({ pages: new Map(), reasons })), [])
  })

  it("names a reason and a command that are not true any more", () => {
    const stale = new Map([["flow.put", "a page has it"]])
    assert.deepStrictEqual(Table.problems(sample({ reasons: stale })), [
      "flow.put has a reason and is called"
    ])
    const unknown = new Map([["flow.gone", "x"]])
    assert.deepStrictEqual(Table.problems(sample({ reasons: unknown })), [
      "flow.gone is no operation"
    ])
    assert.deepStrictEqual(Table.problems(sample({ commands: new Set() })), [
      "flow.get: there is no command `attestry get flow`"
    ])
    assert.deepStrictEqual(Table.problems(sample({ commandOf: new Map() })), [
      "flow.get is called by no named command"
    ])
    const moved = new Map([
      ["flow.get", "get flow"],
      ["flow.put", "get flow"]
    ])
    assert.deepStrictEqual(Table.problems(sample({ commandOf: moved })), [
      "flow.put is not called by the command line, as `attestry get flow` would"
    ])
  })

  it("prints the table", () => {
    assert.strictEqual(
      Table.print(sample({})).split("\n").at(-1),
      "| `flow.put` | `PUT /flows` | – | flow | – |"
    )
  })
})
