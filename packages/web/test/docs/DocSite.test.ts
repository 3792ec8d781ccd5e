/** The documentation from Markdown: anchors, links, raw HTML, pages of long documents, the index of the search. */
import { assert, describe, it } from "vitest"
import * as DocIndex from "../../app/docs/DocIndex.js"
import * as DocMarkdown from "../../app/docs/DocMarkdown.js"
import * as DocPages from "../../app/docs/DocPages.js"
import * as DocSite from "../../app/docs/DocSite.js"

const lines = (count: number) => Array.from({ length: count }, (_, at) => `- line ${at}`).join("\n")

const INDEX = [
  "# Documentation",
  "## Start",
  "- [First](A.md): the first one",
  "## Reference",
  "- [Long](LONG.md): a long one",
  "- [Core](../packages/core/README.md)"
].join("\n")

const LONG = [
  "# The long one",
  "It begins.",
  "## One part",
  lines(300),
  "### Inside",
  "See [the other](#another-part).",
  "## Another `part`",
  lines(300)
].join("\n\n")

const FILES: ReadonlyMap<string, string> = new Map([
  [DocIndex.INDEX, INDEX],
  [
    "docs/A.md",
    "# First\n\n<!-- not run: x -->\n[part](LONG.md#inside) ![picture](images/p.png)\n"
  ],
  ["docs/LONG.md", LONG],
  ["packages/core/README.md", "# @attestry/core\n\n[code](src/A.ts) [up](../../docs/A.md)\n"]
])

const modelOf = (more: ReadonlyMap<string, string> = new Map()) =>
  DocSite.read({
    read: (path) => more.get(path) ?? FILES.get(path),
    has: (path) => path === "packages/core/src/A.ts",
    images: new Map([["docs/images/p.png", "_/assets/p-1.png"]])
  })

const ASSETS = { style: "_/s.css", script: "_/s.js", icon: "_/i.svg", search: "_/s.json" }
const page = (path: string): string => DocSite.print(modelOf(), ASSETS).pages.get(path) ?? ""

describe("an anchor", () => {
  it("is GitHub's", () => {
    const anchor = DocMarkdown.anchors()
    assert.deepStrictEqual(
      ["What scripts rely on", "`attest` & more: a_b-c", "Ä 4.20, §7", "Again", "Again"].map(
        anchor
      ),
      ["what-scripts-rely-on", "attest--more-a_b-c", "ä-420-7", "again", "again-1"]
    )
  })
})

describe("the index", () => {
  it("has groups of documents in their order, with addresses", () => {
    const groups = DocIndex.parse(INDEX)
    assert.deepStrictEqual(
      groups.map(({ name, entries }) => [name, ...entries.map(({ path }) => path)]),
      [
        ["Start", "docs/A.md"],
        ["Reference", "docs/LONG.md", "packages/core/README.md"]
      ]
    )
    assert.deepStrictEqual(
      ["README.md", "docs/README.md", "docs/guides/Moving.md", "packages/core/README.md"].map(
        DocIndex.addressOf
      ),
      ["start", "", "guides/moving", "packages/core"]
    )
  })
})

describe("pages", () => {
  it("are one per document, and one per section of a long one", () => {
    assert.deepStrictEqual(
      modelOf().documents.flatMap(({ page: each }) =>
        DocPages.flatten(each).map(({ path }) => path)
      ),
      ["", "a/", "long/", "long/one-part/", "long/another-part/", "packages/core/"]
    )
    const part = page("long/one-part/")
    assert.include(part, '<h1 id="one-part">')
    assert.include(part, '<h2 id="inside">')
    assert.include(part, 'href="../../../docs/long/another-part/#another-part"')
    assert.include(part, 'rel="prev"')
  })

  it("lead to pages, files, images and the repository, all relative to themselves", () => {
    assert.include(page("a/"), 'href="../../docs/long/one-part/#inside"')
    assert.include(page("a/"), 'src="../../_/assets/p-1.png"')
    assert.include(page("packages/core/"), "attestry/blob/main/packages/core/src/A.ts")
    assert.include(page("packages/core/"), 'href="../../../docs/a/"')
    for (const path of ["a/", "packages/core/"])
      assert.notMatch(page(path), /(?:href|src)="\//, "no path from the root")
  })

  it("have no comments and no raw HTML but the allowed", () => {
    const html = DocMarkdown.print(
      DocMarkdown.lex(
        [
          "<details>\n<summary>A <code>b</code></summary>",
          '<script>x()</script> <img src="x" onerror="y">',
          "</details>",
          "<!-- c -->",
          "`<b>`"
        ].join("\n\n")
      ),
      { href: ({ href }) => href, anchor: () => "", raised: 0 }
    )
    assert.include(html, "<details>\n<summary>A <code>b</code></summary>")
    assert.include(html, "<code>&lt;b&gt;</code>")
    assert.notInclude(html, "<script")
    assert.notInclude(html, "<img")
    assert.notInclude(html, "<!--")
  })
})

describe("problems", () => {
  it("are none of right documents", () => {
    assert.deepStrictEqual(DocSite.problemsOf(modelOf()), [])
  })

  it("are links that lead nowhere, missing documents and forbidden HTML", () => {
    const text = "[a](B.md) [b](LONG.md#nothing) ![c](d.png) <script>e()</script>\n"
    const problems = DocSite.problemsOf(
      modelOf(
        new Map([
          ["docs/A.md", text],
          [DocIndex.INDEX, `${INDEX}\n- [Gone](GONE.md)`]
        ])
      )
    )
    assert.lengthOf(
      problems.filter((each) => each.startsWith("docs/A.md: ")),
      5
    )
    assert.include(problems.join("\n"), "`docs/GONE.md`")
  })
})

describe("the index of the search", () => {
  it("has every section with the page that has it", () => {
    const sections = DocSite.searchIndex(modelOf())
    const inside = sections.find(({ heading }) => heading === "Inside")
    assert.deepInclude(inside, { path: "long/one-part/", anchor: "inside", page: "One part" })
    assert.include(inside?.text ?? "", "See the other.")
  })

  it("keeps the cells of a table apart in its text", () => {
    const tokens = DocMarkdown.lex("| a | b |\n|---|---|\n| c | d |\n")
    assert.strictEqual(DocMarkdown.plainText(tokens), "a · b · c · d\n")
  })
})
