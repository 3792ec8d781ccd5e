/** The commands about audit capsules: files that prove verdicts to others, without the deployment. */
import type { CommandSpec } from "../shared/CommandSpec.js"
import { FLOW, SINCE, UNTIL } from "./Flags.js"
import { RECEIPT_KEYS } from "./ReceiptCommands.js"

/** The commands about audit capsules. */
export const CAPSULE_COMMANDS: ReadonlyArray<CommandSpec> = [
  {
    words: ["capsule", "create"],
    brief: "Save a file that proves verdicts to an auditor, without the deployment",
    keywords: ["audit", "proof"],
    positionals: [
      {
        name: "THING",
        brief: "ENV, ENV#12, 'ENV@{2.days.ago}', FLOW/TRAIL, or a fingerprint",
        required: false,
        isRest: true
      }
    ],
    flags: [
      {
        name: "from",
        kind: "text",
        value: "SNAPSHOT",
        brief: "the first snapshot of each ENV, as in ENV#12: 1, -5 or @{2.days.ago}"
      },
      { name: "to", kind: "text", value: "SNAPSHOT", brief: "the last snapshot of each ENV" },
      {
        name: "evidence",
        kind: "text",
        choices: ["facts", "bodies", "files"],
        brief: "show what decides, whole bodies (the default), or also attached files"
      },
      {
        name: "log-size",
        kind: "number",
        value: "N",
        brief: "prove it against the checkpoint of this size, not the newest"
      },
      { name: "save", kind: "text", value: "FILE", brief: "the new file" },
      {
        name: "releases",
        kind: "boolean",
        brief: "prove the evidence of releases, which these flags select as in get release-evidence"
      },
      { name: "environment", kind: "texts", value: "ENV", brief: "only to this environment" },
      FLOW,
      {
        name: "policy",
        kind: "text",
        value: "NAME",
        brief: "what its rules require, not the templates of flows"
      },
      SINCE,
      UNTIL
    ],
    load: () => import("../capsule/CreateCommand.js")
  },
  {
    words: ["capsule", "verify"],
    brief: "Recompute every verdict in an audit capsule, offline",
    keywords: ["audit", "proof"],
    positionals: [{ name: "FILE", brief: "a capsule", required: true }],
    flags: [
      ...RECEIPT_KEYS,
      {
        name: "witness-policy",
        kind: "text",
        value: "FILE",
        brief: "the witnesses that must have cosigned the log"
      },
      { name: "proved", kind: "boolean", brief: "list also what was proved" }
    ],
    load: () => import("../capsule/VerifyCommand.js")
  }
]
