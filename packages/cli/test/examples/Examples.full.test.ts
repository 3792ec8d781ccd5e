/** Every example of help and of `docs/CLI.md` does what it says: each is run, and ends as it should. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { COMMANDS } from "../../src/CommandTree.js"
import * as Examples from "../../src/examples/Examples.js"
import { nameOf } from "../../src/shared/CommandSpec.js"
import { timeline } from "../environment/WatchStage.js"
import { type Machine, type Ran, run } from "../shared/Run.js"
import { onMemoryStore } from "../shared/TestDeployment.js"
import * as CommandWords from "./CommandWords.js"
import * as ExampleStages from "./ExampleStages.js"
import * as ExampleWorld from "./ExampleWorld.js"

/** Examples whose answer is no: what runs differs, has no provenance, or has evidence that is not compliant. */
const REFUSED: ReadonlyArray<string> = [
  "attestry assert snapshot prod",
  "attestry assert trail",
  "attestry diff staging prod --exit-code"
]

const TERMINATED = 143

const isEndless = (words: ReadonlyArray<string>): boolean =>
  words.includes("--watch") || words.includes("--follow") || words[1] === "admit"

const codeOf = (example: string, words: ReadonlyArray<string>): number => {
  if (REFUSED.includes(example)) return 1
  return isEndless(words) ? TERMINATED : 0
}

/** Runs the built program, for a command that speaks on its own stdin. */
const runBuilt = (words: ReadonlyArray<string>, { env, home }: Machine): Ran => {
  const root = join(import.meta.dirname, "../..")
  assert.strictEqual(spawnSync(process.execPath, [join(root, "build/build.mjs")]).status, 0)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "dist/bundle/attestry.js"), ...words],
    { encoding: "utf8", input: "", env: { PATH: process.env.PATH, HOME: home, ...env } }
  )
  return { code: status ?? -1, stdout, stderr }
}

onMemoryStore("every example", (deployment) => {
  const made: { world?: ExampleWorld.ExampleWorld } = {}
  const world = () => {
    if (made.world === undefined) throw new Error("the world is not made")
    return made.world
  }
  beforeAll(async () => {
    made.world = await ExampleWorld.make(deployment())
  })
  afterAll(() => made.world?.stop())

  const play = async (command: string, example: string, at: number): Promise<void> => {
    const { words, input } = CommandWords.parse(example)
    // It waits for a click in a browser, which `BrowserLogin.test.ts` plays.
    if (words.includes("--browser")) return
    const given = await ExampleStages.prepare(command, world(), at)
    const named = new Map(Object.entries(given.words ?? {}))
    const argv = words
      .slice(1)
      .map((word) => named.get(word) ?? word)
      .map((word) => world().meanings.reduce((text, [from, to]) => text.replace(from, to), word))
    const machine: Machine = {
      cwd: world().cwd,
      env: world().env,
      tty: true,
      typed: ["y"],
      stdin: ExampleStages.inputOf(world(), input),
      ...(isEndless(words) ? { host: timeline(1).host } : {}),
      ...given.machine
    }
    const line = [...argv, ...(given.flags ?? [])]
    const ran = command === "mcp" ? runBuilt(line, machine) : await run(line, machine)
    assert.strictEqual(
      ran.code,
      codeOf(example, words),
      `${example}\n${ran.stderr}${ran.stdout.slice(0, 2_000)}`
    )
  }

  for (const command of COMMANDS)
    it(`of attestry ${nameOf(command)} runs`, async () => {
      for (const [at, example] of Examples.of(command).entries())
        await play(nameOf(command), example, at)
    })
})

describe("an example", () => {
  it("is a command line that a shell reads as it is meant", () => {
    assert.deepStrictEqual(CommandWords.parse("attestry a 'b c' \"d e\" --x='y z' < in > out"), {
      words: ["attestry", "a", "b c", "d e", "--x=y z"],
      input: "in",
      output: "out"
    })
    for (const text of ["a | b", "a $B", "a `b`", "a && b", "a 'b", "a >"])
      assert.throws(() => CommandWords.parse(text), /no (?:plain word|file)/, text)
    for (const lines of Object.values(Examples.EXAMPLES))
      for (const text of lines) assert.strictEqual(CommandWords.parse(text).words[0], "attestry")
  })
})
