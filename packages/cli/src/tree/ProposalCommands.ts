/** The commands about proposals, protections and break-glass. */
import type { CommandModule, CommandSpec, FlagSpec, PositionalSpec } from "../shared/CommandSpec.js"
import { DRY_RUN, PAGES, REVERSE } from "./Flags.js"

type ProposalModules = typeof import("../proposal/ProposalCommands.js")
type BreakGlassModules = typeof import("../break-glass/BreakGlassCommands.js")
type ProtectionModules = typeof import("../protection/ProtectionCommands.js")

const NUMBER: PositionalSpec = {
  name: "NUMBER",
  brief: "the number of the proposal",
  required: true
}

const COMMENT: FlagSpec = {
  name: "comment",
  kind: "text",
  value: "TEXT",
  brief: "a remark",
  isProse: true
}

type Spec = Pick<CommandSpec, "brief" | "positionals" | "flags">

const proposal = (verb: keyof ProposalModules, spec: Spec): CommandSpec => ({
  ...spec,
  words: ["proposal", verb],
  load: async (): Promise<CommandModule> => (await import("../proposal/ProposalCommands.js"))[verb]
})

const protection = (verb: keyof ProtectionModules, spec: Spec): CommandSpec => ({
  ...spec,
  words: ["protection", verb],
  load: async (): Promise<CommandModule> =>
    (await import("../protection/ProtectionCommands.js"))[verb]
})

const glass = (verb: keyof BreakGlassModules, spec: Spec): CommandSpec => ({
  ...spec,
  words: ["break-glass", verb],
  load: async (): Promise<CommandModule> =>
    (await import("../break-glass/BreakGlassCommands.js"))[verb]
})

const OPENING: PositionalSpec = {
  name: "NUMBER",
  brief: "the number of the opening",
  required: true
}

const BREAK_GLASS: ReadonlyArray<CommandSpec> = [
  glass("list", {
    brief: "List openings of break-glass, newest first",
    positionals: [],
    flags: [
      {
        name: "state",
        kind: "text",
        value: "STATE",
        brief: "only in these states, with commas: open, closed, expired, reviewed"
      },
      { ...REVERSE, brief: "in the other order; the whole list is read first" },
      ...PAGES,
      { name: "raw", kind: "boolean", brief: "with -o json: the answers of the API, unchanged" }
    ]
  }),
  glass("open", {
    brief: "Take a role at once, for a while; all admins are told",
    positionals: [
      {
        name: "ROLE",
        brief: "the role",
        required: true,
        choices: ["admin", "member", "snapshotter", "reader"]
      },
      { name: "SPACE", brief: "the path of the space; / is the whole org", required: true }
    ],
    flags: [
      { name: "reason", kind: "text", value: "TEXT", brief: "why", isProse: true },
      { name: "minutes", kind: "text", value: "N", brief: "how long, 15 to 240" },
      DRY_RUN
    ]
  }),
  glass("close", {
    brief: "Close break-glass before its end: your own, or as an admin",
    positionals: [OPENING],
    flags: [DRY_RUN]
  }),
  glass("review", {
    brief: "Review break-glass that another person has opened",
    positionals: [OPENING],
    flags: [
      { name: "note", kind: "text", value: "TEXT", brief: "what you have found", isProse: true },
      DRY_RUN
    ]
  })
]

/** The `propose`, `proposal`, `protection` and `break-glass` commands. */
export const PROPOSAL_COMMANDS: ReadonlyArray<CommandSpec> = [
  {
    words: ["propose"],
    isWrapper: true,
    brief: "Propose the change of a command, which is made once other people have approved it",
    positionals: [
      {
        name: "COMMAND",
        brief: "the command, after --",
        required: true,
        isRest: true,
        allowsEmpty: true
      }
    ],
    flags: [{ name: "reason", kind: "text", value: "TEXT", brief: "why" }, DRY_RUN],
    load: () => import("../proposal/ProposeCommand.js")
  },
  proposal("list", {
    brief: "List proposals, newest first",
    positionals: [],
    flags: [
      {
        name: "state",
        kind: "text",
        value: "STATE",
        brief:
          "only in these states, with commas: made, approved, applied, rejected, withdrawn, expired, stale, failed"
      },
      { ...REVERSE, brief: "in the other order; the whole list is read first" },
      ...PAGES,
      { name: "raw", kind: "boolean", brief: "with -o json: the answers of the API, unchanged" }
    ]
  }),
  proposal("show", {
    brief: "Show a proposal, and the difference that it would make",
    positionals: [NUMBER],
    flags: []
  }),
  proposal("approve", {
    brief: "Approve a proposal of another person; the last approval makes the change",
    positionals: [NUMBER],
    flags: [
      {
        name: "digest",
        kind: "text",
        value: "HEX",
        brief: "the digest of the proposal that you have seen; by default it is shown and asked"
      },
      COMMENT,
      DRY_RUN
    ]
  }),
  proposal("reject", {
    brief: "Reject a proposal of another person",
    positionals: [NUMBER],
    flags: [COMMENT, DRY_RUN]
  }),
  proposal("withdraw", {
    brief: "Withdraw a proposal of your own; admins may withdraw any",
    positionals: [NUMBER],
    flags: [DRY_RUN]
  }),
  protection("get", {
    brief: "Show which changes need the approval of other people",
    positionals: [],
    flags: []
  }),
  protection("set", {
    brief: "Set which changes need the approval of other people",
    positionals: [
      { name: "FILE", brief: "the protections as YAML or JSON; - is stdin", required: true }
    ],
    flags: [DRY_RUN]
  }),
  ...BREAK_GLASS
]
