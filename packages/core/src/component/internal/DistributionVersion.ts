/** The orders of versions of Debian and RPM: an epoch, the version of the program, and the one of its packaging. */
import { numbered, type Token, type Tokens, worded } from "./VersionTokens.js"

interface Split {
  readonly epoch: string
  readonly upstream: string
  readonly revision: string
}

/** Splits a version at its first colon and its last hyphen; null if the epoch is no number. */
const split = (version: string): Split | null => {
  const colon = version.indexOf(":")
  const hyphen = version.lastIndexOf("-")
  const epoch = version.slice(0, Math.max(colon, 0))
  const isSplit = hyphen > colon
  return /^\d*$/.test(epoch)
    ? {
        epoch,
        upstream: version.slice(colon + 1, isSplit ? hyphen : version.length),
        revision: isSplit ? version.slice(hyphen + 1) : ""
      }
    : null
}

const TILDE = 0
const END = 1

const debianCharacter = (character: string): Token =>
  character === "~"
    ? worded(TILDE, "")
    : worded(/[A-Za-z]/.test(character) ? END + 1 : END + 2, character)

/** Characters one by one, and after them the number, which is zero where there is none. */
const debianPart = (text: string): ReadonlyArray<Token> =>
  [...text.matchAll(/(\D*)(\d*)/g)]
    .filter(([match], index) => match !== "" || index === 0)
    .flatMap(([, characters = "", digits]) => [
      ...Array.from(characters, debianCharacter),
      numbered(END, digits)
    ])

/** Reads a version of Debian; null for another form. */
export const readDebian = (version: string): Tokens | null => {
  const parts = /^[0-9A-Za-z.+~:-]*$/.test(version) ? split(version) : null
  return parts === null
    ? null
    : {
        tokens: [
          numbered(END, parts.epoch),
          ...debianPart(parts.upstream),
          worded(END, ""),
          ...debianPart(parts.revision)
        ],
        endRank: END
      }
}

const rpmToken = (text: string): Token => {
  if (text === "~") return worded(TILDE, "")
  if (text === "^") return worded(END + 1, "")
  return /^\d/.test(text) ? numbered(END + 3, text) : worded(END + 2, text)
}

/** Runs of digits and runs of letters; every other character separates and counts for nothing. */
const rpmPart = (text: string): ReadonlyArray<Token> =>
  (text.match(/\d+|[A-Za-z]+|[~^]/g) ?? []).map(rpmToken)

/** Reads a version of RPM; null for another form. */
export const readRpm = (version: string): Tokens | null => {
  const parts = /^[!-~]*$/.test(version) ? split(version) : null
  return parts === null
    ? null
    : {
        tokens: [
          numbered(END, parts.epoch),
          ...rpmPart(parts.upstream),
          worded(END, ""),
          ...rpmPart(parts.revision)
        ],
        endRank: END
      }
}
