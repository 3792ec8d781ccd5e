/** The modules of core and their order: a feature imports its own module and the modules before it. */
import { posix } from "node:path"
import { at, type Finding } from "../shared/Finding.js"
import { importsOf } from "../shared/Imports.js"
import type { SourceFile } from "../shared/SourceFile.js"

/** The document that decides the order. */
export const DOCUMENT = "docs/ARCHITECTURE.md"

/** A module and its features. */
export interface Module {
  readonly name: string
  readonly features: ReadonlyArray<string>
}

const words = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/`([a-z-]+)`/g)].flatMap(([, word]) => word ?? [])

/** The modules of the document's table, first to last. */
export const modulesIn = (document: string): ReadonlyArray<Module> => {
  const [, table = ""] =
    /\| Module \| Features \|[^\n]*\n\|[-|]+\n((?:\|[^\n]*\n)+)/.exec(document) ?? []
  return table
    .trim()
    .split("\n")
    .map((row) => {
      const [, name = "", features = ""] = row.split("|")
      return { name: words(name)[0] ?? "", features: words(features) }
    })
}

const SOURCE = "packages/core/src/"

/** The feature of a file of core; none for the files at the root, which put features together. */
const featureOf = (path: string): string | undefined => {
  const [feature, ...rest] = path.slice(SOURCE.length).split("/")
  return rest.length === 0 ? undefined : feature
}

/** Imports from later modules, and features without a module. */
export const fromLaterModules = (
  file: SourceFile,
  modules: ReadonlyArray<Module>
): ReadonlyArray<Finding> => {
  const placeOf = (feature: string | undefined) =>
    modules.findIndex(({ features }) => feature !== undefined && features.includes(feature))
  const feature = featureOf(file.path)
  if (feature === undefined) return []
  const own = placeOf(feature)
  if (own < 0) return [at(file, 1, `belongs to \`${feature}\`, which is in no module`)]
  return importsOf(file)
    .filter(({ specifier }) => specifier.startsWith("."))
    .flatMap(({ specifier, line }) => {
      const target = posix.join(posix.dirname(file.path), specifier)
      const place = placeOf(featureOf(target))
      return place >= 0 && place <= own
        ? []
        : [at(file, line, `imports \`${target.slice(SOURCE.length)}\` of a later module`)]
    })
}
