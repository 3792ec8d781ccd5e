/** Examples in documents compile, as modules of a project that has our packages installed. */
import { assert, describe, it } from "vitest"
import { fencesIn, fileOf } from "./readme/Fence.js"
import { typeCheck } from "./readme/TypeCheck.js"
import * as Repository from "./shared/Repository.js"
import * as Tree from "./shared/Tree.js"

const isChecked = (path: string): boolean =>
  /^(?:README|CONTRIBUTING|docs\/[^/]+|packages\/[^/]+\/README|examples\/[^/]+\/README)\.md$/.test(
    path
  )

const documents = Tree.documents().filter(({ path }) => isChecked(path))

describe("examples in documents", () => {
  it("compile as they stand", () => {
    const fences = documents.flatMap(fencesIn)
    assert.isNotEmpty(fences)
    assert.deepStrictEqual(typeCheck(fences), [])
  })

  it("stand in the readme of every published package that offers modules", () => {
    const programs = Repository.published().filter(Repository.isBundledProgram)
    const readmes = documents.filter(
      ({ path }) =>
        path.startsWith("packages/") &&
        !programs.some(({ folder }) => path.startsWith(`${folder}/`))
    )
    assert.isNotEmpty(readmes)
    const without = readmes.filter((document) => fencesIn(document).length === 0)
    assert.deepStrictEqual(
      without.map(({ path }) => path),
      []
    )
  })
})

/** The command that installs a package, with Effect where it is a peer. */
const installLine = ({ manifest }: Repository.Member): string =>
  `npm install ${manifest.name}${manifest.peerDependencies?.effect === undefined ? "" : " effect@3"}`

describe("documents", () => {
  it("say how each package is installed, and why with this version of Effect", () => {
    const without = Repository.published().filter((member) => {
      const text = Repository.read(`${member.folder}/README.md`)
      const versions = Repository.isBundledProgram(member)
        ? []
        : ["docs/EMBEDDING.md#versions-of-effect"]
      return ![installLine(member), ...versions].every((each) => text.includes(each))
    })
    assert.deepStrictEqual(
      without.map(({ folder }) => folder),
      []
    )
    assert.include(Repository.read("docs/EMBEDDING.md"), "\n## Versions of Effect\n")
  })

  it("give npx the name of the package, not the name of its command", () => {
    const found = Tree.texts().filter(
      ({ path, text }) =>
        /\.(?:md|yaml|yml|service|sh)$/.test(path) &&
        /npx (?!pnpm ).*\battestry-server\b/.test(text)
    )
    assert.deepStrictEqual(
      found.map(({ path }) => path),
      []
    )
  })
})

describe("the check notices", () => {
  const document = (...lines: ReadonlyArray<string>) => ({
    path: "docs/A.md",
    text: lines.join("\n")
  })

  it("fences of either name, and no others", () => {
    const text = ["# A", "```ts", "a", "```", "~~~typescript", "b", "~~~", "```sh", "c", "```"]
    const fences = fencesIn(document(...text))
    assert.deepStrictEqual(
      fences.map((fence) => fence.text),
      ["a", "b"]
    )
    assert.deepStrictEqual(fences.map(fileOf), ["docs-A.2.ts", "docs-A.5.ts"])
    assert.lengthOf(fencesIn(document("````md", "```ts", "a", "```", "````")), 0)
  })

  it("wrong types, wrong modules and wrong names, at the line of the document", () => {
    const text = [
      "```ts",
      'import * as Identifier from "@attestry/core/Identifier"',
      'import { nothing } from "@attestry/core/NoSuchModule"',
      "const name: number = Identifier.FlowName.make(nothing)",
      "```"
    ]
    const said = typeCheck(fencesIn(document(...text)))
    assert.isTrue(
      said.some((line) => line.startsWith("docs/A.md:3 error TS2307")),
      said.join("\n")
    )
    assert.isTrue(
      said.some((line) => line.startsWith("docs/A.md:4 error TS2322")),
      said.join("\n")
    )
  })
})
