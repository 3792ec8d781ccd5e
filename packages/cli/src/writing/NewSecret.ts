/**
 * Requests an answer with a secret, which is printed once or written to a file that only this user can read.
 *
 * WHY a file in a CI job: others can read the job's output.
 */
import { closeSync, openSync, rmSync, writeSync } from "node:fs"
import { resolve } from "node:path"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { unreadable, usage } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"
import type { Call } from "../transport/Api.js"

/** A request whose answer has a secret. */
export interface SecretRequest {
  readonly operation: string
  readonly call: Call
  /** The member of the answer with the secret. */
  readonly member: string
}

/** Fails in a CI job without `--to-file`. */
export const checkPlace = async ({ job }: CommandContext, args: Arguments): Promise<void> => {
  if (args.text("to-file") !== undefined || args.has("dry-run")) return
  const { ci } = await job()
  if (ci !== "git")
    throw usage(
      `the secret would be printed into the log of a job (${ci})`,
      "give --to-file FILE, which only this user may read"
    )
}

/** Creates a file that only this user can read. */
const openFile = (context: CommandContext, file: string): number => {
  try {
    return openSync(resolve(context.host.cwd, file), "wx", 0o600)
  } catch (cause) {
    throw unreadable(`${file} cannot be made, or is there already`, undefined, cause)
  }
}

/** Sends the request. It creates the file first, so that no secret is issued that cannot be stored. */
export const ask = async (
  context: CommandContext,
  args: Arguments,
  { operation, call, member }: SecretRequest
): Promise<Json.Fields> => {
  const file = args.text("to-file")
  if (file === undefined) return Json.object(await (await context.api()).call(operation, call))
  const descriptor = openFile(context, file)
  try {
    const answer = Json.object(await (await context.api()).call(operation, call))
    writeSync(descriptor, `${Json.text(answer[member]) ?? ""}\n`)
    return answer
  } catch (error) {
    rmSync(resolve(context.host.cwd, file), { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}
