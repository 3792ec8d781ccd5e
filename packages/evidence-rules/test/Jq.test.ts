/** jq itself: what it costs grows as the data does, and costs the same each time. */
import { assert, beforeAll, describe, it } from "vitest"
import * as Jq from "../src/internal/jq/Jq.js"
import * as JqModule from "../src/internal/jq/JqModule.js"

describe("jq", () => {
  let module: WebAssembly.Module | undefined
  beforeAll(async () => {
    module = await JqModule.compile()
  })

  const run = (program: string, data: unknown, steps = 250_000_000): Jq.Ending => {
    if (module === undefined) throw new Error("jq was not compiled")
    return Jq.run(module, {
      args: ["-c", program, "/dev/stdin"],
      input: new TextEncoder().encode(JSON.stringify(data)),
      output: () => undefined,
      steps
    })
  }
  const stepsOf = (ending: Jq.Ending): number => {
    assert(ending._tag === "Exited")
    return ending.steps
  }
  const items = (count: number) => Array.from({ length: count }, (_, id) => ({ id, ok: true }))

  it("takes the same number of steps each time", () => {
    const program = "map(select(.ok)) | length > 10"
    assert.strictEqual(stepsOf(run(program, items(500))), stepsOf(run(program, items(500))))
  })

  it("takes steps in proportion to the data", () => {
    const base = stepsOf(run("all(.ok)", []))
    const small = stepsOf(run("all(.ok)", items(2_000))) - base
    const large = stepsOf(run("all(.ok)", items(40_000))) - base
    assert.isBelow(large / small, 22)
    assert.isBelow(base + large, 25_000_000)
  })

  it("ends at the step after its last", () => {
    const needed = stepsOf(run("all(.ok)", items(10)))
    assert.strictEqual(run("all(.ok)", items(10), needed)._tag, "Exited")
    assert.strictEqual(run("all(.ok)", items(10), needed - 1)._tag, "Exhausted")
  })

  it("says what the program says: an error, a compile error, an exit", () => {
    assert.deepInclude(run('error("x")', null), { _tag: "Exited", status: 5 })
    assert.deepInclude(run("{", null), { _tag: "Exited", status: 3 })
    assert.deepInclude(run("halt", null), { _tag: "Exited", status: 0 })
  })

  it("ends when its memory is full", () => {
    assert.strictEqual(run('"x" * 1e9 | length', null)._tag, "Exhausted")
  })
})
