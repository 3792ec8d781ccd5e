/**
 * Controls as a list of entries, from which everything else derives.
 *
 * Slow and plain; `Control` and `ControlCoverage` must agree with it.
 */
import type * as Control from "@attestry/core/Control"
import type * as ControlCoverage from "@attestry/core/ControlCoverage"
import type { Environment } from "@attestry/core/Environment"
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

/** Whether one of some policies is attached to an environment and does not only warn. */
const enforces = (environment: Environment, policies: ReadonlyArray<string>): boolean => {
  for (const policy of environment.policies) {
    if (policies.includes(policy) && environment.policy_modes?.[policy] !== "warn") return true
  }
  return false
}

/** How many of the environments that are not logical enforce one of each set of policies. */
export const countEnforcing = (
  environments: ReadonlyArray<Environment>,
  sets: ReadonlyArray<ReadonlyArray<string>>
) => {
  const enforcing = sets.map(() => 0)
  let total = 0
  for (const environment of environments) {
    if (environment.type === "logical") continue
    total += 1
    for (const [at, policies] of sets.entries()) {
      if (enforces(environment, policies)) enforcing[at] = (enforcing[at] ?? 0) + 1
    }
  }
  return { total, enforcing }
}

/** The names of one page of the environments that are not logical and pass, and how many pass. */
export const listEnforcing = (
  environments: ReadonlyArray<Environment>,
  asked: {
    readonly policies: ReadonlyArray<string>
    readonly is: boolean | undefined
    readonly search: string | undefined
  },
  { page, perPage }: { readonly page: number; readonly perPage: number }
) => {
  const names: Array<string> = []
  for (const environment of environments) {
    if (environment.type === "logical") continue
    if (asked.is !== undefined && enforces(environment, asked.policies) !== asked.is) continue
    if (!environment.name.toLowerCase().includes((asked.search ?? "").toLowerCase())) continue
    names.push(environment.name)
  }
  return { total: names.length, names: names.sort().slice((page - 1) * perPage, page * perPage) }
}

/** The policies that cover each environment. */
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
