/**
 * `attestry policy dry-run`: evaluates an environment, an artifact or facts by a candidate policy.
 *
 * It exits with 1 if a row would turn non-compliant. It stores nothing. SPEC §4.6
 */
import { parseFingerprint } from "../artifact/ArtifactArgument.js"
import { readJson } from "../attestation/EvidenceFields.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Instant from "../shared/Instant.js"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"
import * as SnapshotArgument from "../snapshot/SnapshotArgument.js"
import * as Candidate from "./Candidate.js"

/** The subject of the dry run. */
const onOf = async ({ host }: CommandContext, args: Arguments): Promise<Json.Fields> => {
  const [environment, fingerprint, facts, flow] = [
    "environment",
    "fingerprint",
    "facts",
    "flow"
  ].map((flag) => args.text(flag))
  if (facts !== undefined) {
    if (environment !== undefined || fingerprint !== undefined)
      throw usage("--facts goes neither with --environment nor with --fingerprint")
    const value = await readJson(host, facts)
    return { facts: Array.isArray(value) ? value : [value] }
  }
  if (flow !== undefined && fingerprint === undefined)
    throw usage("--flow goes with --fingerprint alone")
  if (fingerprint !== undefined)
    return {
      fingerprint: parseFingerprint(fingerprint),
      ...(environment === undefined ? {} : { environment }),
      ...(flow === undefined ? {} : { flow_name: flow })
    }
  if (environment === undefined)
    throw usage("there is nothing to evaluate", "give --environment, --fingerprint or --facts")
  const { environment: name, expression } = SnapshotArgument.parse(environment)
  return { environment: name, snapshot: expression }
}

const asOf = ({ host }: CommandContext, args: Arguments): Json.Fields => {
  const text = args.text("as-of")
  if (text === undefined) return {}
  if (text === "now" || text === "judged") return { as_of: text }
  const seconds = Instant.parse(host, text, "before")
  if (seconds === undefined)
    throw usage(`--as-of expects judged, now, 7d or 2026-11-16T10:00:00Z, not \`${text}\``)
  return { as_of: seconds }
}

/** Whether a row would turn non-compliant. */
const turnsRed = ({ compliant, was }: Json.Fields): boolean => compliant === false && was !== false

const CHANGES: ReadonlyArray<readonly [string, (row: Json.Fields) => boolean]> = [
  ["would turn red", turnsRed],
  ["would stay red", ({ compliant }) => compliant === false],
  ["would turn green", ({ compliant, was }) => compliant === true && was !== true]
]

const rowLines = (row: Json.Fields, style: Style): ReadonlyArray<string> => {
  const [change = "unchanged"] = CHANGES.find(([, fits]) => fits(row)) ?? []
  const digest = row.fingerprint === "" ? "" : ` (${style.short(row.fingerprint)})`
  const place = row.member === undefined ? "" : ` in ${style.text(row.member)}`
  return [
    `${style.tint(row.compliant === false ? "red" : "green", change)}: ${style.text(row.name)}${digest}${place}`,
    ...Json.objects(row.reasons_for_incompliance).map(
      ({ policy_name, description }) => `  ${style.text(policy_name)}: ${style.text(description)}`
    )
  ]
}

const headline = (answer: Json.Fields, style: Style): string => {
  const counts = Json.object(answer.counts)
  const [compliant, not, unknown] = [counts.true, counts.false, counts.null].map(Json.number)
  const snapshot = Json.object(answer.snapshot)
  const place =
    snapshot.environment === undefined
      ? ""
      : `${style.text(snapshot.environment)}#${style.text(snapshot.index)}, ` +
        `${verdict(style, snapshot.compliant)}, would be `
  return (
    `${place}${verdict(style, answer.compliant)}: ` +
    `${compliant} compliant, ${not} not, ${unknown} not evaluated`
  )
}

const resultOf = (answer: Json.Fields, isRed: boolean): CommandResult => {
  const rows = Json.objects(answer.rows)
  const left = Json.number(answer.left_out)
  return {
    exit: isRed ? "no" : "done",
    value: answer,
    items: rows,
    quiet: String(rows.filter(turnsRed).length),
    lines: (style) => [
      ...rows.flatMap((row) => rowLines(row, style)),
      ...(left === 0 ? [] : [`and ${left} more`]),
      ...Json.objects(answer.remarks).map(
        ({ code, message }) => `remark ${style.text(code)}: ${style.text(message)}`
      ),
      headline(answer, style)
    ]
  }
}

/** Runs `attestry policy dry-run`. */
export const run: CommandModule["run"] = async (context, args) => {
  const show = args.text("show") ?? "flips"
  const [against, remedies] = [args.text("against"), args.number("remedies")]
  const payload = {
    candidate: await Candidate.of(context, args),
    on: await onOf(context, args),
    ...asOf(context, args),
    ...(against === undefined ? {} : { against }),
    ...(remedies === undefined ? {} : { remedies })
  }
  const ask = async (shown: string) =>
    Json.object(
      await (await context.api()).call("policyLab.dryRun", { payload: { ...payload, show: shown } })
    )
  const answer = await ask(show)
  // WHY: omitted rows may turn non-compliant; if only flips are listed, the listed rows decide.
  const decisive =
    show === "flips" || Json.number(answer.left_out) === 0 ? answer : await ask("flips")
  return resultOf(answer, Json.objects(decisive.rows).some(turnsRed))
}
