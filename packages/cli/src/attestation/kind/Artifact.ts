/** `attest artifact ARTIFACT`: reports a built artifact, in a slot of the trail. */
import * as ArtifactArgument from "../../artifact/ArtifactArgument.js"
import { trailName } from "../../job/CurrentJob.js"
import { commitUrlOf } from "../../job/Job.js"
import type { RepositoryArtifact } from "../../settings/RepositoryFile.js"
import type { Arguments } from "../../shared/Arguments.js"
import type { CommandContext } from "../../shared/CommandContext.js"
import { usage } from "../../shared/CommandFailure.js"
import type { CommandResult } from "../../shared/CommandResult.js"
import type { CommandModule } from "../../shared/CommandSpec.js"
import type * as Json from "../../shared/Json.js"
import * as Spooling from "../../spool/Spooling.js"
import { requireFlow, requireTrail } from "../../trail/TrailName.js"
import { dryRun } from "../DryRun.js"
import * as EvidenceFields from "../EvidenceFields.js"

interface Built {
  readonly slot: string
  readonly artifact: ArtifactArgument.FoundArtifact
}

/** An artifact of the repository's file; an image reference may contain variables of the job. */
const fromRepository = async (
  context: CommandContext,
  { name, type, target, exclude }: RepositoryArtifact
): Promise<Built> => {
  const job = await context.job()
  const { repository } = await context.settings()
  const filled = target.replaceAll(/\{[a-z]+\}/g, (part) => {
    const value = trailName(part, job, context.host.now())
    if (value === undefined) throw usage(`artifact ${name}: the job has no ${part}`)
    return value
  })
  const isPath = type === "file" || type === "dir" || type === "tree" || type === "oci-layout"
  const artifact = await ArtifactArgument.find(context, {
    target: isPath ? `${repository?.folder ?? "."}/${filled}` : filled,
    type,
    exclude,
    ignoreFiles: repository?.ignoreFiles ?? []
  })
  return { slot: name, artifact }
}

const named = async (context: CommandContext, args: Arguments): Promise<ReadonlyArray<Built>> => {
  const { repository } = await context.settings()
  const known = repository?.artifacts ?? []
  const [target] = args.positionals
  if (args.has("all")) {
    if (target !== undefined)
      throw usage("--all reports every artifact of .attestry.yaml; name none")
    if (known.length === 0) throw usage(".attestry.yaml names no artifacts")
    return Promise.all(known.map((artifact) => fromRepository(context, artifact)))
  }
  if (target === undefined)
    throw usage("ARTIFACT is missing", "see: attestry attest artifact --help")
  const own = known.find(({ name }) => name === target)
  if (own !== undefined && args.text("type") === undefined)
    return [{ ...(await fromRepository(context, own)), slot: slotOf(args) ?? own.name }]
  const request = await ArtifactArgument.requestOf(context, args, target)
  const slot = slotOf(args)
  if (slot === undefined)
    throw usage("--slot is missing", "the name of the artifact in the template")
  return [{ slot, artifact: await ArtifactArgument.find(context, request) }]
}

const slotOf = (args: Arguments): string | undefined => args.text("slot") ?? args.text("name")

const MISSING_BUILD = "the address of the build is not known"

const payloadOf = async (
  context: CommandContext,
  args: Arguments,
  { slot, artifact }: Built
): Promise<Json.Fields> => {
  const { buildUrl } = await context.job()
  const repository = await EvidenceFields.repositoryOf(context, args)
  const { origin_url: _, ...shared } = await EvidenceFields.shared(context, args)
  const commit = await EvidenceFields.commitOf(context, args)
  const build = args.text("build-url") ?? buildUrl
  if (build === undefined) throw usage(MISSING_BUILD, "give --build-url, or run in a CI")
  const found =
    repository === undefined || commit === undefined ? undefined : commitUrlOf(repository, commit)
  const commitUrl = args.text("commit-url") ?? found
  if (commitUrl === undefined)
    throw usage("the address of the commit is not known", "give --commit-url")
  const annotations = args.pairs("annotate")
  return EvidenceFields.present({
    fingerprint: artifact.fingerprint,
    filename: args.text("display-name") ?? artifact.name,
    build_url: build,
    commit_url: commitUrl,
    git_commit: commit,
    repo_url: repository?.url,
    trail_name: await requireTrail(context),
    template_reference_name: slot,
    annotations: annotations.length === 0 ? undefined : Object.fromEntries(annotations),
    ...shared
  })
}

interface Reported extends Built {
  /** The outcome of the write, or `spooled`. */
  readonly outcome: unknown
}

const VERBS: ReadonlyMap<unknown, string> = new Map([
  ["unchanged", "was reported before to"],
  ["spooled", "is spooled for"]
])

const resultOf = (
  reported: ReadonlyArray<Reported>,
  { flow, trail }: { readonly flow: string; readonly trail: string }
): CommandResult => {
  const values = reported.map(({ slot, artifact, outcome }) => ({
    slot,
    name: artifact.name,
    type: artifact.type,
    fingerprint: artifact.fingerprint,
    outcome: outcome ?? null
  }))
  return {
    value: {
      schema: "attestry.cli/artifacts/v1",
      flow,
      trail,
      artifacts: values,
      ...(values.some(({ outcome }) => outcome === "spooled") ? { spooled: true } : {})
    },
    items: values,
    quiet: values.map(({ fingerprint }) => fingerprint).join("\n"),
    lines: (style) =>
      values.map(
        ({ slot, name, fingerprint, outcome }) =>
          `${style.text(slot)}: ${style.text(name)} ${style.short(fingerprint)} ` +
          `${VERBS.get(outcome) ?? "reported to"} ` +
          `trail ${style.text(trail)} of flow ${style.text(flow)}`
      )
  }
}

/** Reports one artifact, or all artifacts of the repository's file. */
export const run: CommandModule["run"] = async (context, args) => {
  const flow = await requireFlow(context)
  const trail = await requireTrail(context)
  const built = await named(context, args)
  const calls = await Promise.all(
    built.map(async (each) => ({
      each,
      call: { path: { flow_name: flow }, payload: await payloadOf(context, args, each) }
    }))
  )
  const [first] = calls
  if (args.has("dry-run") && first !== undefined)
    return dryRun(context, "artifact.report", first.call)
  const reported: Array<Reported> = []
  for (const { each, call } of calls) {
    const written = await Spooling.send(context, args, {
      operation: "artifact.report",
      ...call,
      flow,
      trail,
      label: `artifact ${each.slot}`
    })
    const outcome = written.kind === "spooled" ? "spooled" : written.value.outcome
    reported.push({ ...each, outcome })
  }
  return resultOf(reported, { flow, trail })
}
