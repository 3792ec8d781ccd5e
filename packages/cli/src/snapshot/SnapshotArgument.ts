/** Parses a snapshot argument: `prod`, `prod#12`, `prod~1`, `prod@{2.days.ago}`. Pure. */
import { usage } from "../shared/CommandFailure.js"

/** An environment and a snapshot expression. */
export interface SnapshotArgument {
  readonly environment: string
  /** The expression as the API has it; `~0` for the latest. */
  readonly expression: string
}

/** Parses the argument; the server checks the expression. */
export const parse = (text: string): SnapshotArgument => {
  const [, environment, expression] = /^([A-Za-z0-9][A-Za-z0-9._-]*)([#~@].*)?$/.exec(text) ?? []
  if (environment === undefined)
    throw usage(`\`${text}\` is no snapshot`, "write ENV, ENV#12, ENV~1 or 'ENV@{2.days.ago}'")
  return { environment, expression: expression?.replace(/^#/, "") ?? "~0" }
}
