/** The bodies of webhooks about break-glass and proposals. SPEC §6.3 */
import type { BreakGlassNotification, ProposalNotification } from "@attestry/core/Notification"
import { toSeconds } from "@attestry/core/Timestamp"
import * as Schema from "effect/Schema"

const text = (description: string) => Schema.String.annotations({ description })

const by = Schema.NullOr(text("Who changed it; null for what time brought"))

/** The schemas, after the fields that every body begins with. */
export const make = <Head extends Schema.Struct.Fields>(head: Head) => ({
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
export const of = (notification: BreakGlassNotification | ProposalNotification) => {
  const { description, org } = notification
  if (notification.event_type === "PROPOSAL") {
    const { event_type, proposal } = notification
    return { org, description, event_type, proposal }
  }
  const { break_glass, event_type } = notification
  const ends_at = toSeconds(break_glass.ends_at)
  return { org, description, event_type, break_glass: { ...break_glass, ends_at } }
}
