/**
 * The reports that this process accepted last, by the names of their environments.
 *
 * What is remembered may be out of date at any time, because others accept reports too: it says where to
 * look first and what need not be read again, and decides nothing. DECISION B-123, B-124
 */
import * as Option from "effect/Option"
import * as Remembered from "../shared/Remembered.js"
import type { EnvironmentKey } from "./Environment.js"
import type { PhysicalKind } from "./EnvironmentKind.js"
import type { ReportMark } from "./EnvironmentStore.js"
import type { KnownReport } from "./KnownReport.js"
import type { RunningSetOptions } from "./RunningRow.js"

/** A report that was accepted. */
export interface AcceptedReport extends RunningSetOptions {
  readonly kind: PhysicalKind
  /** How it will be known again, where scaling is recorded as it was then. */
  readonly mark: ReportMark
  readonly report: Option.Option<KnownReport>
}

/** So many characters of reports in all; with their rows, which are about as large, up to 50 MB. */
export const CHARACTERS_MAX = 10_000_000

/** What a report weighs of which nothing is kept but its digests. */
const BARE = 500

const sizeOf = ({ report }: AcceptedReport): number =>
  BARE + Option.match(report, { onNone: () => 0, onSome: ({ items }) => items.text.length })

/** What is remembered. */
export interface AcceptedReports {
  readonly find: (key: EnvironmentKey) => AcceptedReport | undefined
  /** Remembers; the environments that were written longest ago are forgotten first. */
  readonly keep: (key: EnvironmentKey, accepted: AcceptedReport) => void
  readonly forget: (key: EnvironmentKey) => void
}

/** An empty memory of at most so many characters. */
export const make = (charactersMax = CHARACTERS_MAX): AcceptedReports => {
  const known = Remembered.make(charactersMax, sizeOf)
  const keyOf = ({ org, name }: EnvironmentKey) => `${org} ${name}`
  return {
    find: (key) => known.get(keyOf(key)),
    keep: (key, accepted) => void known.keep(keyOf(key), accepted),
    forget: (key) => known.forget(keyOf(key))
  }
}
