/** The commands that evaluate outside of the server: trails by other policy engines, and the facts of policies. */
import type { CommandSpec, FlagSpec } from "../shared/CommandSpec.js"
import { AS_OF, FLOW, TRAIL } from "./Flags.js"

const REGO: ReadonlyArray<FlagSpec> = [
  {
    name: "rego",
    kind: "text",
    value: "FILE",
    brief: "evaluate it with the opa of this machine: `package policy`, `allow`, `violations`"
  },
  { name: "params", kind: "text", value: "JSON", brief: "data.params; @FILE reads it from a file" }
]

/** The `evaluate` commands and `policy facts`. */
export const EVALUATION_COMMANDS: ReadonlyArray<CommandSpec> = [
  {
    words: ["evaluate", "trail"],
    brief: "Print trails as input of a rule engine, or evaluate them with opa",
    positionals: [
      {
        name: "TRAIL",
        brief: "trails; by default the commit of the job",
        required: false,
        isRest: true
      }
    ],
    flags: [
      FLOW,
      TRAIL,
      {
        name: "attestation",
        kind: "texts",
        value: "NAME",
        brief: "only this attestation: NAME or SLOT.NAME"
      },
      ...REGO
    ],
    load: async () => (await import("../evaluation/EvaluateCommands.js")).trail
  },
  {
    words: ["evaluate", "input"],
    brief: "Evaluate a document with opa",
    positionals: [],
    flags: [
      { name: "file", kind: "text", value: "FILE", brief: "the document; - is stdin" },
      ...REGO
    ],
    load: async () => (await import("../evaluation/EvaluateCommands.js")).input
  },
  {
    words: ["policy", "facts"],
    brief:
      "Show the facts that policies read, of an artifact or of all that runs in an environment",
    positionals: [{ name: "FINGERPRINT", brief: "64 hexadecimal characters", required: false }],
    flags: [
      {
        name: "environment",
        kind: "text",
        value: "ENV",
        brief: "of everything that runs there: ENV, or ENV#12"
      },
      AS_OF
    ],
    load: () => import("../policy/FactsCommand.js")
  }
]
