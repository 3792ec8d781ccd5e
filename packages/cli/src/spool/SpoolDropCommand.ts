/** `attestry spool drop ID`: removes an entry without sending it. */
import { CommandFailure } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import { confirm } from "../shared/Confirmation.js"
import * as SpoolEntry from "./SpoolEntry.js"
import * as SpoolStore from "./SpoolStore.js"

/** Runs `attestry spool drop`. */
export const run: CommandModule["run"] = async (context, args) => {
  const { host } = context
  const spool = SpoolStore.read(host)
  const known = [
    ...spool.entries.map(({ id }) => id),
    ...spool.damaged,
    ...SpoolStore.readRefused(host).map(({ id }) => id)
  ]
  const ids = args.positionals
  const unknown = ids.find((id) => !SpoolEntry.isId(id) || !known.includes(id))
  if (unknown !== undefined)
    throw new CommandFailure("missing", `the spool has no entry ${unknown}`, {
      hint: "see: attestry spool list"
    })
  const what = ids.length === 1 ? `entry ${ids[0]} is` : `${ids.length} entries are`
  await confirm(context, args, `${what} removed and never sent`)
  for (const id of ids) SpoolStore.remove(host, id)
  return {
    value: { schema: "attestry.cli/spool-drop/v1", dropped: ids },
    quiet: ids.join("\n"),
    lines: () => ids.map((id) => `dropped ${id}`)
  }
}
