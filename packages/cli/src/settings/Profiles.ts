/**
 * Profiles, each a deployment with an org and a key, in `config.yaml` of the user's configuration folder.
 *
 * Keys are in files of mode 0600 beside it, or come from a program that runs without a shell. A file that other users
 * can write is refused, because it decides where a key is sent.
 */
import { execFile } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { isAbsolute, join } from "node:path"
import { CommandFailure, usage } from "../shared/CommandFailure.js"
import * as Duration from "../shared/Duration.js"
import { type Host, variable } from "../shared/Host.js"
import type { KeySource } from "./Settings.js"
import * as YamlSettings from "./YamlSettings.js"

/** Where a profile's key is stored. */
export type ProfileKey = { readonly file: string } | { readonly command: ReadonlyArray<string> }

/** A named deployment with an org and a key. */
export interface Profile {
  readonly name: string
  readonly url: string
  readonly org?: string
  readonly key?: ProfileKey
  readonly timeout?: string
  readonly caFile?: string
}

/** All profiles, and the name of the current one. */
export interface ProfilesFile {
  readonly current: string | undefined
  readonly profiles: ReadonlyArray<Profile>
}

/** Parses a duration such as `30s` to milliseconds. */
export const durationOf = Duration.parse

/** The folder of the user's configuration. */
export const folder = (host: Host): string => {
  const own = variable(host, "ATTESTRY_CONFIG_DIR")
  if (own !== undefined) return own
  const xdg = variable(host, "XDG_CONFIG_HOME")
  if (xdg !== undefined) return join(xdg, "attestry")
  const appData = variable(host, "APPDATA")
  return host.platform === "win32" && appData !== undefined
    ? join(appData, "attestry")
    : join(host.home, ".config", "attestry")
}

/** The path of `config.yaml`. */
export const path = (host: Host): string => join(folder(host), "config.yaml")

const OTHERS_WRITE = 0o022
const OTHERS_READ = 0o077

const checkMode = (host: Host, file: string): void => {
  if (host.platform === "win32" || (statSync(file).mode & OTHERS_WRITE) === 0) return
  throw usage(`${file}: others may write this file`, `run: chmod 600 ${file}`)
}

const nameProblem = (name: string): boolean => !/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)

const PROFILE_KEYS = ["url", "org", "key", "timeout", "ca_file"]

const keyFrom = (reader: YamlSettings.Reader): ProfileKey | undefined => {
  const key = reader.object("key", ["file", "command"])
  if (key === undefined) return undefined
  const file = key.text("file")
  const command = key.texts("command")
  if (file !== undefined) return { file }
  return command === undefined ? undefined : { command }
}

const profileFrom = (name: string, reader: YamlSettings.Reader): Profile => {
  const url = reader.text("url")
  if (url === undefined) throw reader.problem([], `profile \`${name}\` has no url`)
  const [org, timeout, caFile] = [
    reader.text("org"),
    reader.text("timeout"),
    reader.text("ca_file")
  ]
  const key = keyFrom(reader)
  return {
    name,
    url,
    ...(org === undefined ? {} : { org }),
    ...(key === undefined ? {} : { key }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(caFile === undefined ? {} : { caFile })
  }
}

/** Reads every profile; empty without a file. */
export const read = async (host: Host): Promise<ProfilesFile> => {
  const file = path(host)
  if (!existsSync(file)) return { current: undefined, profiles: [] }
  checkMode(host, file)
  const root = await YamlSettings.read(file, file, ["current", "profiles"])
  const profiles = root.members("profiles", PROFILE_KEYS)
  return {
    current: root.text("current"),
    profiles: profiles.map(([name, reader]) => {
      if (nameProblem(name)) throw reader.problem([], `\`${name}\` is no name of a profile`)
      return profileFrom(name, reader)
    })
  }
}

/** The named profile, or the current one; undefined without a file. */
export const find = async (
  host: Host,
  name: string | undefined
): Promise<{ readonly profile: Profile | undefined; readonly isCurrent: boolean }> => {
  const { current, profiles } = await read(host)
  const asked = name ?? current
  if (asked === undefined) return { profile: undefined, isCurrent: false }
  const profile = profiles.find((each) => each.name === asked)
  if (profile === undefined)
    throw usage(
      `there is no profile \`${asked}\` in ${path(host)}`,
      profiles.length === 0
        ? `run: attestry login --profile ${asked}`
        : `there is: ${profiles.map((each) => each.name).join(", ")}`
    )
  return { profile, isCurrent: name === undefined }
}

/** Reads a key file; refuses a file that other users can read. */
export const readKeyFile = (file: string): string => {
  if (!existsSync(file))
    throw new CommandFailure("denied", `${file}: there is no such file with a key`)
  const text = readFileSync(file, "utf8").trim()
  if (text === "") throw new CommandFailure("denied", `${file}: the file with the key is empty`)
  return text
}

const COMMAND_TIMEOUT_MS = 30_000

const runCommand = ([program = "", ...args]: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(program, args, { timeout: COMMAND_TIMEOUT_MS, maxBuffer: 65_536 }, (error, stdout) => {
      const key = stdout.trim()
      if (error === null && key !== "") resolve(key)
      else {
        const why = error === null ? "it printed nothing" : "it failed"
        reject(
          new CommandFailure("denied", `the key could not be read with \`${program}\`: ${why}`)
        )
      }
    })
  })

const readOwnKey = (file: string, host: Host): string => {
  const isOpen =
    host.platform !== "win32" && existsSync(file) && (statSync(file).mode & OTHERS_READ) !== 0
  if (isOpen) throw usage(`${file}: others may read this key`, `run: chmod 600 ${file}`)
  return readKeyFile(file)
}

/** The source of a profile's key; undefined without a key. */
export const keyOf = ({ name, key }: Profile, host: Host): KeySource | undefined => {
  if (key === undefined) return undefined
  if ("command" in key)
    return { source: `profile ${name}, ${key.command[0]}`, read: () => runCommand(key.command) }
  const file = isAbsolute(key.file) ? key.file : join(folder(host), key.file)
  return { source: `profile ${name}, ${key.file}`, read: async () => readOwnKey(file, host) }
}

/** Replaces a file that only this user can read. */
export const writePrivate = (file: string, text: string): void => {
  const staging = `${file}.${process.pid}`
  rmSync(staging, { force: true })
  writeFileSync(staging, text, { mode: 0o600, flag: "wx" })
  renameSync(staging, file)
}

const quoted = (text: string): string => JSON.stringify(text)

const printKey = (key: ProfileKey): string =>
  "file" in key
    ? `{ file: ${quoted(key.file)} }`
    : `{ command: [${key.command.map(quoted).join(", ")}] }`

const printProfile = ({ name, url, org, key, timeout, caFile }: Profile): ReadonlyArray<string> => [
  `  ${name}:`,
  `    url: ${quoted(url)}`,
  ...(org === undefined ? [] : [`    org: ${quoted(org)}`]),
  ...(key === undefined ? [] : [`    key: ${printKey(key)}`]),
  ...(timeout === undefined ? [] : [`    timeout: ${quoted(timeout)}`]),
  ...(caFile === undefined ? [] : [`    ca_file: ${quoted(caFile)}`])
]

/** Writes all profiles. */
export const write = (host: Host, { current, profiles }: ProfilesFile): void => {
  mkdirSync(folder(host), { recursive: true, mode: 0o700 })
  const lines = [
    ...(current === undefined ? [] : [`current: ${quoted(current)}`]),
    ...(profiles.length === 0 ? ["profiles: {}"] : ["profiles:"]),
    ...profiles.flatMap(printProfile)
  ]
  writePrivate(path(host), `${lines.join("\n")}\n`)
}

/** Fails for an invalid profile name. */
export const checkName = (name: string): string => {
  if (nameProblem(name))
    throw usage(`\`${name}\` is no name of a profile: letters, digits, dots, dashes`)
  return name
}
