/** Lints a template before it is sent, with core's parser, which is loaded on demand. */
import { CommandFailure } from "../shared/CommandFailure.js"

/** Fails for a template with problems. */
export const check = async (file: string, text: string): Promise<void> => {
  const { template } = await import("./DocumentLint.js")
  const problems = template(text)
  if (problems.length === 0) return
  throw new CommandFailure("usage", `${file} is no valid template of a flow`, {
    errors: Object.fromEntries(
      problems.map(({ line, column, message }) => [`${file}:${line}:${column}`, message])
    )
  })
}
