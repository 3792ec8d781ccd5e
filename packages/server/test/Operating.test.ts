/** The operator's document shows commands that the server understands. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Either } from "effect"
import { assert, describe, it } from "vitest"
import * as CommandLine from "../src/internal/CommandLine.js"
import * as ServerConfig from "../src/ServerConfig.js"

const text = readFileSync(join(import.meta.dirname, "../../../docs/OPERATING.md"), "utf8")

const shellBlocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? "")

/** What follows the program's name on each line of a block. */
const shown = shellBlocks
  .flatMap((block) => block.split("\n"))
  .flatMap((line) => /^attestry-server\b *(.*)$/.exec(line)?.[1] ?? [])

describe("the operator's document", () => {
  it("shows commands of the server", () => {
    assert.isAtLeast(shown.length, 6)
    assert.include(shown, "verify")
  })

  it.each(shown)("shows `attestry-server %s`, which is understood", (line) => {
    const problems = Either.gen(function* () {
      const { flags } = yield* CommandLine.parse(line.split(" ").filter((word) => word !== ""))
      yield* ServerConfig.read({ file: new Map(), variables: {}, flags })
    })
    assert.deepStrictEqual(problems, Either.right(undefined))
  })
})
