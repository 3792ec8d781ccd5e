/** The commands about waivers. */
import type { CommandModule, CommandSpec, FlagSpec, PositionalSpec } from "../shared/CommandSpec.js"
import { DRY_RUN, FINGERPRINT, PAGES, REVERSE } from "./Flags.js"

type Modules = typeof import("../waiver/WaiverCommands.js")

const NUMBER: PositionalSpec = { name: "NUMBER", brief: "the number of the waiver", required: true }

const COMMENT: FlagSpec = {
  name: "comment",
  kind: "text",
  value: "TEXT",
  brief: "a remark",
  isProse: true
}

const UNTIL: FlagSpec = {
  name: "until",
  kind: "text",
  value: "3d|INSTANT",
  brief: "its end"
}

const TICKET: FlagSpec = {
  name: "ticket",
  kind: "text",
  value: "URL",
  brief: "the https address of a ticket"
}

const REASON: FlagSpec = {
  name: "reason",
  kind: "text",
  value: "TEXT",
  brief: "why",
  isProse: true
}

const ENVIRONMENT: FlagSpec = {
  name: "environment",
  kind: "text",
  value: "ENV",
  brief: "only in this environment"
}

const waiver = (
  verb: keyof Modules,
  spec: Pick<CommandSpec, "brief" | "positionals" | "flags">
): CommandSpec => ({
  ...spec,
  words: ["waiver", verb],
  load: async (): Promise<CommandModule> => (await import("../waiver/WaiverCommands.js"))[verb]
})

/** The `waiver` commands. */
export const WAIVER_COMMANDS: ReadonlyArray<CommandSpec> = [
  waiver("request", {
    brief: "Ask that failures of a policy are accepted until an instant",
    positionals: [{ name: "POLICY", brief: "the policy", required: true }],
    flags: [
      REASON,
      UNTIL,
      { name: "owner", kind: "text", value: "LOGIN", brief: "who owns the risk; by default you" },
      {
        name: "rule",
        kind: "text",
        choices: ["provenance", "trail-compliance", "attestation"],
        brief: "only rules of this type; by default every rule of the policy"
      },
      {
        name: "attestation-type",
        kind: "text",
        value: "TYPE",
        brief: "only the rule about attestations of this type"
      },
      {
        name: "attestation-name",
        kind: "text",
        value: "NAME",
        brief: "only the rule about attestations of this name"
      },
      { name: "control", kind: "text", value: "ID", brief: "only the rule about this control" },
      ENVIRONMENT,
      {
        name: "if",
        kind: "text",
        value: "CONDITION",
        brief: "only artifacts for which this condition of policies is true"
      },
      { ...FINGERPRINT, brief: "only this artifact" },
      { name: "from", kind: "text", value: "1d|INSTANT", brief: "its start; by default now" },
      TICKET,
      DRY_RUN
    ]
  }),
  waiver("approve", {
    brief: "Approve a waiver that another user has requested",
    positionals: [NUMBER],
    flags: [COMMENT, DRY_RUN]
  }),
  waiver("reject", {
    brief: "Reject a waiver that another user has requested",
    positionals: [NUMBER],
    flags: [COMMENT, DRY_RUN]
  }),
  waiver("revoke", {
    brief: "End a waiver at once, or withdraw a request",
    positionals: [NUMBER],
    flags: [REASON, DRY_RUN]
  }),
  waiver("extend", {
    brief: "Request a waiver with the terms of an earlier one and another end",
    positionals: [NUMBER],
    flags: [UNTIL, REASON, TICKET, DRY_RUN]
  }),
  waiver("list", {
    brief: "List waivers, newest first",
    positionals: [],
    flags: [
      {
        name: "state",
        kind: "text",
        value: "STATE",
        brief:
          "only in this state: requested, scheduled, active, expired, rejected, revoked, lapsed"
      },
      { name: "policy", kind: "text", value: "POLICY", brief: "only of this policy" },
      ENVIRONMENT,
      { name: "owner", kind: "text", value: "LOGIN", brief: "only of this owner" },
      { ...REVERSE, brief: "in the other order; the whole list is read first" },
      ...PAGES,
      { name: "raw", kind: "boolean", brief: "with -o json: the answers of the API, unchanged" }
    ]
  }),
  waiver("get", {
    brief: "Show a waiver, and what it waives now",
    positionals: [NUMBER],
    flags: []
  }),
  waiver("debt", {
    brief: "Show how much is waived, by whom and until when",
    positionals: [],
    flags: []
  }),
  waiver("settings", {
    brief: "Show the rules of the org for waivers, or change them",
    positionals: [],
    flags: [
      { name: "max-days", kind: "number", value: "90", brief: "the longest time of a waiver" },
      { name: "approvals", kind: "number", value: "1", brief: "how many users must approve" },
      {
        name: "approver-role",
        kind: "text",
        choices: ["admin", "member"],
        brief: "the lowest role that may approve"
      },
      {
        name: "self-approval",
        kind: "boolean",
        brief: "whether a user may approve their own request"
      },
      DRY_RUN
    ]
  })
]
