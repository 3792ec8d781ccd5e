/**
 * The settings of a command, each with its source: flag, variable, repository file, profile, job, default.
 *
 * A key belongs to a URL: the key of a profile is sent only to the profile's URL, and the key of a variable only to
 * the URL of a variable, a flag, or the named profile.
 */

import type { Arguments } from "../shared/Arguments.js"
import { type CommandFailure, usage } from "../shared/CommandFailure.js"
import { type Host, variable } from "../shared/Host.js"
import * as Profiles from "./Profiles.js"
import * as RepositoryFile from "./RepositoryFile.js"

/** A value and its source. */
export interface Sourced<A> {
  readonly value: A
  readonly source: string
}

/** The source of the key; the key itself is read on demand. */
export interface KeySource {
  readonly source: string
  readonly read: () => Promise<string>
}

/** The settings of a command. */
export interface Settings {
  readonly url: Sourced<string> | undefined
  readonly org: Sourced<string> | undefined
  readonly flow: Sourced<string> | undefined
  readonly trail: Sourced<string> | undefined
  readonly key: KeySource | undefined
  /** Why the key that was found may not be used. */
  readonly keyProblem: string | undefined
  readonly caFile: Sourced<string> | undefined
  readonly timeoutMs: number
  readonly retries: number
  readonly profile: Sourced<string> | undefined
  readonly repository: RepositoryFile.RepositoryFile | undefined
}

/** The flags that set settings. */
export type SettingArguments = Pick<Arguments, "text" | "duration" | "number">

const TIMEOUT_MS = 60_000
const RETRIES = 4

const sourced = <A>(value: A | undefined, source: string): Sourced<A> | undefined =>
  value === undefined ? undefined : { value, source }

const fromFlagOrVariable = (
  { host, args }: Sources,
  flag: string,
  name: string
): Sourced<string> | undefined =>
  sourced(args.text(flag), `--${flag}`) ?? sourced(variable(host, name), name)

interface Sources {
  readonly host: Host
  readonly args: SettingArguments
  readonly repository: RepositoryFile.RepositoryFile | undefined
  readonly profile: Profiles.Profile | undefined
}

const repositoryValue = (
  { repository }: Sources,
  name: "org" | "flow" | "trail"
): Sourced<string> | undefined => {
  const entry = repository?.[name]
  return entry === undefined || repository === undefined
    ? undefined
    : { value: entry.value, source: `${repository.shownPath}:${entry.line}` }
}

const urlOf = (sources: Sources): Sourced<string> | undefined => {
  const { profile } = sources
  const url =
    fromFlagOrVariable(sources, "url", "ATTESTRY_URL") ??
    (profile === undefined ? undefined : sourced(profile.url, `profile ${profile.name}`))
  if (url !== undefined) checkUrl(url, sources.host)
  return url
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

const checkUrl = ({ value, source }: Sourced<string>, host: Host): void => {
  let url: URL
  try {
    url = new URL(value)
  } catch {
    throw usage(`${source}: \`${value}\` is no URL`, "write https://attestry.example.com")
  }
  if (url.username !== "" || url.password !== "")
    throw usage(`${source}: the URL holds credentials`, "set ATTESTRY_API_KEY instead")
  if (url.protocol === "https:") return
  if (url.protocol !== "http:") throw usage(`${source}: the URL begins with neither https nor http`)
  if (!LOOPBACK.test(url.hostname) && host.env.ATTESTRY_ALLOW_HTTP !== "1")
    throw usage(
      `${source}: \`${url.origin}\` would send the key without encryption`,
      "use https, or set ATTESTRY_ALLOW_HTTP=1 for a service inside a cluster"
    )
}

/** Why the key of a variable may not be sent to the URL; undefined if it may. */
const variableKeyProblem = (
  { profile, args, host }: Sources,
  url: Sourced<string> | undefined
): string | undefined => {
  if (url === undefined || !url.source.startsWith("profile ")) return undefined
  const isNamed =
    args.text("profile") !== undefined || variable(host, "ATTESTRY_PROFILE") !== undefined
  return isNamed
    ? undefined
    : `ATTESTRY_API_KEY is set, but the address comes from the current profile ${profile?.name}: ` +
        "name it with --profile, or set ATTESTRY_URL"
}

const fileKey = (path: string, source: string): KeySource => ({
  source,
  read: async () => Profiles.readKeyFile(path)
})

const keyOf = (sources: Sources, url: Sourced<string> | undefined): Partial<Settings> => {
  const { host, profile } = sources
  const text = variable(host, "ATTESTRY_API_KEY")
  const path = variable(host, "ATTESTRY_API_KEY_FILE")
  if (text !== undefined || path !== undefined) {
    const problem = variableKeyProblem(sources, url)
    if (problem !== undefined) return { keyProblem: problem }
    return text === undefined
      ? { key: fileKey(path ?? "", "ATTESTRY_API_KEY_FILE") }
      : { key: { source: "ATTESTRY_API_KEY", read: async () => text.trim() } }
  }
  if (profile === undefined) return {}
  if (url !== undefined && url.value !== profile.url)
    return {
      keyProblem: `the key of profile ${profile.name} is for ${profile.url}, and ${url.source} says otherwise`
    }
  return { key: Profiles.keyOf(profile, host) }
}

const numberOf = (host: Host, name: string): number | undefined => {
  const text = variable(host, name)
  if (text === undefined) return undefined
  if (!/^\d{1,6}$/.test(text)) throw usage(`${name} expects a whole number, not \`${text}\``)
  return Number(text)
}

const timeoutOf = ({ host, args, profile }: Sources): number => {
  const given = args.duration("timeout")
  if (given !== undefined) return given
  const text = variable(host, "ATTESTRY_TIMEOUT") ?? profile?.timeout
  if (text === undefined) return TIMEOUT_MS
  const millis = Profiles.durationOf(text)
  if (millis === undefined) throw usage(`ATTESTRY_TIMEOUT expects a duration, not \`${text}\``)
  return millis
}

const profileName = (host: Host, args: SettingArguments): Sourced<string> | undefined =>
  sourced(args.text("profile"), "--profile") ??
  sourced(variable(host, "ATTESTRY_PROFILE"), "ATTESTRY_PROFILE")

/** Reads the settings of a command. */
export const load = async (host: Host, args: SettingArguments): Promise<Settings> => {
  const asked = profileName(host, args)
  const { profile, isCurrent } = await Profiles.find(host, asked?.value)
  const repository = await RepositoryFile.find(host)
  const sources: Sources = { host, args, repository, profile }
  const url = urlOf(sources)
  const ofProfile = `profile ${profile?.name}`
  return {
    url,
    org:
      fromFlagOrVariable(sources, "org", "ATTESTRY_ORG") ??
      repositoryValue(sources, "org") ??
      sourced(profile?.org, ofProfile),
    flow: fromFlagOrVariable(sources, "flow", "ATTESTRY_FLOW") ?? repositoryValue(sources, "flow"),
    trail:
      fromFlagOrVariable(sources, "trail", "ATTESTRY_TRAIL") ?? repositoryValue(sources, "trail"),
    key: undefined,
    keyProblem: undefined,
    ...keyOf(sources, url),
    caFile:
      fromFlagOrVariable(sources, "ca-file", "ATTESTRY_CA_FILE") ??
      sourced(profile?.caFile, ofProfile),
    timeoutMs: timeoutOf(sources),
    retries: args.number("retries") ?? numberOf(host, "ATTESTRY_RETRIES") ?? RETRIES,
    profile:
      profile === undefined
        ? undefined
        : { value: profile.name, source: isCurrent ? "current" : (asked?.source ?? "") },
    repository
  }
}

/** The failure of a command that needs a URL. */
export const noUrl = (): CommandFailure =>
  usage(
    "the address of the deployment is not known",
    "set ATTESTRY_URL, give --url, or run: attestry login"
  )
