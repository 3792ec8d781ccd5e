/** The commands about spaces, placement rules, grants and access. */
import type { CommandModule, CommandSpec, FlagSpec, PositionalSpec } from "../shared/CommandSpec.js"
import { AS_OF, DESCRIPTION, DRY_RUN, PAGES, REVERSE } from "./Flags.js"

type SpaceModules = typeof import("../space/SpaceCommands.js")
type GrantModules = typeof import("../grant/GrantCommands.js")
type Rest = Pick<CommandSpec, "brief" | "positionals" | "flags">

const ROLES = ["admin", "member", "snapshotter", "reader"]

const SPACE: PositionalSpec = {
  name: "SPACE",
  brief: "the path of the space, such as retail/payments; / is the whole org",
  required: true
}
const SUBJECT: PositionalSpec = {
  name: "SUBJECT",
  brief: "user:LOGIN, team:NAME, account:NAME or everyone",
  required: true
}
const ABOUT: PositionalSpec = {
  name: "SUBJECT",
  brief: "user:LOGIN or account:NAME; yourself by default",
  required: false
}

const at = (name: string, value: string, brief: string): FlagSpec => ({
  name,
  kind: "text",
  value,
  brief
})

const PLACE: ReadonlyArray<FlagSpec> = [
  at("space", "SPACE", "in the space of this path"),
  at("flow", "FLOW", "in the space of this flow"),
  at("environment", "ENV", "in the space of this environment"),
  at("policy", "POLICY", "in the space of this policy"),
  at("control", "CONTROL", "in the space of this control")
]

const space = (
  words: ReadonlyArray<string>,
  module: keyof SpaceModules,
  rest: Rest
): CommandSpec => ({
  ...rest,
  words,
  load: async (): Promise<CommandModule> => (await import("../space/SpaceCommands.js"))[module]
})

const grant = (
  words: ReadonlyArray<string>,
  module: keyof GrantModules,
  rest: Rest
): CommandSpec => ({
  ...rest,
  words,
  load: async (): Promise<CommandModule> => (await import("../grant/GrantCommands.js"))[module]
})

/** The commands about spaces. */
const SPACES: ReadonlyArray<CommandSpec> = [
  space(["space", "list"], "list", {
    brief: "List the spaces of the org that you read",
    positionals: [],
    flags: [REVERSE]
  }),
  space(["space", "create"], "create", {
    brief: "Create a space in another one, or in the org",
    positionals: [SPACE],
    flags: [DESCRIPTION, DRY_RUN]
  }),
  space(["space", "change"], "change", {
    brief: "Rename, move or describe a space; what is in it stays in it",
    positionals: [SPACE],
    flags: [
      at("name", "NAME", "the new name"),
      at("parent", "SPACE", "the space that it moves into; / for the org"),
      DESCRIPTION,
      DRY_RUN
    ]
  }),
  space(["space", "move"], "move", {
    brief: "Move flows, environments, policies, controls or accounts to a space",
    positionals: [
      { ...SPACE, brief: "the path of the space that they go to; / is the org" },
      {
        name: "TYPE",
        brief: "what they are",
        required: true,
        choices: ["flow", "environment", "policy", "control", "service-account"]
      },
      { name: "NAME", brief: "their names", required: false, isRest: true }
    ],
    flags: [
      at("matching", "PATTERN", "instead of names: all whose name fits, as 'pay-*'"),
      { name: "tag", kind: "texts", value: "KEY[=VALUE]", brief: "all that have this tag" },
      { name: "preview", kind: "boolean", brief: "only show what moves, and who loses access" },
      DRY_RUN
    ]
  }),
  space(["space", "delete"], "remove", {
    brief: "Delete a space that is empty",
    positionals: [SPACE],
    flags: [DRY_RUN]
  }),
  space(["placement-rules", "get"], "getRules", {
    brief: "Show which names are reserved for which spaces",
    positionals: [],
    flags: []
  }),
  space(["placement-rules", "set"], "setRules", {
    brief: "Replace the placement rules by those of a file",
    positionals: [
      { name: "FILE", brief: "the rules, as JSON as `get` prints them; - is stdin", required: true }
    ],
    flags: [DRY_RUN]
  })
]

/** The commands about grants, and the questions about access. */
const GRANTS: ReadonlyArray<CommandSpec> = [
  grant(["grant", "list"], "list", {
    brief: "List the grants in the spaces that you administer, newest first",
    positionals: [],
    flags: [
      {
        name: "kind",
        kind: "text",
        choices: ["user", "team", "service-account", "everyone"],
        brief: "only grants for a subject of this kind"
      },
      at("name", "NAME", "only grants for the subject of this name"),
      at("space", "SPACE", "only grants in this space and below it"),
      { name: "role", kind: "text", choices: ROLES, brief: "only grants of this role" },
      { name: "eligible", kind: "boolean", brief: "only grants that break-glass is opened with" },
      { name: "ended", kind: "boolean", brief: "also grants that have ended" },
      ...PAGES,
      REVERSE
    ]
  }),
  grant(["grant", "give"], "give", {
    brief: "Give a role in a space, and in all spaces below it",
    positionals: [
      SUBJECT,
      { name: "ROLE", brief: "the role", required: true, choices: ROLES },
      SPACE
    ],
    flags: [
      {
        name: "eligible",
        kind: "boolean",
        brief: "gives nothing but the right to break the glass"
      },
      at("until", "TIME", "when it ends by itself: 30d, 2026-11-21"),
      { name: "reason", kind: "text", value: "TEXT", brief: "why it is given", isProse: true },
      DRY_RUN
    ]
  }),
  grant(["grant", "end"], "end", {
    brief: "End a grant",
    positionals: [{ name: "NUMBER", brief: "the number of the grant", required: true }],
    flags: [DRY_RUN]
  }),
  grant(["access", "who"], "who", {
    brief: "Show who has a permission, and why",
    positionals: [
      { name: "PERMISSION", brief: "the permission, such as flow.write", required: true }
    ],
    flags: [...PLACE, AS_OF]
  }),
  grant(["access", "show"], "show", {
    brief: "Show the roles of a person, an account or a key, and why it has them",
    positionals: [ABOUT],
    flags: [
      { name: "key-id", kind: "text", value: "ID", brief: "of this key: what its scope leaves" },
      AS_OF
    ]
  }),
  grant(["access", "explain"], "explain", {
    brief: "Explain why an operation is allowed or denied",
    positionals: [
      { name: "OPERATION", brief: "the operation of the API, such as flow.put", required: true },
      ABOUT
    ],
    flags: [...PLACE, AS_OF]
  })
]

/** The commands about spaces, placement rules, grants and access. */
export const SPACE_COMMANDS: ReadonlyArray<CommandSpec> = [...SPACES, ...GRANTS]
