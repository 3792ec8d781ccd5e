/** Every command of a document is run by a test, or is marked as not run with a reason. */
import { assert, describe, it } from "vitest"
import * as Commands from "./commands/Commands.js"
import { shows } from "./commands/Outputs.js"
import * as Repository from "./shared/Repository.js"
import * as Tree from "./shared/Tree.js"

describe("the commands of documents", () => {
  it("are run, or have a reason why not", () => {
    const documents = Tree.documents()
    const blocks = documents.flatMap(({ text }) => Commands.blocksIn(text).filter(Commands.isShell))
    assert.isAbove(blocks.filter(Commands.isRun).length, 40)
    assert.deepStrictEqual(documents.flatMap(Commands.problemsOf(Repository.has)), [])
  })
})

describe("the check notices", () => {
  const problems = (...lines: ReadonlyArray<string>) =>
    Commands.problemsOf((path) => path === "a.test.ts")({ path: "A.md", text: lines.join("\n") })
  const block = (...lines: ReadonlyArray<string>) => [...lines, "```sh", "true", "```"]

  it("marks without a reason or a test", () => {
    assert.deepStrictEqual(problems(...block("<!-- not run: needs a cluster -->")), [])
    assert.deepStrictEqual(problems(...block("<!-- run by: a.test.ts -->")), [])
    assert.lengthOf(problems(...block("<!-- not run: -->")), 1)
    assert.lengthOf(problems(...block("<!-- not run: no -->")), 1)
    assert.lengthOf(problems(...block("<!-- run by: b.test.ts -->")), 1)
    assert.lengthOf(problems(...block("<!-- all run by: b.md -->")), 1)
  })

  it("commands in blocks that no test runs", () => {
    assert.lengthOf(problems("```console", "$ attestry begin", "```"), 1)
    assert.lengthOf(problems("```", "attestry begin", "```"), 1)
    assert.deepStrictEqual(problems("```text", "COMPLIANT", "```"), [])
  })
})

describe("the blocks of a document", () => {
  const text = [
    "# A",
    "<!-- setup:",
    "mkdir dist",
    "-->",
    "<!-- exits 1 -->",
    "```sh",
    "attestry begin",
    "```",
    "prints",
    "```text",
    "begun …",
    "```",
    "## B",
    "```text",
    "other",
    "```",
    "- <!-- run until: ready -->",
    "<!-- all run by: a.test.ts -->",
    "  ```bash",
    "  sleep 1",
    "  ```",
    "<!-- end -->",
    "```bash",
    "sleep 2"
  ].join("\n")
  const blocks = Commands.blocksIn(text)

  it("have their marks, their text and the lines where they begin", () => {
    assert.deepStrictEqual(
      blocks.map(({ line, text: inner }) => [line, inner]),
      [
        [6, "attestry begin\n"],
        [10, "begun …\n"],
        [14, "other\n"],
        [19, "sleep 1\n"],
        [23, ""]
      ]
    )
    assert.deepStrictEqual(blocks[0]?.marks, [
      { kind: "setup", commands: "mkdir dist" },
      { kind: "exits", code: 1 }
    ])
    assert.deepStrictEqual(blocks.map(Commands.isRun), [true, false, false, false, true])
  })

  it("are the output of the block before them unless a heading is between", () => {
    assert.deepStrictEqual(
      blocks.map((block, at) => Commands.isOutputOf(block, blocks[at - 1])),
      [false, true, false, false, false]
    )
  })
})

describe("an output", () => {
  const output = "reported\nsnapshot 1, abc123\n\nCOMPLIANT\n"

  it("has consecutive lines of the document, with holes", () => {
    for (const shown of [
      "COMPLIANT",
      "snapshot 1, …\n\nCOMPLIANT\n",
      "reported\n…\nCOMPLIANT",
      "…"
    ])
      assert.isTrue(shows(output, shown), shown)
  })

  it("has no others", () => {
    for (const shown of ["COMPLIAN", "reported\nCOMPLIANT", "snapshot …, abc\n", "NOT COMPLIANT"])
      assert.isFalse(shows(output, shown), shown)
  })
})
