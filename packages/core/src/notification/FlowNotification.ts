/**
 * A named subscription to events of flows, with a number and targets. SPEC §2.2, §4.2
 *
 * It shares its numbers with environment notifications; both are called actions on the wire.
 */
import * as Schema from "effect/Schema"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { FlowId, FlowName, OrgId, OrgName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { owner, SubscriptionName } from "./EnvironmentNotification.js"
import { StoredTarget } from "./NotificationTarget.js"

/** The triggers of a subscription; `ON_RELEASE` is accepted and never fires. SPEC §6.1 */
export const FlowTrigger = Schema.Literal(
  "ON_STARTED_TRAIL",
  "ON_ATTESTED_PROVENANCE",
  "ON_ATTESTATION",
  "ON_APPROVAL",
  "ON_RELEASE"
).annotations({ identifier: "FlowNotificationTrigger" })
/** The triggers of a subscription. */
export type FlowTrigger = typeof FlowTrigger.Type

/** The most flows of one subscription. */
export const FLOWS_MAX = 1_000

/** The fields of a subscription in a request, without its targets. */
export const content = {
  name: SubscriptionName,
  flows: Schema.Array(FlowName).pipe(Schema.minItems(1), Schema.maxItems(FLOWS_MAX)),
  triggers: Schema.Array(FlowTrigger).pipe(Schema.minItems(1), Schema.maxItems(100))
}

/** A subscription. */
export const FlowNotification = Schema.Struct({
  org_id: OrgId,
  /** Unique in the org among actions of both kinds, and never reused. */
  number: Schema.Int,
  ...owner,
  name: SubscriptionName,
  /** WHY ids: a flow that is renamed stays subscribed to. */
  flows: Schema.Array(FlowId),
  triggers: content.triggers,
  targets: Schema.Array(StoredTarget),
  created_at: Timestamp,
  created_by: Schema.String,
  last_modified_at: Timestamp
})
/** A subscription. */
export type FlowNotification = typeof FlowNotification.Type

/** The key of a subscription. */
export interface FlowNotificationKey {
  readonly org: OrgId
  readonly number: number
}

/** There is no action of that number, of either kind. */
export class ActionNotFound extends Schema.TaggedError<ActionNotFound>()("ActionNotFound", {
  org: OrgName,
  number: Schema.Int
}) {
  override get message(): string {
    return `there is no action ${this.number} in org \`${this.org}\``
  }
}

type Content = Pick<FlowNotification, "name" | "flows" | "triggers" | "targets" | "team">

const contentOf = ({ team, name, flows, triggers, targets }: Content) => ({
  team: team ?? null,
  name,
  flows,
  triggers,
  targets: targets.map(({ target, context, disabled_at }) => ({ target, context, disabled_at }))
})

/** Whether two subscriptions have the same content, targets included. */
export const sameContent = (left: Content, right: Content): boolean =>
  CanonicalJson.equals(contentOf(left), contentOf(right))
