/**
 * `.attestry.yaml`: the nearest one, from the current folder up to the root of the repository.
 *
 * It describes a pipeline and never decides where a key is sent: `url`, `ca_file`, `proxy` and `key` are refused.
 */
import { existsSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import type { Host } from "../shared/Host.js"
import * as YamlSettings from "./YamlSettings.js"

/** The name of the file. */
export const NAME = ".attestry.yaml"

/** A text with its line in the file. */
export interface Entry {
  readonly value: string
  readonly line: number
}

/** An artifact that the repository builds. */
export interface RepositoryArtifact {
  readonly name: string
  readonly type: string
  /** A path relative to the file, or an image reference. */
  readonly target: string
  readonly exclude: ReadonlyArray<string>
}

/** The parsed file. */
export interface RepositoryFile {
  readonly path: string
  readonly shownPath: string
  readonly folder: string
  readonly org: Entry | undefined
  readonly flow: Entry | undefined
  readonly trail: Entry | undefined
  readonly template: Entry | undefined
  readonly artifacts: ReadonlyArray<RepositoryArtifact>
  /** Policy files by policy name, to locate rules. */
  readonly policies: ReadonlyArray<readonly [string, string]>
  readonly redact: ReadonlyArray<string>
  readonly ignoreFiles: ReadonlyArray<string>
  /** The value of `--if-unreachable` for evidence. */
  readonly ifUnreachable: string | undefined
}

const KEYS = [
  "version",
  "org",
  "flow",
  "trail",
  "template",
  "artifacts",
  "policies",
  "redact",
  "fingerprint",
  "if_unreachable"
]

/** Refused keys: they could send an API key elsewhere. */
const REFUSED = ["url", "ca_file", "proxy", "key"]

const REDACTABLE = ["author", "message", "branch"]

const locate = ({ cwd, home }: Host): string | undefined => {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = join(folder, NAME)
    if (existsSync(file)) return file
    if (existsSync(join(folder, ".git")) || folder === home || dirname(folder) === folder)
      return undefined
  }
}

const entryOf = (reader: YamlSettings.Reader, name: string): Entry | undefined => {
  const value = reader.text(name)
  return value === undefined ? undefined : { value, line: reader.lineOf(name) }
}

const artifactsOf = (reader: YamlSettings.Reader): ReadonlyArray<RepositoryArtifact> =>
  reader.members("artifacts", ["type", "ref", "path", "exclude"]).map(([name, artifact]) => {
    const target = artifact.text("ref") ?? artifact.text("path")
    const type = artifact.text("type")
    if (target === undefined || type === undefined)
      throw artifact.problem([], `artifact \`${name}\` needs a type, and a path or a ref`)
    return { name, type, target, exclude: artifact.texts("exclude") ?? [] }
  })

const policiesOf = (reader: YamlSettings.Reader): ReadonlyArray<readonly [string, string]> => {
  const policies = reader.object("policies")
  return (policies?.names() ?? []).flatMap((name) => {
    const file = policies?.text(name)
    return file === undefined ? [] : [[name, file] as const]
  })
}

const redactOf = (reader: YamlSettings.Reader): ReadonlyArray<string> => {
  const redact = reader.texts("redact") ?? []
  const unknown = redact.find((each) => !REDACTABLE.includes(each))
  if (unknown !== undefined)
    throw reader.problem(["redact"], `\`${unknown}\` is none of ${REDACTABLE.join(", ")}`)
  return redact
}

const unreachableOf = (reader: YamlSettings.Reader): string | undefined => {
  const value = reader.text("if_unreachable")
  if (value === undefined || value === "fail" || value === "spool") return value
  throw reader.problem(["if_unreachable"], "expected fail or spool")
}

/** Finds and reads the file; undefined if there is none. */
export const find = async (host: Host): Promise<RepositoryFile | undefined> => {
  const path = locate(host)
  if (path === undefined) return undefined
  const shownPath = relative(host.cwd, path)
  const reader = await YamlSettings.read(path, shownPath, [...KEYS, ...REFUSED])
  for (const name of REFUSED)
    if (reader.names().includes(name))
      throw reader.problem(
        [name],
        `a repository may not say \`${name}\`: use a profile or a variable`
      )
  return {
    path,
    shownPath,
    folder: dirname(path),
    org: entryOf(reader, "org"),
    flow: entryOf(reader, "flow"),
    trail: entryOf(reader, "trail"),
    template: entryOf(reader, "template"),
    artifacts: artifactsOf(reader),
    policies: policiesOf(reader),
    redact: redactOf(reader),
    ignoreFiles: reader.object("fingerprint", ["ignore_files"])?.texts("ignore_files") ?? [],
    ifUnreachable: unreachableOf(reader)
  }
}
