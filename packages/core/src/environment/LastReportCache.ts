/**
 * The reports that this process accepted last, by the names of their environments.
 *
 * What is remembered may be out of date at any time, because others accept reports too: it says where to
 * look first and what need not be read again, and decides nothing. DECISION B-123, B-124
 */
import * as Option from "effect/Option"
import * as BoundedCache from "../shared/BoundedCache.js"
import type { EnvironmentKey } from "./Environment.js"
import type { PhysicalKind } from "./EnvironmentKind.js"
import type { ReportDigests } from "./EnvironmentStore.js"
import type { ReportBaseline } from "./ReportBaseline.js"
import type { RunningSetOptions } from "./RunningRow.js"

/** A report that was accepted. */
export interface LastReport extends RunningSetOptions {
  readonly kind: PhysicalKind
  /** How it will be known again, where scaling is recorded as it was then. */
  readonly mark: ReportDigests
  readonly report: Option.Option<ReportBaseline>
}

/** So many characters of reports in all; with their rows, which are about as large, up to 50 MB. */
export const CHARACTERS_MAX = 10_000_000

/** What a report weighs of which nothing is kept but its digests. */
const BARE = 500

const sizeOf = ({ report }: LastReport): number =>
  BARE + Option.match(report, { onNone: () => 0, onSome: ({ items }) => items.text.length })

/** What is remembered. */
export interface LastReportCache {
  readonly find: (key: EnvironmentKey) => LastReport | undefined
  /** Remembers; the environments that were written longest ago are forgotten first. */
  readonly keep: (key: EnvironmentKey, accepted: LastReport) => void
  readonly forget: (key: EnvironmentKey) => void
}

/** An empty memory of at most so many characters. */
export const make = (charactersMax = CHARACTERS_MAX): LastReportCache => {
  const known = BoundedCache.make(charactersMax, sizeOf)
  const keyOf = ({ org, name }: EnvironmentKey) => `${org} ${name}`
  return {
    find: (key) => known.get(keyOf(key)),
    keep: (key, accepted) => void known.set(keyOf(key), accepted),
    forget: (key) => known.delete(keyOf(key))
  }
}
