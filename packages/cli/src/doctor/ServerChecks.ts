/** The checks of `attestry doctor` against the deployment: its URL, the clock, the key, and the org. */
import { readFileSync } from "node:fs"
import * as NodeFetch from "@attestry/client/node/NodeFetch"
import type { Settings } from "../settings/Settings.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"
import * as ApiFailure from "../transport/ApiFailure.js"
import { type Check, failed, ok, skip, warn } from "./Check.js"

/** A larger difference of the clocks is a warning. */
export const SKEW_SECONDS_MAX = 60

/** A key that expires sooner is a warning. */
export const KEY_DAYS_MIN = 14

const DAY_SECONDS = 86_400

interface Reached {
  readonly status: number
  readonly millis: number
  readonly proxy: string | undefined
  readonly date: string | null
}

const ask = async ({ host }: CommandContext, settings: Settings, url: string): Promise<Reached> => {
  const seen: { proxy?: string | undefined } = {}
  const send = NodeFetch.make({
    env: host.env,
    certificates:
      settings.caFile === undefined ? undefined : readFileSync(settings.caFile.value, "utf8"),
    onAttempt: ({ proxy }) => {
      seen.proxy = proxy?.shown
    }
  })
  const address = `${url.replace(/\/(?:api\/v2\/?)?$/, "")}/ready`
  const begun = performance.now()
  const signal = AbortSignal.any([host.signal, AbortSignal.timeout(settings.timeoutMs)])
  try {
    const { status, headers } = await send(address, { method: "GET", headers: {}, signal })
    const millis = Math.round(performance.now() - begun)
    return { status, millis, proxy: seen.proxy, date: headers.get("date") }
  } catch (error) {
    host.signal.throwIfAborted()
    const cause = error instanceof Error ? error : new Error(String(error))
    throw ApiFailure.ofSilence("ready", cause, { url, proxy: seen.proxy, attempts: 1 })
  }
}

const clockCheck = ({ host }: CommandContext, date: string | null): Check => {
  const there = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(there)) return skip("clock", "the server does not say its time")
  const seconds = Math.round(Math.abs(host.now() - there) / 1_000)
  return seconds <= SKEW_SECONDS_MAX
    ? ok("clock", `${seconds} s from that of the server`)
    : warn(
        "clock",
        `${seconds} s from that of the server`,
        "set the clock of this machine: certificates and times of evidence depend on it"
      )
}

/** Checks that the deployment answers, and compares the clocks. */
export const reach = async (
  context: CommandContext,
  settings: Settings
): Promise<ReadonlyArray<Check>> => {
  const url = settings.url?.value
  if (url === undefined) return [skip("reach", "needs an address"), skip("clock", "needs a server")]
  try {
    const { status, millis, proxy, date } = await ask(context, settings, url)
    const through = proxy === undefined ? "" : `, through ${proxy}`
    if (status !== 200)
      throw new CommandFailure("unanswered", `${url} answered ${status} to /ready${through}`, {
        hint: status === 503 ? "it is starting, or its database is gone" : "is this the address?"
      })
    return [ok("reach", `${url}, ${millis} ms${through}`), clockCheck(context, date)]
  } catch (thrown) {
    return [failed("reach", thrown), skip("clock", "needs a server that answers")]
  }
}

const keyCheck = ({ host }: CommandContext, settings: Settings, caller: Json.Fields): Check => {
  const ends = Json.object(caller.api_key).expires_at
  const source = settings.key?.source ?? "the id token of the job"
  const description = `of ${caller.name} (${caller.type}), from ${source}`
  if (settings.key === undefined) return ok("key", `${description}, for this run`)
  if (typeof ends !== "number") return ok("key", `${description}, without an end`)
  const days = Math.floor((ends - host.now() / 1_000) / DAY_SECONDS)
  return days >= KEY_DAYS_MIN
    ? ok("key", `${description}, for ${days} days`)
    : warn(
        "key",
        `${description}, ends in ${Math.max(0, days)} days`,
        "rotate it: attestry key rotate"
      )
}

const orgCheck = async (context: CommandContext, caller: Json.Fields): Promise<Check> => {
  try {
    const api = await context.api()
    const name = await api.org()
    await api.call("environment.list", { urlParams: { page: 1, per_page: 1 } })
    const role = Json.objects(caller.orgs).find((org) => org.name === name)?.role
    return ok("org", `${name}, as ${role ?? "unknown"}`)
  } catch (thrown) {
    return failed("org", thrown)
  }
}

/** Failures that do not concern the evidence log itself: the key may not read it, or the deployment has none. */
const UNREAD: ReadonlySet<string> = new Set(["denied", "missing"])

/** Checks that the evidence log of the org is signed; only receipts of a signed log prove anything. */
const logCheck = async (context: CommandContext): Promise<Check> => {
  try {
    const { state, message } = Json.object(await (await context.api()).call("log.get"))
    if (state === "current" || state === "catching_up") return ok("log", "signed")
    if (state === "unsigned")
      return warn(
        "log",
        "not signed: receipts prove nothing, and a rewritten history is not noticed",
        "the operator makes a key and sets ATTESTRY_LOG_KEY_FILE: docs/OPERATING.md"
      )
    return state === "stopped"
      ? warn("log", String(message), "ask the operator")
      : skip("log", "the server does not say its state")
  } catch (thrown) {
    return thrown instanceof CommandFailure && UNREAD.has(thrown.word)
      ? skip("log", "this key cannot read it")
      : failed("log", thrown)
  }
}

/** Checks that the key can read the org, and that the org's evidence log is signed. */
export const access = async (
  context: CommandContext,
  settings: Settings,
  isReached: boolean
): Promise<ReadonlyArray<Check>> => {
  if (!isReached)
    return ["key", "org", "log"].map((name) => skip(name, "needs a server that answers"))
  try {
    const caller = Json.object(await (await context.api()).call("meta.whoami"))
    const org = await orgCheck(context, caller)
    const log = org.state === "ok" ? await logCheck(context) : skip("log", "needs an org")
    return [keyCheck(context, settings, caller), org, log]
  } catch (thrown) {
    return [failed("key", thrown), skip("org", "needs a key"), skip("log", "needs a key")]
  }
}
