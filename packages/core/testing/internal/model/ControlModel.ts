/**
 * Controls as a list of entries, from which everything else derives.
 *
 * Slow and plain; `Control` and `ControlCoverage` must agree with it.
 */
import type * as Control from "@attestry/core/Control"
import type * as ControlCoverage from "@attestry/core/ControlCoverage"
import type { ControlCommand } from "../../arbitrary/Control.js"

/** An entry, without actor and instant. */
export interface Entry {
  readonly version: number
  readonly kind: Control.VersionKind
  readonly definition: Control.Definition
}

const same = (left: Control.Definition, right: Control.Definition): boolean => {
  const text = ({ name, description, links }: Control.Definition) =>
    JSON.stringify([name, description, Object.entries(links).sort()])
  return text(left) === text(right)
}

/** Whether the last entry about archiving is `Archived`. */
export const isArchived = (entries: ReadonlyArray<Entry>): boolean =>
  entries.reduce(
    (before, { kind }) => (kind === "Archived" ? true : kind === "Unarchived" ? false : before),
    false
  )

/** The entries after a command, or `refused`. */
export const step = (
  entries: ReadonlyArray<Entry>,
  command: ControlCommand
): ReadonlyArray<Entry> | "refused" => {
  const last = entries[entries.length - 1]
  if (last === undefined) return "refused"
  const add = (kind: Control.VersionKind, definition: Control.Definition) => [
    ...entries,
    { version: entries.length + 1, kind, definition }
  ]
  const archived = isArchived(entries)
  if (command.do === "archive") return archived ? entries : add("Archived", last.definition)
  if (command.do === "unarchive") return archived ? add("Unarchived", last.definition) : entries
  if (archived) return "refused"
  const next = { ...last.definition, ...command.patch }
  return same(next, last.definition) ? entries : add("Edited", next)
}

/** The covered environments with their policies. */
export const coverage = (
  environments: ReadonlyArray<ControlCoverage.ConsumingEnvironment>,
  naming: ReadonlyArray<string>
): { readonly [environment: string]: ReadonlyArray<string> } => {
  const found: { [environment: string]: ReadonlyArray<string> } = {}
  for (const { name, policies } of environments) {
    const covering: Array<string> = []
    for (const policy of policies) {
      if (naming.includes(policy) && !covering.includes(policy)) covering.push(policy)
    }
    found[name] = covering.sort()
  }
  return found
}
