/**
 * Rules about any text of the repository: nothing unfinished, nothing of one machine.
 *
 * The words are put together here, so that this file does not find itself.
 */
import { at, type Finding } from "../shared/Finding.js"
import type { TextFile } from "../shared/Repository.js"

const matches = (file: TextFile, pattern: RegExp, says: string): ReadonlyArray<Finding> =>
  file.text
    .split("\n")
    .flatMap((line, index) => (pattern.test(line) ? [at(file, index + 1, says)] : []))

const UNFINISHED = new RegExp(
  `\\b(?:${["TO", "FIX", "XX", "HA"].map((start, index) => start + ["DO", "ME", "X", "CK"][index]).join("|")})\\b`
)

/** Marks of something that was put off. */
export const unfinished = (file: TextFile): ReadonlyArray<Finding> =>
  matches(file, UNFINISHED, "has a mark of something unfinished")

const FOLDERS = ["work", "home", "root", "Users", "mnt", "opt", "private/var"]
const MACHINE_PATH = new RegExp(
  `(?:^|[^\\w.}/-])/(?:${FOLDERS.join("|")})/[\\w.-]|\\b[A-Z]:\\\\\\w`
)

/** Paths that exist on one machine only. */
export const machinePaths = (file: TextFile): ReadonlyArray<Finding> =>
  matches(file, MACHINE_PATH, "names a folder of one machine")
