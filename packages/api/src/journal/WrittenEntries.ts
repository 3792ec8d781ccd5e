/**
 * Remembers the entries that a caller wrote: `Attestry-Entries` of an answer is sent as `Attestry-After` later.
 * SPEC §1.9
 *
 * The newest entries are enough: commits keep their order, so a request that was sent after an answer had arrived
 * proves that answer. Requests that were under way together prove nothing about each other: both entries are kept.
 */

/** The header of answers to writes, with the entries that they recorded. */
export const ENTRIES_HEADER = "attestry-entries"

/** The header of requests, with the entries that their answer must show. */
export const AFTER_HEADER = "attestry-after"

/** The most entries of an org that are kept; more writes than that under way together are not all shown. */
export const KEPT_MAX = 50

/** The most orgs of which entries are kept. */
const ORGS_MAX = 1_000

/** An entry, and when the answer that names it arrived. */
export interface KeptEntry {
  readonly id: string
  readonly arrivedAt: number
}

/** The entries that are kept of each org. */
export type KeptEntries = ReadonlyMap<string, ReadonlyArray<KeptEntry>>

const ORG = /\/api\/v2\/[^/?]+\/([^/?]+)/

/** The org of a URL or of a path; undefined where it names none. */
export const orgOf = (url: string): string | undefined => ORG.exec(url)?.[1]

/** Adds the last entry of an answer, which proves the others of its request, to the kept ones. */
export const added = (
  kept: KeptEntries,
  {
    org,
    header,
    sentAt,
    arrivedAt
  }: {
    readonly org: string
    readonly header: string
    readonly sentAt: number
    readonly arrivedAt: number
  }
): KeptEntries => {
  const ids = header.split(",").flatMap((id) => (id.trim() === "" ? [] : [id.trim()]))
  const id = ids.at(-1)
  if (id === undefined) return kept
  const besides = (kept.get(org) ?? []).filter((each) => each.arrivedAt > sentAt && each.id !== id)
  const all = [...besides, { id, arrivedAt }].slice(-KEPT_MAX)
  const others = [...kept].filter(([name]) => name !== org).slice(1 - ORGS_MAX)
  return new Map([...others, [org, all]])
}

/** The header of a request about an org; undefined where nothing is kept of it. */
export const headerOf = (kept: KeptEntries, org: string): string | undefined =>
  kept
    .get(org)
    ?.map(({ id }) => id)
    .join(", ")

/** One attempt of a request. */
export interface WatchedAttempt {
  /** The headers to send. */
  readonly headers: { readonly [AFTER_HEADER]?: string }
  /** Takes the header `Attestry-Entries` of the answer. */
  readonly arrived: (entries: string | null | undefined) => void
}

/** Remembers what is written through it. */
export interface WrittenEntries {
  readonly begin: (url: string) => WatchedAttempt
}

/** Where entries are kept. */
export interface Keeping {
  readonly get: () => KeptEntries
  readonly set: (kept: KeptEntries) => void
}

/** Keeps entries for as long as the value exists. */
export const inMemory = (): Keeping => {
  let kept: KeptEntries = new Map()
  return {
    get: () => kept,
    set: (next) => {
      kept = next
    }
  }
}

/** Remembers what is written; the clock must be one for all who keep entries at the same place. */
export const make = (now: () => number, { get, set }: Keeping = inMemory()): WrittenEntries => ({
  begin: (url) => {
    const org = orgOf(url)
    if (org === undefined) return { headers: {}, arrived: () => {} }
    const sentAt = now()
    const after = headerOf(get(), org)
    return {
      headers: after === undefined ? {} : { [AFTER_HEADER]: after },
      arrived: (header) => {
        if (typeof header !== "string") return
        set(added(get(), { org, header, sentAt, arrivedAt: now() }))
      }
    }
  }
})
