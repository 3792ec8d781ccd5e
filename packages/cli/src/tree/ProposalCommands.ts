/** The commands about proposals and protections. */
import type { CommandModule, CommandSpec, FlagSpec, PositionalSpec } from "../shared/CommandSpec.js"
import { DRY_RUN, PAGES, REVERSE } from "./Flags.js"

type ProposalModules = typeof import("../proposal/ProposalCommands.js")
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

/** The `propose`, `proposal` and `protection` commands. */
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
  })
]
