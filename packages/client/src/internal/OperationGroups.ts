/** The operations of a client by group, from names such as `flow.put`. */

/** Operations by group, then by name. */
export interface OperationGroups<Call> {
  readonly [group: string]: { readonly [operation: string]: Call }
}

/** The operations of all names; groups and operations keep the order of the names. */
export const from = <Call>(
  names: ReadonlyArray<string>,
  make: (name: string) => Call
): OperationGroups<Call> => {
  const groups = new Map<string, Array<readonly [string, Call]>>()
  for (const name of names) {
    const [group = "", operation = ""] = name.split(".")
    groups.set(group, [...(groups.get(group) ?? []), [operation, make(name)]])
  }
  return Object.fromEntries(
    Array.from(groups, ([group, calls]) => [group, Object.fromEntries(calls)])
  )
}
