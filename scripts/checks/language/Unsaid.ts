/**
 * Words that this repository does not say, kept as digests so that it does not say them here either.
 *
 * A word is a run of letters and digits, or a part of one that its capitals mark; case does not matter.
 */
import { createHash } from "node:crypto"
import { at, type Finding } from "../shared/Finding.js"
import type { TextFile } from "../shared/Repository.js"

/** Brands of clouds and of chat services, for which the interface has neutral words. */
const BRANDS = [
  "f2113973728a2f8f",
  "7d1507284a5757ca",
  "cbc62794911ff31b",
  "79f43c3b9c23fbdf",
  "3347d0bdd97e6df8",
  "bbdefa2950f49882",
  "9fbf261b62c1d7c0",
  "d940b56413af5848",
  "6e884711fb5f5560",
  "b075b18d6e273c80",
  "3a411453de93808e",
  "554e79e652b29f3a",
  "d7499bbe2ccfee41",
  "04c85e689ed6ced4",
  "877c3aec832cd410",
  "b840b69868044153",
  "e1ba4807a15d8579",
  "f1b7401bf3d4b49f"
]

/** Tools of a workplace; the repository is about its subject. */
const TOOLS = [
  "c857d09db23e6822",
  "c70eca6b0f88f44d",
  "7d3194f79e645c42",
  "60965168ce762e94",
  "3ea125d0bff386e6",
  "5d72436256ada538",
  "57de4cf40144bdf7",
  "053ea4804ef1bb33",
  "487b91042c7cf27a",
  "de2187af3fb01170",
  "94a168d2da574b00",
  "d298391b07433318"
]

const DIGEST_LENGTH = 16

/** The digest of a word. */
export const digestOf = (word: string): string =>
  createHash("sha256").update(word).digest("hex").slice(0, DIGEST_LENGTH)

/** The words of a text: `CloudApps_x` says `cloudapps`, `cloud`, `apps` and `x`. */
export const wordsIn = (text: string): ReadonlyArray<string> =>
  text
    .split(/[^A-Za-z0-9]+/)
    .flatMap((run) => [run, ...run.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)])
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase())

/** Makes a rule that knows the digests it has computed. */
export const unsaid = (digests: ReadonlyArray<string> = [...BRANDS, ...TOOLS]) => {
  const refused = new Set(digests)
  const known = new Map<string, boolean>()
  const isRefused = (word: string): boolean => {
    const before = known.get(word)
    if (before !== undefined) return before
    const found = refused.has(digestOf(word))
    known.set(word, found)
    return found
  }
  return (file: TextFile): ReadonlyArray<Finding> => [
    ...(wordsIn(file.path).some(isRefused)
      ? [at(file, 0, "has a name with a word that is not said here")]
      : []),
    ...file.text
      .split("\n")
      .flatMap((line, index) =>
        wordsIn(line).some(isRefused)
          ? [at(file, index + 1, "has a word that is not said here")]
          : []
      )
  ]
}
