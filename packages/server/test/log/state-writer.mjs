/** A process that remembers checkpoints in a file that others write too: `state-writer.mjs FILE FIRST STEP COUNT`. */
import { Effect } from "effect"
import * as LogStateFile from "../../dist/internal/LogStateFile.js"

const [file, first, step, count] = process.argv.slice(2)

await Effect.runPromise(
  Effect.gen(function* () {
    const memory = yield* LogStateFile.make(file)
    for (let turn = 0; turn < Number(count); turn++) {
      const size = Number(first) + turn * Number(step)
      yield* memory.put("shared", { size, root: `r${size}` })
      yield* memory.put(`own-${first}`, { size, root: `r${size}` })
    }
  })
)
