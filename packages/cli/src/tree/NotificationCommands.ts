/**
 * The commands about notifications: subscriptions, failed deliveries, notices about keys and waivers, and the signing
 * secret.
 */
import type { CommandSpec, FlagSpec, PositionalSpec } from "../shared/CommandSpec.js"
import { FLOW_TRIGGERS, TRIGGERS } from "../writing/NotificationTargets.js"
import { DRY_RUN, FLOW, TO_FILE } from "./Flags.js"

const NUMBER: PositionalSpec = {
  name: "NUMBER",
  brief: "the number of the notification",
  required: true
}

const TO: FlagSpec = {
  name: "to",
  kind: "texts",
  value: "WHERE",
  brief: "https://…, slack:https://…, a mail address, or $NAME for a variable with one"
}

const changes = () => import("../writing/ChangeCommands.js")
const notices = () => import("../writing/NoticeCommands.js")

/** The commands about notifications. */
export const NOTIFICATION_COMMANDS: ReadonlyArray<CommandSpec> = [
  {
    words: ["put", "notification"],
    brief: "Create or replace a notification about environments, or about flows",
    keywords: ["slack", "chat", "webhook", "mail", "email"],
    positionals: [{ name: "NAME", brief: "the notification", required: true }],
    flags: [
      { name: "environment", kind: "texts", value: "ENV", brief: "an environment" },
      { ...FLOW, kind: "texts", brief: "a flow, instead of environments" },
      {
        name: "on",
        kind: "texts",
        choices: [...TRIGGERS, ...FLOW_TRIGGERS],
        brief: `the trigger; of flows: ${FLOW_TRIGGERS.join(", ")}`
      },
      TO,
      {
        name: "team",
        kind: "text",
        value: "TEAM",
        brief: "the team that owns it and is told what it reads; the org without it"
      },
      DRY_RUN
    ],
    load: () => import("../writing/NotificationCommand.js")
  },
  {
    words: ["test", "notification"],
    brief: "Send a test message to the targets of a notification",
    positionals: [NUMBER],
    flags: [DRY_RUN],
    load: async () => (await changes()).testNotification
  },
  {
    words: ["delete", "notification"],
    brief: "Delete a notification",
    positionals: [NUMBER],
    flags: [DRY_RUN],
    load: async () => (await changes()).deleteNotification
  },
  {
    words: ["replay", "deliveries"],
    brief: "Send notifications again that could not be delivered",
    positionals: [
      { name: "ID", brief: "the id of a failed delivery", required: false, isRest: true }
    ],
    flags: [{ name: "all", kind: "boolean", brief: "all failed deliveries of the org" }, DRY_RUN],
    load: async () => (await import("../writing/DeliveryCommands.js")).replay
  },
  {
    words: ["put", "key-expiry-notices"],
    brief: "Set where notices about expiring API keys go",
    positionals: [],
    flags: [TO, DRY_RUN],
    load: async () => (await notices()).putNotices
  },
  {
    words: ["delete", "key-expiry-notices"],
    brief: "Send notices about expiring API keys to the derived recipients again",
    positionals: [],
    flags: [DRY_RUN],
    load: async () => (await notices()).deleteNotices
  },
  {
    words: ["put", "waiver-expiry-notices"],
    brief: "Set where notices about expiring waivers go",
    positionals: [],
    flags: [TO, DRY_RUN],
    load: async () => (await notices()).putWaiverNotices
  },
  {
    words: ["delete", "waiver-expiry-notices"],
    brief: "Send notices about expiring waivers to the derived recipients again",
    positionals: [],
    flags: [DRY_RUN],
    load: async () => (await notices()).deleteWaiverNotices
  },
  {
    words: ["put", "break-glass-notices"],
    brief: "Set where notices about break-glass go, besides all admins",
    positionals: [],
    flags: [TO, DRY_RUN],
    load: async () => (await notices()).putBreakGlassNotices
  },
  {
    words: ["delete", "break-glass-notices"],
    brief: "Send notices about break-glass to the admins alone again",
    positionals: [],
    flags: [DRY_RUN],
    load: async () => (await notices()).deleteBreakGlassNotices
  },
  {
    words: ["put", "proposal-notices"],
    brief: "Set where notices about proposals go",
    positionals: [],
    flags: [TO, DRY_RUN],
    load: async () => (await notices()).putProposalNotices
  },
  {
    words: ["delete", "proposal-notices"],
    brief: "Send notices about proposals to the admins again",
    positionals: [],
    flags: [DRY_RUN],
    load: async () => (await notices()).deleteProposalNotices
  },
  {
    words: ["put", "access-notices"],
    brief: "Set where notices about uses of keys for emergencies go",
    positionals: [],
    flags: [TO, DRY_RUN],
    load: async () => (await notices()).putAccessNotices
  },
  {
    words: ["delete", "access-notices"],
    brief: "Send notices about uses of keys for emergencies to the admins again",
    positionals: [],
    flags: [DRY_RUN],
    load: async () => (await notices()).deleteAccessNotices
  },
  {
    words: ["get", "signing-secret"],
    brief: "Show the secret with which webhooks are signed",
    positionals: [],
    flags: [TO_FILE],
    load: async () => (await notices()).getSecret
  },
  {
    words: ["rotate", "signing-secret"],
    brief: "Replace the secret with which webhooks are signed; both sign until the old one ends",
    positionals: [],
    flags: [TO_FILE],
    load: async () => (await notices()).rotateSecret
  }
]
