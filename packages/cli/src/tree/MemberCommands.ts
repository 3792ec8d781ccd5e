/** The commands about members and invitations. */
import type { CommandModule, CommandSpec, FlagSpec, PositionalSpec } from "../shared/CommandSpec.js"
import { DRY_RUN, PAGES, REVERSE, TO_FILE } from "./Flags.js"

type MemberModules = typeof import("../membership/MemberCommands.js")
type InvitationModules = typeof import("../membership/InvitationCommands.js")

const ROLES = ["admin", "member", "snapshotter", "reader", "none"] as const

const LOGIN: PositionalSpec = { name: "LOGIN", brief: "the login of the person", required: true }

const ROLE: FlagSpec = { name: "role", kind: "text", choices: ROLES, brief: "the role in the org" }

const RAW: FlagSpec = {
  name: "raw",
  kind: "boolean",
  brief: "with -o json: the answers of the API, unchanged"
}

const LIST_FLAGS: ReadonlyArray<FlagSpec> = [
  { ...REVERSE, brief: "in the other order; the whole list is read first" },
  ...PAGES,
  RAW
]

const member = (
  verb: string,
  pick: (modules: MemberModules) => CommandModule,
  spec: Pick<CommandSpec, "brief" | "positionals" | "flags">
): CommandSpec => ({
  ...spec,
  words: ["member", verb],
  load: async () => pick(await import("../membership/MemberCommands.js"))
})

const invitation = (
  verb: keyof InvitationModules,
  spec: Pick<CommandSpec, "brief" | "positionals" | "flags">
): CommandSpec => ({
  ...spec,
  words: ["invitation", verb],
  load: async () => (await import("../membership/InvitationCommands.js"))[verb]
})

/** The `member` and `invitation` commands. */
export const MEMBER_COMMANDS: ReadonlyArray<CommandSpec> = [
  member("list", ({ list }) => list, {
    brief: "List the members of the org, in the order of joining",
    positionals: [],
    flags: LIST_FLAGS
  }),
  member("add", ({ add }) => add, {
    brief: "Add a person who has an account on this deployment",
    positionals: [LOGIN],
    flags: [ROLE, DRY_RUN]
  }),
  member("role", ({ role }) => role, {
    brief: "Change the role of a member",
    positionals: [LOGIN, { name: "ROLE", brief: ROLES.join(", "), required: true }],
    flags: [DRY_RUN]
  }),
  member("suspend", ({ suspend }) => suspend, {
    brief: "Suspend a member, who keeps the role and has no access",
    positionals: [LOGIN],
    flags: [DRY_RUN]
  }),
  member("restore", ({ restore }) => restore, {
    brief: "End the suspension of a member",
    positionals: [LOGIN],
    flags: [DRY_RUN]
  }),
  member("sign-out", ({ signOut }) => signOut, {
    brief: "End the browser sessions of a member in this org",
    positionals: [LOGIN],
    flags: [DRY_RUN]
  }),
  member("remove", ({ remove }) => remove, {
    brief: "Remove a member, whose records stay",
    positionals: [LOGIN],
    flags: [DRY_RUN]
  }),
  invitation("create", {
    brief: "Invite a person; the link is shown once",
    positionals: [],
    flags: [
      ROLE,
      {
        name: "login",
        kind: "text",
        value: "LOGIN",
        brief: "the login that the person gets; by default they choose it"
      },
      { name: "display-name", kind: "text", value: "NAME", brief: "the name of the person" },
      { name: "email", kind: "text", value: "ADDRESS", brief: "whom it is for; nothing is sent" },
      { name: "days", kind: "number", value: "7", brief: "how long it works: 1 to 30" },
      TO_FILE,
      DRY_RUN
    ]
  }),
  invitation("list", {
    brief: "List invitations, newest first",
    positionals: [],
    flags: LIST_FLAGS
  }),
  invitation("revoke", {
    brief: "Revoke an invitation that is open",
    positionals: [{ name: "ID", brief: "the id of the invitation", required: true }],
    flags: [DRY_RUN]
  })
]
