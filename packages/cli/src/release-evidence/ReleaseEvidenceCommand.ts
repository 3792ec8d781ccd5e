/** `attestry get release-evidence`: the releases of a period, and whether each had what was required of it. */
import * as CapsuleFile from "../capsule/CapsuleFile.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import * as ReleaseQuestion from "./ReleaseQuestion.js"

const LIMIT = 20

const STATES = ["met", "overridden", "waived", "failed", "missing"] as const

const queryOf = (context: CommandContext, args: Arguments): Json.Fields => {
  const { environments, ...question } = ReleaseQuestion.given(context, args)
  return { ...question, ...(environments === undefined ? {} : { environment: environments }) }
}

/** The name of a requirement for people. */
const labelOf = ({ kind, level, name, type }: Json.Fields): string =>
  name === null
    ? String(kind)
    : `${String(name)} (${String(type)}${level === "trail" ? ", trail" : ""})`

const stateText = (style: Style, state: unknown): string => {
  if (state === undefined) return "–"
  const word = style.text(state)
  if (state === "failed" || state === "missing") return style.tint("red", word)
  return style.tint(state === "met" ? "green" : "yellow", word)
}

const VERDICTS: ReadonlyMap<unknown, boolean> = new Map([
  ["Compliant", true],
  ["NonCompliant", false]
])

const rowOf = (
  release: Json.Fields,
  requirements: ReadonlyArray<Json.Fields>,
  style: Style
): ReadonlyArray<string> => {
  const states = new Map(
    Json.objects(release.results).map(({ requirement, state }) => [requirement, state])
  )
  return [
    style.instant(release.deployed_at),
    style.text(`${String(release.environment)}#${String(release.snapshot_index)}`),
    style.text(release.artifact_name),
    style.short(release.fingerprint),
    verdict(style, VERDICTS.get(release.verdict)),
    ...requirements.map(({ key }) => stateText(style, states.get(key)))
  ]
}

const HEADINGS = ["DEPLOYED", "SNAPSHOT", "NAME", "FINGERPRINT", "VERDICT"]

const linesOf = (value: Json.Fields, style: Style): ReadonlyArray<string> => {
  const requirements = Json.objects(value.requirements)
  const releases = Json.objects(value.releases)
  const { complete, releases: count, without_requirements } = Json.object(value.totals)
  const bold = (text: string) => style.tint("bold", style.text(text))
  const first =
    `${style.text(count)} releases: ${style.text(complete)} had everything that was required, ` +
    `of ${style.text(without_requirements)} nothing was required`
  if (releases.length === 0) return [first]
  return [
    first,
    "",
    ...Table.lines([
      [bold("REQUIREMENT"), ...STATES.map((state) => bold(state.toUpperCase()))],
      ...requirements.map((each) => [
        style.text(labelOf(each)),
        ...STATES.map((state) => style.text(each[state]))
      ])
    ]),
    "",
    ...Table.lines([
      [...HEADINGS.map(bold), ...requirements.map((each) => bold(labelOf(each)))],
      ...releases.map((release) => rowOf(release, requirements, style))
    ])
  ]
}

/** The server's file: every release. */
const csv = async (context: CommandContext, args: Arguments): Promise<CommandResult> => {
  if (args.number("limit") !== undefined) throw usage("--csv has all releases, without --limit")
  const { bytes } = await (await context.api()).answer("releaseEvidence.export", {
    urlParams: queryOf(context, args)
  })
  const text = new TextDecoder().decode(bytes).replace(/\r?\n$/, "")
  return {
    value: { schema: "attestry.cli/release-evidence/v1", csv: text },
    lines: (style) => text.split(/\r?\n/).map(style.text)
  }
}

/** Runs `attestry get release-evidence`. */
export const run: CommandModule["run"] = async (context, args) => {
  const file = args.text("capsule")
  if (file !== undefined) {
    if (args.has("csv") || args.number("limit") !== undefined)
      throw usage("--capsule has all releases, without --csv and --limit")
    return CapsuleFile.save(context, { releases: ReleaseQuestion.given(context, args) }, file)
  }
  if (args.has("csv")) return csv(context, args)
  const value = Json.object(
    await (await context.api()).call("releaseEvidence.list", {
      urlParams: { ...queryOf(context, args), per_page: args.number("limit") ?? LIMIT }
    })
  )
  const releases = Json.objects(value.releases)
  return {
    value,
    items: releases,
    quiet: releases.map(({ deployment_id }) => String(deployment_id)).join("\n"),
    lines: (style) => linesOf(value, style)
  }
}
