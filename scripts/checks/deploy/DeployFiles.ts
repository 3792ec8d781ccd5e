/** What the deployment files say, beside what the code says: settings, ports, probes, times to stop. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseAllDocuments } from "yaml"
import { COMMANDS, GLOBAL_FLAGS } from "../../../packages/cli/src/CommandTree.js"
import * as ReportersFile from "../../../packages/cli/src/environment/ReportersFile.js"
import { parse } from "../../../packages/cli/src/shared/Arguments.js"
import * as Repository from "../shared/Repository.js"

/** A value of a YAML document, wherever it stands. */
export type Value = string | number | boolean | null | ReadonlyArray<Value> | Mapping

/** A mapping of a YAML document. */
export interface Mapping {
  readonly [key: string]: Value
}

/** Every YAML file below `deploy` except templates, with its documents; a file that does not parse has its problem. */
export const yamlFiles = (): ReadonlyArray<{
  readonly path: string
  readonly documents: ReadonlyArray<Value>
  readonly problems: ReadonlyArray<string>
}> =>
  Repository.pathsUnder("deploy")
    .filter((path) => path.endsWith(".yaml") && !path.startsWith("deploy/chart/templates/"))
    .map((path) => {
      const documents = parseAllDocuments(Repository.read(path), { uniqueKeys: true })
      const parsed = Array.isArray(documents) ? documents : []
      return {
        path,
        documents: parsed.map((document) => document.toJS() as Value),
        problems: parsed.flatMap(({ errors, warnings }) =>
          [...errors, ...warnings].map(({ message }) => `${path} ${message}`)
        )
      }
    })

const isMapping = (value: Value): value is Mapping =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The documents of one YAML file below `deploy` that are mappings. */
export const documentsIn = (path: string): ReadonlyArray<Mapping> =>
  yamlFiles()
    .filter((file) => file.path === path)
    .flatMap(({ documents }) => documents.filter(isMapping))

/** Every value under a key, wherever it stands. */
export const valuesOf = (value: Value, key: string): ReadonlyArray<Value> => {
  if (Array.isArray(value)) return value.flatMap((each) => valuesOf(each, key))
  if (!isMapping(value)) return []
  return Object.entries(value).flatMap(([name, each]) => [
    ...(name === key ? [each] : []),
    ...valuesOf(each, key)
  ])
}

/** The settings of the server, from its source. */
export const settings = (): ReadonlySet<string> =>
  new Set(
    [
      ...Repository.read("packages/server/src/internal/SettingTable.ts").matchAll(
        /variable: "(ATTESTRY_[A-Z_]+)"/g
      )
    ].map(([, name]) => name ?? "")
  )

/** The variables of the command line, from its source. */
export const commandLineSettings = (): ReadonlySet<string> =>
  new Set(
    Repository.pathsUnder("packages/cli/src").flatMap((path) => [
      ...namedSettings(Repository.read(path))
    ])
  )

const GRAMMAR = { commands: COMMANDS, globals: GLOBAL_FLAGS }

/** The command that a command line names; fails for one that is wrong. */
export const parsedCommand = (args: Value | ReadonlyArray<string>): string => {
  const invocation = parse(GRAMMAR, Array.isArray(args) ? args.map(String) : [])
  return invocation.kind === "command" ? invocation.command.words.join(" ") : invocation.kind
}

/** The environments of a file of reporters; fails for one that is wrong. */
export const reporterEntries = async (text: string): Promise<ReadonlyArray<string>> => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-reporters-"))
  try {
    writeFileSync(join(folder, "reporters.yaml"), text)
    const kinds = COMMANDS.filter(({ words }) => words[0] === "report").map(
      ({ words }) => words[1] ?? ""
    )
    const asked = { grammar: GRAMMAR, kinds }
    const file = await ReportersFile.read({ cwd: folder }, "reporters.yaml", asked)
    return file.entries.map(({ environment, kind }) => `${environment} ${kind}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The settings that a text names. */
export const namedSettings = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/\bATTESTRY_[A-Z_]+\b/g)].map(([name]) => name))

/** The settings of V8 that a command names, in their order. */
export const namedV8Settings = (command: string): ReadonlyArray<string> =>
  [...command.matchAll(/--[a-z-]+-space-size=\d+/g)].map(([setting]) => setting)

/** The one thing that a pattern finds in a file, or a complaint. */
export const found = (path: string, pattern: RegExp): string => {
  const match = pattern.exec(Repository.read(path))
  if (match?.[1] === undefined) throw new Error(`${path} has nothing like ${pattern}`)
  return match[1]
}

/** The port that the server listens on by default. */
export const port = (): number =>
  Number(
    found("packages/server/src/internal/SettingTable.ts", /"ATTESTRY_PORT",\s*default: "(\d+)"/)
  )

/** The paths of the probes and of the metrics. */
export const probes = (): ReadonlyArray<string> =>
  [
    ...Repository.read("packages/http/src/meta/internal/StaticRoutes.ts").matchAll(/"(\/[a-z]+)"/g)
  ].map(([, path]) => path ?? "")

/** Seconds that a process takes at most to stop. */
export const stopSeconds = (): number =>
  Number(
    found("packages/server/src/internal/Lifecycle.ts", /STOP_MS = ([\d_]+)/).replaceAll("_", "")
  ) / 1000
