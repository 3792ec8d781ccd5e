/** The commands about the spool. */
import type { CommandSpec } from "../shared/CommandSpec.js"

/** The commands. */
export const SPOOL_COMMANDS: ReadonlyArray<CommandSpec> = [
  {
    words: ["spool", "list"],
    brief: "List evidence that waits on this disk for a server",
    positionals: [],
    flags: [],
    load: () => import("../spool/SpoolListCommand.js")
  },
  {
    words: ["spool", "send"],
    brief: "Send what waits, in the order of its recording; as trustworthy as the disk it lies on",
    positionals: [],
    flags: [],
    load: () => import("../spool/SpoolSendCommand.js")
  },
  {
    words: ["spool", "drop"],
    brief: "Remove evidence that waits and is not to be sent",
    positionals: [{ name: "ID", brief: "the entry", required: true, isRest: true }],
    flags: [],
    load: () => import("../spool/SpoolDropCommand.js")
  }
]
