/** A step of a build that takes long shows that it goes on, and one that fails ends the build with its code. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { assert, describe, it } from "vitest"

const STEP = join(import.meta.dirname, "../step.mjs")

/** Runs two steps, each with some JavaScript as its program. */
const play = (...programs: ReadonlyArray<string>) => {
  const steps = programs.map(
    (
      program,
      at
    ) => `await step("step ${at + 1}", process.execPath, ["--eval", ${JSON.stringify(program)}],
      { cwd: "/", firstMs: 300, againMs: 300 })`
  )
  const script = [`import { step } from ${JSON.stringify(STEP)}`, ...steps].join("\n")
  return spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8"
  })
}

describe("a step", () => {
  it("is mentioned while it takes long, again and again", () => {
    const { status, stderr } = play("setTimeout(() => {}, 2500)")
    assert.strictEqual(status, 0)
    assert.match(stderr, /^(?:attestry: step 1 \(\d s\)\n){3,}$/)
  })

  it("that fails ends the program with its code, and the next one does not begin", () => {
    const { status, stdout } = play("process.exit(7)", "console.log('begun')")
    assert.deepStrictEqual([status, stdout], [7, ""])
  })
})
