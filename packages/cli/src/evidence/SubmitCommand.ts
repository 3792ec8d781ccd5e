/**
 * `attestry attest file FILE…`, and `attest sbom`, `provenance` and `scan`: sends evidence files as they are.
 *
 * `-` is stdin. The server reads and verifies files, and decides the outcome. Files are read on this machine too:
 * nothing is sent if one of them is of no known kind, or not of the kind of the command.
 */
import { basename } from "node:path"
import * as EvidenceReader from "@attestry/evidence-intake/EvidenceReader"
import * as ArtifactArgument from "../artifact/ArtifactArgument.js"
import * as AttachedFile from "../attestation/AttachedFile.js"
import { present } from "../attestation/EvidenceFields.js"
import * as TooLarge from "../attestation/TooLarge.js"
import { announce } from "../job/JobSummary.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { unreadable, usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as ForeignText from "../shared/ForeignText.js"
import * as Json from "../shared/Json.js"
import * as Spooling from "../spool/Spooling.js"
import { requireFlow, requireTrail, resolveTrail } from "../trail/TrailName.js"
import * as AcceptedEvidence from "./AcceptedEvidence.js"
import * as EvidenceFiles from "./EvidenceFiles.js"

const OPERATION = "evidence.submit"

/** The files that a command accepts. */
export interface Restriction {
  /** The word of the command, such as `sbom`. */
  readonly word: string
  /** The kinds of its files; undefined for all. */
  readonly kinds?: ReadonlyArray<string>
  /** What to do with a file that no reader knows. */
  readonly hint?: string
}

/** A file that waits on this machine. */
interface Spooled {
  readonly file: string
  readonly id: string
  readonly reason: string
}

const readFile = async (
  host: CommandContext["host"],
  path: string,
  { hint, kinds, word }: Restriction
): Promise<EvidenceFiles.ReadFile> => {
  const bytesMax = EvidenceReader.FILE_BYTES_CEILING
  const asked = { host, path, bytesMax, ...(hint === undefined ? {} : { hint }) }
  const read = await EvidenceFiles.read(asked)
  const other = read.file.documents.find(({ facts }) => kinds?.includes(facts.kind) === false)
  if (other !== undefined)
    throw unreadable(
      `${EvidenceFiles.named(path)} is of kind ${other.facts.kind}, and attest ${word} takes ${kinds?.join(", ")}`,
      `send it with: attestry attest file ${path}`
    )
  return read
}

interface Place {
  readonly flow: string
  readonly trail: string
}

/**
 * The flow and trail: both, or neither if one of them is not known. WHY not a failure: a file that names its subjects
 * finds its artifacts itself. A place that the command line names in part is a mistake.
 */
const placeOf = async (context: CommandContext, args: Arguments): Promise<Place | undefined> => {
  if (args.text("flow") !== undefined || args.text("trail") !== undefined)
    return { flow: await requireFlow(context), trail: await requireTrail(context) }
  const { flow } = await context.settings()
  const trail = await resolveTrail(context)
  return flow === undefined || trail === undefined
    ? undefined
    : { flow: flow.value, trail: trail.value }
}

const nameOf = (args: Arguments): string | undefined => {
  const name = args.text("name")
  if (name?.includes(".") === true)
    throw usage(
      `--name: \`${name}\` names a slot, and an evidence file finds its artifact by its digest`,
      "give the name alone, and the artifact with --artifact or --fingerprint"
    )
  return name
}

/** The parameters of every file of a command line. */
const parametersOf = async (
  context: CommandContext,
  args: Arguments,
  place: Place | undefined
): Promise<Json.Fields> =>
  present({
    flow_name: place?.flow,
    trail_name: place?.trail,
    fingerprint: await ArtifactArgument.flagged(context, args),
    name: nameOf(args),
    type_name: args.text("type-name"),
    origin_url: args.text("origin-url") ?? (await context.job()).buildUrl,
    description: args.text("description"),
    require: args.text("require")
  })

interface Sending {
  readonly context: CommandContext
  readonly args: Arguments
  readonly place: Place | undefined
  readonly parameters: Json.Fields
  readonly word: string
}

/** Sends one file, or asks what sending it would do. */
const sendFile = async (
  { context, args, place, parameters, word }: Sending,
  { path, bytes }: EvidenceFiles.ReadFile
): Promise<Spooling.Written> => {
  const filename = EvidenceFiles.named(basename(path))
  const files = [AttachedFile.fromBytes(filename, bytes)]
  const payload = { ...parameters, filename }
  if (args.has("dry-run")) {
    const call = { urlParams: { ...payload, dry_run: true }, attachments: files }
    return { kind: "sent", value: Json.object(await (await context.api()).call(OPERATION, call)) }
  }
  const write: Spooling.EvidenceWrite = {
    operation: OPERATION,
    path: {},
    payload,
    files,
    flow: place?.flow ?? "",
    trail: place?.trail ?? "",
    label: `${word} ${filename}`
  }
  const written = await Spooling.send(context, args, write).catch((error: unknown) => {
    throw TooLarge.named(error, files)
  })
  if (written.kind === "spooled" && args.has("assert"))
    throw Spooling.unasserted(OPERATION, written.id)
  return written
}

const resultOf = (
  args: Arguments,
  accepted: ReadonlyArray<AcceptedEvidence.Accepted>,
  spooled: ReadonlyArray<Spooled>
): CommandResult => {
  const compliant = AcceptedEvidence.isCompliant(accepted)
  const documents = AcceptedEvidence.documents(accepted)
  const isDryRun = args.has("dry-run")
  const words = compliant === null ? "NOT LINKED" : compliant ? "COMPLIANT" : "NON-COMPLIANT"
  return {
    exit: args.has("assert") && compliant !== true ? "no" : "done",
    value: {
      schema: "attestry.cli/evidence/v1",
      dry_run: isDryRun,
      compliant,
      documents,
      ignored: AcceptedEvidence.ignored(accepted),
      spooled
    },
    items: documents,
    quiet: accepted.length === 0 ? spooled.map(({ id }) => id).join("\n") : words,
    lines: (style) => [
      ...AcceptedEvidence.lines(accepted, { style, tense: isDryRun ? "dry-run" : "sent" }),
      ...(isDryRun ? ["nothing was recorded: this is a dry run"] : [])
    ]
  }
}

/** Writes the outcome for the CI job with `--assert`. */
const announced = async (
  context: CommandContext,
  args: Arguments,
  { files, isCompliant }: { readonly files: string; readonly isCompliant: boolean }
): Promise<void> => {
  const title = `${isCompliant ? "Compliant" : "Not compliant"}: ${ForeignText.code(files)}`
  const message = "the evidence is not compliant, or nothing is linked to it yet"
  await announce(context, args, {
    markdown: `### ${title}\n\n`,
    annotations: isCompliant
      ? []
      : [{ level: "error", title: files, message, file: null, line: 1, column: 1 }],
    outputs: { compliant: String(isCompliant) }
  })
}

/** Makes the command for files of some kinds. */
export const command = (restriction: Restriction): CommandModule => ({
  run: async (context, args) => {
    EvidenceFiles.requireOneStdin(args.positionals)
    const files: Array<EvidenceFiles.ReadFile> = []
    for (const path of args.positionals) files.push(await readFile(context.host, path, restriction))
    const place = await placeOf(context, args)
    const parameters = await parametersOf(context, args, place)
    const sending = { context, args, place, parameters, word: restriction.word }
    const accepted: Array<AcceptedEvidence.Accepted> = []
    const spooled: Array<Spooled> = []
    for (const file of files) {
      const written = await sendFile(sending, file)
      if (written.kind === "sent") accepted.push({ file: file.path, answer: written.value })
      else spooled.push({ file: file.path, id: written.id, reason: written.reason })
    }
    const result = resultOf(args, accepted, spooled)
    const paths = files.map(({ path }) => EvidenceFiles.named(path)).join(", ")
    if (args.has("assert") && !args.has("dry-run"))
      await announced(context, args, { files: paths, isCompliant: result.exit === "done" })
    return result
  }
})
