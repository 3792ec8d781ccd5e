/**
 * `attestry audit package THING`: saves everything about a trail, an artifact or a snapshot as a tar file.
 *
 * The file appears under its name when it is whole and verified. With `--save -` the bytes go to stdout as they
 * arrive, so a reader has to wait for the exit code.
 */
import { resolve } from "node:path"
import { parseFingerprint } from "../artifact/ArtifactArgument.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import type * as Json from "../shared/Json.js"
import * as NewFile from "../shared/NewFile.js"
import * as SnapshotArgument from "../snapshot/SnapshotArgument.js"
import { requireFlow } from "../trail/TrailName.js"
import { MANIFEST, problem } from "./PackageVerification.js"
import { TarDigests } from "./TarDigests.js"

const FINGERPRINT = /^(?:sha256:)?[0-9a-fA-F]{64}$/

/** A snapshot. WHY not an environment alone: it would read like a trail of the flow in the settings. */
const SNAPSHOT = /^[^/@#~]+(?:#|~\d+$|@\{)/

/** What a package is about. */
interface Subject {
  readonly operation: "auditPackage.trail" | "auditPackage.artifact" | "auditPackage.snapshot"
  readonly path: Json.Fields
  readonly name: string
}

const trailOf = (flow: string, trail: string): Subject => {
  if (flow === "" || trail === "") throw usage("FLOW/TRAIL needs a flow and a trail")
  return {
    operation: "auditPackage.trail",
    path: { flow_name: flow, trail_name: trail },
    name: `${flow}-${trail}`
  }
}

const artifactOf = (flow: string, text: string): Subject => {
  const fingerprint = parseFingerprint(text)
  return {
    operation: "auditPackage.artifact",
    path: { flow_name: flow, fingerprint },
    name: `${flow}-${fingerprint}`
  }
}

const snapshotOf = (text: string): Subject => {
  const { environment, expression } = SnapshotArgument.parse(text)
  return {
    operation: "auditPackage.snapshot",
    path: { env_name: environment, snapshot_expression: expression },
    name: `${environment}-${expression.replaceAll(/[@{}~]/g, "")}`
  }
}

/** Parses `FLOW/TRAIL`, `FLOW@FINGERPRINT`, `ENV#N`, and a trail or a fingerprint of the flow in the settings. */
const subjectOf = async (context: CommandContext, thing: string): Promise<Subject> => {
  if (SNAPSHOT.test(thing)) return snapshotOf(thing)
  const [, flow, fingerprint] = /^([^/@]+)@(.+)$/.exec(thing) ?? []
  if (flow !== undefined && fingerprint !== undefined) return artifactOf(flow, fingerprint)
  const slash = thing.indexOf("/")
  if (slash >= 0) return trailOf(thing.slice(0, slash), thing.slice(slash + 1))
  const own = await requireFlow(context)
  return FINGERPRINT.test(thing) ? artifactOf(own, thing) : trailOf(own, thing)
}

const targetOf = ({ host }: CommandContext, save: string): NewFile.NewFile =>
  save === "-"
    ? { write: host.writeStdout, end: async () => {}, drop: () => {} }
    : NewFile.begin(resolve(host.cwd, save))

const SHOWN_BYTES = 1_048_576

/** Downloads the package, and returns its size. */
const download = async (
  context: CommandContext,
  { operation, path }: Subject,
  receive: (bytes: Uint8Array) => Promise<void>
): Promise<number> => {
  const api = await context.api()
  let size = 0
  let shown = 0
  for await (const piece of api.download(operation, { path })) {
    await receive(piece)
    size += piece.length
    if (size - shown < SHOWN_BYTES) continue
    shown = size
    context.output.progress(`${Math.floor(size / SHOWN_BYTES)} MiB`)
  }
  context.output.progress("")
  return size
}

const reading = (digests: TarDigests, bytes: Uint8Array): void => {
  try {
    digests.push(bytes)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CommandFailure("unanswered", `the server sent no audit package: ${why}`, { cause })
  }
}

const save = async (
  context: CommandContext,
  args: Arguments,
  { subject, target }: { readonly subject: Subject; readonly target: NewFile.NewFile }
): Promise<{ readonly size: number; readonly members: number | null }> => {
  const digests = args.has("no-verify") ? undefined : new TarDigests(MANIFEST)
  try {
    const size = await download(context, subject, async (bytes) => {
      if (digests !== undefined) reading(digests, bytes)
      await target.write(bytes)
    })
    const wrong = digests === undefined ? undefined : problem(digests)
    if (wrong !== undefined)
      throw new CommandFailure("unanswered", `the audit package is not whole: ${wrong}`)
    await target.end()
    return { size, members: digests?.members.length ?? null }
  } catch (error) {
    target.drop()
    throw error
  }
}

/** Runs `attestry audit package`. */
export const run: CommandModule["run"] = async (context, args) => {
  const subject = await subjectOf(context, args.positionals[0] ?? "")
  const name = subject.name.replaceAll(/[^a-zA-Z0-9._~-]/g, "_")
  const file = args.text("save") ?? `${name}-audit-package.tar`
  const { size, members } = await save(context, args, { subject, target: targetOf(context, file) })
  const checked =
    members === null ? "not verified" : `${members} files, all as the manifest lists them`
  if (file === "-") context.output.note(`${size} bytes, ${checked}`)
  return {
    isSilent: file === "-",
    value: {
      schema: "attestry.cli/audit-package/v1",
      ...subject.path,
      file: file === "-" ? null : file,
      size,
      members,
      verified: members !== null
    },
    quiet: file,
    lines: (style) => [`${style.text(file)}: ${size} bytes, ${checked}`]
  }
}
