/**
 * The sources of a setting: configuration file, environment variable, flag; later ones win. Files suit people,
 * variables containers, flags a quick try.
 *
 * The key of the file and the flag derive from the variable's name.
 */

/** The prefix of every variable. */
export const PREFIX = "ATTESTRY_"

const words = (variable: string): ReadonlyArray<string> =>
  variable.slice(PREFIX.length).toLowerCase().split("_")

/** `ATTESTRY_DATA_DIR` is `--data-dir` on the command line. */
export const flagOf = (variable: string): string => words(variable).join("-")

/** `ATTESTRY_DATA_DIR` is `dataDir` in the file. */
export const fileKeyOf = (variable: string): string =>
  words(variable)
    .map((word, position) => (position === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("")

/** The given values, by source. */
export interface Sources {
  readonly file: ReadonlyMap<string, string>
  readonly variables: { readonly [name: string]: string | undefined }
  readonly flags: ReadonlyMap<string, string>
}

/** The effective value of a setting, with the name under which it was given. */
export const pick = (
  variable: string,
  { file, variables, flags }: Sources
): { readonly value: string; readonly givenAs: string } | undefined => {
  const flag = flags.get(flagOf(variable))
  if (flag !== undefined) return { value: flag, givenAs: `--${flagOf(variable)}` }
  const set = variables[variable]
  if (set !== undefined && set !== "") return { value: set, givenAs: variable }
  const key = file.get(fileKeyOf(variable))
  return key === undefined ? undefined : { value: key, givenAs: fileKeyOf(variable) }
}
