/**
 * The times in which things are in spaces. Pure.
 *
 * A thing without an open time is in the root, so that an org without spaces has none. Trails, artifacts, attestations
 * and approvals are where their flow is; snapshots, deployments and allow-lists where their environment is.
 */
import * as Schema from "effect/Schema"
import { OrgId, SpaceId } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"

/** The kinds of things that have a place of their own. */
export const ThingKind = Schema.Literal(
  "flow",
  "environment",
  "policy",
  "control",
  "service-account"
).annotations({ identifier: "ThingKind" })
/** A kind of things that have a place of their own. */
export type ThingKind = typeof ThingKind.Type

/** A time in which a thing is in a space. */
export const ThingPlace = Schema.Struct({
  org_id: OrgId,
  kind: ThingKind,
  /** The id of the thing; that of a control is its identifier. */
  thing_id: Schema.String,
  space_id: SpaceId,
  from_at: Timestamp.Timestamp,
  /** Null while it lasts. */
  to_at: Schema.NullOr(Timestamp.Timestamp)
})
/** A time in which a thing is in a space. */
export type ThingPlace = typeof ThingPlace.Type

/** A thing that has a place. */
export interface PlacedThing {
  readonly kind: ThingKind
  readonly id: string
}

/** A time that is ended now; it lasts one microsecond at least. */
export const ended = <Time extends { readonly from_at: Timestamp.Timestamp }>(
  time: Time,
  now: Timestamp.Timestamp
): Time & { readonly to_at: Timestamp.Timestamp } => ({
  ...time,
  to_at: Timestamp.fromMicros(Math.max(now, time.from_at + 1))
})

/** The beginning of a time after the last one; never before that one has ended. */
export const beginningAfter = (
  last: { readonly to_at: Timestamp.Timestamp | null } | undefined,
  now: Timestamp.Timestamp
): Timestamp.Timestamp => Timestamp.fromMicros(Math.max(now, last?.to_at ?? now))
