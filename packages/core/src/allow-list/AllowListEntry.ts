/** A fingerprint that is compliant in one environment regardless of policies, until an end if it has one. */
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { EnvironmentId, EnvironmentName, Login, OrgId } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"

/** An entry ends at most this many days after it was put. */
export const DAYS_MAX = 3_650

const SECONDS_PER_DAY = 86_400

/** One entry of an allow-list. Its rows are compliant outright: that is the meaning of allowing. */
export const AllowListEntry = Schema.Struct({
  org_id: OrgId,
  environment_id: EnvironmentId,
  fingerprint: Fingerprint,
  name: Schema.String,
  reason: Schema.String,
  created_by: Schema.String,
  created_at: Timestamp.Timestamp,
  /** From this instant on the entry allows nothing; null without an end. */
  expires_at: Schema.NullOr(Timestamp.Timestamp),
  /** The login of the member who answers for the entry; null means its creator. */
  owner: Schema.NullOr(Schema.String)
})
/** One entry of an allow-list. */
export type AllowListEntry = typeof AllowListEntry.Type

/** The fields of an entry that a request gives; without an end it lasts until it is removed. */
export interface AllowListDraft extends Pick<AllowListEntry, "fingerprint" | "name" | "reason"> {
  readonly expires_at?: Timestamp.Timestamp | null
  readonly owner?: Login | null
}

/** The allow-list of the environment has no such fingerprint. */
export class AllowListEntryNotFound extends Schema.TaggedError<AllowListEntryNotFound>()(
  "AllowListEntryNotFound",
  { environment: EnvironmentName, fingerprint: Fingerprint }
) {
  override get message(): string {
    return `\`${this.fingerprint}\` is not allowed in environment \`${this.environment}\``
  }
}

/** The end of an entry is not in the future, or too far away. */
export class AllowListEndOutOfRange extends Schema.TaggedError<AllowListEndOutOfRange>()(
  "AllowListEndOutOfRange",
  { expires_at: Timestamp.Timestamp }
) {
  override get message(): string {
    return `\`${Timestamp.toSeconds(this.expires_at)}\` is not within the next ${DAYS_MAX} days`
  }
}

/** The owner of an entry is not a member of the org. */
export class AllowListOwnerNotMember extends Schema.TaggedError<AllowListOwnerNotMember>()(
  "AllowListOwnerNotMember",
  { owner: Login }
) {
  override get message(): string {
    return `\`${this.owner}\` is not the login of a member`
  }
}

/** Something with an end: from that instant on it is not in force; null without an end. */
interface Ending {
  readonly expires_at: Timestamp.Timestamp | null
}

/** Whether an entry is in force at an instant; its end is exclusive. */
export const isInForce = ({ expires_at }: Ending, now: Timestamp.Timestamp): boolean =>
  expires_at === null || now < expires_at

/** The entries that are in force at an instant, in their order. */
export const inForce = <A extends Ending>(
  entries: ReadonlyArray<A>,
  now: Timestamp.Timestamp
): ReadonlyArray<A> => entries.filter((entry) => isInForce(entry, now))

/** The first instant after `now` at which an entry ends; null if none ends. */
export const nextEnd = (
  entries: ReadonlyArray<Ending>,
  now: Timestamp.Timestamp
): Timestamp.Timestamp | null =>
  entries.reduce<Timestamp.Timestamp | null>((next, { expires_at }) => {
    if (expires_at === null || expires_at <= now) return next
    return next === null || expires_at < next ? expires_at : next
  }, null)

/**
 * Until when an artifact is compliant that policies fail from an instant on, or never if that is null, and that an
 * entry allows, if there is one; null without an end.
 */
export const compliantUntil = (
  failsFrom: Timestamp.Timestamp | null,
  entry: Ending | undefined
): Timestamp.Timestamp | null => {
  if (entry === undefined || failsFrom === null) return failsFrom
  return entry.expires_at === null
    ? null
    : Timestamp.fromMicros(Math.max(failsFrom, entry.expires_at))
}

/** Whether an end may be given at an instant. */
export const isEndAccepted = (end: Timestamp.Timestamp, now: Timestamp.Timestamp): boolean =>
  end > now && end <= Timestamp.plusSeconds(now, DAYS_MAX * SECONDS_PER_DAY)

/** The member who answers for an entry. */
export const ownerOf = ({ created_by, owner }: AllowListEntry): string => owner ?? created_by

/** Whether an entry already has the values of a draft. */
export const hasContent = (entry: AllowListEntry, draft: AllowListDraft): boolean =>
  entry.name === draft.name &&
  entry.reason === draft.reason &&
  entry.expires_at === (draft.expires_at ?? null) &&
  entry.owner === (draft.owner ?? null)

/** The content of the journal about an entry; it has an end and an owner only if they were given. */
export const contentOf = ({ expires_at, owner, ...entry }: AllowListEntry) => ({
  ...entry,
  ...(expires_at === null ? {} : { expires_at }),
  ...(owner === null ? {} : { owner })
})
