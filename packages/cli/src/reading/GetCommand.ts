/** `attestry get NOUN NAME`: prints the API's value unchanged as JSON, or its members as lines for people. */
import { parseFingerprint } from "../artifact/ArtifactArgument.js"
import * as AsOf from "../history/AsOf.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Duration from "../shared/Duration.js"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import * as SnapshotArgument from "../snapshot/SnapshotArgument.js"
import { requireFlow } from "../trail/TrailName.js"
import type { GetNoun } from "./GetTable.js"
import * as NestedValue from "./NestedValue.js"
import * as ProductNames from "./ProductNames.js"
import * as SnapshotView from "./SnapshotView.js"

const ARTIFACT = /^([^@:]+)([@:])(.+)$/

/** The call for `FLOW@FINGERPRINT`, or for `FLOW:COMMIT`, which may match several artifacts. */
const artifactCall = async (context: CommandContext, text: string): Promise<GetCall> => {
  const [, flow = "", sign = "", value = ""] = ARTIFACT.exec(text) ?? []
  if (sign === ":")
    return { operation: "artifact.listByCommit", path: { flow_name: flow, sha: value } }
  const flow_name = flow === "" ? await requireFlow(context) : flow
  const fingerprint = parseFingerprint(value === "" ? text : value)
  return { operation: "artifact.get", path: { flow_name, fingerprint } }
}

/** The call of the API. */
interface GetCall {
  readonly operation: string
  readonly path: Json.Fields
  readonly urlParams?: Json.Fields
}

const callOf = async (
  context: CommandContext,
  args: Arguments,
  noun: GetNoun
): Promise<GetCall> => {
  const [first = ""] = args.positionals
  if (noun.noun === "artifact") return artifactCall(context, first)
  const [, name, version] = /^(.+)@v(\d{1,9})$/.exec(first) ?? []
  if (noun.noun === "type" && name !== undefined)
    return { operation: noun.operation, path: { type_name: name }, urlParams: { version } }
  if (noun.noun === "control" && name !== undefined)
    return { operation: "control.version", path: { identifier: name, version } }
  const path = await pathOf(context, args, noun)
  return { operation: noun.operation, path, urlParams: AsOf.query(context.host, args) }
}

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
    ...noun.fixedPath,
    ...(noun.needsFlow ? { flow_name: await requireFlow(context) } : {}),
    ...Object.fromEntries(noun.positionals.map(([, name], at) => [name, args.positionals[at]]))
  }
}

const INSTANT = /(?:_at|_since|_timestamp|^timestamp|^from|^to)$/

/** Members that people know by a product name, by noun. */
const PRODUCTS: ReadonlyMap<string, readonly [string, (word: string) => string]> = new Map([
  ["environment", ["type", ProductNames.ofKind]],
  ["repository", ["provider", ProductNames.ofProvider]]
])

/** The value with product names. */
const withProducts = (noun: string, value: Json.Fields): Json.Fields => {
  const [member = "", nameOf = String] = PRODUCTS.get(noun) ?? []
  const word = value[member]
  return typeof word === "string" ? { ...value, [member]: nameOf(word) } : value
}

/** A value on one line. */
const shown = (name: string, value: unknown, style: Style): string => {
  if (typeof value === "number" && name === "report_every") return Duration.print(value * 1_000)
  if (typeof value === "number" && INSTANT.test(name)) return style.instant(value)
  if (value === null || value === "") return "–"
  return style.text(typeof value === "object" ? NestedValue.print(value) : value)
}

const memberLines = (value: unknown, style: Style): ReadonlyArray<string> =>
  Table.lines(
    NestedValue.ordered(value).map(([name, member]) => [
      style.text(name),
      shown(name, member, style)
    ])
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

const linesOf = ({ noun }: GetNoun, value: Json.Fields, style: Style): ReadonlyArray<string> => {
  if (noun === "trail") return trailLines(value, style)
  return noun === "snapshot"
    ? SnapshotView.lines(value, style)
    : memberLines(withProducts(noun, value), style)
}

/** The members of several values, separated by empty lines. */
const listLines = (values: ReadonlyArray<unknown>, style: Style): ReadonlyArray<string> =>
  values.flatMap((value, at) => [...(at === 0 ? [] : [""]), ...memberLines(value, style)])

const resultOfAll = (values: ReadonlyArray<unknown>): CommandResult => {
  if (values.length === 0) throw new CommandFailure("missing", "there is nothing of that commit")
  return {
    value: values,
    items: values,
    quiet: values.map((each) => String(Json.object(each).fingerprint ?? "")).join("\n"),
    lines: (style) => listLines(values, style)
  }
}

const essentialOf = ({ essential }: GetNoun, fields: Json.Fields): unknown =>
  essential === undefined
    ? (fields.name ?? fields.fingerprint ?? fields.index ?? fields.id ?? "")
    : fields[essential]

/** Makes the `get` command of a noun. */
export const command = (noun: GetNoun): CommandModule => ({
  run: async (context, args) => {
    const { operation, ...call } = await callOf(context, args, noun)
    const value = await (await context.api()).call(operation, call)
    if (Array.isArray(value)) return resultOfAll(value)
    const fields = Json.object(value)
    return {
      value,
      quiet: String(essentialOf(noun, fields)),
      lines: (style) => linesOf(noun, fields, style)
    }
  }
})
