/** Commands of the command line for this deployment and org. They never contain a key. */
import * as ShellWord from "@attestry/core/ShellWord"

/** The command of some words, for this deployment and, if it concerns one, this org. */
export const attestryLine = (
  words: ReadonlyArray<string>,
  { url, org }: { readonly url: string; readonly org: string | undefined }
): string => ShellWord.line([...words, ...(org === undefined ? [] : ["--org", org]), "--url", url])
