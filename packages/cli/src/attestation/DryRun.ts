/** `--dry-run`: checks a request against the contract, and prints it instead of sending it. */
import type { CommandContext } from "../shared/CommandContext.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { Call } from "../transport/Api.js"

/** The result of a write that is not sent. */
export const dryRun = async (
  context: CommandContext,
  operation: string,
  call: Call
): Promise<CommandResult> => {
  const Api = await import("../transport/Api.js")
  await Api.make(context.host, context.output, await context.settings()).check(operation, call)
  const files = (call.attachments ?? []).map(({ filename, size }) => ({ filename, size }))
  const value = {
    schema: "attestry.cli/dry-run/v1",
    operation,
    path: call.path ?? {},
    payload: call.payload ?? null,
    files
  }
  return {
    value,
    lines: (style) => [
      `would send ${operation} ${style.text(JSON.stringify(value.path))}`,
      ...JSON.stringify(value.payload, null, 2).split("\n").map(style.text),
      ...files.map(({ filename, size }) => `with ${style.text(filename)}, ${size} bytes`)
    ]
  }
}
