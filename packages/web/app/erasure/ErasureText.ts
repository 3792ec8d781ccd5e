/** Erasures in words. Pure. */
import type { Erasure, MadeErasure } from "../shared/Contract.js"
import * as Shorten from "../shared/Shorten.js"

type Members = Erasure["erased"]

const membersOf = (entries: Members): number =>
  entries.reduce((sum, { pointers }) => sum + pointers.length, 0)

const counted = (count: number, one: string, many: string): string =>
  `${Shorten.count(count)} ${count === 1 ? one : many}`

/** The size of an erasure: `3 members in 2 entries`. */
export const sizeText = (entries: Members): string =>
  `${counted(membersOf(entries), "member", "members")} in ${counted(entries.length, "entry", "entries")}`

/** The last names of the pointers of an erasure, each once: `author, actor name`. */
export const namesText = ({ entries }: Pick<MadeErasure, "entries">): string => {
  const names = entries
    .flatMap(({ pointers }) => pointers)
    .map(
      (pointer) =>
        pointer
          .split("/")
          .filter((part) => !/^\d+$/.test(part))
          .at(-1) ?? pointer
    )
  return [...new Set(names)].join(", ")
}

/** The range of a search: `1,204 entries and 16 attached files were read.` */
export const searchedText = ({ searched }: Pick<Erasure, "searched">): string => {
  if (searched === null) return ""
  const entries = counted(searched.entries, "entry", "entries")
  const files = counted(searched.files, "attached file", "attached files")
  const rest = searched.complete ? "" : " More entries follow: erase these, then search again."
  return `${entries} and ${files} were read.${rest}`
}
