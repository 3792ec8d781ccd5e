/** The `attestry` command that repeats a read of a page, from the generated table of commands. */
import type { Call } from "../shared/Api.js"
import { hasHidden } from "../shared/Reveal.js"
import { attestryLine } from "./AttestryLine.js"
import { OTHER_READS, READ_COMMANDS, type ReadCommand } from "./ReadCommands.js"

const BASE = "/api/v2"

const VERDICTS: ReadonlyMap<string, string> = new Map([
  ["true", "compliant"],
  ["false", "not-compliant"],
  ["null", "unknown"]
])

/** The parameters of a path that matches the template; undefined otherwise. */
const parametersOf = (template: string, path: string): ReadonlyMap<string, string> | undefined => {
  const names = template.split("/")
  const parts = path.split("/")
  const found = new Map<string, string>()
  const matches = names.every((name, at) => {
    const part = parts[at] ?? ""
    if (!name.startsWith("{")) return name === part
    found.set(name.slice(1, -1), decodeURIComponent(part))
    return part !== ""
  })
  return matches && names.length === parts.length ? found : undefined
}

const flagValue = (flag: string, value: string): string => {
  if (flag === "verdict") return VERDICTS.get(value) ?? value
  return flag === "tag" || flag === "flow-tag" ? value.replace(":", "=") : value
}

const flagWord = (command: ReadCommand, name: string, value: string): string | undefined => {
  if (name === "page") return value === "1" ? "" : undefined
  if (name === "sort_direction" && command.direction !== undefined)
    return value === command.direction ? "" : "--reverse"
  const flag = command.flags[name]
  return flag === undefined ? undefined : `--${flag}=${flagValue(flag, value)}`
}

/** The arguments of a command; undefined if it has no flag for a parameter of the request. */
const wordsOf = (
  command: ReadCommand,
  parameters: ReadonlyMap<string, string>,
  query: URLSearchParams
): ReadonlyArray<string> | undefined => {
  const used = new Set(["org"])
  const positionals = command.positionals.map((template) =>
    template.replace(/\{(\w+)\}/g, (_, name: string) => {
      used.add(name)
      return parameters.get(name) ?? ""
    })
  )
  const given = [...[...parameters].filter(([name]) => !used.has(name)), ...query]
  const flags = given.map(([name, value]) => flagWord(command, name, value))
  if (flags.includes(undefined)) return undefined
  const shown = flags.flatMap((word) => (word === undefined || word === "" ? [] : [word]))
  return [...command.words.split(" "), ...positionals, ...shown]
}

/** The command for a request; undefined if no command reads the same. */
export const readLine = ({ method, path }: Call, url: string): string | undefined => {
  const asked = new URL(path, "http://host")
  if (method !== "GET" || !asked.pathname.startsWith(`${BASE}/`)) return undefined
  const below = asked.pathname.slice(BASE.length)
  if (OTHER_READS.some((template) => parametersOf(template, below) !== undefined)) return undefined
  for (const command of READ_COMMANDS) {
    const parameters = parametersOf(command.path, below)
    if (parameters === undefined) continue
    const words = wordsOf(command, parameters, asked.searchParams)
    // WHY not with hidden characters: a reader would run a command that they cannot see.
    return words === undefined || words.some(hasHidden)
      ? undefined
      : attestryLine(["attestry", ...words], { url, org: parameters.get("org") })
  }
  return undefined
}
