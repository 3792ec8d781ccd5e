/**
 * The common part of every `attestry attest KIND`: the subject, fields and files, the request, and the result.
 *
 * The server decides the outcome; the command does not compute it.
 */
import * as ArtifactArgument from "../artifact/ArtifactArgument.js"
import { type Announcement, announce } from "../job/JobSummary.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as ForeignText from "../shared/ForeignText.js"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"
import * as Spooling from "../spool/Spooling.js"
import { requireFlow, requireTrail } from "../trail/TrailName.js"
import type { AttachedFile } from "./AttachedFile.js"
import * as AttachedFiles from "./AttachedFile.js"
import { dryRun } from "./DryRun.js"
import * as EvidenceFields from "./EvidenceFields.js"
import * as TooLarge from "./TooLarge.js"

/**
 * The maximum size of the JSON: the server accepts 400 KiB, and 1 KiB is reserved for the annotation of the spool.
 */
export const JSON_BYTES_MAX = 399 * 1_024

/** The evidence of one kind. */
export interface Evidence {
  /** The fields of the kind, or a function that shortens long lists to a number of bytes. */
  readonly fields: Json.Fields | ((bytesMax: number) => Json.Fields)
  readonly files: ReadonlyArray<AttachedFile>
  /** The summary beside the outcome. */
  readonly summary: string
  /** The findings that make the evidence non-compliant. */
  readonly findings?: (style: Style) => ReadonlyArray<string>
}

/** A kind of evidence. */
export interface Kind {
  /** The operation, such as `attestation.junit`. */
  readonly operation: string
  /** The name of the kind, such as `junit`. */
  readonly word: string
  /** Whether `--repository` names the repository of a forge instead of that of the evidence. */
  readonly asksForge?: boolean
  readonly gather: (context: CommandContext, args: Arguments, about: About) => Promise<Evidence>
}

/** The subject of evidence: a trail, a slot or an artifact. */
export interface About {
  readonly flow: string
  readonly trail: string
  readonly name: string
  readonly slot: string | undefined
  readonly fingerprint: string | undefined
}

const aboutOf = async (context: CommandContext, args: Arguments): Promise<About> => {
  const whole = args.required("name")
  const at = whole.indexOf(".")
  return {
    flow: await requireFlow(context),
    trail: await requireTrail(context),
    slot: at < 0 ? undefined : whole.slice(0, at),
    name: whole.slice(at + 1),
    fingerprint: await ArtifactArgument.flagged(context, args)
  }
}

const payloadOf = async (
  context: CommandContext,
  args: Arguments,
  { kind, about, evidence }: Omit<Recorded, "written">
): Promise<Json.Fields> => {
  const shared = await EvidenceFields.shared(context, args, kind)
  const annotations = args.pairs("annotate")
  if (
    about.slot !== undefined &&
    about.fingerprint === undefined &&
    shared.git_commit_info === undefined
  )
    throw usage(
      `${about.slot}.${about.name} is bound by its commit, which is not known`,
      "give --commit, or the artifact with --artifact or --fingerprint"
    )
  const withFields = (fields: Json.Fields): Json.Fields =>
    EvidenceFields.present({
      attestation_name: about.name,
      artifact_fingerprint: about.fingerprint,
      target_artifacts: about.slot === undefined ? undefined : [about.slot],
      annotations: annotations.length === 0 ? undefined : Object.fromEntries(annotations),
      ...fields,
      ...shared,
      ...mergedUserData(fields.user_data, shared.user_data)
    })
  return fitted(evidence.fields, withFields)
}

/** The payload; long lists get the bytes that the other fields leave. */
const fitted = (
  fields: Evidence["fields"],
  withFields: (fields: Json.Fields) => Json.Fields
): Json.Fields => {
  if (typeof fields !== "function") return withFields(fields)
  const others = Buffer.byteLength(JSON.stringify(withFields(fields(0))))
  return withFields(fields(JSON_BYTES_MAX - others))
}

/** Merges the data of the kind with the user's data if both are objects; otherwise returns the user's data. */
const mergedUserData = (own: unknown, users: unknown): Json.Fields => {
  if (own === undefined) return {}
  if (users === undefined) return { user_data: own }
  return { user_data: Json.isObject(own) && Json.isObject(users) ? { ...own, ...users } : users }
}

const whereOf = ({ slot, fingerprint, flow, trail }: About, style: Style): string => {
  const trailText = `trail ${style.text(trail)} of flow ${style.text(flow)}`
  if (fingerprint !== undefined) return `artifact ${style.short(fingerprint)} of ${trailText}`
  return slot === undefined ? trailText : `${style.text(slot)} of ${trailText}`
}

interface Recorded {
  readonly kind: Kind
  readonly about: About
  readonly evidence: Evidence
  readonly written: Json.Fields
}

const exitOf = (args: Arguments, compliant: unknown): CommandResult["exit"] => {
  if (!args.has("assert") || compliant === true) return "done"
  if (compliant === false) return "no"
  throw new CommandFailure(
    "unanswered",
    "the attestation is recorded, but the server did not say whether it is compliant",
    { hint: "ask with: attestry assert trail" }
  )
}

const resultOf = (args: Arguments, { kind, about, evidence, written }: Recorded): CommandResult => {
  const compliant = typeof written.is_compliant === "boolean" ? written.is_compliant : null
  const verb = written.outcome === "unchanged" ? "recorded before on" : "recorded on"
  return {
    exit: exitOf(args, compliant) ?? "done",
    value: {
      schema: "attestry.cli/attestation/v1",
      kind: kind.word,
      name: about.name,
      flow: about.flow,
      trail: about.trail,
      slot: about.slot ?? null,
      fingerprint: about.fingerprint ?? null,
      compliant,
      outcome: written.outcome ?? null,
      id: written.id ?? null,
      url: written.html_url ?? null,
      files: evidence.files.map(({ filename, size }) => ({ filename, size }))
    },
    quiet: compliant === true ? "COMPLIANT" : "NON-COMPLIANT",
    lines: (style) => [
      `${style.text(about.name)} (${kind.word}): ${verdict(style, compliant)}` +
        (evidence.summary === "" ? "" : `   ${style.text(evidence.summary)}`),
      ...(compliant === false ? (evidence.findings?.(style) ?? []) : []),
      `${verb} ${whereOf(about, style)}`
    ]
  }
}

/** The output for the CI job with `--assert`. */
const announcementOf = ({ kind, about, evidence, written }: Recorded): Announcement => {
  const isCompliant = written.is_compliant === true
  const name = `${about.slot === undefined ? "" : `${about.slot}.`}${about.name} (${kind.word})`
  const verb = isCompliant ? "Compliant" : "Not compliant"
  const message = `${evidence.summary === "" ? "not compliant" : evidence.summary}`
  return {
    markdown: `### ${verb}: ${ForeignText.code(name)}\n\n${ForeignText.markdown(evidence.summary)}\n\n`,
    annotations: isCompliant
      ? []
      : [{ level: "error", title: name, message, file: null, line: 1, column: 1 }],
    outputs: {
      compliant: String(isCompliant),
      ...(about.fingerprint === undefined ? {} : { fingerprint: about.fingerprint }),
      ...(typeof written.html_url === "string" ? { url: written.html_url } : {})
    }
  }
}

/** Makes the command that attests one kind. */
export const command = (kind: Kind): CommandModule => ({
  run: async (context, args) => {
    const about = await aboutOf(context, args)
    const evidence = await kind.gather(context, args, about)
    const attached = args
      .texts("attach")
      .map((path) => AttachedFiles.fromPath(context.host.cwd, path))
    const files = [...evidence.files, ...attached]
    const call = {
      path: { flow_name: about.flow, trail_name: about.trail },
      payload: await payloadOf(context, args, { kind, about, evidence }),
      attachments: files
    }
    if (args.has("dry-run")) return dryRun(context, kind.operation, call)
    const write: Spooling.EvidenceWrite = {
      operation: kind.operation,
      path: call.path,
      payload: call.payload,
      files,
      flow: about.flow,
      trail: about.trail,
      label: `${kind.word} ${about.name}`
    }
    const sent = await Spooling.send(context, args, write).catch((error: unknown) => {
      throw TooLarge.named(error, files)
    })
    if (sent.kind === "spooled") return Spooling.resultOf(write, sent, args)
    const recorded = { kind, about, evidence: { ...evidence, files }, written: sent.value }
    const result = resultOf(args, recorded)
    if (args.has("assert")) await announce(context, args, announcementOf(recorded))
    return result
  }
})
