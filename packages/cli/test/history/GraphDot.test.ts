/** Graphs for Graphviz: whatever names there are, the text has the same statements. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as GraphDot from "../../src/history/GraphDot.js"
import * as Style from "../../src/shared/Style.js"

const style = Style.make({ isTerminal: false, isColoured: false, columns: 80, nowMs: 0 })

const graphOf = (text: string) => ({
  nodes: [
    {
      id: "a",
      type: "policy",
      label: text,
      compliant: true,
      html_url: `https://example.org/${text}`
    },
    { id: text, type: text, label: "b", html_url: "javascript:alert(1)" }
  ],
  edges: [
    { from: "a", to: text, type: text },
    { from: "a", to: "none of the nodes", type: "of" }
  ]
})

/** The line without its texts in quotes; a quote or a backslash inside has a backslash before it. */
const skeleton = (line: string) => line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')

describe("GraphDot", () => {
  it.prop(
    "has names in quotes alone",
    { text: FastCheck.string({ unit: "binary" }).filter((text) => text !== "a") },
    ({ text }) => {
      const lines = GraphDot.lines(style, graphOf(text))
      assert.lengthOf(lines, 6)
      assert.match(
        skeleton(lines[2] ?? ""),
        /^ {2}n0 \[label="" tooltip="" shape=hexagon color=darkgreen( URL="")?\]$/
      )
      assert.match(skeleton(lines[3] ?? ""), /^ {2}n1 \[label="" tooltip="" shape=[a-z0-9]+\]$/)
      assert.strictEqual(skeleton(lines[4] ?? ""), '  n0 -> n1 [label=""]')
      assert.strictEqual(lines[5], "}")
    }
  )

  it("prints quotes and backslashes as they are", () => {
    const [, , line] = GraphDot.lines(style, graphOf('a "b" \\'))
    assert.include(line, 'label="a \\"b\\" \\\\"')
  })
})
