/**
 * The command line that another command takes after `--`. It is read by the same grammar, so that it is the command
 * that would be run by itself; flags of every command may stand on either side of the `--`.
 */
import { type Arguments, commandOf, type Grammar, type Invocation, parse } from "./Arguments.js"
import { usage } from "./CommandFailure.js"

/** The flags of every command that the outer one was given, as words. */
const passedOn = ({ globals }: Grammar, args: Arguments): ReadonlyArray<string> =>
  globals.flatMap(({ name }) => args.texts(name).map((value) => `--${name}=${value}`))

/** The command in the positionals of another one; throws for words that are none. */
export const parseIn = (
  grammar: Grammar,
  args: Arguments
): Extract<Invocation, { readonly kind: "command" }> => {
  const words = args.positionals
  const flags = commandOf(grammar, words)?.flags ?? []
  // A run in a CI does not report a write that was not sent.
  const isTelling = flags.some(({ name }) => name === "no-ci") && !words.includes("--no-ci")
  const more = isTelling ? ["--no-ci"] : []
  const invocation = parse(grammar, [...passedOn(grammar, args), ...more, ...words])
  if (invocation.kind === "command") return invocation
  throw usage("COMMAND is no command that writes", "see: attestry propose --help")
}
