/** Commands of the command line for this deployment and org. They never contain a key. */
import * as ShellWord from "@attestry/core/ShellWord"

/** The command of some words, which asks this deployment whatever the machine is set to. */
export const attestryLine = (
  words: ReadonlyArray<string>,
  { url, org }: { readonly url: string; readonly org: string }
): string => ShellWord.line([...words, "--org", org, "--url", url])
