/**
 * Writes evidence with `--if-unreachable`: sends it, or spools it if the server does not answer.
 *
 * While an entry of a trail waits, later writes to that trail wait behind it.
 */
import { randomUUID } from "node:crypto"
import type { AttachedFile } from "../attestation/AttachedFile.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import { variable } from "../shared/Host.js"
import * as Json from "../shared/Json.js"
import * as SpoolEntry from "./SpoolEntry.js"
import * as SpoolStore from "./SpoolStore.js"
import * as SpoolWarning from "./SpoolWarning.js"

/** A write of evidence. */
export interface EvidenceWrite {
  readonly operation: string
  readonly path: { readonly [name: string]: string }
  readonly payload: Json.Fields
  readonly files?: ReadonlyArray<AttachedFile>
  readonly flow: string
  readonly trail: string
  /** A short description. */
  readonly label: string
}

/** The result of a write. */
export type Written =
  | { readonly kind: "sent"; readonly value: Json.Fields }
  | {
      readonly kind: "spooled"
      readonly id: string
      readonly waiting: number
      readonly reason: string
    }

const MODES = ["fail", "spool"]

const isSpooling = async (
  { host, settings }: CommandContext,
  args: Arguments
): Promise<boolean> => {
  const mode =
    args.text("if-unreachable") ??
    variable(host, "ATTESTRY_IF_UNREACHABLE") ??
    (await settings()).repository?.ifUnreachable ??
    "fail"
  if (!MODES.includes(mode))
    throw usage(`ATTESTRY_IF_UNREACHABLE expects fail or spool, not \`${mode}\``)
  return mode === "spool"
}

/** WHY not every failure without an answer: an answer from another service is a mistake in the settings. */
const isUnreachable = (error: unknown): error is CommandFailure => {
  if (!(error instanceof CommandFailure) || error.word !== "unanswered") return false
  const { status } = error.details
  return status === undefined || status === 429 || status >= 500
}

const callOf = ({ files, ...write }: EvidenceWrite) => ({
  ...SpoolEntry.requestOf(write),
  ...(files === undefined ? {} : { attachments: files })
})

interface Keeping {
  readonly context: CommandContext
  readonly args: Arguments
}

const keep = async (
  { context, args }: Keeping,
  write: EvidenceWrite,
  reason: string
): Promise<Written> => {
  const { host } = context
  const { url, org } = await context.settings()
  await (await context.api()).check(write.operation, callOf(write))
  const { files = [], operation, path, payload, flow, trail, label } = write
  const recordedMs = host.now()
  const entry = {
    url: url?.value ?? "",
    org: org?.value,
    operation,
    path,
    payload,
    idempotencyKey: randomUUID(),
    recordedMs,
    flow,
    trail,
    label
  }
  const { id, waiting } = await SpoolStore.add(host, entry, files)
  await SpoolWarning.tell(context, args, `${reason}; spooled as ${id}, ${waiting} waiting`)
  return { kind: "spooled", id, waiting, reason }
}

/** WHY both reasons: the server did not answer, and the write could not be stored on disk either. */
const kept = async (
  keeping: Keeping,
  write: EvidenceWrite,
  failure: CommandFailure
): Promise<Written> => {
  try {
    return await keep(keeping, write, failure.message)
  } catch (error) {
    if (error instanceof CommandFailure && error.word === "usage") throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new CommandFailure(
      "unanswered",
      `${failure.message}; and the spool cannot take it: ${why}`,
      { ...failure.details, cause: error }
    )
  }
}

const waitingBefore = (
  context: CommandContext,
  url: string,
  { flow, trail }: EvidenceWrite
): number =>
  SpoolStore.read(context.host).entries.filter(
    (entry) => entry.url === url && entry.flow === flow && entry.trail === trail
  ).length

/** Sends a write, or spools it. */
export const send = async (
  context: CommandContext,
  args: Arguments,
  write: EvidenceWrite
): Promise<Written> => {
  const sent = async (): Promise<Written> => ({
    kind: "sent",
    value: Json.object(await (await context.api()).write(write.operation, callOf(write)))
  })
  if (!(await isSpooling(context, args))) return sent()
  const { url } = await context.settings()
  const before = waitingBefore(context, url?.value ?? "", write)
  if (before > 0) {
    const silence = `${before} of trail ${write.trail} of flow ${write.flow} wait for ${url?.value}`
    return kept({ context, args }, write, new CommandFailure("unanswered", silence))
  }
  try {
    return await sent()
  } catch (error) {
    if (context.host.signal.aborted || !isUnreachable(error)) throw error
    return kept({ context, args }, write, error)
  }
}

/** The failure of `--assert` for a spooled write. */
export const unasserted = (operation: string, id: string): CommandFailure =>
  new CommandFailure("unanswered", `it is spooled as ${id}, and --assert has no answer`, {
    operation,
    hint: "send it with: attestry spool send"
  })

/** The command result of a spooled write. */
export const resultOf = (
  { operation, flow, trail, label }: EvidenceWrite,
  { id, waiting, reason }: Extract<Written, { readonly kind: "spooled" }>,
  args: Arguments
): CommandResult => {
  if (args.has("assert")) throw unasserted(operation, id)
  return {
    value: {
      schema: "attestry.cli/spooled/v1",
      spooled: true,
      id,
      operation,
      flow,
      trail,
      label,
      waiting,
      reason
    },
    quiet: id,
    lines: () => []
  }
}
