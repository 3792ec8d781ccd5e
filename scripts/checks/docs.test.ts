/** The documentation that servers show: every document is in its index, and every link leads somewhere. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as DocIndex from "../../packages/web/app/docs/DocIndex.js"
import * as DocSite from "../../packages/web/app/docs/DocSite.js"
import * as Repository from "./shared/Repository.js"
import * as Tree from "./shared/Tree.js"

/** Documents that no reader looks for, and why. */
const LEFT_OUT: ReadonlyMap<string, string> = new Map([
  ["packages/notifier/test/fixture/README.md", "explains files of tests to their authors"],
  ["scripts/release/bundle/README.md", "is a part of the offline bundle"],
  [DocIndex.INDEX, "is the index"]
])

const images = Repository.pathsUnder("docs").filter((path) => /\.(?:svg|png)$/.test(path))

const model = DocSite.read({
  read: (path) => (existsSync(join(Repository.root, path)) ? Repository.read(path) : undefined),
  has: Repository.has,
  images: new Map(images.map((path) => [path, path]))
})

describe("the documentation", () => {
  it("has every document in its index, once", () => {
    const listed = model.groups.flatMap(({ entries }) => entries.map(({ path }) => path))
    const documents = Tree.documents()
      .map(({ path }) => path)
      .filter((path) => !LEFT_OUT.has(path) && !/(?:^|\/)CHANGELOG\.md$/.test(path))
    assert.deepStrictEqual([...listed].sort(), [...documents].sort())
  })

  it("has no link to a file or a heading that is not there, and no raw HTML but the allowed", () => {
    assert.deepStrictEqual(DocSite.problemsOf(model), [])
  })

  it("tells what each document is for", () => {
    const entries = model.groups.flatMap((group) => group.entries)
    assert.deepStrictEqual(
      entries.filter(({ description }) => description === ""),
      []
    )
  })
})
