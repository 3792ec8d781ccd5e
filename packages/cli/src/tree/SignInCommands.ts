/** The commands about how people sign in to the org. */
import type { CommandModule, CommandSpec } from "../shared/CommandSpec.js"
import { DRY_RUN } from "./Flags.js"

type Modules = typeof import("../sign-in/SignInCommands.js")

const signIn = (
  verb: keyof Modules,
  spec: Pick<CommandSpec, "brief" | "positionals" | "flags">
): CommandSpec => ({
  ...spec,
  words: ["sign-in", verb],
  load: async (): Promise<CommandModule> => (await import("../sign-in/SignInCommands.js"))[verb]
})

/** The `sign-in` commands. */
export const SIGN_IN_COMMANDS: ReadonlyArray<CommandSpec> = [
  signIn("get", {
    brief: "Show how people sign in to the org, as a file that sets it",
    positionals: [],
    flags: []
  }),
  signIn("set", {
    brief: "Replace how people sign in to the org; a member that is left out gets its default",
    positionals: [{ name: "FILE", brief: "the settings, as JSON; - is stdin", required: true }],
    flags: [DRY_RUN]
  })
]
