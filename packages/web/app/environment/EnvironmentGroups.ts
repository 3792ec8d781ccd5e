/** Groups environments on the overview: by logical environment or by the values of a tag. */
import type { Environment } from "../shared/Contract.js"

export interface EnvironmentGroup {
  readonly key: string
  /** Undefined if there is only one group, which needs no title. */
  readonly title: string | undefined
  /** The logical environment whose members the group has. */
  readonly logical: Environment | undefined
  readonly members: ReadonlyArray<Environment>
}

/** The value of the parameter `group` that turns grouping off. The default groups by logical environment. */
export const NO_GROUPS = "none"
/** The prefix of `group` that groups by the values of a tag. */
export const BY_TAG = "tag:"

const only = (members: ReadonlyArray<Environment>): ReadonlyArray<EnvironmentGroup> => [
  { key: "", title: undefined, logical: undefined, members }
]

const byLogical = (shown: ReadonlyArray<Environment>, all: ReadonlyArray<Environment>) => {
  const isShown = new Set(shown.map(({ name }) => name))
  const groups = all.flatMap((logical): ReadonlyArray<EnvironmentGroup> => {
    if (logical.included_environments === null) return []
    const included = new Set<string>(logical.included_environments)
    const members = shown.filter(({ name }) => included.has(name))
    return members.length === 0 && !isShown.has(logical.name)
      ? []
      : [{ key: logical.name, title: logical.name, logical, members }]
  })
  const grouped = new Set(all.flatMap(({ included_environments }) => included_environments ?? []))
  const rest = shown.filter(
    ({ name, included_environments }) => included_environments === null && !grouped.has(name)
  )
  if (groups.length === 0) return only(rest)
  return rest.length === 0
    ? groups
    : [...groups, { key: "", title: "Other environments", logical: undefined, members: rest }]
}

const byTag = (shown: ReadonlyArray<Environment>, tag: string) => {
  const values = new Map<string, Array<Environment>>()
  const without: Array<Environment> = []
  for (const environment of shown) {
    const value = new Map(Object.entries(environment.tags)).get(tag)
    if (value === undefined) without.push(environment)
    else values.set(value, [...(values.get(value) ?? []), environment])
  }
  const groups = [...values.keys()].sort().map(
    (value): EnvironmentGroup => ({
      key: value,
      title: `${tag}: ${value}`,
      logical: undefined,
      members: values.get(value) ?? []
    })
  )
  return without.length === 0
    ? groups
    : [...groups, { key: "", title: `without ${tag}`, logical: undefined, members: without }]
}

/** Groups `shown` in its order; `all` includes the logical environments. */
export const groupsOf = (
  shown: ReadonlyArray<Environment>,
  all: ReadonlyArray<Environment>,
  group: string | undefined
): ReadonlyArray<EnvironmentGroup> => {
  if (group === NO_GROUPS) return only(shown)
  return group?.startsWith(BY_TAG) === true
    ? byTag(shown, group.slice(BY_TAG.length))
    : byLogical(shown, all)
}
