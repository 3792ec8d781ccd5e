/** For people: uses of keys for emergencies, changes of access, break-glass and proposals. */
import type {
  AccessChangeNotification,
  BreakGlassNotification,
  EmergencyKeyNotification,
  ProposalNotification
} from "@attestry/core/Notification"
import * as NotificationLinks from "./NotificationLinks.js"
import { fact, type NotificationSummary, ownFact, printTime } from "./SummaryFacts.js"

/** The summary of a use of a key for emergencies. */
export const ofEmergencyKey = ({
  at,
  description,
  emergency_key,
  org
}: EmergencyKeyNotification): NotificationSummary => ({
  tone: "bad",
  org,
  headline: "A key for emergencies was used",
  sentence: description,
  facts: [
    fact("Organization", org),
    fact("Key", emergency_key.id),
    fact("Owner", emergency_key.owner),
    ownFact("Operation", emergency_key.operation),
    ownFact("Time", printTime(at))
  ]
})

const BREAK_GLASS_HEADLINES = {
  opened: "Break-glass was opened",
  closed: "Break-glass was closed",
  expired: "Break-glass is over",
  waiting: "Break-glass waits for its review",
  reviewed: "Break-glass was reviewed"
} as const

/** The summary of what became of break-glass. */
export const ofBreakGlass = ({
  at,
  break_glass,
  description,
  org
}: BreakGlassNotification): NotificationSummary => ({
  tone: break_glass.change === "reviewed" ? "good" : "bad",
  org,
  headline: BREAK_GLASS_HEADLINES[break_glass.change],
  sentence: description,
  facts: [
    fact("Organization", org),
    ownFact("Break-glass", String(break_glass.number)),
    fact("Opened by", break_glass.opened_by),
    fact("Role", `${break_glass.role} in ${break_glass.space}`),
    fact("Reason", break_glass.reason),
    ownFact("Ends", printTime(break_glass.ends_at)),
    ownFact("Time", printTime(at))
  ]
})

/** The summary of what became of a proposal. */
export const ofProposal = ({
  at,
  description,
  org,
  proposal
}: ProposalNotification): NotificationSummary => ({
  tone: proposal.state === "stale" || proposal.state === "failed" ? "bad" : "neutral",
  org,
  headline: `Proposal ${proposal.number} is ${proposal.state}`,
  sentence: description,
  facts: [
    fact("Organization", org),
    ownFact("Proposal", `${proposal.number}, ${proposal.state}`),
    fact("Proposed by", proposal.proposed_by),
    ownFact("Operation", proposal.operation),
    fact("Reason", proposal.reason),
    ownFact("Time", printTime(at))
  ]
})

const CHANGE_HEADLINES: {
  readonly [change in AccessChangeNotification["access_change"]["change"]]: string
} = {
  "grant-given": "A role in the whole organization was given",
  "grant-ended": "A role in the whole organization was taken away",
  "member-added": "A member was added",
  "member-joined": "A member has joined",
  "member-changed": "The role of a member was changed",
  "member-suspended": "A member was suspended",
  "member-restored": "The suspension of a member was ended",
  "member-removed": "A member was removed",
  "sign-in-set": "The sign-in settings were changed",
  "protections-set": "The protections were changed",
  "scim-refused": "The last admin cannot be removed by SCIM"
}

const SUBJECTS = {
  user: "Person",
  team: "Team",
  "service-account": "Service account",
  everyone: "Subject",
  org: "Subject"
} as const

/** The page on which a change can be looked at. */
const pageOf = (
  base: string,
  { access_change: { change }, org }: AccessChangeNotification
): NonNullable<NotificationSummary["page"]> => {
  const to = (label: string, path: string) => ({
    label,
    url: NotificationLinks.orgPage(base, org, path)
  })
  switch (change) {
    case "grant-given":
    case "grant-ended":
      return to("Open spaces and grants", "spaces")
    case "sign-in-set":
      return to("Open sign-in settings", "sign-in")
    case "protections-set":
      return to("Open protections", "protections")
    default:
      return to("Open members", "members")
  }
}

/** The summary of a change of who may do what in the whole org. */
export const ofAccessChange = (
  base: string,
  notification: AccessChangeNotification
): NotificationSummary => {
  const { access_change, at, description, org } = notification
  const { by, change, previous_role, reason, role, settings, subject } = access_change
  return {
    tone: change === "scim-refused" ? "bad" : "neutral",
    org,
    headline: CHANGE_HEADLINES[change],
    sentence: description,
    facts: [
      fact("Organization", org),
      fact("Changed by", by),
      ...(subject.kind === "org"
        ? []
        : [fact(SUBJECTS[subject.kind], subject.kind === "everyone" ? "everyone" : subject.name)]),
      ...(role === null ? [] : [ownFact("Role", role)]),
      ...(previous_role === null || previous_role === role
        ? []
        : [ownFact("Role before", previous_role)]),
      ...(settings.length === 0 ? [] : [ownFact("Settings", settings.join(", "))]),
      ...(reason === "" ? [] : [fact("Reason", reason)]),
      ownFact("Time", printTime(at))
    ],
    page: pageOf(base, notification)
  }
}
