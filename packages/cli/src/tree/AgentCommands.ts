/** The commands about the agent accounts of the org. */
import type { CommandModule, CommandSpec } from "../shared/CommandSpec.js"
import { DRY_RUN } from "./Flags.js"

type Modules = typeof import("../attestation/AgentCommands.js")

const agents = (
  verb: keyof Modules,
  spec: Pick<CommandSpec, "brief" | "positionals" | "flags">
): CommandSpec => ({
  ...spec,
  words: ["agents", verb],
  load: async (): Promise<CommandModule> => (await import("../attestation/AgentCommands.js"))[verb]
})

/** The `agents` commands. */
export const AGENT_COMMANDS: ReadonlyArray<CommandSpec> = [
  agents("list", {
    brief: "Show the accounts that count as agents in pull requests",
    positionals: [],
    flags: []
  }),
  agents("set", {
    brief: "Replace the accounts that count as agents; without an account, remove all",
    positionals: [
      {
        name: "ACCOUNT",
        brief: "logins or e-mail addresses, in any case",
        required: false,
        isRest: true
      }
    ],
    flags: [DRY_RUN]
  })
]
