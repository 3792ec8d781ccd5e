/**
 * Finds the resource to which a name resolved at an instant. SPEC §4.5. DECISIONS.md, "Old names keep working"
 *
 * Pure. A name resolves to the resource that has it, else to the one that last had it.
 * `testing/internal/model/NameModel` is the slow reference model.
 */
import * as CommitPosition from "../../shared/CommitPosition.js"
import type { Timestamp } from "../../shared/Timestamp.js"

/** A name of a resource, from one change until the next. */
export interface NamedVersion extends CommitPosition.CommitPosition {
  readonly name: string
  readonly archived_at: Timestamp | null
}

/** The versions of one resource, oldest first. */
export interface NamedHistory<Id, Version extends NamedVersion> {
  readonly id: Id
  readonly versions: ReadonlyArray<Version>
}

/** The resource to which a name resolved, and its version. */
export interface Holder<Id, Version extends NamedVersion> {
  readonly id: Id
  readonly version: Version
}

const isLater = (left: NamedVersion, right: NamedVersion): boolean => left.position > right.position

/**
 * The resource to which a name resolved at an instant; undefined if there is none. Former names of an archived
 * resource resolve only if `keepsArchived`.
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
    // INVARIANT: at most one resource has a name at a time, so the one that got it last has it.
    if (last === undefined || isLater(named, last.named)) last = { id, version, named }
  }
  if (last === undefined) return undefined
  const { id, version } = last
  const isFormer = version.name !== asked.name
  return isFormer && version.archived_at !== null && !asked.keepsArchived
    ? undefined
    : { id, version }
}
