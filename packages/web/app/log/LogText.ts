/** What the page of a log says about its state, in words. Pure. */

/** How far the servers have verified a log in the background. */
export interface Scrub {
  /** The size up to which it was verified; null before the first time. */
  readonly through: number | null
  /** When that ended, in seconds; null while the first time is under way. */
  readonly finished_at: number | null
  readonly findings: number
}

/** A number of entries in words. */
export const count = (entries: number): string =>
  `${entries.toLocaleString("en")} ${entries === 1 ? "entry" : "entries"}`

/** A verdict and what it is about. */
export type Told = readonly ["compliant" | "unknown" | "non-compliant", string]

/** The state of a log in words; one that these pages do not know is shown as it is. */
export const stateText = (state: string): Told => {
  switch (state) {
    case "current":
      return ["compliant", "signed, and up to date"]
    case "catching_up":
      return ["unknown", "catching up with entries of before the log"]
    case "unsigned":
      return ["unknown", "not signed"]
    case "stopped":
      return ["non-compliant", "stopped: it does not continue what was signed"]
    default:
      return ["unknown", state]
  }
}

const FILE = "a file outside of the database"

/** What notices a log that was set back, in words. */
export const rollbackText = (detection: string): string => {
  switch (detection) {
    case "state_file":
      return `are noticed by ${FILE}`
    case "witness":
      return "are noticed by witnesses"
    case "both":
      return `are noticed by ${FILE} and by witnesses`
    default:
      return "would not be noticed after a restart: nothing outside of the database remembers checkpoints"
  }
}

const isSize = (value: unknown): value is number | null =>
  value === null || (typeof value === "number" && value >= 0)

/** What a log says about its verification; undefined where the server does not tell. */
export const scrubOf = (log: object): Scrub | undefined => {
  const scrub: unknown = "scrub" in log ? log.scrub : undefined
  if (typeof scrub !== "object" || scrub === null) return undefined
  if (!("through" in scrub && "finished_at" in scrub && "findings" in scrub)) return undefined
  const { through, finished_at, findings } = scrub
  return isSize(through) && isSize(finished_at) && typeof findings === "number"
    ? { through, finished_at, findings }
    : undefined
}

/** What the last verification found, in words. */
export const scrubText = ({ through, findings }: Scrub): Told => {
  if (findings > 0) {
    const found = `${findings.toLocaleString("en")} ${findings === 1 ? "finding" : "findings"}`
    return ["non-compliant", `${found}: the operator runs attestry-server verify`]
  }
  return through === null
    ? ["unknown", "not yet"]
    : ["compliant", `${count(through)}, nothing found`]
}

/** How many entries wait to become leaves; 0 where the server does not tell. */
export const pendingOf = (log: object): number =>
  "pending" in log && typeof log.pending === "number" ? log.pending : 0
