/**
 * For whom a delivery to a team is, and what of its notification the team is told. Pure and total. SPEC §4.2
 *
 * A notification of a flow or an environment that the team does not read is not sent. Of an artifact in an environment,
 * what a flow knows of it belongs to the flow. Law AC-14: a cut takes away and changes nothing.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { FlowId, TeamId } from "../shared/Identifier.js"
import type { Notification } from "./Notification.js"

/** The flow or environment that a notification is about. */
export const AboutThing = Schema.Struct({
  kind: Schema.Literal("flow", "environment"),
  id: Schema.String
})
/** The flow or environment that a notification is about. */
export type AboutThing = typeof AboutThing.Type

/** The team of a delivery, and the things of its notification by id, since names change. */
export const Audience = Schema.Struct({
  team: TeamId,
  /** Absent where it is about nothing that has a place, as a test message is. */
  about: Schema.optionalWith(AboutThing, { exact: true }),
  /** The flow of the artifact's provenance, where another thing is what it is about. */
  flow: Schema.optionalWith(FlowId, { exact: true })
})
/** The team of a delivery, and the things of its notification by id, since names change. */
export type Audience = typeof Audience.Type

/** The form of an audience in maps: that of another one differs. */
export const keyOf = ({ about, flow, team }: Audience): string =>
  JSON.stringify([team, about?.kind, about?.id, flow])

/** Which things of a notification its receiver reads. */
export interface Readable {
  /** Whether it reads what the notification is about; true where that has no place. */
  readonly about: boolean
  /** Whether it reads the flow of the provenance; true without one. */
  readonly flow: boolean
}

/** What is sent; none where the receiver may be told nothing. */
export const cut = (
  notification: Notification,
  readable: Readable
): Option.Option<Notification> => {
  if (!readable.about) return Option.none()
  if (readable.flow || !("artifact" in notification)) return Option.some(notification)
  const { artifact } = notification
  return artifact === null || artifact.provenance === null
    ? Option.some(notification)
    : Option.some({ ...notification, artifact: { ...artifact, provenance: null, hidden: true } })
}
