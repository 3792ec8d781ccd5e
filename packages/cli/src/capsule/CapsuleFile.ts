/** Saves a capsule in a new file, and says how to check it. */
import { resolve } from "node:path"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { Fields } from "../shared/Json.js"
import * as NewFile from "../shared/NewFile.js"

/** The log has a new checkpoint within a second or so, and one capsule is made at a time. */
const WAIT_MS = 60_000
const PAUSE_MS = 1_000

/** The capsule, piece by piece. A deployment that cannot make it yet is asked again. */
async function* download({ api, host, output }: CommandContext, payload: Fields) {
  const deployment = await api()
  const last = host.now() + WAIT_MS
  for (;;) {
    let isBegun = false
    try {
      for await (const piece of deployment.download("capsule.create", { payload })) {
        isBegun = true
        yield piece
      }
      return
    } catch (error) {
      const isLater = error instanceof CommandFailure && error.details.status === 503
      if (!isLater || isBegun || host.now() > last) throw error
      output.progress(`${error.message} …`)
      await host.sleep(PAUSE_MS, host.signal)
    } finally {
      output.progress("")
    }
  }
}

/** Saves the capsule that the body of a request asks for. */
export const save = async (
  context: CommandContext,
  payload: Fields,
  file: string
): Promise<CommandResult> => {
  const target = NewFile.begin(resolve(context.host.cwd, file))
  let size = 0
  try {
    for await (const piece of download(context, payload)) {
      await target.write(piece)
      size += piece.byteLength
    }
    await target.end()
  } catch (error) {
    target.drop()
    throw error
  }
  return {
    value: { schema: "attestry.cli/capsule-create/v1", file, size },
    quiet: file,
    lines: (style) => [
      `${style.text(file)}: ${size} bytes`,
      `check it with ${style.text(`attestry capsule verify ${file}`)}`
    ]
  }
}
