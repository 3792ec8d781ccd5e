/** The order of features inside core: each may import only from its left. */
import { posix } from "node:path"
import { at, type Finding } from "../shared/Finding.js"
import { importsOf } from "../shared/Imports.js"
import type { SourceFile } from "../shared/SourceFile.js"

/** The document that decides the order. */
export const DOCUMENT = "docs/ARCHITECTURE.md"

/** The features in the order of the document: names in code with an arrow between each two. */
export const ladderIn = (document: string): ReadonlyArray<string> => {
  const [, text = ""] =
    /features form a ladder[^\n]*\n+((?:`[a-z-]+`(?:\s+→\s+)?)+)/.exec(document) ?? []
  return [...text.matchAll(/`([a-z-]+)`/g)].flatMap(([, feature]) => feature ?? [])
}

const SOURCE = "packages/core/src/"

/** The feature of a file of core; none for the modules at the root, which put features together. */
const featureOf = (path: string): string | undefined => {
  const [feature, ...rest] = path.slice(SOURCE.length).split("/")
  return rest.length === 0 ? undefined : feature
}

/** Imports from the right, and features that the ladder does not name. */
export const rightward = (
  file: SourceFile,
  ladder: ReadonlyArray<string>
): ReadonlyArray<Finding> => {
  const feature = featureOf(file.path)
  if (feature === undefined) return []
  if (!ladder.includes(feature))
    return [at(file, 1, `belongs to \`${feature}\`, not on the ladder`)]
  return importsOf(file)
    .filter(({ specifier }) => specifier.startsWith("."))
    .flatMap(({ specifier, line }) => {
      const target = posix.join(posix.dirname(file.path), specifier)
      const other = featureOf(target)
      const isLeft = other !== undefined && ladder.indexOf(other) <= ladder.indexOf(feature)
      return isLeft
        ? []
        : [at(file, line, `imports \`${target.slice(SOURCE.length)}\` from its right`)]
    })
}
