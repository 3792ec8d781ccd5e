/** The commands about teams. */
import type { CommandModule, CommandSpec, PositionalSpec } from "../shared/CommandSpec.js"
import { DESCRIPTION, DRY_RUN, PAGES, REVERSE } from "./Flags.js"

type Modules = typeof import("../team/TeamCommands.js")

const TEAM: PositionalSpec = { name: "TEAM", brief: "the name of the team", required: true }
const LOGINS: PositionalSpec = {
  name: "LOGIN",
  brief: "logins of members of the org",
  required: true,
  isRest: true
}

const team = (
  verb: string,
  module: keyof Modules,
  spec: Pick<CommandSpec, "brief" | "positionals" | "flags">
): CommandSpec => ({
  ...spec,
  words: ["team", verb],
  load: async (): Promise<CommandModule> => (await import("../team/TeamCommands.js"))[module]
})

/** The `team` commands. */
export const TEAM_COMMANDS: ReadonlyArray<CommandSpec> = [
  team("list", "list", {
    brief: "List the teams of the org, or those that you are in",
    positionals: [],
    flags: [...PAGES, REVERSE]
  }),
  team("show", "show", {
    brief: "Show a team, and who is in it",
    positionals: [TEAM],
    flags: []
  }),
  team("create", "create", {
    brief: "Create a team, or change its description",
    positionals: [TEAM],
    flags: [DESCRIPTION, DRY_RUN]
  }),
  team("delete", "remove", {
    brief: "Delete a team; the people in it stay in the org",
    positionals: [TEAM],
    flags: [DRY_RUN]
  }),
  team("add", "addMembers", {
    brief: "Add members of the org to a team",
    positionals: [TEAM, LOGINS],
    flags: [DRY_RUN]
  }),
  team("remove", "removeMembers", {
    brief: "Remove people from a team; they stay in the org",
    positionals: [TEAM, LOGINS],
    flags: [DRY_RUN]
  })
]
