/**
 * Libraries are used through what they publish, and in no other way. DECISIONS.md, "Only public interfaces of
 * libraries"
 */
import { assert, describe, it } from "vitest"
import * as PrivateAccess from "./internals/PrivateAccess.js"
import type { Finding } from "./shared/Finding.js"
import { parse } from "./shared/SourceFile.js"
import * as Tree from "./shared/Tree.js"

const production = Tree.productionTexts().map(parse)
const inCore = production.filter(({ path }) => path.startsWith("packages/core/src/"))

describe("published source", () => {
  it("uses libraries through what they publish", () => {
    assert.isAbove(production.length, 100)
    const found: ReadonlyArray<Finding> = [
      ...production.flatMap(PrivateAccess.forcedCasts),
      ...production.flatMap(PrivateAccess.privateMembers),
      ...production.flatMap(PrivateAccess.fiberState),
      ...inCore.flatMap(PrivateAccess.declaredGlobals)
    ]
    assert.deepStrictEqual(found, [])
  })
})

describe("the rules notice", () => {
  const source = (...lines: ReadonlyArray<string>) =>
    parse({ path: "sample.ts", text: `${lines.join("\n")}\n` })
  const EFFECT = 'import * as Effect from "effect/Effect"'
  const PG = 'import * as Pg from "pg"'
  const OURS = 'import * as Flow from "./Flow.js"'

  it("casts of a library's value and to a library's type", () => {
    const found = (...lines: ReadonlyArray<string>) =>
      PrivateAccess.forcedCasts(source(EFFECT, PG, OURS, "interface Own {}", ...lines)).length
    assert.strictEqual(found("Effect.withFiberRuntime((fiber) => fiber as unknown as Own)"), 1)
    assert.strictEqual(found("const f = (client: Pg.Client) => client as unknown as Own"), 1)
    assert.strictEqual(found("const made = new Pg.Pool()", "made as unknown as Own"), 1)
    assert.strictEqual(found("class Steps {}", "new Steps() as unknown as string"), 1)
    assert.strictEqual(found("Flow.all as unknown as Effect.Effect<void>"), 1)
    assert.strictEqual(found("Flow.all as unknown as Flow.Table"), 0)
    assert.strictEqual(found("const a = ({ b: 1 }) as unknown as Own"), 0)
    assert.strictEqual(found("const a = Flow.all as Own"), 0)
    assert.strictEqual(found("Effect.map(Flow.all, (all) => all as unknown as Own['a'])"), 0)
  })

  it("private members, however they are read", () => {
    const found = (...lines: ReadonlyArray<string>) =>
      PrivateAccess.privateMembers(source(EFFECT, PG, OURS, ...lines)).length
    assert.strictEqual(found("const f = (client: Pg.Client) => client._queue"), 1)
    assert.strictEqual(found('const f = (client: Pg.Client) => client?.["_queue"]'), 1)
    assert.strictEqual(found("const f = (client: Pg.Client) => { const { _queue } = client }"), 1)
    assert.strictEqual(
      found("Effect.withFiberRuntime((fiber) => {", "const own = fiber as Own", "own._refs", "})"),
      1
    )
    assert.strictEqual(found("const f = (exit: Effect.Exit) => exit._tag"), 0)
    assert.strictEqual(found("const f = (_unused: Pg.Client, flow: Flow.Flow) => flow._schema"), 0)
  })

  it("the state of fibers and declared globals", () => {
    assert.lengthOf(PrivateAccess.fiberState(source('import * as F from "effect/FiberRefs"')), 1)
    assert.lengthOf(PrivateAccess.fiberState(source('import * as F from "effect/FiberRef"')), 0)
    assert.lengthOf(PrivateAccess.declaredGlobals(source("declare const a: () => void")), 1)
    assert.lengthOf(PrivateAccess.declaredGlobals(source("const a = 1")), 0)
  })
})
