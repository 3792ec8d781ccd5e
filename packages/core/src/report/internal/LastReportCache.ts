/**
 * The last report of each environment that was found to say something new, by the environment's name.
 *
 * INVARIANT: it decides nothing. A report is read against it, which makes no difference to what the report says,
 * so an entry may be out of date, be gone, or be of a report that was never accepted.
 */
import type { EnvironmentKey } from "../../environment/Environment.js"
import * as BoundedCache from "../../shared/BoundedCache.js"
import type { ReportBaseline } from "./ReportBaseline.js"

/** So many characters of reports in all; with their rows, which are about as large, up to 50 MB. */
export const CHARACTERS_MAX = 10_000_000

/** The memory that an entry takes besides its text, in characters. */
const ENTRY_CHARACTERS = 500

/** Last reports by environment. */
export interface LastReportCache {
  readonly find: (key: EnvironmentKey) => ReportBaseline | undefined
  /** Replaces the entry of an environment; the entries that were written longest ago go first. */
  readonly keep: (key: EnvironmentKey, report: ReportBaseline) => void
}

/** An empty cache of at most so many characters. */
export const make = (charactersMax = CHARACTERS_MAX): LastReportCache => {
  const reports = BoundedCache.make<ReportBaseline>(
    charactersMax,
    ({ items }) => ENTRY_CHARACTERS + items.text.length
  )
  const keyOf = ({ org, name }: EnvironmentKey) => `${org} ${name}`
  return {
    find: (key) => reports.get(keyOf(key)),
    keep: (key, report) => void reports.set(keyOf(key), report)
  }
}
