/** The table of all operations: the command and the pages that call each, or the reason for neither. Pure. */

/** The callers of operations. */
export interface Callers {
  /** Each operation with its method and path. */
  readonly operations: { readonly [name: string]: string }
  /** The files of the command line and of the pages that call an operation. */
  readonly commandLine: ReadonlyMap<string, ReadonlyArray<string>>
  readonly pages: ReadonlyMap<string, ReadonlyArray<string>>
  /** The words of the command that calls an operation. */
  readonly commandOf: ReadonlyMap<string, string>
  /** The words of every command. */
  readonly commands: ReadonlySet<string>
  readonly reasons: ReadonlyMap<string, string>
}

const problemOf = (callers: Callers, name: string): string | undefined => {
  const { commandLine, pages, commandOf, commands, reasons } = callers
  const isCalled = commandLine.has(name) || pages.has(name)
  const command = commandOf.get(name)
  if (isCalled && reasons.has(name)) return `${name} has a reason and is called`
  if (!isCalled && !reasons.has(name)) return `${name} has neither a command, a page nor a reason`
  if (commandLine.has(name) && command === undefined) return `${name} is called by no named command`
  if (command !== undefined && !commandLine.has(name))
    return `${name} is not called by the command line, as \`attestry ${command}\` would`
  return command === undefined || commands.has(command)
    ? undefined
    : `${name}: there is no command \`attestry ${command}\``
}

/** Operations without a caller and a reason, reasons and commands that are not true, and unknown operations. */
export const problems = (callers: Callers): ReadonlyArray<string> => {
  const names = Object.keys(callers.operations)
  const known = new Set(names)
  const unknown = [...callers.reasons.keys(), ...callers.commandOf.keys()].filter(
    (name) => !known.has(name)
  )
  return [
    ...names.flatMap((name) => problemOf(callers, name) ?? []),
    ...unknown.map((name) => `${name} is no operation`)
  ]
}

/** The feature of a page, which is its folder. */
const featureOf = (path: string): string =>
  path.replace("packages/web/app/", "").split("/")[0] ?? ""

const rowOf = (callers: Callers, [name, request]: readonly [string, string]): string => {
  const command = callers.commandOf.get(name)
  const features = new Set((callers.pages.get(name) ?? []).map(featureOf))
  const cells = [
    `\`${name}\``,
    `\`${request}\``,
    command === undefined ? "" : `\`attestry ${command}\``,
    [...features].sort().join(", "),
    callers.reasons.get(name) ?? ""
  ]
  return `| ${cells.map((cell) => (cell === "" ? "–" : cell.replaceAll("|", "\\|"))).join(" | ")} |`
}

/** The table in Markdown. */
export const print = (callers: Callers): string =>
  [
    "| Operation | Request below `/api/v2` | Command | Pages | Reason for neither |",
    "|---|---|---|---|---|",
    ...Object.entries(callers.operations).map((row) => rowOf(callers, row))
  ].join("\n")
