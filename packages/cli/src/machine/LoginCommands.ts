/**
 * `attestry login`, `logout` and `whoami`. A key, or a session that a browser gave, is tried before it is stored,
 * readable by this user only.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as Profiles from "../settings/Profiles.js"
import type { Settings } from "../settings/Settings.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import type { Host } from "../shared/Host.js"
import * as Json from "../shared/Json.js"
import * as Table from "../shared/Table.js"
import * as Api from "../transport/Api.js"
import type { BrowserLogin } from "./BrowserLogin.js"

const ask = (host: Host, question: string, hidden: boolean): Promise<string> => {
  if (!host.stdinIsTerminal)
    throw usage(
      `${question} must be asked for, and there is no terminal`,
      "give --url, and the key on stdin with --key-stdin"
    )
  return host.ask(`${question}: `, hidden)
}

/** What a login stores: a key, or the token of a session with its end. */
interface Credential {
  readonly text: string
  /** In epoch seconds; undefined for a key. */
  readonly endsAt?: number
}

const keyOf = async ({ host }: CommandContext, args: Arguments): Promise<string> => {
  const text = args.has("key-stdin")
    ? new TextDecoder().decode(await host.readStdin()).trim()
    : await ask(host, "API key", true)
  if (text === "") throw new CommandFailure("denied", "the key is empty")
  return text
}

const whoamiLines = (caller: Json.Fields): CommandResult["lines"] => {
  const orgs = Json.objects(caller.orgs)
  const key = Json.object(caller.api_key)
  return (style) => [
    `${style.text(caller.name)} (${style.text(caller.type)})`,
    ...Table.lines(orgs.map((org) => [`  ${style.text(org.name)}`, style.text(org.role)])),
    caller.api_key === null
      ? "  signed in with a provider"
      : `  key ${style.text(key.description)}, ${
          key.expires_at === null ? "without an end" : `until ${style.instant(key.expires_at)}`
        }`
  ]
}

const settingsFor = (settings: Settings, url: string, key: string): Settings => ({
  ...settings,
  url: { value: url, source: "login" },
  key: { source: "login", read: async () => key },
  keyProblem: undefined
})

/** The org to store: the given one, else the only one. */
const orgOf = (caller: Json.Fields, asked: string | undefined): string | undefined => {
  const names = Json.objects(caller.orgs).map((org) => String(org.name))
  if (asked === undefined) return names.length === 1 ? names[0] : undefined
  if (names.includes(asked)) return asked
  throw new CommandFailure("denied", `the key does not belong to the org ${asked}`, {
    hint: names.length === 0 ? undefined : `it belongs to: ${names.join(", ")}`
  })
}

const credentialOf = async (
  context: CommandContext,
  args: Arguments,
  login: BrowserLogin
): Promise<Credential> => {
  if (!args.has("browser")) return { text: await keyOf(context, args) }
  if (args.has("key-stdin")) throw usage("give --browser or --key-stdin, not both")
  const { token, expiresAt } = await (await import("./BrowserLogin.js")).claim(context, login)
  return { text: token, endsAt: expiresAt }
}

/** Runs `attestry login`. */
export const login: CommandModule = {
  run: async (context, args) => {
    const { host, output } = context
    const name = Profiles.checkName(args.text("profile") ?? "default")
    const settings = await context.settings().catch((error: unknown) => {
      // WHY: login creates the profile, so the profile need not exist.
      if (error instanceof CommandFailure && error.message.includes("no profile")) return undefined
      throw error
    })
    const url = args.text("url") ?? settings?.url?.value ?? (await ask(host, "URL", false))
    const base = settings ?? (await (await import("../settings/Settings.js")).load(host, NOTHING))
    const apiWith = (key: string) => Api.make(host, output, settingsFor(base, url, key))
    const { text: key, endsAt } = await credentialOf(context, args, { url, apiWith })
    output.hide(key)
    const caller = Json.object(await apiWith(key).call("meta.whoami"))
    const org = orgOf(caller, args.text("org"))
    const file = await Profiles.read(host)
    const profile: Profiles.Profile = {
      name,
      url,
      ...(org === undefined ? {} : { org }),
      key: { file: `${name}.key` }
    }
    mkdirSync(Profiles.folder(host), { recursive: true, mode: 0o700 })
    Profiles.writePrivate(join(Profiles.folder(host), `${name}.key`), `${key}\n`)
    Profiles.write(host, {
      current: name,
      profiles: [...file.profiles.filter((each) => each.name !== name), profile]
    })
    return {
      value: {
        schema: "attestry.cli/login/v1",
        profile: name,
        url,
        org: org ?? null,
        caller,
        ...(endsAt === undefined ? {} : { session_expires_at: endsAt })
      },
      quiet: name,
      lines: (style) => [
        `profile ${name} is stored and used from now on: ${style.text(url)}`,
        ...whoamiLines(caller)(style),
        ...(endsAt === undefined ? [] : [`  the session ends ${style.instant(endsAt)}`])
      ]
    }
  }
}

/** The flags of a login before any profile exists. */
const NOTHING = { text: () => undefined, duration: () => undefined, number: () => undefined }

/** Ends the session of a profile; false where it has a key, or the session could not be ended. */
const endSession = async (
  { host, output, settings }: CommandContext,
  { url }: Profiles.Profile,
  keyFile: string | undefined
): Promise<boolean> => {
  if (keyFile === undefined || url === undefined || !existsSync(keyFile)) return false
  const text = readFileSync(keyFile, "utf8").trim()
  const { isText } = await import("@attestry/core/Session")
  if (!isText(text)) return false
  output.hide(text)
  const api = Api.make(host, output, settingsFor(await settings(), url, text))
  // WHY: a session that has ended, or a server that is away, keeps no profile from being removed.
  return api.call("session.close").then(
    () => true,
    () => false
  )
}

/** Runs `attestry logout`, which removes a profile and its key, and ends its session. */
export const logout: CommandModule = {
  run: async (context, args) => {
    const { host } = context
    const { profile } = await Profiles.find(host, args.text("profile"))
    if (profile === undefined) throw usage("there is no profile to remove")
    const file = await Profiles.read(host)
    const key = profile.key !== undefined && "file" in profile.key ? profile.key.file : undefined
    const keyFile = key === undefined ? undefined : join(Profiles.folder(host), key)
    const isEnded = await endSession(context, profile, keyFile)
    if (keyFile !== undefined && existsSync(keyFile)) rmSync(keyFile)
    const profiles = file.profiles.filter(({ name }) => name !== profile.name)
    Profiles.write(host, {
      current: file.current === profile.name ? profiles[0]?.name : file.current,
      profiles
    })
    return {
      value: { schema: "attestry.cli/logout/v1", profile: profile.name, url: profile.url },
      quiet: profile.name,
      lines: () => [
        isEnded
          ? `profile ${profile.name} is removed, and its session has ended`
          : `profile ${profile.name} and its key are removed; the key itself stays valid`
      ]
    }
  }
}

/** Runs `attestry whoami`, which prints the owner of the key. */
export const whoami: CommandModule = {
  run: async ({ api }) => {
    const caller = Json.object(await (await api()).call("meta.whoami"))
    return { value: caller, quiet: String(caller.name), lines: whoamiLines(caller) }
  }
}
