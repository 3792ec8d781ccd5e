/**
 * A named subscription to triggers of environments, with a number and targets. SPEC §2.2
 *
 * Environments are named, logical ones included; they need not exist.
 */
import * as Schema from "effect/Schema"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { EnvironmentName, NAME_LENGTH_MAX, OrgId, OrgName, TeamId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { StoredTarget } from "./NotificationTarget.js"

/** The triggers of a subscription. SPEC §6.1 */
export const Trigger = Schema.Literal(
  "ON_STARTED_ARTIFACT",
  "ON_EXITED_ARTIFACT",
  "ON_SCALED_ARTIFACT",
  "ON_ALLOWED_ARTIFACT",
  "ON_NON_COMPLIANT_ENV",
  "ON_COMPLIANT_ENV",
  "ON_WARNED_ENV",
  "ON_SILENT_ENV",
  "ON_REPORTING_ENV",
  "ON_DECAYING_ENV",
  "ON_WAIVER_CHANGED"
).annotations({ identifier: "NotificationTrigger" })
/** The triggers of a subscription. */
export type Trigger = typeof Trigger.Type

/** The most environments of one subscription. */
export const ENVIRONMENTS_MAX = 1_000

/** The name of a subscription; names need not be unique. */
export const SubscriptionName = Schema.String.pipe(
  Schema.minLength(1),
  Schema.maxLength(NAME_LENGTH_MAX)
)

/** The fields of a subscription without its targets. */
export const content = {
  name: SubscriptionName,
  environments: Schema.Array(EnvironmentName).pipe(
    Schema.minItems(1),
    Schema.maxItems(ENVIRONMENTS_MAX)
  ),
  triggers: Schema.Array(Trigger).pipe(Schema.minItems(1), Schema.maxItems(100))
}

/** The owner of a subscription: absent for the org. A team's is for the people of the team alone. SPEC §4.2 */
export const owner = { team: Schema.optionalWith(TeamId, { exact: true, nullable: true }) }

/** A subscription. */
export const EnvironmentNotification = Schema.Struct({
  org_id: OrgId,
  /** Assigned by the store, unique in the org, and never reused. */
  number: Schema.Int,
  ...owner,
  ...content,
  targets: Schema.Array(StoredTarget),
  created_at: Timestamp,
  created_by: Schema.String,
  last_modified_at: Timestamp
})
/** A subscription. */
export type EnvironmentNotification = typeof EnvironmentNotification.Type

/** The key of a subscription. */
export interface EnvironmentNotificationKey {
  readonly org: OrgId
  readonly number: number
}

/** There is no environment notification of that number. */
export class EnvironmentNotificationNotFound extends Schema.TaggedError<EnvironmentNotificationNotFound>()(
  "EnvironmentNotificationNotFound",
  { org: OrgName, number: Schema.Int }
) {
  override get message(): string {
    return `there is no environment notification ${this.number} in org \`${this.org}\``
  }
}

type Content = Pick<EnvironmentNotification, "name" | "environments" | "triggers" | "team">

/** The same content, each environment and trigger once, in the order of their first mention. */
export const normalise = <C extends Content>(given: C): C => ({
  ...given,
  environments: [...new Set(given.environments)],
  triggers: [...new Set(given.triggers)]
})

/** Whether two subscriptions have the same content, targets included. */
export const sameContent = (
  left: Content & Pick<EnvironmentNotification, "targets">,
  right: Content & Pick<EnvironmentNotification, "targets">
): boolean => CanonicalJson.equals(contentOf(left), contentOf(right))

const contentOf = ({
  team,
  name,
  environments,
  triggers,
  targets
}: Content & Pick<EnvironmentNotification, "targets">) => ({
  team: team ?? null,
  name,
  environments,
  triggers,
  targets: targets.map(({ target, context, disabled_at }) => ({ target, context, disabled_at }))
})
