/** The state of a transparency log in words. Pure. */
import type { Log } from "../shared/Contract.js"

export const count = (entries: number): string =>
  `${entries.toLocaleString("en")} ${entries === 1 ? "entry" : "entries"}`

export type Line = readonly ["compliant" | "unknown" | "non-compliant", string]

export const stateText = (state: Log["state"]): Line => {
  switch (state) {
    case "current":
      return ["compliant", "signed, and up to date"]
    case "catching_up":
      return ["unknown", "catching up with the journal"]
    case "unsigned":
      return ["unknown", "not signed"]
    case "stopped":
      return ["non-compliant", "stopped: it does not continue what was signed"]
  }
}

const PUBLIC =
  "Public: anyone who reaches this server reads checkpoints, hashes, entries and proofs without signing in. "
const PRIVATE = "Private: members of this org alone read the log."

/** Who can read the log, in words. */
export const visibilityText = (visibility: Log["visibility"]): string =>
  visibility === "public" ? `${PUBLIC}Members alone read receipts and events.` : PRIVATE

const FILE = "a file outside of the database"

/** How a rollback of the log would be detected, in words. */
export const rollbackText = (detection: Log["rollback_detection"]): string => {
  switch (detection) {
    case "state_file":
      return `are noticed by ${FILE}`
    case "witness":
      return "are noticed by witnesses"
    case "both":
      return `are noticed by ${FILE} and by witnesses`
    case "none":
      return "would not be noticed after a restart: nothing outside of the database remembers checkpoints"
  }
}

/** The findings of the last verification, and the number of entries added since, in words. */
export const scrubText = ({ through, findings }: Log["scrub"], size: number): Line => {
  if (findings > 0) {
    const found = `${findings.toLocaleString("en")} ${findings === 1 ? "finding" : "findings"}`
    return ["non-compliant", `${found}: the operator runs attestry-server verify`]
  }
  if (through === null) return ["unknown", "not yet"]
  const since = size > through ? `, ${count(size - through)} since` : ""
  return ["compliant", `${count(through)}, nothing found${since}`]
}

/** The number of entries in all epochs, which a verification covers. */
export const sizeOf = ({ epochs }: Pick<Log, "epochs">): number =>
  epochs.reduce((sum, { size }) => sum + size, 0)

/** A page of entries: the index of its first, and how many it has. */
export interface EntryPage {
  readonly first: number
  readonly count: number
  readonly isNewest: boolean
}

/** The number of entries on a page. */
const PAGE = 20

/** The newest page of a log, or the one below the index in the URL. */
export const entryPage = (size: number, before: string | undefined): EntryPage => {
  const asked = /^[1-9][0-9]{0,14}$/.test(before ?? "") ? Number(before) : size
  const end = Math.min(asked, size)
  const first = Math.max(0, end - PAGE)
  return { first, count: end - first, isNewest: end === size }
}
