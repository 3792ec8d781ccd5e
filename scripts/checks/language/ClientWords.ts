/**
 * Words of existing clients that the interface accepts beside its neutral ones, as data: they are those of two tables
 * of core, and stand in these tables alone. Tests take them from there.
 */
import { ALIASES as KINDS } from "../../../packages/core/src/environment/EnvironmentKind.js"
import { ALIASES as PROVIDERS } from "../../../packages/core/src/repo/RepoProvider.js"
import type { TextFile } from "../shared/Repository.js"

/** Every such word. */
export const CLIENT_WORDS: ReadonlyArray<string> = [...Object.keys(KINDS), ...PROVIDERS.keys()]

/** The files in which they may stand. */
export const CLIENT_WORD_FILES: ReadonlyArray<string> = [
  "packages/core/src/environment/EnvironmentKind.ts",
  "packages/core/src/repo/RepoProvider.ts"
]

/** How such a word stands in a table: in quotes, or as the key of a member. */
const placesOf = (word: string): ReadonlyArray<string> => [`"${word}"`, ` ${word}: `]

/** The words that a file has, at the places of a table. */
export const clientWordsIn = ({ text }: TextFile): ReadonlyArray<string> =>
  CLIENT_WORDS.filter((word) => placesOf(word).some((place) => text.includes(place)))
