/** The value of `--as-of`: the instant by which evidence must have been accepted. Pure. SPEC §4.5 */
import type { Arguments } from "../shared/Arguments.js"
import { usage } from "../shared/CommandFailure.js"
import type { Host } from "../shared/Host.js"
import * as Instant from "../shared/Instant.js"
import type { Fields } from "../shared/Json.js"

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
  const seconds = Instant.parse(host, text, "before")
  if (seconds === undefined)
    throw usage(
      `--as-of expects now, 7d, 2026-11-16T10:00:00Z, epoch seconds or '@{2.days.ago}', not \`${text}\``
    )
  return { as_of: String(seconds) }
}
