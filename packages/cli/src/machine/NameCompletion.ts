/**
 * Completes names from the deployment: flows, environments, policies, controls, service accounts and types.
 *
 * Every tab key waits for them, so a request may take at most 300 ms, and its answer is cached in a private file for
 * a minute. A failure gives no names.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Profiles from "../settings/Profiles.js"
import type { Settings } from "../settings/Settings.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { type Host, variable } from "../shared/Host.js"
import * as Json from "../shared/Json.js"

const WAIT_MS = 300
const KEPT_MS = 60_000

/** How the names of a noun are listed: the operation, the member with the items, and the member with the name. */
const LISTS: { readonly [noun: string]: readonly [string, string | undefined, string] } = {
  flow: ["flow.list", undefined, "name"],
  environment: ["environment.list", undefined, "name"],
  policy: ["policy.list", undefined, "name"],
  control: ["control.list", "controls", "identifier"],
  account: ["serviceAccount.list", undefined, "name"],
  type: ["attestationType.list", undefined, "name"],
  repository: ["repo.list", "repos", "name"]
}

/** The nouns whose names can be completed. */
export const NOUNS: ReadonlyArray<string> = Object.keys(LISTS)

const cacheFolder = (host: Host): string =>
  join(variable(host, "XDG_CACHE_HOME") ?? join(host.home, ".cache"), "attestry")

const cacheFile = (host: Host, { url, org, profile }: Settings, noun: string): string => {
  const place = JSON.stringify([url?.value, org?.value, profile?.value, noun])
  const digest = createHash("sha256").update(place).digest("hex").slice(0, 16)
  return join(cacheFolder(host), `names-${digest}.json`)
}

const kept = (host: Host, file: string): ReadonlyArray<string> | undefined => {
  if (!existsSync(file) || host.now() - statSync(file).mtimeMs > KEPT_MS) return undefined
  return Json.list(JSON.parse(readFileSync(file, "utf8"))).map(String)
}

const keep = (host: Host, file: string, names: ReadonlyArray<string>): void => {
  mkdirSync(cacheFolder(host), { recursive: true, mode: 0o700 })
  Profiles.writePrivate(file, JSON.stringify(names))
}

const ask = async (
  { host, output }: CommandContext,
  settings: Settings,
  noun: string
): Promise<ReadonlyArray<string>> => {
  const [operation = "", items, name = ""] = new Map(Object.entries(LISTS)).get(noun) ?? []
  const Api = await import("../transport/Api.js")
  const signal = AbortSignal.any([host.signal, AbortSignal.timeout(WAIT_MS)])
  const api = Api.make({ ...host, signal }, output, { ...settings, retries: 0 })
  const body = await api.call(operation, {})
  const found = items === undefined ? body : Json.object(body)[items]
  return Json.objects(found).map((each) => String(each[name] ?? ""))
}

/** The names of a noun; empty if the deployment does not answer in time. */
export const find = async (
  context: CommandContext,
  noun: string
): Promise<ReadonlyArray<string>> => {
  try {
    const settings = await context.settings()
    if (settings.url === undefined || settings.key === undefined) return []
    const file = cacheFile(context.host, settings, noun)
    const known = kept(context.host, file)
    if (known !== undefined) return known
    const names = await ask(context, settings, noun)
    keep(context.host, file, names)
    return names
  } catch (error) {
    // WHY: after the tab key, a message within the line is worse than no names.
    context.output.trace(`no names: ${error}`)
    return []
  }
}
