/** Words for a person that is not named, where a document should name a role, a caller or a process. */
import { at, type Finding } from "../shared/Finding.js"
import type { TextFile } from "../shared/Repository.js"

const VAGUE = /\b(?:whoever|whomever|nobody|somebody|anybody|everybody)\b/i

/** Code and what stands in quotes: names of accounts, and words that are spoken of. */
const QUOTED = /`[^`]*`|"[^"]*"/g

/** Lines with such a word. */
export const vague = (file: TextFile): ReadonlyArray<Finding> =>
  file.text.split("\n").flatMap((line, index) => {
    const [word] = VAGUE.exec(line.replaceAll(QUOTED, "")) ?? []
    return word === undefined ? [] : [at(file, index + 1, `says \`${word}\``)]
  })
