/**
 * The names that things had → the thing that a name led to at an instant. SPEC §4.5. DECISIONS.md, "Old names keep
 * working"
 *
 * Pure. A name leads to the thing that has it, or else to the one that last had it. `testing/internal/model/NameModel`
 * is the slow model.
 */
import * as CommitPosition from "../../shared/CommitPosition.js"
import type { Timestamp } from "../../shared/Timestamp.js"

/** A name of a thing, from a change of the thing until the next. */
export interface NamedVersion extends CommitPosition.CommitPosition {
  readonly name: string
  readonly archived_at: Timestamp | null
}

/** The versions of one thing, oldest first. */
export interface NamedHistory<Id, Version extends NamedVersion> {
  readonly id: Id
  readonly versions: ReadonlyArray<Version>
}

/** The thing that a name led to, and its version. */
export interface Holder<Id, Version extends NamedVersion> {
  readonly id: Id
  readonly version: Version
}

const isLater = (left: NamedVersion, right: NamedVersion): boolean => left.position > right.position

/**
 * The thing that a name led to at an instant; undefined without one. Former names of an archived thing lead to it only
 * where `keepsArchived`.
 */
export const holderAt = <Id, Version extends NamedVersion>(
  things: ReadonlyArray<NamedHistory<Id, Version>>,
  asked: { readonly name: string; readonly instant: Timestamp; readonly keepsArchived: boolean }
): Holder<Id, Version> | undefined => {
  const by = CommitPosition.asOf(asked.instant)
  let last: (Holder<Id, Version> & { readonly named: NamedVersion }) | undefined
  for (const { id, versions } of things) {
    const visible = versions.filter((version) => CommitPosition.isVisible(version, by))
    const version = visible.at(-1)
    const named = visible.filter(({ name }) => name === asked.name).at(-1)
    if (version === undefined || named === undefined) continue
    // INVARIANT: at most one thing has a name, so the thing that got it last has it.
    if (last === undefined || isLater(named, last.named)) last = { id, version, named }
  }
  if (last === undefined) return undefined
  const { id, version } = last
  const isFormer = version.name !== asked.name
  return isFormer && version.archived_at !== null && !asked.keepsArchived
    ? undefined
    : { id, version }
}
