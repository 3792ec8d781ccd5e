/** The commands about the evidence log of an org, which proves every accepted write. */
import type { CommandSpec, FlagSpec } from "../shared/CommandSpec.js"
import { DRY_RUN, FLOW } from "./Flags.js"
import { RECEIPT_KEYS } from "./ReceiptCommands.js"

const KEY: FlagSpec = {
  name: "verifier",
  kind: "texts",
  value: "VKEY",
  brief: "a public key that must have signed it: NAME+ID+BASE64"
}

/** The commands about the evidence log. */
export const LOG_COMMANDS: ReadonlyArray<CommandSpec> = [
  {
    words: ["log", "pull"],
    brief: "Copy the log of the org as files, or continue a copy; every hash is checked",
    positionals: [{ name: "DIR", brief: "the folder of the copy", required: true }],
    flags: [KEY],
    load: () => import("../log/PullCommand.js")
  },
  {
    words: ["log", "verify"],
    brief: "Verify a copy or a receipt offline, or that the log continues a checkpoint",
    positionals: [
      { name: "PATH", brief: "a copy, a receipt, or a checkpoint that was kept", required: true }
    ],
    flags: [KEY],
    load: () => import("../log/VerifyCommand.js")
  },
  {
    words: ["log", "receipt"],
    brief: "Show or save the receipt which proves that something was recorded",
    positionals: [
      {
        name: "THING",
        brief: "an attestation's id, a fingerprint, ENV#12, or the id of an entry",
        required: true
      }
    ],
    flags: [
      KEY,
      FLOW,
      {
        name: "format",
        kind: "text",
        choices: ["json", "tlog-proof"],
        brief: "the form of the receipt"
      },
      { name: "to-file", kind: "text", value: "FILE", brief: "write the receipt to a new file" }
    ],
    load: () => import("../log/ReceiptCommand.js")
  },
  {
    words: ["log", "chain"],
    brief: "Show every entry about the trails of an artifact, and that none is missing",
    positionals: [{ name: "FINGERPRINT", brief: "the artifact", required: true }],
    flags: [FLOW, ...RECEIPT_KEYS],
    load: () => import("../log/ChainCommand.js")
  },
  {
    words: ["log", "visibility"],
    brief: "Show or change who may read the log",
    positionals: [
      {
        name: "VISIBILITY",
        brief: "members or public; by default it is shown",
        required: false,
        choices: ["members", "public"]
      }
    ],
    flags: [DRY_RUN],
    load: () => import("../log/VisibilityCommand.js")
  }
]
