/** When a gate that is open closes by time alone, and why. Pure. */
import * as Instant from "../shared/Instant.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"

const WEEK_SECONDS = 7 * 86_400

/** The instant at which the answer turns by time alone, in epoch seconds; undefined without one. */
export const instantOf = ({ expires_at }: Json.Fields): number | undefined =>
  typeof expires_at === "number" ? expires_at : undefined

const causeOf = (answer: Json.Fields, style: Style): string => {
  if (answer.is_allowed === true) return ": then its entry on the allow-list ends"
  const [first, ...more] = Json.objects(answer.reasons_at_expiry)
  if (first === undefined) return ""
  const others = more.length === 0 ? "" : ` (and ${more.length} more)`
  return `: then ${style.text(first.description)}${others}`
}

/** A line about an end within a week; none for a later one. */
export const linesOf = (
  answer: Json.Fields,
  style: Style,
  nowSeconds: number
): ReadonlyArray<string> => {
  const at = instantOf(answer)
  if (at === undefined || at > nowSeconds + WEEK_SECONDS) return []
  const until = `passes until ${Instant.print(at, nowSeconds * 1_000)}`
  return [`${style.tint("yellow", until)}${causeOf(answer, style)}`]
}
