/** The hint for an unknown name on the command line or among settings. */
import * as NearestName from "@attestry/core/NearestName"

/** `: did you mean …?`, or an empty text. */
export const hint = (name: string, known: ReadonlyArray<string>): string => {
  const found = NearestName.find(name, known)
  return found === undefined ? "" : `: did you mean \`${found}\`?`
}
