/**
 * Finds commands by words that are not their names: products, vendors, and the specification's words. Help and the
 * failure for an unknown command use it. Pure.
 */
import * as NearestName from "@attestry/core/NearestName"
import { type CommandSpec, nameOf } from "./CommandSpec.js"

type Commands = ReadonlyArray<CommandSpec>

/** The words by which a command is found, beside its first word. */
const namesOf = ({ words, aliases = [], keywords = [] }: CommandSpec): ReadonlyArray<string> => [
  ...words.slice(1),
  ...aliases,
  ...keywords
]

const isShown = (command: CommandSpec): boolean => !nameOf(command).startsWith("__")

/** The commands that have the words as one name, or have each of them as a part of a name. */
const matching = (commands: Commands, words: ReadonlyArray<string>): Commands => {
  const whole = words.join("-")
  const named = commands.filter((command) => namesOf(command).includes(whole))
  if (named.length > 0) return named
  return commands.filter((command) => {
    const parts = namesOf(command).flatMap((name) => [name, ...name.split("-")])
    return words.every((word) => parts.includes(word))
  })
}

/**
 * The commands of a group that the words after it find; commands of other groups if it has none. The group is the
 * first word, if it is one.
 */
export const find = (commands: Commands, words: ReadonlyArray<string>): Commands => {
  const shown = commands.filter(isShown)
  const [group = ""] = words
  const inGroup = shown.filter((command) => command.words.length > 1 && command.words[0] === group)
  const rest = (inGroup.length === 0 ? words : words.slice(1)).map((word) => word.toLowerCase())
  if (rest.length === 0) return []
  const own = matching(inGroup, rest)
  return own.length > 0 ? own : matching(shown, rest)
}

/** The name or keyword that comes closest to a misspelt one. */
export const nearest = (commands: Commands, word: string): string | undefined =>
  NearestName.find(word, [...new Set(commands.filter(isShown).flatMap(namesOf))])
