/** Warns that evidence is waiting in the spool, on stderr and in the summary and annotations of the CI job. */
import { announce } from "../job/JobSummary.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import * as ForeignText from "../shared/ForeignText.js"

/** Writes the warning. */
export const tell = async (
  context: CommandContext,
  args: Arguments,
  text: string
): Promise<void> => {
  context.output.warn(text)
  await announce(context, args, {
    markdown: `### Evidence waits on this machine\n\n${ForeignText.markdown(text)}\n\n`,
    annotations: [
      { level: "warning", title: "attestry", message: text, file: null, line: 1, column: 1 }
    ],
    outputs: {}
  })
}
