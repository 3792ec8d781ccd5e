/**
 * Port: whether the text of a URL rules it out as a destination, without DNS. SPEC §4.1
 *
 * The default rules nothing out, which is safe because the sender checks every attempt. `@attestry/notifier`
 * has the check; a host with deliveries provides it.
 */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"

/** Returns the reason why a URL is refused, as a sentence without the URL, or null. */
export type UrlCheck = (url: string) => string | null

/** Port: the check of destinations by their text. */
export class OutboundUrlCheck extends Context.Reference<OutboundUrlCheck>()(
  "@attestry/core/OutboundUrlCheck",
  { defaultValue: (): UrlCheck => () => null }
) {}

/** The URL of a target is refused. The error does not contain the URL. */
export class DestinationRefused extends Schema.TaggedError<DestinationRefused>()(
  "DestinationRefused",
  { problems: Schema.NonEmptyArray(Schema.Struct({ position: Schema.Int, reason: Schema.String })) }
) {
  override get message(): string {
    return this.problems.map(({ position, reason }) => `target ${position}: ${reason}`).join("; ")
  }
}

/** Every refusal of the check for some targets, or null. */
export const refusalOf = (
  check: UrlCheck,
  targets: ReadonlyArray<{ readonly webhook: string } | { readonly emails: unknown }>
): DestinationRefused | null => {
  const [first, ...others] = targets.flatMap((target, position) => {
    const reason = "webhook" in target ? check(target.webhook) : null
    return reason === null ? [] : [{ position, reason }]
  })
  return first === undefined ? null : new DestinationRefused({ problems: [first, ...others] })
}
