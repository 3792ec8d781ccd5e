/** `attestry` commands for this deployment and org. They never contain a key. */
import * as ShellWord from "@attestry/core/ShellWord"

/** The command for some arguments, with the deployment and, if it needs one, the org. */
export const attestryLine = (
  words: ReadonlyArray<string>,
  { url, org }: { readonly url: string; readonly org: string | undefined }
): string => ShellWord.line([...words, ...(org === undefined ? [] : ["--org", org]), "--url", url])
