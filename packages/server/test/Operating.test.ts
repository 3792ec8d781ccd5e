/** The commands in `docs/OPERATING.md` are valid. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Either } from "effect"
import { assert, describe, it } from "vitest"
import * as CommandLine from "../src/internal/CommandLine.js"
import * as ServerConfig from "../src/ServerConfig.js"

const text = readFileSync(join(import.meta.dirname, "../../../docs/OPERATING.md"), "utf8")

const shellBlocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? "")

/** The arguments after the program's name on each line of a block. */
const shown = shellBlocks
  .flatMap((block) => block.split("\n"))
  .flatMap((line) => /^attestry-server\b *(.*)$/.exec(line)?.[1] ?? [])

/** The words of a line as a shell has them: quotes hold words together, and the rest after `#` is a comment. */
const wordsOf = (line: string): ReadonlyArray<string> =>
  [...line.replace(/\s#.*$/, "").matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)

describe("docs/OPERATING.md", () => {
  it("has valid commands", () => {
    assert.isAtLeast(shown.length, 6)
    assert.include(shown, "verify --level 5")
  })

  it.each(shown)("shows `attestry-server %s`, which is understood", (line) => {
    const problems = Either.gen(function* () {
      const { flags } = yield* CommandLine.parse(wordsOf(line))
      yield* ServerConfig.read({ file: new Map(), variables: {}, flags })
    })
    assert.deepStrictEqual(problems, Either.right(undefined))
  })
})
