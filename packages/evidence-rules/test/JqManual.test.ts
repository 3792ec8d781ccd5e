/** What jq means: the programs, inputs and outputs of its manual, run by our engine. */
import { readFileSync } from "node:fs"
import { assert, beforeAll, describe, it } from "vitest"
import * as Jq from "../src/internal/jq/Jq.js"
import * as JqModule from "../src/internal/jq/JqModule.js"

interface Example {
  readonly program: string
  readonly input: string
  readonly output: ReadonlyArray<string>
}

const examples: ReadonlyArray<Example> = JSON.parse(
  readFileSync(new URL("./data/jq-manual.json", import.meta.url), "utf8")
)

describe("the examples of the manual of jq 1.7", () => {
  let module: WebAssembly.Module | undefined
  beforeAll(async () => {
    module = await JqModule.compile()
  })

  const run = (program: string, input: string): ReadonlyArray<string> => {
    if (module === undefined) throw new Error("jq was not compiled")
    let printed = ""
    const decoder = new TextDecoder()
    const ending = Jq.run(module, {
      args: ["-M", "-c", program, "/dev/stdin"],
      input: new TextEncoder().encode(input),
      output: (bytes) => {
        printed += decoder.decode(bytes, { stream: true })
      },
      steps: 250_000_000
    })
    assert.strictEqual(ending._tag, "Exited")
    return printed.split("\n").slice(0, -1)
  }

  for (const { program, input, output } of examples) {
    it(`${program} on ${input}`, () => {
      assert.deepStrictEqual(
        run(program, input).map((line) => JSON.parse(line)),
        output.map((line) => JSON.parse(line))
      )
    })
  }
})
