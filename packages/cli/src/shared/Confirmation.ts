/** Asks for confirmation before a dangerous change; refuses the change if there is neither a terminal nor `--yes`. */
import type { Arguments } from "./Arguments.js"
import type { CommandContext } from "./CommandContext.js"
import { usage } from "./CommandFailure.js"

/** Returns after a yes; otherwise throws. */
export const confirm = async (
  { host }: CommandContext,
  args: Arguments,
  consequence: string
): Promise<void> => {
  if (args.has("yes") || args.has("dry-run")) return
  if (!host.stdinIsTerminal)
    throw usage(`${consequence}: this must be confirmed, and there is no terminal`, "give --yes")
  const answer = await host.ask(`${consequence}. Go on? [y/N] `, false)
  if (!/^y(?:es)?$/i.test(answer)) throw usage("nothing was done")
}
