/** The rules of style that a reviewer would otherwise repeat, applied to every file of the repository. */
import { assert, describe, it } from "vitest"
import { except } from "./shared/Finding.js"
import * as Repository from "./shared/Repository.js"
import type { SourceFile } from "./shared/SourceFile.js"
import * as Tree from "./shared/Tree.js"
import * as Banned from "./tidy/Banned.js"
import * as Documentation from "./tidy/Documentation.js"
import { MODULE_STATE, REGULAR_EXPRESSIONS, STATEMENTS } from "./tidy/Exceptions.js"
import * as Files from "./tidy/Files.js"
import * as Reasons from "./tidy/Reasons.js"
import * as Size from "./tidy/Size.js"
import { testNames } from "./tidy/TestNames.js"
import * as Text from "./tidy/Text.js"

const { files, sources, production, tests, checks } = Tree.load()
const inSrc = files.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path))
const below = (...folders: ReadonlyArray<string>) =>
  production.filter(({ path }) => folders.some((folder) => path.startsWith(`packages/${folder}/`)))

const holds = <File>(
  searched: ReadonlyArray<File>,
  rule: (file: File) => ReadonlyArray<string>
): void => {
  assert.isNotEmpty(searched)
  assert.deepStrictEqual([...new Set(searched.flatMap(rule))], [])
}

describe("sizes", () => {
  it("keeps source files short", () =>
    // WHY: what is generated has as many lines as the contract has operations, or a package modules.
    holds(
      [...sources, ...checks].filter(
        ({ path }) => !/\/(src\/index|Operation(Index|s)|(Promise)?Answers)\.ts$/.test(path)
      ),
      (file) => Size.fileLength(file, Size.SOURCE_LINES_MAX)
    ))
  it("keeps test files short", () =>
    holds(tests, (file) => Size.fileLength(file, Size.TEST_LINES_MAX)))
  it("keeps lines narrow", () => holds(files, Size.lineWidth))
  it("keeps functions short", () => holds([...sources, ...checks], Size.functionLength))
  it("passes an object instead of a fourth argument", () =>
    holds([...inSrc, ...checks], Size.parameters))
})

describe("comments", () => {
  it("opens every source file with a doc block", () =>
    holds([...sources, ...checks], Documentation.header))
  it("has a sentence on every export", () =>
    holds(
      inSrc.filter(({ path }) => !path.endsWith("/src/index.ts")),
      Documentation.exportDocs
    ))
  it("has no code in comments", () => holds(files, Documentation.switchedOffCode))
  it("leaves nothing marked as unfinished", () => holds(Tree.texts(), Text.unfinished))
  it("never silences the compiler", () => holds(files, Banned.silencedCompiler))
})

describe("constructs", () => {
  it("never says any", () => holds(sources, Banned.anything))
  it("never compares an Option with an equality that cannot", () =>
    holds(
      files.filter(({ path }) => path.startsWith("packages/")),
      Banned.looseOptions
    ))
  it("never gives a browser text as HTML", () =>
    holds(
      sources.filter(({ path }) => path.startsWith("packages/web/app/")),
      Banned.htmlText
    ))
  it("never claims that a value is there", () => holds(production, Banned.nonNull))
  it("never writes to the console", () => holds(production, Banned.output))
  it("takes neither time nor chance in core", () => holds(below("core"), Banned.ambient))
  it("explains every failure that is swallowed", () => holds(production, Reasons.swallowedFailures))
  it("explains every type that is claimed", () => holds(production, Reasons.claimedTypes))
  it("calls fetch in the client and the notifier alone", () => {
    const guarded = new Set(below("client", "notifier"))
    holds(
      production.filter((file) => !guarded.has(file)),
      Banned.request
    )
  })
  it("builds no regular expression from data", () => {
    const found = production.flatMap(Banned.builtRegExp)
    assert.deepStrictEqual(except(found, REGULAR_EXPRESSIONS), [])
  })
  it("builds no SQL from strings", () => {
    const found = below("sql-store", "embedded-postgres", "server").flatMap(Banned.builtSql)
    assert.deepStrictEqual(except(found, STATEMENTS), [])
  })
})

describe("state", () => {
  it("is kept by services and not by modules", () => {
    assert.isNotEmpty(production)
    assert.deepStrictEqual(except(production.flatMap(Banned.moduleState), MODULE_STATE), [])
  })
})

describe("names and files", () => {
  it("names things by what they are", () => holds(files, Banned.emptyNames))
  it("names files by what they hold", () => holds(Tree.texts(), Files.emptyPaths))
  it("names tests with sentences", () => holds(tests, testNames))
  it("names no folder of one machine", () => holds(Tree.texts(), Text.machinePaths))
  it("gives every document exactly one title", () => holds(Tree.documents(), Files.titles))
  it("has no file without an importer", () => {
    const exported = new Set(
      Repository.members().flatMap(({ folder, manifest: { exports = {}, imports = {} } }) =>
        [...Object.values(exports), ...Object.values(imports).flatMap(Object.values)].map(
          (target) =>
            typeof target === "string"
              ? target
              : `${folder}/${target["@attestry/source"]?.slice(2)}`
        )
      )
    )
    const isEntry = ({ path }: SourceFile) =>
      exported.has(path) || /\/(?:index|main)\.ts$|\.test\.ts$/.test(path)
    const searched = [
      ...inSrc,
      ...checks,
      ...files.filter(({ path }) => path.startsWith("examples/"))
    ]
    assert.deepStrictEqual(Files.unreached(searched, isEntry), [])
  })
})
