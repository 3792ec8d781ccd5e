/** `attestry spool send`: sends the waiting entries in the order in which they were recorded. */
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, toJson } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Duration from "../shared/Duration.js"
import * as Json from "../shared/Json.js"
import * as SpoolEntry from "./SpoolEntry.js"
import * as SpoolStore from "./SpoolStore.js"

interface Refusal {
  readonly entry: SpoolEntry.SpoolEntry
  readonly failure: CommandFailure
}

interface Progress {
  readonly sent: Array<{ readonly entry: SpoolEntry.SpoolEntry; readonly outcome: unknown }>
  readonly refused: Array<Refusal>
  /** Entries of other deployments. */
  readonly foreign: Array<SpoolEntry.SpoolEntry>
}

/** WHY the rest are still sent: a refusal is final and concerns one entry only. */
const isRefused = ({ word, details }: CommandFailure): boolean =>
  details.status === 422 ||
  word === "refused" ||
  word === "missing" ||
  word === "unreadable" ||
  word === "usage"

const sendOne = async (
  { host, api }: CommandContext,
  entry: SpoolEntry.SpoolEntry
): Promise<Json.Fields> => {
  const files = await SpoolStore.filesOf(host, entry)
  const { operation, path, org, idempotencyKey } = entry
  const call = {
    ...SpoolEntry.requestOf({
      operation,
      path: org === undefined ? path : { org, ...path },
      payload: SpoolEntry.sentPayload(entry)
    }),
    idempotencyKey,
    ...(files.length === 0 ? {} : { attachments: files })
  }
  return Json.object(await (await api()).write(operation, call))
}

/** Sends one entry; returns a failure only if it must stop the command. */
const attempt = async (
  context: CommandContext,
  entry: SpoolEntry.SpoolEntry,
  progress: Progress
): Promise<CommandFailure | undefined> => {
  const { host } = context
  try {
    const written = await sendOne(context, entry)
    SpoolStore.remove(host, entry.id)
    progress.sent.push({ entry, outcome: written.outcome ?? null })
    return undefined
  } catch (error) {
    if (!(error instanceof CommandFailure) || host.signal.aborted) throw error
    if (!isRefused(error)) return error
    SpoolStore.setAside(host, entry.id, toJson(error))
    progress.refused.push({ entry, failure: error })
    return undefined
  }
}

const shown = ({ id, operation, flow, trail, label, recordedMs }: SpoolEntry.SpoolEntry) => ({
  id,
  operation,
  flow,
  trail,
  label,
  recorded_at: new Date(recordedMs).toISOString()
})

const resultOf = (
  { sent, refused, foreign }: Progress,
  { total, left, nowMs }: { readonly total: number; readonly left: number; readonly nowMs: number }
): CommandResult => {
  const [first] = sent
  const labels = sent.map(({ entry }) => entry.label).join(", ")
  const age = first === undefined ? "" : Duration.print(nowMs - first.entry.recordedMs)
  return {
    exit: left + refused.length === 0 ? "done" : "partial",
    value: {
      schema: "attestry.cli/spool-send/v1",
      sent: sent.map(({ entry, outcome }) => ({ ...shown(entry), outcome })),
      refused: refused.map(({ entry, failure }) => ({ ...shown(entry), ...toJson(failure) })),
      left
    },
    quiet: String(sent.length),
    lines: (style) => [
      `sent ${sent.length} of ${total}` +
        (sent.length === 0 ? "" : `   ${style.text(labels)} (recorded ${age} ago)`),
      ...refused.map(
        ({ entry, failure }) =>
          `${style.tint("red", "refused")} ${style.text(entry.label)}: ${style.text(failure.message)}`
      ),
      ...foreign.map(({ label, url }) => `kept ${style.text(label)}: it is for ${style.text(url)}`)
    ]
  }
}

const sendAll = async (context: CommandContext): Promise<CommandResult> => {
  const { entries, damaged } = SpoolStore.read(context.host)
  const { url } = await context.settings()
  const progress: Progress = { sent: [], refused: [], foreign: [] }
  for (const id of damaged) context.output.warn(`entry ${id} of the spool is damaged: it is left`)
  for (const entry of entries) {
    if (entry.url !== url?.value) {
      progress.foreign.push(entry)
      continue
    }
    const stopped = await attempt(context, entry, progress)
    if (stopped?.word === "denied") throw stopped
    if (stopped === undefined) continue
    context.output.failure(stopped)
    break
  }
  const gone = progress.sent.length + progress.refused.length
  const total = entries.length + damaged.length
  return resultOf(progress, { total, left: total - gone, nowMs: context.host.now() })
}

/** Runs `attestry spool send`. */
export const run: CommandModule["run"] = (context) =>
  SpoolStore.locked(context.host, () => sendAll(context))
