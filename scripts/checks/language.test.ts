/** Words: neutral ones where the interface has them, and nothing about the place where this was written. */
import { assert, describe, it } from "vitest"
import {
  CLIENT_WORD_FILES,
  CLIENT_WORDS,
  clientWordsIn,
  withoutClientWords
} from "./language/ClientWords.js"
import { registryHosts } from "./language/RegistryHost.js"
import { digestOf, unsaid, wordsIn } from "./language/Unsaid.js"
import { vague } from "./language/Vague.js"
import { type Exception, except } from "./shared/Finding.js"
import type { TextFile } from "./shared/Repository.js"
import * as Repository from "./shared/Repository.js"
import * as Tree from "./shared/Tree.js"

const BRANDED_HOSTS: ReadonlyArray<Exception> = [
  {
    finding:
      "packages/notifier/test/outbound/HostileDestinations.ts has a word that is not said here",
    reason: "the guard must refuse the very names under which clouds answer with credentials"
  }
]

/**
 * Places that name vendors: folders that speak to their services, whose names are in addresses, headers and variables,
 * and what people read about the commands of these services.
 */
const VENDOR_FOLDERS = [
  "packages/cli/src/environment/cloud/",
  "packages/cli/src/tree/ReportCommands.ts",
  "packages/cli/test/environment/cloud/",
  "docs/CLI.md"
]

const isVendors = (finding: string): boolean =>
  VENDOR_FOLDERS.some((folder) => finding.startsWith(folder)) && !/:0 /.test(finding)

describe("every text of the repository", () => {
  it("uses neutral words", () => {
    const texts = Tree.texts()
    assert.isAbove(texts.length, 100)
    const found = texts.map((file) => withoutClientWords(file)).flatMap(unsaid())
    assert.deepStrictEqual(
      except(
        found.filter((finding) => !isVendors(finding)),
        BRANDED_HOSTS
      ),
      []
    )
    for (const folder of VENDOR_FOLDERS)
      assert.isTrue(found.some((finding) => finding.startsWith(folder)))
  })

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

describe("the rules notice", () => {
  it("words for a person that is not named, outside of quotes", () => {
    const found = (text: string) => vague({ path: "a.md", text }).length
    assert.strictEqual(found("Whoever asks is told.\nNot by nobody."), 2)
    assert.strictEqual(found('the account `nobody`, and the word "whoever"'), 0)
  })

  it("a word of existing clients outside of its table, and one in prose", () => {
    const [word = ""] = CLIENT_WORDS
    const found = (path: string, text: string) =>
      unsaid()(withoutClientWords({ path, text }, ["table.ts"])).length
    assert.strictEqual(found("table.ts", `{ ${word}: 1 } "${word}"`), 0)
    assert.strictEqual(found("table.ts", `of ${word} and others`), 1)
    assert.strictEqual(found("other.ts", `"${word}"`), 1)
  })

  it("a word in any spelling, in a name and in a text", () => {
    const rule = unsaid([digestOf("acme")])
    const found = (path: string, text: string) => rule({ path, text }).length
    assert.strictEqual(found("a.md", "An ACME cloud.\n\nacme_apps, AcmeApps, new HTTPAcme()"), 2)
    assert.strictEqual(found("src/AcmeApps.ts", ""), 1)
    assert.strictEqual(found("a.md", "acmes and macme"), 0)
    assert.includeMembers([...wordsIn("HTTPServer x-y2")], ["http", "server", "x", "y2"])
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
