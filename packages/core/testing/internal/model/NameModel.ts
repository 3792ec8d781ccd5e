/** Names as stores keep them: a table of names that things have, and one of names that they had. */

/** Something that happens to a thing. */
export interface NameEvent {
  readonly at: number
  readonly id: string
  /** The name that the thing has from here on. */
  readonly name: string
  readonly isArchived: boolean
}

/** The thing that a name leads to after events, in order. */
export const holder = (
  events: ReadonlyArray<NameEvent>,
  asked: { readonly name: string; readonly keepsArchived: boolean }
): string | undefined => {
  const present = new Map<string, string>()
  const former = new Map<string, string>()
  for (const { id, isArchived, name } of events) {
    const before = [...present].find(([, holding]) => holding === id)?.[0]
    former.delete(name)
    if (before !== undefined && before !== name) {
      present.delete(before)
      former.set(before, id)
    }
    if (isArchived && !asked.keepsArchived)
      for (const [old, holding] of former) if (holding === id) former.delete(old)
    present.set(name, id)
  }
  return present.get(asked.name) ?? former.get(asked.name)
}
