/** Words: those of DOMAIN.md, and nothing about the place where this was written. */
import { assert, describe, it } from "vitest"
import { CLIENT_WORD_FILES, CLIENT_WORDS, clientWordsIn } from "./language/ClientWords.js"
import * as NotWords from "./language/NotWords.js"
import { registryHosts } from "./language/RegistryHost.js"
import { vague } from "./language/Vague.js"
import type { TextFile } from "./shared/Repository.js"
import * as Repository from "./shared/Repository.js"
import * as Tree from "./shared/Tree.js"

describe("every text of the repository", () => {
  it("has the words of existing clients in the tables of core alone, each of them", () => {
    const tables = Tree.texts().filter(({ path }) => CLIENT_WORD_FILES.includes(path))
    assert.deepStrictEqual(tables.map(({ path }) => path).sort(), [...CLIENT_WORD_FILES].sort())
    assert.isTrue(tables.every((file) => clientWordsIn(file).length > 0))
    assert.sameMembers([...new Set(tables.flatMap(clientWordsIn))], [...CLIENT_WORDS])
  })

  it("does not say where packages come from", () => {
    const lockfile = { path: "pnpm-lock.yaml", text: Repository.read("pnpm-lock.yaml") }
    assert.deepStrictEqual([...Tree.texts(), lockfile].flatMap(registryHosts), [])
  })
})

describe("every document", () => {
  it("names who does something", () => {
    assert.isAbove(Tree.documents().length, 10)
    assert.deepStrictEqual(Tree.documents().flatMap(vague), [])
  })
})

/** A file whose lines are its comments, at their places. */
const commentsOf = ({ path, text }: TextFile): TextFile => ({
  path,
  text: text
    .split("\n")
    .map((line) => (/^\s*(?:\/?\*|\/\/)/.test(line) ? line : ""))
    .join("\n")
})

describe("every comment of published source", () => {
  it("names who does something", () => {
    const production = Tree.productionTexts()
    assert.isAbove(production.length, 100)
    assert.deepStrictEqual(production.map(commentsOf).flatMap(vague), [])
  })
})

describe("every identifier of published source", () => {
  const words = NotWords.wordsIn(Repository.read(NotWords.DOCUMENT))
  const sources = Tree.productionTexts().filter(({ path }) => path.includes("/src/"))

  it("has no word that DOMAIN.md rules out", () => {
    assert.isAbove(words.length, 90)
    assert.deepStrictEqual(sources.flatMap(NotWords.ruledOut(words)), [])
  })
})

describe("the rules notice", () => {
  it("words for a person that is not named, outside of quotes", () => {
    const found = (text: string) => vague({ path: "a.md", text }).length
    assert.strictEqual(found("Whoever asks is told.\nNot by nobody."), 2)
    assert.strictEqual(found('the account `nobody`, and the word "whoever"'), 0)
  })

  it("identifiers with a word that DOMAIN.md rules out", () => {
    const document = "| **row** | a line | item, `kept answer` |\n| x | `y` | `z` |"
    assert.deepStrictEqual(NotWords.wordsIn(document), ["kept answer"])
    const found = (text: string) =>
      NotWords.ruledOut(["kept answer"])({ path: "a.ts", text }).length
    assert.strictEqual(found("const theKeptAnswers = KEPT_ANSWER"), 2)
    assert.strictEqual(
      found('// keptAnswer\n/* keptAnswer */ const a = "keptAnswer" + `keptAnswer`'),
      0
    )
    assert.strictEqual(found("const kept = answer"), 0)
    const played = NotWords.ruledOut(["played"])({ path: "a.ts", text: "({ played: playedRows })" })
    assert.strictEqual(played.length, 1)
  })

  it("hosts, settings and credentials of registries", () => {
    const found = (text: string) => registryHosts({ path: ".npmrc", text }).length
    for (const text of [
      `https://registry${".npm"}.dev/a`,
      `registry${"="}https://a.test`,
      `@a:registry${" ="} x`,
      `//a.test/:_auth${"Token="}b`,
      `resolution: {tarball${": "}https://a.test/a.tgz}`
    ]) {
      assert.strictEqual(found(text), 1, text)
    }
    assert.strictEqual(found("registry.example.org/shop:1.4\ndigests_source: registry"), 0)
  })
})
