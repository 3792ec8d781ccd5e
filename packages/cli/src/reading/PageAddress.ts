/** The URLs of pages, for `attestry open`. Pure. */
import * as SnapshotArgument from "../snapshot/SnapshotArgument.js"

const segment = (text: string): string => encodeURIComponent(text)

const FINGERPRINT = /^[0-9a-f]{64}$/

/** The path below the org. */
const pathOf = (thing: string | undefined): string => {
  if (thing === undefined) return ""
  if (FINGERPRINT.test(thing)) return `/artifacts/${thing}`
  const at = thing.indexOf("/")
  if (at > 0) return `/flows/${segment(thing.slice(0, at))}/trails/${segment(thing.slice(at + 1))}`
  const { environment, expression } = SnapshotArgument.parse(thing)
  const page = `/environments/${segment(environment)}`
  return environment === thing ? page : `${page}/snapshots/${segment(expression)}`
}

/** The URL for `ENV`, `ENV#N`, `FLOW/TRAIL` or a fingerprint in an org; without one, that of the org. */
export const of = (base: string, org: string, thing: string | undefined): string =>
  `${base.replace(/\/(?:api\/v2\/?)?$/, "")}/${segment(org)}${pathOf(thing)}`
