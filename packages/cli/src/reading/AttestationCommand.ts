/**
 * `attestry get attestation`: an attestation by its id, or the latest of a name on a trail or for an artifact; with
 * `--download`, also its evidence files.
 *
 * File names come from foreign reports: only their last part is used, made safe, and no existing file is overwritten.
 * The bytes must have the digest that the attestation names.
 */
import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as ArtifactArgument from "../artifact/ArtifactArgument.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, unreadable, usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import { requireFlow, resolveTrail } from "../trail/TrailName.js"

/** The last part of a name, without control characters and leading dots. */
export const safeName = (name: string): string => {
  const last = name.split(/[\\/]/).at(-1) ?? ""
  const safe = last.replaceAll(/[^\p{L}\p{N}._ +-]/gu, "_").replace(/^[. ]+/, "")
  return safe === "" ? "evidence" : safe.slice(0, 120)
}

interface Saved {
  readonly file: string
  readonly fingerprint: string
  readonly size: number
}

const write = (folder: string, name: string, bytes: Uint8Array): string => {
  const file = join(folder, name)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, bytes, { mode: 0o600, flag: "wx" })
  } catch (cause) {
    throw unreadable(`${file} cannot be written, or is there already`, undefined, cause)
  }
  return file
}

const download = async (
  { api, host }: CommandContext,
  attestation: Json.Fields,
  folder: string
): Promise<ReadonlyArray<Saved>> => {
  const saved: Array<Saved> = []
  for (const { filename, fingerprint } of Json.objects(attestation.attachments)) {
    const { bytes } = await (await api()).answer("attestation.evidence", {
      path: {
        flow_name: attestation.flow_name,
        trail_name: attestation.trail_name,
        attestation_id: attestation.attestation_id
      },
      urlParams: { fingerprint }
    })
    const digest = createHash("sha256").update(bytes).digest("hex")
    if (digest !== fingerprint)
      throw new CommandFailure(
        "unanswered",
        `the server sent other bytes than \`${filename}\` had: ${digest} instead of ${fingerprint}`
      )
    const file = write(resolve(host.cwd, folder), safeName(String(filename)), bytes)
    saved.push({ file, fingerprint: digest, size: bytes.length })
  }
  return saved
}

/** The attestations of a name: the request, and the subject of the failure if there are none. */
interface NameQuestion {
  readonly operation: string
  readonly path: Json.Fields
  /** The slot that they must be for. */
  readonly slot: string | undefined
  readonly subject: string
}

/** The question for a name on a trail or for an artifact. */
const questionOf = (
  text: string,
  flow_name: string,
  place: { readonly trail_name: string } | { readonly fingerprint: string }
): NameQuestion => {
  const at = text.indexOf(".")
  const isTrail = "trail_name" in place
  const subject = isTrail
    ? `on trail ${place.trail_name}`
    : `for artifact ${place.fingerprint.slice(0, 12)}`
  return {
    operation: isTrail ? "attestation.listOnTrail" : "attestation.listOnArtifact",
    path: { flow_name, attestation_name: text.slice(at + 1), ...place },
    slot: at < 0 ? undefined : text.slice(0, at),
    subject: `\`${text}\` ${subject} of flow ${flow_name}`
  }
}

const forSlot = (slot: string | undefined, answer: unknown): ReadonlyArray<Json.Fields> =>
  Json.objects(answer).filter(
    ({ target_artifacts }) => slot === undefined || Json.list(target_artifacts).includes(slot)
  )

/** The attestation of an id; without one, those of a name on the trail of the job or the settings. */
const byIdOrName = async (
  context: CommandContext,
  text: string
): Promise<ReadonlyArray<Json.Fields>> => {
  const api = await context.api()
  const answer = await api.call("attestation.list", { urlParams: { attestation_id: text } })
  const found = Json.objects(Json.object(answer).data)
  const flow = (await context.settings()).flow?.value
  const trail = (await resolveTrail(context))?.value
  if (found.length > 0 || flow === undefined || trail === undefined) return found
  const { operation, path, slot } = questionOf(text, flow, { trail_name: trail })
  return forSlot(slot, await api.find(operation, { path }))
}

const missing = (subject: string, hint?: string): CommandFailure =>
  new CommandFailure("missing", `there is no attestation ${subject}`, { hint })

/** The attestations of the command line, newest first; fails if there is none. */
const ask = async (
  context: CommandContext,
  args: Arguments
): Promise<readonly [Json.Fields, ...ReadonlyArray<Json.Fields>]> => {
  const [text = ""] = args.positionals
  const fingerprint = await ArtifactArgument.flagged(context, args)
  const trail_name = args.text("trail")
  if (fingerprint !== undefined && trail_name !== undefined)
    throw usage("--trail and an artifact cannot stand together: give one of them")
  if (fingerprint === undefined && trail_name === undefined) {
    const [first, ...others] = await byIdOrName(context, text)
    if (first !== undefined) return [first, ...others]
    throw missing(`\`${text}\``, "for a name, give --flow and --trail or --artifact")
  }
  const place = fingerprint === undefined ? { trail_name: trail_name ?? "" } : { fingerprint }
  const question = questionOf(text, await requireFlow(context), place)
  const { operation, path, slot, subject } = question
  const answer = await (await context.api()).call(operation, { path })
  const [first, ...others] = forSlot(slot, answer)
  if (first === undefined) throw missing(subject)
  return [first, ...others]
}

const linesOf = (attestation: Json.Fields, style: Style): ReadonlyArray<string> => [
  `${style.text(attestation.attestation_name)} (${style.text(attestation.attestation_type)}): ` +
    `${verdict(style, attestation.is_compliant)}   ${style.instant(attestation.created_at)} by ` +
    style.text(attestation.reported_by),
  `flow ${style.text(attestation.flow_name)}, trail ${style.text(attestation.trail_name)}`,
  ...Table.lines(
    Json.objects(attestation.attachments).map(({ filename, fingerprint }) => [
      `  ${style.text(filename)}`,
      style.short(fingerprint)
    ])
  ),
  style.text(attestation.html_url)
]

const resultOfAll = (all: ReadonlyArray<Json.Fields>): CommandResult => ({
  value: all,
  items: all,
  quiet: all.map(({ attestation_id }) => String(attestation_id)).join("\n"),
  lines: (style) => all.flatMap((each, at) => [...(at === 0 ? [] : [""]), ...linesOf(each, style)])
})

/** Runs `attestry get attestation`. */
export const run: CommandModule["run"] = async (context, args) => {
  const folder = args.text("download")
  if (folder !== undefined && args.has("all"))
    throw usage("--download and --all cannot stand together", "give the id of one attestation")
  const all = await ask(context, args)
  if (args.has("all")) return resultOfAll(all)
  const [attestation] = all
  const saved = folder === undefined ? [] : await download(context, attestation, folder)
  return {
    value: attestation,
    quiet: saved.map(({ file }) => file).join("\n"),
    lines: (style) => [
      ...linesOf(attestation, style),
      ...saved.map(({ file, size }) => `saved ${style.text(file)}, ${size} bytes`)
    ]
  }
}
