/** The value of `--as-of`: the instant by which evidence must have been accepted. Pure. SPEC §4.5 */
import type { Arguments } from "../shared/Arguments.js"
import { usage } from "../shared/CommandFailure.js"
import * as Duration from "../shared/Duration.js"
import type { Host } from "../shared/Host.js"
import type { Fields } from "../shared/Json.js"

const secondsOf = (text: string): number | undefined => {
  if (/^\d{9,11}(?:\.\d{1,6})?$/.test(text)) return Number(text)
  const millis = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(millis) ? undefined : millis / 1_000
}

/** Parses an instant to epoch seconds; undefined for other texts. */
export const instantOf = ({ now }: Pick<Host, "now">, text: string): number | undefined => {
  const ago = Duration.parse(text)
  return ago === undefined ? secondsOf(text) : (now() - ago) / 1_000
}

/** The query parameter; empty without `--as-of`. `now` and `@{…}` are sent unchanged. */
export const query = (host: Pick<Host, "now">, args: Arguments): Fields => {
  const [text, policies] = [args.text("as-of"), args.text("policies")]
  if (text === undefined) {
    if (policies !== undefined) throw usage("--policies goes with --as-of alone")
    return {}
  }
  return { ...instantQuery(host, text), ...(policies === undefined ? {} : { policies }) }
}

const instantQuery = (host: Pick<Host, "now">, text: string): Fields => {
  if (text === "now" || /^@\{.*\}$/.test(text)) return { as_of: text }
  const seconds = instantOf(host, text)
  if (seconds === undefined)
    throw usage(
      `--as-of expects now, 7d, 2026-11-16T10:00:00Z, epoch seconds or '@{2.days.ago}', not \`${text}\``
    )
  return { as_of: String(seconds) }
}
