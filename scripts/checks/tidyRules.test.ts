/** Each tidy rule, shown one text that breaks it and one that does not. */
import { assert, describe, it } from "vitest"
import { except } from "./shared/Finding.js"
import { parse } from "./shared/SourceFile.js"
import * as Banned from "./tidy/Banned.js"
import * as Documentation from "./tidy/Documentation.js"
import * as Files from "./tidy/Files.js"
import * as Reasons from "./tidy/Reasons.js"
import * as Size from "./tidy/Size.js"
import { testNames } from "./tidy/TestNames.js"
import * as Text from "./tidy/Text.js"

const source = (...lines: ReadonlyArray<string>) =>
  parse({ path: "sample.ts", text: `${lines.join("\n")}\n` })

const repeat = (line: string, count: number) => Array.from({ length: count }, () => line)

describe("sizes", () => {
  it("counts lines, widths, bodies and parameters", () => {
    assert.lengthOf(Size.fileLength(source(...repeat("f()", 401)), 400), 1)
    assert.lengthOf(Size.fileLength(source(...repeat("f()", 400)), 400), 0)
    assert.lengthOf(Size.lineWidth(source(`const a = "${"x".repeat(110)}"`)), 1)
    assert.lengthOf(Size.lineWidth(source(`const a = "${"x".repeat(108)}"`)), 0)
    assert.lengthOf(Size.functionLength(source("function f() {", ...repeat("g()", 59), "}")), 1)
    assert.lengthOf(Size.functionLength(source("function f() {", ...repeat("g()", 58), "}")), 0)
    assert.lengthOf(Size.parameters(source("const f = (a, b, c, d) => a")), 1)
    assert.lengthOf(Size.parameters(source("const f = (a, b, { c, d }) => a")), 0)
  })

  it("measures a function inside another by itself when it has a name or a block", () => {
    const held = (name: string) => [`const ${name} = () => {`, ...repeat("h()", 40), "}"]
    const holder = source("function f() {", ...held("a"), ...held("b"), "}")
    assert.lengthOf(Size.functionLength(holder), 0)
    const steps = ["a.map((x) =>", ...repeat("h(", 20), "x", ...repeat(")", 21)]
    assert.lengthOf(Size.functionLength(source("function f() {", ...steps, ...steps, "}")), 1)
  })
})

describe("comments", () => {
  it("asks for a block at the top, after a line for the shell", () => {
    assert.lengthOf(Documentation.header(source("f()")), 1)
    assert.lengthOf(Documentation.header(source("// A comment.", "f()")), 1)
    assert.lengthOf(Documentation.header(source("/** What this is. */", "f()")), 0)
    assert.lengthOf(Documentation.header(source("#!/usr/bin/env node", "/** What. */", "f()")), 0)
    assert.lengthOf(Documentation.header(source("/**", ...repeat(" * Text.", 6), " */")), 0)
    assert.lengthOf(Documentation.header(source("/**", ...repeat(" * Text.", 7), " */")), 1)
  })

  it("asks for a sentence on every kind of export", () => {
    for (const code of [
      "const a = 1",
      "type A = 1",
      "default f()",
      '* from "x"',
      '{ a } from "x"'
    ]) {
      assert.lengthOf(Documentation.exportDocs(source("f()", `export ${code}`)), 1, code)
      assert.lengthOf(Documentation.exportDocs(source("/** A. */", `export ${code}`)), 0, code)
    }
    assert.lengthOf(Documentation.exportDocs(source("// A.", "export const a = 1")), 1)
  })

  it("tells code from prose", () => {
    for (const code of ["const a = 1", "store.insert(flow)", "return a", "a = b", "yield* f()"]) {
      assert.lengthOf(Documentation.switchedOffCode(source(`// ${code}`)), 1, code)
    }
    for (const prose of ["WHY: it returns a value", "nothing (really)", "Some words.", "const"]) {
      assert.lengthOf(Documentation.switchedOffCode(source(`// ${prose}`)), 0, prose)
    }
  })

  it("finds marks of unfinished work and silenced compilers", () => {
    for (const mark of [`TO${"DO"}`, `FIX${"ME"}`, `XX${"X"}`, `HA${"CK"}`]) {
      assert.lengthOf(Text.unfinished({ path: "a.md", text: `a\n${mark}: b` }), 1, mark)
    }
    assert.lengthOf(Text.unfinished({ path: "a.md", text: "hackers do" }), 0)
    assert.lengthOf(Banned.silencedCompiler(source("// @ts-ignore", "f()")), 1)
    assert.lengthOf(Banned.silencedCompiler(source("/* @ts-nocheck */", "f()")), 1)
    assert.lengthOf(Banned.silencedCompiler(source("// @ts-expect-error", "f()")), 0)
  })
})

describe("constructs", () => {
  it("finds state that a module keeps", () => {
    for (const code of [
      "let a = 0",
      "const a = new Map()",
      "export const a = BoundedCache.make(1)"
    ]) {
      assert.lengthOf(Banned.moduleState(source(code)), 1, code)
    }
    for (const code of ["const a = new Set([1])", "const f = () => new Map()", "const a = 1"]) {
      assert.lengthOf(Banned.moduleState(source(code)), 0, code)
    }
  })

  it("finds each banned construct and passes its neighbours", () => {
    assert.lengthOf(Banned.anything(source("f(a as any)")), 1)
    assert.lengthOf(Banned.anything(source('f(a as unknown, "any")')), 0)
    assert.lengthOf(Banned.nonNull(source("f(a!)")), 1)
    assert.lengthOf(Banned.nonNull(source("class A { b!: string }")), 1)
    assert.lengthOf(Banned.nonNull(source("f(!a)")), 0)
    assert.lengthOf(Banned.output(source("console.log(1)")), 1)
    for (const code of ["Date.now()", "f(Math.random)", "new Date()"]) {
      assert.lengthOf(Banned.ambient(source(code)), 1, code)
    }
    assert.lengthOf(Banned.ambient(source("new Date(0)", "Math.max(1, 2)", "Clock.now()")), 0)
    assert.lengthOf(Banned.request(source("fetch(a)", "globalThis.fetch(a)")), 2)
    assert.lengthOf(Banned.request(source("client.fetch(a)", "type F = typeof fetch")), 0)
    for (const code of ["(a, Option.none())", "([Option.some(1)], a)", "(a, { b: Option.none() })"])
      assert.lengthOf(Banned.looseOptions(source(`assert.deepStrictEqual${code}`)), 1, code)
    assert.lengthOf(
      Banned.looseOptions(
        source("deepStrictEqual(a, Option.none())", "assert.deepStrictEqual(f(Option.none()), 1)")
      ),
      0
    )
    assert.lengthOf(Banned.emptyNames(source("const pathUtils = 1", "class KeyManager {}")), 2)
    assert.lengthOf(Banned.emptyNames(source("const parseV4 = 1", "class Commons {}")), 0)
  })

  it("follows the text of a regular expression back to the source", () => {
    for (const code of ["f = (p) => new RegExp(p)", `RegExp("^" + name)`, "new RegExp(a.b)"]) {
      assert.lengthOf(Banned.builtRegExp(source(code)), 1, code)
    }
    const local = 'const f = () => { const p = "a"; return new RegExp(p + NAME_PATTERN) }'
    assert.lengthOf(Banned.builtRegExp(source(local, 'new RegExp("^" + A.B_PATTERN, "u")')), 0)
  })

  it("follows the text of a statement back to the source", () => {
    const bad = ["sql.unsafe(`select ` + id)", "c.executeRaw(text, [])", "sql.literal(f(name))"]
    for (const code of bad) assert.lengthOf(Banned.builtSql(source(code)), 1, code)
    const named = 'const A = { name: "a", text: "select " + column }'
    assert.lengthOf(Banned.builtSql(source(named)), 1)
    const open = "const f = (lock: string) => sql.literal(lock)"
    assert.lengthOf(Banned.builtSql(source(open)), 1)
    const closed = 'const f = (lock: "" | "for update") => sql.literal(lock)'
    const loop = "for (const name of FUNCTIONS) sql.literal(name)"
    const quoted = "c.query(`create database ` + pg.escapeIdentifier(name))"
    assert.lengthOf(
      Banned.builtSql(source(closed, loop, quoted, "sql.literal(COLUMNS[a] + LOCK)")),
      0
    )
  })

  it("asks for a reason close by", () => {
    for (const code of ["Effect.orDie(a)", "a.pipe(Effect.catchAllCause(f))"]) {
      assert.lengthOf(Reasons.swallowedFailures(source(code)), 1, code)
      assert.lengthOf(Reasons.swallowedFailures(source("// WHY: so.", code)), 0, code)
      assert.lengthOf(Reasons.swallowedFailures(source("// WHY: so.", "", "", "", code)), 1, code)
    }
    assert.lengthOf(Reasons.claimedTypes(source("f(a as B)")), 1)
    assert.lengthOf(Reasons.claimedTypes(source("f(<B>a)")), 1)
    assert.lengthOf(Reasons.claimedTypes(source("f(a as const, b satisfies C)")), 0)
    assert.lengthOf(Reasons.claimedTypes(source("f(a as B) // WHY: so.")), 0)
    assert.lengthOf(Reasons.claimedTypes(source("/** A. WHY: so. */", "const f = a as B")), 0)
    const spread = ["// WHY: so.", "return f(", ...repeat("a,", 5), ") as B"]
    assert.lengthOf(Reasons.claimedTypes(source("function g() {", ...spread, "}")), 0)
    const long = ["// WHY: so,", ...repeat("// and so on,", 4), "f(a as B)"]
    assert.lengthOf(Reasons.claimedTypes(source(...long)), 0)
  })
})

describe("names and files", () => {
  it("finds empty names, wishes, machines and titles", () => {
    const path = (name: string) => Files.emptyPaths({ path: name, text: "" }).length
    assert.deepStrictEqual(
      ["src/utils/A.ts", "src/KeyHelpers.ts", "src/FlowV2.ts"].map(path),
      [1, 1, 1]
    )
    assert.deepStrictEqual(
      ["src/HistoryFold.ts", "src/shared/A.ts", "README.md"].map(path),
      [0, 0, 0]
    )
    assert.lengthOf(testNames(source('it("should work", f)', 'it.effect("works", f)')), 2)
    assert.lengthOf(
      testNames(source('it("numbers snapshots from 1", f)', 'it.layer(L)("Flows", f)')),
      0
    )
    const machine = (text: string) => Text.machinePaths({ path: "a.md", text }).length
    assert.strictEqual(machine(`see ${"/ho"}${"me"}/ada/notes`), 1)
    assert.strictEqual(machine("see https://example.com/home/ada and ./work/a"), 0)
    const titles = (text: string) => Files.titles({ path: "a.md", text }).length
    assert.deepStrictEqual(["", "# A\n\n# B", "Text.\n\n# A"].map(titles), [1, 1, 1])
    assert.strictEqual(titles("# A\n\n```sh\n# not a title\n```\n\n## B\n"), 0)
  })

  it("finds a file that only names itself", () => {
    const files = [
      parse({ path: "src/main.ts", text: 'import { a } from "./a/A.js"' }),
      parse({ path: "src/a/A.ts", text: 'type B = import("../B.js").B' }),
      parse({ path: "src/B.ts", text: "" }),
      parse({ path: "src/C.ts", text: "" })
    ]
    assert.deepStrictEqual(
      Files.unreached(files, ({ path }) => path === "src/main.ts"),
      ["src/C.ts:1 is imported by no other file"]
    )
  })

  it("fails an exception that has lost its cause", () => {
    const exceptions = [{ finding: "a.ts breaks it", reason: "so" }]
    assert.deepStrictEqual(except(["a.ts:3 breaks it"], exceptions), [])
    assert.lengthOf(except(["a.ts:3 breaks more"], exceptions), 2)
    assert.lengthOf(except([], exceptions), 1)
  })
})
