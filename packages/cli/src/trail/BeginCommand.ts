/** `attestry begin [TRAIL]`: begins a trail, or updates the existing one. */
import { appendFileSync } from "node:fs"
import { resolve } from "node:path"
import { dryRun } from "../attestation/DryRun.js"
import * as EvidenceFields from "../attestation/EvidenceFields.js"
import * as TemplateLint from "../policy/TemplateLint.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { unreadable, usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import { variable } from "../shared/Host.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"
import * as Spooling from "../spool/Spooling.js"
import { requireFlow, requireTrail } from "./TrailName.js"

/** The template from a flag or the repository's file, linted before it is sent. */
const templateOf = async (
  context: CommandContext,
  flag: string | undefined,
  own: boolean
): Promise<string | undefined> => {
  const { repository } = await context.settings()
  const fromFile = own ? repository?.template?.value : undefined
  const file =
    flag ?? (fromFile === undefined ? undefined : resolve(repository?.folder ?? "", fromFile))
  if (file === undefined) return undefined
  const text = await EvidenceFields.readText(context.host, file)
  await TemplateLint.check(file, text)
  return text
}

const putFlow = async (
  context: CommandContext,
  args: Arguments,
  { flow, trail }: { readonly flow: string; readonly trail: string }
): Promise<void> => {
  const template = await templateOf(context, args.text("flow-template"), false)
  if (template === undefined) return
  await Spooling.send(context, args, {
    operation: "flow.putWithTemplate",
    path: {},
    payload: { name: flow, template_file: template },
    flow,
    trail,
    label: `flow ${flow}`
  })
}

/** Appends the names of flow and trail to the CI's file of variables. */
const exportNames = (
  { host }: CommandContext,
  args: Arguments,
  names: { readonly flow: string; readonly trail: string }
): void => {
  const file = args.text("export-file") ?? variable(host, "GITHUB_ENV")
  if (file === undefined)
    throw usage(
      "--export has no file to write to",
      "give --export-file FILE; GITHUB_ENV is not set"
    )
  try {
    appendFileSync(
      resolve(host.cwd, file),
      `ATTESTRY_FLOW=${names.flow}\nATTESTRY_TRAIL=${names.trail}\n`
    )
  } catch (cause) {
    throw unreadable(`${file} cannot be written`, undefined, cause)
  }
}

const expectedOf = (template: Json.Fields): ReadonlyArray<string> => {
  const trail = Json.object(template.trail)
  const shown = (attestations: unknown) =>
    Json.objects(attestations).map(({ name, type }) => `${name} (${type})`)
  return [
    ...shown(trail.attestations),
    ...Json.objects(trail.artifacts).map(
      ({ name, attestations }) => `${name}: ${shown(attestations).join(", ")}`
    )
  ]
}

const linesOf =
  ({ flow, trail, written, expected }: Begun) =>
  (style: Style): ReadonlyArray<string> => {
    const verb = written.outcome === "created" ? "begun" : written.outcome
    return [
      `trail ${style.text(trail)} of flow ${style.text(flow)} ${style.text(verb ?? "begun")}` +
        `${written.html_url === null ? "" : `   ${style.text(written.html_url)}`}`,
      ...(expected.length === 0 ? [] : [`expects: ${expected.map(style.text).join(" · ")}`])
    ]
  }

interface Begun {
  readonly flow: string
  readonly trail: string
  readonly written: Json.Fields
  readonly expected: ReadonlyArray<string>
}

/** The expectations of the trail's template; empty if the key may not read it. */
const readExpected = async (
  { api, output }: CommandContext,
  { flow, trail }: { readonly flow: string; readonly trail: string }
): Promise<ReadonlyArray<string>> => {
  if (output.options.isQuiet) return []
  try {
    const found = await (await api()).call("trail.get", {
      path: { flow_name: flow, trail_name: trail }
    })
    return expectedOf(Json.object(Json.object(found).template))
  } catch (error) {
    // WHY: the trail has begun; the expected evidence is only information.
    output.trace(`the template of the trail is not shown: ${error}`)
    return []
  }
}

/** Runs `attestry begin`. */
export const run: CommandModule["run"] = async (context, args) => {
  const flow = await requireFlow(context)
  const trail = args.positionals[0] ?? (await requireTrail(context))
  const template = await templateOf(context, args.text("template"), true)
  const payload = EvidenceFields.present({
    name: trail,
    template_file: template,
    ...(await EvidenceFields.shared(context, args))
  })
  const call = { path: { flow_name: flow }, payload }
  if (args.has("dry-run")) return dryRun(context, "trail.begin", call)
  await putFlow(context, args, { flow, trail })
  const write: Spooling.EvidenceWrite = {
    operation: "trail.begin",
    ...call,
    flow,
    trail,
    label: `begin ${flow}/${trail}`
  }
  const sent = await Spooling.send(context, args, write)
  if (args.has("export") || args.text("export-file") !== undefined)
    exportNames(context, args, { flow, trail })
  if (sent.kind === "spooled") return Spooling.resultOf(write, sent, args)
  const written = sent.value
  const expected = await readExpected(context, { flow, trail })
  return {
    value: {
      schema: "attestry.cli/trail/v1",
      flow,
      trail,
      outcome: written.outcome ?? null,
      url: written.html_url ?? null,
      expects: expected
    },
    quiet: trail,
    lines: linesOf({ flow, trail, written, expected })
  }
}
