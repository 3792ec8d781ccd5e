/**
 * `reporters.yaml` of `report all`: environments, each with its kind and the flags of that kind.
 *
 * A flag is a key in snake case, and in the plural if it is repeatable: `--exclude-namespace` is
 * `exclude_namespaces`. Each entry is parsed as a command line, so that both follow the same rules.
 */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import * as NearestName from "@attestry/core/NearestName"
import * as YamlSettings from "../settings/YamlSettings.js"
import { type Arguments, commandOf, type Grammar, parse } from "../shared/Arguments.js"
import { CommandFailure, unreadable } from "../shared/CommandFailure.js"
import type { FlagSpec } from "../shared/CommandSpec.js"
import * as Duration from "../shared/Duration.js"
import type { Host } from "../shared/Host.js"

/** An environment of the file. */
export interface ReporterEntry {
  readonly environment: string
  readonly kind: string
  readonly args: Arguments
}

/** The parsed file. */
export interface ReportersFile {
  readonly everyMs: number | undefined
  readonly entries: ReadonlyArray<ReporterEntry>
}

/** The maximum number of environments in a file. */
export const ENTRIES_MAX = 1_000

/** Flags that apply to the whole file, or mean nothing in it. */
const OUTSIDE = ["dry-run", "watch", "every", "max-failures", "health-port", "on-change"]

const plural = (name: string): string => (/(?:x|s)$/.test(name) ? `${name}es` : `${name}s`)

/** The key of a flag in the file. */
export const keyOf = ({ name, kind }: FlagSpec): string => {
  const key = name.replaceAll("-", "_")
  return kind === "texts" ? plural(key) : key
}

const valuesOf = (entry: YamlSettings.Reader, flag: FlagSpec): ReadonlyArray<string> => {
  const key = keyOf(flag)
  const value = entry.value(key)
  if (value === undefined) return []
  if (flag.kind === "texts") return entry.texts(key) ?? []
  if (flag.kind === "boolean") {
    if (typeof value === "boolean") return [String(value)]
    throw entry.problem([key], "expected true or false")
  }
  if (typeof value === "number") return [String(value)]
  return [entry.text(key) ?? ""]
}

const entryOf = (
  grammar: Grammar,
  kinds: ReadonlyArray<string>,
  entry: YamlSettings.Reader
): ReporterEntry => {
  const environment = entry.text("name")
  const word = entry.text("kind")
  if (environment === undefined || word === undefined)
    throw entry.problem([], "an environment needs a name and a kind")
  const command = commandOf(grammar, ["report", word])
  const kind = command?.words[1] ?? ""
  if (command === undefined || !kinds.includes(kind)) {
    const near = NearestName.find(word, kinds)
    const hint = near === undefined ? `there is: ${kinds.join(", ")}` : `did you mean \`${near}\`?`
    throw entry.problem(["kind"], `unknown kind \`${word}\`; ${hint}`)
  }
  const flags = command.flags.filter(({ name }) => !OUTSIDE.includes(name))
  const known = ["name", "kind", ...flags.map(keyOf)]
  const unknown = entry.names().find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const near = NearestName.find(unknown, known)
    const hint = near === undefined ? `there is: ${known.join(", ")}` : `did you mean \`${near}\`?`
    throw entry.problem([unknown], `unknown key \`${unknown}\`; ${hint}`)
  }
  const argv = flags.flatMap((flag) =>
    valuesOf(entry, flag).map((value) => `--${flag.name}=${value}`)
  )
  try {
    const invocation = parse(grammar, ["report", kind, ...argv, "--", environment])
    if (invocation.kind === "command") return { environment, kind, args: invocation.args }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    throw entry.problem([], error.message)
  }
  throw entry.problem([], "the entry says nothing that can be reported")
}

const everyOf = (reader: YamlSettings.Reader): number | undefined => {
  const text = reader.text("every")
  if (text === undefined) return undefined
  const millis = Duration.parse(text)
  if (millis === undefined) throw reader.problem(["every"], "expected a duration such as 60s")
  return millis
}

/** Reads the file. */
export const read = async (
  { cwd }: Pick<Host, "cwd">,
  file: string,
  { grammar, kinds }: { readonly grammar: Grammar; readonly kinds: ReadonlyArray<string> }
): Promise<ReportersFile> => {
  const path = resolve(cwd, file)
  if (!existsSync(path)) throw unreadable(`there is no file ${file}`)
  const reader = await YamlSettings.read(path, file, ["version", "every", "environments"])
  if (reader.value("version") !== 1) throw reader.problem(["version"], "expected version: 1")
  const list = reader.list("environments")
  if (list.length === 0) throw reader.problem([], "there are no environments")
  if (list.length > ENTRIES_MAX)
    throw reader.problem(["environments"], `there are more than ${ENTRIES_MAX} environments`)
  const entries = list.map((entry) => entryOf(grammar, kinds, entry))
  const names = entries.map(({ environment }) => environment)
  const twice = names.findIndex((name, at) => names.indexOf(name) !== at)
  if (twice >= 0)
    throw reader.problem(["environments", twice], `\`${names[twice]}\` is there twice`)
  return { everyMs: everyOf(reader), entries }
}
