/**
 * `report --watch`: repeats reports until the process is asked to stop.
 *
 * An unchanged report is the heartbeat. After a failure, the next attempt reads the runtime and the key again.
 * Environments that are due together share their reads, so that one listing of a runtime serves all of them.
 */
import type { Server } from "node:http"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { type CommandFailure, usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { ExitWord } from "../shared/ExitCode.js"
import * as Json from "../shared/Json.js"
import { failureOf } from "../shared/Output.js"
import * as Report from "./Report.js"
import { type ReportDraft, type Reporter, SharedReads } from "./Reporter.js"
import * as ReportHealth from "./ReportHealth.js"
import * as ReportSchedule from "./ReportSchedule.js"

/** An environment and its reporter. */
export interface Entry {
  readonly environment: string
  readonly reporter: Reporter
  readonly args: Arguments
}

/** The options of repeated reports. */
export interface WatchOptions {
  readonly everyMs: number
  readonly isOnChange: boolean
  readonly maxFailures: number | undefined
  readonly healthPort: number | undefined
}

interface Watched extends Entry {
  progress: ReportSchedule.Progress
  last: ReportDraft | undefined
  sinceMs: number
  succeeded: number
  failed: number
  /** Whether the runtime sends events about changes. */
  tells: boolean
}

const PORT_MAX = 65_535
/** Environments that are due within this time share their reads. */
const TOGETHER_MS = 1_000
/** A group of changes ends after this pause. */
const QUIET_MS = 2_000

const WATCH_ONLY = ["every", "on-change", "max-failures", "health-port"]

/** The options of `--watch`; undefined without it. */
export const optionsOf = (
  { output }: CommandContext,
  args: Arguments,
  everyMs = ReportSchedule.EVERY_MS
): WatchOptions | undefined => {
  const alone = WATCH_ONLY.find((name) => args.text(name) !== undefined)
  if (!args.has("watch")) {
    if (alone !== undefined) throw usage(`--${alone} needs --watch`)
    return undefined
  }
  if (args.has("dry-run")) throw usage("--dry-run prints one report: leave --watch out")
  if (output.options.format === "json")
    throw usage("--watch has one result for each round: use --output jsonl")
  const every = args.duration("every") ?? everyMs
  if (every < ReportSchedule.EVERY_MIN_MS) throw usage("--every is at least 1s")
  const healthPort = args.number("health-port")
  if (healthPort !== undefined && (healthPort < 1 || healthPort > PORT_MAX))
    throw usage(`--health-port expects a port from 1 to ${PORT_MAX}, not ${healthPort}`)
  const maxFailures = args.number("max-failures")
  if (maxFailures === 0) throw usage("--max-failures is at least 1")
  return { everyMs: every, isOnChange: args.has("on-change"), maxFailures, healthPort }
}

/** Makes a context with fresh settings and key; it finishes its requests when the process is asked to stop. */
const renewed = async (context: CommandContext, args: Arguments): Promise<CommandContext> => {
  const host = { ...context.host, signal: new AbortController().signal }
  const Settings = await import("../settings/Settings.js")
  const Api = await import("../transport/Api.js")
  const settings = await Settings.load(host, args)
  const api = Api.make(host, context.output, settings)
  return { ...context, host, settings: async () => settings, api: async () => api }
}

/** WHY these: no later attempt can succeed. */
const isHopeless = ({ word }: CommandFailure): boolean => word === "usage" || word === "defect"

interface Loop {
  readonly context: CommandContext
  /** The command line, as a source of settings. */
  readonly args: Arguments
  readonly options: WatchOptions
  readonly watched: ReadonlyArray<Watched>
}

/** Reports one environment; returns a failure only if it must end the process. */
const attempt = async (
  { context, options }: Loop,
  each: Watched,
  { reads, pauseMs, inner }: { reads: SharedReads; pauseMs: number; inner: CommandContext }
): Promise<CommandFailure | undefined> => {
  const { host, output } = context
  const { reporter, environment, args } = each
  each.sinceMs = host.now()
  try {
    const request = { reporter, environment, args, reads, showsChanges: false }
    const { draft, result } = await Report.once(inner, request)
    each.last = draft
    each.succeeded++
    each.progress = ReportSchedule.succeeded(host.now(), pauseMs)
    output.result(stamped(result, host.now()))
    return undefined
  } catch (thrown) {
    // WHY: the next round retries a failed report; only a permanent failure ends the process.
    const failure = failureOf(thrown)
    each.failed++
    each.progress = ReportSchedule.failed(each.progress, host.now())
    const isLast = each.progress.failures === options.maxFailures
    if (isHopeless(failure) || isLast) return failure
    output.failure(failure)
    return undefined
  }
}

/** Adds the time to a result, for a stream of results. */
const stamped = (result: CommandResult, nowMs: number): CommandResult => ({
  ...result,
  value: { ...Json.object(result.value), at: new Date(nowMs).toISOString() }
})

const runDue = async (loop: Loop): Promise<CommandFailure | undefined> => {
  const { context, args, options, watched } = loop
  const nowMs = context.host.now()
  const reads = new SharedReads()
  const pauseMs = ReportSchedule.successPauseMs(options.everyMs, Math.random())
  const due = watched.filter(({ progress }) => progress.dueMs <= nowMs + TOGETHER_MS)
  const inner = await renewed(context, args)
  for (const each of due) {
    const failure = await attempt(loop, each, { reads, pauseMs, inner })
    if (failure !== undefined) return failure
    if (context.host.signal.aborted) return undefined
  }
  return undefined
}

/** Waits for a change of one environment, and then until changes pause. */
const changeOf = async (loop: Loop, each: Watched, signal: AbortSignal): Promise<void> => {
  const { context } = loop
  const { reporter, args, last, sinceMs } = each
  const never = new Promise<void>(() => {})
  if (reporter.changed === undefined || !each.tells) return never
  try {
    await reporter.changed({ context, args, last, sinceMs, signal })
  } catch (thrown) {
    if (signal.aborted) return never
    // WHY: without events, the interval still triggers reports.
    each.tells = false
    const { message } = failureOf(thrown)
    context.output.warn(
      `${each.environment}: changes are not told (${message}): only --every counts`
    )
    return never
  }
  await context.host.sleep(QUIET_MS, signal)
  each.progress = { ...each.progress, dueMs: context.host.now() }
}

/** Waits until an environment is due or has changed, or the process is asked to stop. */
const pause = async (loop: Loop): Promise<void> => {
  const { context, options, watched } = loop
  const { host } = context
  const controller = new AbortController()
  const stop = () => controller.abort()
  host.signal.addEventListener("abort", stop, { once: true })
  const waitMs = Math.max(
    0,
    Math.min(...watched.map(({ progress }) => progress.dueMs)) - host.now()
  )
  const changes = options.isOnChange
    ? watched
        .filter(({ progress }) => progress.failures === 0)
        .map((each) => changeOf(loop, each, controller.signal))
    : []
  try {
    await Promise.race([host.sleep(waitMs, controller.signal), ...changes])
  } catch (thrown) {
    if (!controller.signal.aborted) throw thrown
  } finally {
    host.signal.removeEventListener("abort", stop)
    controller.abort()
    // WHY: the signal ends the other waits, so their failures mean nothing.
    for (const change of changes) change.catch(() => {})
  }
}

const healthOf =
  (watched: ReadonlyArray<Watched>, { everyMs }: WatchOptions) =>
  (): ReadonlyArray<ReportHealth.Health> =>
    watched.map(({ environment, progress, last, succeeded, failed }) => ({
      environment,
      everyMs,
      progress,
      succeeded,
      failed,
      units: last?.units.length ?? 0,
      leftOut: last?.leftOut.length ?? 0,
      unknown: last?.unknown?.length ?? 0
    }))

const ended = (reason: unknown): CommandResult => {
  const exit: ExitWord = reason === "SIGTERM" ? "terminated" : "interrupted"
  return { exit, value: undefined, items: [], lines: () => [] }
}

const loopUntilEnd = async (loop: Loop): Promise<CommandResult> => {
  const { signal } = loop.context.host
  while (!signal.aborted) {
    const failure = await runDue(loop)
    if (failure !== undefined) throw failure
    if (!signal.aborted) await pause(loop)
  }
  return ended(signal.reason)
}

/** Reports until the process is asked to stop, or a failure ends it. */
export const run = async (
  context: CommandContext,
  args: Arguments,
  { entries, ...options }: WatchOptions & { readonly entries: ReadonlyArray<Entry> }
): Promise<CommandResult> => {
  const { host } = context
  const watched = entries.map(
    (entry): Watched => ({
      ...entry,
      progress: ReportSchedule.begin(host.now()),
      last: undefined,
      sinceMs: host.now(),
      succeeded: 0,
      failed: 0,
      tells: true
    })
  )
  const { healthPort } = options
  const server: Server | undefined =
    healthPort === undefined
      ? undefined
      : await ReportHealth.serve(healthPort, host.now, healthOf(watched, options))
  try {
    return await loopUntilEnd({ context, args, options, watched })
  } finally {
    server?.close()
    server?.closeAllConnections()
  }
}
