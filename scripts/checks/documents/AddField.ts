/** The walk of CONTRIBUTING's section "Add a field": the files of its table, and those that spell every setting. */
import type { TextFile } from "../shared/Repository.js"

/** The page. */
export const DOCUMENT = "CONTRIBUTING.md"

/** The module whose settings the page walks along. */
export const SETTINGS = "packages/core/src/environment/Environment.ts"

const sectionOf = (page: string): string =>
  page.split(/^## /m).find((each) => each.startsWith("Add a field")) ?? ""

/** The files of the table. */
export const filesIn = (page: string): ReadonlyArray<string> =>
  [...sectionOf(page).matchAll(/^\| `([^`]+)` \|/gm)].map(([, path = ""]) =>
    path.startsWith("docs/") ? path : `packages/${path}`
  )

const WORDS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten"
]

/** The number of files that the page speaks of. */
export const countIn = (page: string): number =>
  WORDS.indexOf(/as the example: (\w+) files/.exec(sectionOf(page))?.[1] ?? "")

/** The names of the settings. */
export const settingsIn = (module: string): ReadonlyArray<string> => {
  const [, body = ""] =
    /EnvironmentSettings = Schema\.Struct\(\{\n([\s\S]*?)\n\}\)/.exec(module) ?? []
  return [...body.matchAll(/^ {2}(\w+):/gm)].map(([, name = ""]) => name)
}

/** Whether a file changes with every new setting: it spells all of them, or takes the fields of the schema. */
export const spells =
  (settings: ReadonlyArray<string>) =>
  ({ path, text }: TextFile): boolean =>
    settings.every((name) => new RegExp(`\\b${name}\\b`).test(text)) ||
    (path.includes("-store/src/") && /\bEnvironmentSettings\b/.test(text))
