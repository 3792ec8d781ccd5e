/** The commands about the trust policy of the org. */
import type { CommandModule, CommandSpec } from "../shared/CommandSpec.js"
import { DRY_RUN, NO_CI } from "./Flags.js"

type Modules = typeof import("../trust-policy/TrustCommands.js")

const trust = (
  verb: keyof Modules,
  spec: Pick<CommandSpec, "brief" | "positionals" | "flags">
): CommandSpec => ({
  ...spec,
  words: ["trust", verb],
  load: async (): Promise<CommandModule> => (await import("../trust-policy/TrustCommands.js"))[verb]
})

/** The `trust` commands. */
export const TRUST_COMMANDS: ReadonlyArray<CommandSpec> = [
  trust("get", {
    brief: "Show the trust policy: whose signatures count for which evidence",
    positionals: [
      { name: "VERSION", brief: "the number of a version; by default the latest", required: false }
    ],
    flags: [{ name: "as", kind: "text", choices: ["yaml"], brief: "print its text alone" }]
  }),
  trust("put", {
    brief: "Save the trust policy, or add a version if its text differs",
    positionals: [{ name: "FILE", brief: "the trust policy, as YAML; - is stdin", required: true }],
    flags: [
      {
        name: "comment",
        kind: "text",
        value: "TEXT",
        brief: "what the version changes",
        isProse: true
      },
      DRY_RUN
    ]
  }),
  trust("versions", {
    brief: "List the versions of the trust policy, newest first",
    positionals: [],
    flags: []
  }),
  trust("lint", {
    brief: "Find the problems of trust policies, without a server",
    positionals: [{ name: "FILE", brief: "YAML files", required: true, isRest: true }],
    flags: [{ name: "strict", kind: "boolean", brief: "end with 1 for warnings too" }, NO_CI]
  })
]
