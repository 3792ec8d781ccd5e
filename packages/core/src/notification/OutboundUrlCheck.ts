/**
 * Port: whether the text of a URL alone rules it out as a destination. Never asks DNS. SPEC §4.1
 *
 * The default rules nothing out, which is safe because every attempt is judged again where it is sent;
 * `@attestry/notifier` has the check, and a host that delivers provides it.
 */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { NotificationTarget } from "./NotificationTarget.js"

/** Answers why a URL is refused, as a sentence without the URL, or null when it is not. */
export type UrlCheck = (url: string) => string | null

/** Port: the check of destinations by their text. */
export class OutboundUrlCheck extends Context.Reference<OutboundUrlCheck>()(
  "@attestry/core/OutboundUrlCheck",
  { defaultValue: (): UrlCheck => () => null }
) {}

/** A target's URL may not be delivered to. The URL itself is never told (DECISION A-27). */
export class DestinationRefused extends Schema.TaggedError<DestinationRefused>()(
  "DestinationRefused",
  { problems: Schema.NonEmptyArray(Schema.Struct({ position: Schema.Int, reason: Schema.String })) }
) {
  override get message(): string {
    return this.problems.map(({ position, reason }) => `target ${position}: ${reason}`).join("; ")
  }
}

/** Everything that the check has against some targets, or null. */
export const refusalOf = (
  check: UrlCheck,
  targets: ReadonlyArray<NotificationTarget>
): DestinationRefused | null => {
  const [first, ...others] = targets.flatMap((target, position) => {
    const reason = "webhook" in target ? check(target.webhook) : null
    return reason === null ? [] : [{ position, reason }]
  })
  return first === undefined ? null : new DestinationRefused({ problems: [first, ...others] })
}
