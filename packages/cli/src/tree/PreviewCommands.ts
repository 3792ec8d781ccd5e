/** The command that previews the effect of policies. */
import type { CommandSpec } from "../shared/CommandSpec.js"

/** The command `preview`. */
export const PREVIEW_COMMANDS: ReadonlyArray<CommandSpec> = [
  {
    words: ["preview"],
    brief: "See what would turn red if policies were attached or enforced",
    positionals: [
      { name: "ENV", brief: "the environment", required: true },
      {
        name: "POLICY",
        brief: "policies; by default all attached ones that warn",
        required: false,
        isRest: true
      }
    ],
    flags: [
      {
        name: "mode",
        kind: "text",
        choices: ["enforce", "warn"],
        brief: "how they would count; by default enforce"
      },
      { name: "exit-code", kind: "boolean", brief: "end with 1 if something would turn red" }
    ],
    load: () => import("../policy/PreviewCommand.js")
  }
]
