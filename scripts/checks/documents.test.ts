/** What documents say about the code, where a machine can compare the two. */
import { assert, describe, it } from "vitest"
import { MAY_IMPORT } from "./boundaries/ImportTable.js"
import { modulesIn } from "./boundaries/Modules.js"
import * as AddField from "./documents/AddField.js"
import * as Architecture from "./documents/Architecture.js"
import * as Decisions from "./documents/Decisions.js"
import { except } from "./shared/Finding.js"
import * as Repository from "./shared/Repository.js"
import { parse } from "./shared/SourceFile.js"
import * as Tree from "./shared/Tree.js"

const sorted = (names: Iterable<string>) => [...new Set(names)].sort()
const missing = (
  from: Iterable<string>,
  known: Iterable<string>,
  says: (name: string) => string
) => {
  const there = new Set(known)
  return sorted(from)
    .filter((name) => !there.has(name))
    .map(says)
}

describe("decisions, laws and promises", () => {
  const decisions = Decisions.decisionsIn(Repository.read(Decisions.DOCUMENT))
  const names = decisions.map(({ name }) => name)
  const laws = Decisions.lawsIn(Repository.read(Decisions.LAWS))
  const promises = Decisions.promisesIn(Repository.read(Decisions.PROMISES))

  it("has few decisions, each short and with its reason", () => {
    assert.isAbove(decisions.length, 40)
    assert.isAtMost(decisions.length, Decisions.DECISIONS_MAX)
    assert.deepStrictEqual(Decisions.repeated(names), [])
    assert.deepStrictEqual(decisions.flatMap(Decisions.problemsOf), [])
  })

  it("exist wherever they are cited", () => {
    assert.isAbove(laws.length, 150)
    assert.isAbove(promises.length, 30)
    const known = {
      decisions: new Set(names),
      laws: new Set(laws),
      promises: new Set(promises)
    }
    const citing = Tree.texts().filter(
      ({ path }) => /\.(?:tsx?|mjs|md|yaml|sql)$/.test(path) && !path.startsWith("scripts/checks/")
    )
    assert.deepStrictEqual(citing.flatMap(Decisions.unknownCitations(known)), [])
  })
})

describe("the architecture", () => {
  const text = Repository.read(Architecture.DOCUMENT)

  it("lists every port of core and nothing else", () => {
    const listed = ["Storage port", "Other port"].flatMap((heading) =>
      Architecture.firstColumn(text, heading)
    )
    const declared = ["core", "policy-lab"]
      .flatMap((name) => Tree.sourcesUnder(`packages/${name}/src`))
      .flatMap(Architecture.portsIn)
    assert.isAbove(declared.length, 40)
    assert.deepStrictEqual(
      [
        ...missing(declared, listed, (name) => `\`${name}\` is in no table of ports`),
        ...missing(listed, declared, (name) => `\`${name}\` is no port of core`)
      ],
      []
    )
  })

  it("lists the storage ports as the type that stores provide does", () => {
    const type = /export type Ports =([\s\S]*)$/.exec(Repository.read("packages/core/src/Ports.ts"))
    assert.deepStrictEqual(
      sorted(Architecture.firstColumn(text, "Storage port")),
      sorted(type?.[1]?.match(/\w+/g) ?? [])
    )
  })

  it("says why each folder that is no feature is there", () => {
    const said = Architecture.firstColumn(text, "Folder")
    const folders = Repository.published().flatMap(({ name, folder }) =>
      name === "core"
        ? []
        : Repository.pathsUnder(`${folder}/src`).flatMap((path) => {
            const [first, ...rest] = path.slice(`${folder}/src/`.length).split("/")
            return rest.length > 0 && first !== undefined ? [first] : []
          })
    )
    const features = modulesIn(text).flatMap((module) => module.features)
    assert.deepStrictEqual(
      missing(folders, [...features, ...said], (name) => `\`${name}\` is no feature`),
      []
    )
    assert.deepStrictEqual(
      missing(said, folders, (name) => `there is no folder \`${name}\``),
      []
    )
  })

  it("names whatever a package may import", () => {
    const rowOf = (name: string) =>
      text.split("\n").find((line) => line.startsWith(`| \`${name}\` |`))
    const unsaid = Object.entries(MAY_IMPORT).flatMap(([place, patterns]) => {
      const [, name = "", root] = place.split("/")
      if (name === "server" || root === "testing" || root === "webcrypto") return []
      const words = patterns
        .filter((pattern) => !pattern.startsWith("@attestry/"))
        .map((pattern) => pattern.replace(/\/\*$/, ""))
      return words
        .filter((word) => rowOf(name)?.includes(`\`${word}\``) !== true)
        .map((word) => `${place} may import \`${word}\``)
    })
    assert.deepStrictEqual(unsaid, [])
  })

  it("lists the tables that belong to no org", () => {
    const texts = Repository.pathsUnder("packages/sql-store/schema")
      .filter((path) => path.endsWith(".sql"))
      .map(Repository.read)
    assert.deepStrictEqual(
      sorted(Architecture.sentenceAfter(text, "**Global tables** are")),
      sorted(Architecture.globalTables(texts))
    )
  })
})

describe("the document about performance", () => {
  const text = Repository.read("docs/PERFORMANCE.md")

  it("names modules that are there", () => {
    const named = text
      .split("\n")
      .filter((line) => line.startsWith("Modules: "))
      .flatMap((line) => line.match(/(?<=`)\w+(?=`)/g) ?? [])
    assert.isAbove(named.length, 30)
    const modules = Repository.pathsUnder("packages").flatMap(
      (path) => /\/src\/(?:.*\/)?(\w+)\.ts$/.exec(path)?.[1] ?? []
    )
    assert.deepStrictEqual(
      missing(named, modules, (name) => `\`${name}\` is no module`),
      []
    )
  })
})

describe("the walk of a new field", () => {
  it("names files that are there", () => {
    const text = Repository.read("CONTRIBUTING.md")
    const [, walk = ""] = text.split("\n## Add a field\n")
    const rows = walk.split("\n## ")[0]?.match(/^\| `.*?\|/gm) ?? []
    const named = rows.flatMap((row) => row.match(/(?<=`)[^`]+\.(?:ts|md)(?=`)/g) ?? [])
    assert.isAbove(named.length, 3)
    assert.isAtMost(named.length, 10)
    const isThere = (path: string) =>
      path.includes("00NN") || Repository.has(path) || Repository.has(`packages/${path}`)
    assert.deepStrictEqual(
      named.filter((path) => !isThere(path)),
      []
    )
  })
})

describe("the rules notice", () => {
  it("decisions without a reason, and citations of what does not exist", () => {
    const text =
      "## A\n\n### One journal\n\nText. **Why:** x. **Also looked\nat:** y.\n\n### Two\n\nText.\n"
    const decisions = Decisions.decisionsIn(text)
    assert.deepStrictEqual(
      decisions.map(({ name }) => name),
      ["One journal", "Two"]
    )
    assert.deepStrictEqual(decisions.flatMap(Decisions.problemsOf), [
      '"Two" has no **Why:**',
      '"Two" has no **Also looked at:**'
    ])
    const long = { name: "Long", text: "**Why:** **Also looked at:** word ".repeat(40) }
    assert.lengthOf(Decisions.problemsOf(long), 1)
    assert.deepStrictEqual(Decisions.lawsIn("| SNAP-1 | x |\n| POL-2 to POL-4, COND-1: y | z |"), [
      "SNAP-1",
      "POL-2",
      "POL-3",
      "POL-4",
      "COND-1"
    ])
    assert.deepStrictEqual(Decisions.promisesIn("| P-DUR | x |\n| P-5XX | y |"), ["P-DUR", "P-5XX"])
    assert.deepStrictEqual(Decisions.repeated(["a", "b", "a"]), ["a"])
    const found = (cited: string) =>
      Decisions.unknownCitations({
        decisions: new Set(["One journal"]),
        laws: new Set(["SNAP-1"]),
        promises: new Set(["P-DUR"])
      })({ path: "a.ts", text: cited }).length
    assert.strictEqual(
      found(' * DECISIONS.md, "One\n * journal". SNAP-1, P-DUR, UTF-8, SHA-256'),
      0
    )
    assert.strictEqual(found('// DECISIONS.md, "Two"'), 1)
    assert.strictEqual(found("// DECISION A-07\n// (B-12), D1.3"), 3)
    assert.strictEqual(found("SNAP-2 and P-GONE"), 2)
  })

  it("ports, tables and names of a document", () => {
    const file = parse({
      path: "a.ts",
      text: ['export class A extends Context.Tag("a")<A, B>() {}', "class C {}"].join("\n")
    })
    const tables = "create table d (e);\ncreate table f ();"
    const policies = "array[\n  'f'\n] create policy own_org"
    assert.deepStrictEqual(Architecture.portsIn(file), ["A"])
    assert.deepStrictEqual(Architecture.globalTables([tables, policies]), ["d"])
    const text =
      "Tables are `a` and `b`. Not `c`.\n\n| Port | For |\n|---|---|\n| `d`, `e` | `f` |\n\n`g`"
    assert.deepStrictEqual(Architecture.sentenceAfter(text, "Tables are"), ["a", "b"])
    assert.deepStrictEqual(Architecture.firstColumn(text, "Port"), ["d", "e"])
  })
})

describe("the walk of a field", () => {
  const page = Repository.read(AddField.DOCUMENT)
  const files = AddField.filesIn(page)
  const settings = AddField.settingsIn(Repository.read(AddField.SETTINGS))
  const spells = AddField.spells(settings)
  const sources = Repository.pathsUnder("packages")
    .filter((path) => /\.tsx?$/.test(path) && !path.includes("/src/migrations/"))
    .map((path) => ({ path, text: Repository.read(path) }))

  it("names as many files as it says, all of them there", () => {
    assert.strictEqual(files.length, 7)
    assert.strictEqual(AddField.countIn(page), files.length)
    assert.deepStrictEqual(
      files.filter((path) => !Repository.has(path)),
      []
    )
  })

  it("names every file that spells all settings", () => {
    assert.includeMembers([...settings], ["description", "include_scaling"])
    const found = sources.filter(spells).map(({ path }) => path)
    assert.includeMembers(found, [
      AddField.SETTINGS,
      "packages/api/src/environment/EnvironmentApi.ts",
      "packages/http/test/environment/Environment.test.ts"
    ])
    assert.deepStrictEqual(
      except(
        found
          .filter((path) => !files.includes(path))
          .map((path) => `${path} spells every setting, and is not in the table`),
        [
          {
            finding:
              "packages/cli/src/writing/ApplyDocuments.ts spells every setting, and is not in the table",
            reason: "a document of `apply` need not have every field"
          },
          {
            finding:
              "packages/cli/src/writing/PutCommands.ts spells every setting, and is not in the table",
            reason: "a command need not have a flag for every field"
          }
        ]
      ),
      []
    )
  })

  it("notices a file that is left out", () => {
    assert.isTrue(spells({ path: "packages/x/src/A.ts", text: settings.join(" ") }))
    assert.isFalse(spells({ path: "packages/x/src/A.ts", text: settings.slice(1).join(" ") }))
    const text = "Struct.omit(EnvironmentSettings.fields, name)"
    assert.isTrue(spells({ path: "packages/sql-store/src/internal/A.ts", text }))
    assert.deepStrictEqual(AddField.filesIn("## Add a field\n| `a/b.ts` | x | y |\n"), [
      "packages/a/b.ts"
    ])
  })
})
