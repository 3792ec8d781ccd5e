/** The commands about the spool. */
import type { CommandSpec } from "../shared/CommandSpec.js"

/** The `spool` commands. */
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
    brief: "Send waiting evidence in the order of its recording; it is as trustworthy as this disk",
    positionals: [],
    flags: [],
    load: () => import("../spool/SpoolSendCommand.js")
  },
  {
    words: ["spool", "drop"],
    brief: "Remove waiting evidence without sending it",
    positionals: [{ name: "ID", brief: "the entry", required: true, isRest: true }],
    flags: [],
    load: () => import("../spool/SpoolDropCommand.js")
  }
]
