/** The bodies of webhooks about changes of access, break-glass and proposals. SPEC §6.3 */
import type {
  AccessChangeNotification,
  BreakGlassNotification,
  ProposalNotification
} from "@attestry/core/Notification"
import { toSeconds } from "@attestry/core/Timestamp"
import * as Schema from "effect/Schema"

const text = (description: string) => Schema.String.annotations({ description })

const by = Schema.NullOr(text("Who changed it; null for what time brought"))

/** The schemas, after the fields that every body begins with. */
export const make = <Head extends Schema.Struct.Fields>(head: Head) => ({
  AccessChangePayload: Schema.Struct({
    ...head,
    event_type: Schema.Literal("ACCESS_CHANGED"),
    access_change: Schema.Struct({
      change: text("What was changed, such as `grant-given`"),
      by: text("Who changed it"),
      subject: Schema.Struct({
        kind: Schema.Literal("user", "team", "service-account", "everyone", "org"),
        name: text("Whom it is about; empty for everyone")
      }),
      role: Schema.NullOr(text("The role that is given, kept or taken away")),
      previous_role: Schema.NullOr(text("The role before")),
      settings: Schema.Array(Schema.String).annotations({ description: "Those that differ" }),
      reason: text("Why; may be empty")
    })
  }).annotations({ identifier: "AccessChangePayload" }),
  BreakGlassPayload: Schema.Struct({
    ...head,
    event_type: Schema.Literal("BREAK_GLASS"),
    break_glass: Schema.Struct({
      number: Schema.Int.annotations({ description: "The number of the opening in its org" }),
      change: Schema.Literal("opened", "closed", "expired", "waiting", "reviewed"),
      by,
      opened_by: text("The name of the person"),
      space: text("The path of its space"),
      role: Schema.String,
      reason: text("Why it was opened"),
      ends_at: Schema.Number.annotations({ description: "Epoch seconds" })
    })
  }).annotations({ identifier: "BreakGlassPayload" }),
  ProposalPayload: Schema.Struct({
    ...head,
    event_type: Schema.Literal("PROPOSAL"),
    proposal: Schema.Struct({
      number: Schema.Int.annotations({ description: "The number of the proposal in its org" }),
      state: text("The state that it has now"),
      by,
      proposed_by: text("The name of the proposer"),
      operation: text("The operation that is proposed"),
      reason: text("Why it is proposed")
    })
  }).annotations({ identifier: "ProposalPayload" })
})

/** The members of a body after its version and its time. */
export const of = (
  notification: AccessChangeNotification | BreakGlassNotification | ProposalNotification
) => {
  const { description, org } = notification
  if (notification.event_type === "ACCESS_CHANGED") {
    const { access_change, event_type } = notification
    return { org, description, event_type, access_change }
  }
  if (notification.event_type === "PROPOSAL") {
    const { event_type, proposal } = notification
    return { org, description, event_type, proposal }
  }
  const { break_glass, event_type } = notification
  const ends_at = toSeconds(break_glass.ends_at)
  return { org, description, event_type, break_glass: { ...break_glass, ends_at } }
}
