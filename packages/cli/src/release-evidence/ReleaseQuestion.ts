/** Which releases are asked about, by the flags of the commands that show and prove their evidence. */
import { instantOf } from "../reading/ListFilters.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import type { Fields } from "../shared/Json.js"

/** A bound of the period, in the form of the query. */
const boundOf = ({ host }: CommandContext, args: Arguments, flag: string): string | undefined => {
  const text = args.text(flag)
  return text === undefined
    ? undefined
    : new Date(instantOf(host, flag, text) * 1_000).toISOString()
}

/** The question that the flags ask, in the form of the body of a capsule; nothing without flags. */
export const given = (context: CommandContext, args: Arguments): Fields => {
  const environments = args.texts("environment")
  const of = {
    flow: args.text("flow"),
    policy: args.text("policy"),
    from: boundOf(context, args, "since"),
    to: boundOf(context, args, "until")
  }
  return {
    ...(environments.length === 0 ? {} : { environments }),
    ...Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined))
  }
}
