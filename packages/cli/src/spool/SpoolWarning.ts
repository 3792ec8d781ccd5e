/** A warning that a person sees: on stderr, and as an annotation where the CI has them. */
import type { CommandContext } from "../shared/CommandContext.js"
import { variable } from "../shared/Host.js"

const CONTROL = /\p{Cc}+/gu

/** The line that a CI makes an annotation of; undefined elsewhere. */
const annotationOf = ({ host }: CommandContext, text: string): string | undefined => {
  const plain = text.replaceAll(CONTROL, " ")
  if (variable(host, "GITHUB_ACTIONS") === "true")
    return `::warning title=attestry::${plain.replaceAll("%", "%25")}`
  if (variable(host, "TF_BUILD") !== undefined)
    return `##vso[task.logissue type=warning]attestry: ${plain.replaceAll("%", "%AZP25")}`
  return undefined
}

/** Tells a warning. */
export const tell = async (context: CommandContext, text: string): Promise<void> => {
  context.output.warn(text)
  if (variable(context.host, "ATTESTRY_CI") === "off") return
  const line = annotationOf(context, text)
  if (line !== undefined) context.host.stderr.write(`${line}\n`)
}
