/** `attestry get NOUN NAME`: the API's value unchanged; for people its members as lines. */

import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import * as SnapshotArgument from "../snapshot/SnapshotArgument.js"
import { requireFlow } from "../trail/TrailName.js"
import type { GetNoun } from "./NounTable.js"

const pathOf = async (
  context: CommandContext,
  args: Arguments,
  noun: GetNoun
): Promise<Json.Fields> => {
  if (noun.noun === "snapshot") {
    const { environment, expression } = SnapshotArgument.parse(args.positionals[0] ?? "")
    return { env_name: environment, snapshot_expression: expression }
  }
  return {
    ...(noun.needsFlow === true ? { flow_name: await requireFlow(context) } : {}),
    ...Object.fromEntries(noun.positionals.map(([, name], at) => [name, args.positionals[at]]))
  }
}

const INSTANT = /(?:_at|_timestamp|^timestamp|^from|^to)$/

/** One value on a line. */
const shown = (name: string, value: unknown, style: Style): string => {
  if (typeof value === "number" && INSTANT.test(name)) return style.instant(value)
  if (value === null || value === "") return "–"
  return style.text(typeof value === "object" ? JSON.stringify(value) : value)
}

const memberLines = (value: unknown, style: Style): ReadonlyArray<string> =>
  Table.lines(
    Json.members(value).map(([name, member]) => [style.text(name), shown(name, member, style)])
  )

const statusRow = (place: string, status: Json.Fields, style: Style): ReadonlyArray<string> => [
  style.text(place),
  style.text(status.attestation_name),
  style.text(status.attestation_type),
  status.status === "MISSING"
    ? style.tint("yellow", "missing")
    : verdict(style, status.is_compliant),
  status.unexpected === true ? "unexpected" : ""
]

const trailLines = (trail: Json.Fields, style: Style): ReadonlyArray<string> => {
  const status = Json.object(trail.compliance_status)
  const flow = style.text(Json.object(trail.flow).name)
  return [
    `${flow} / ${style.text(trail.name)}   ${style.text(trail.compliance_state)}   ${style.text(trail.description)}`,
    ...Table.lines([
      ...Json.objects(status.attestations_statuses).map((each) => statusRow("trail", each, style)),
      ...Json.members(status.artifacts_statuses).flatMap(([slot, artifact]) => {
        const fields = Json.object(artifact)
        const digest = fields.artifact_fingerprint
        const head = digest === null ? "missing" : style.short(digest)
        const inner = Json.objects(fields.attestations_statuses)
        return [
          [style.text(slot), head, "", style.text(fields.status), ""],
          ...inner.map((each) => statusRow(slot, each, style))
        ]
      })
    ]),
    style.text(trail.html_url)
  ]
}

const snapshotLines = (snapshot: Json.Fields, style: Style): ReadonlyArray<string> => [
  `snapshot ${style.text(snapshot.index)}   ${verdict(style, snapshot.compliant)}   ` +
    style.instant(snapshot.timestamp),
  ...Table.lines(
    Json.objects(snapshot.artifacts).map((row) => [
      verdict(style, row.compliant),
      style.text(row.name),
      style.short(row.fingerprint),
      style.text(Json.object(row.annotation).type),
      style.text(row.flow_name)
    ])
  ),
  style.text(snapshot.html_url)
]

const linesOf = ({ noun }: GetNoun, value: Json.Fields, style: Style): ReadonlyArray<string> => {
  if (noun === "trail") return trailLines(value, style)
  return noun === "snapshot" ? snapshotLines(value, style) : memberLines(value, style)
}

/** The command of a noun. */
export const command = (noun: GetNoun): CommandModule => ({
  run: async (context, args) => {
    const path = await pathOf(context, args, noun)
    const value = await (await context.api()).call(noun.operation, { path })
    const fields = Json.object(value)
    return {
      value,
      quiet: String(fields.name ?? fields.index ?? ""),
      lines: (style) => linesOf(noun, fields, style)
    }
  }
})
