/** Prints a snapshot for people; with `--as-of`, beside the recorded verdicts. Pure. */
import * as Duration from "../shared/Duration.js"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"
import * as Table from "../shared/Table.js"

/** WHY: without a policy, `compliant` is false although nothing was evaluated. */
const evaluated = (snapshot: Json.Fields, compliant: unknown): unknown =>
  Json.list(snapshot.applied_policies).length === 0 && compliant !== true ? null : compliant

/** The recorded verdict, if it differs. */
const recordedText = (thing: Json.Fields, style: Style): string => {
  const { compliant } = Json.object(thing.recorded)
  return compliant === undefined || compliant === thing.compliant
    ? ""
    : `recorded as ${verdict(style, compliant)}`
}

const headline = (snapshot: Json.Fields, style: Style): string => {
  const recorded = recordedText(snapshot, style)
  return (
    `snapshot ${style.text(snapshot.index)}   ${verdict(style, evaluated(snapshot, snapshot.compliant))}   ` +
    style.instant(snapshot.timestamp) +
    (snapshot.as_of === undefined ? "" : `   by what was known ${style.instant(snapshot.as_of)}`) +
    (recorded === "" ? "" : `, ${recorded}`)
  )
}

const lateLine = (row: Json.Fields, late: Json.Fields, style: Style): string =>
  `late: ${style.text(late.attestation_name)} (${style.text(late.attestation_type)}) of ` +
  `${style.text(row.name)}, ${verdict(style, late.is_compliant)}, reported ` +
  `${Duration.print(Json.number(late.late_by_seconds) * 1_000)} after it started` +
  (late.decisive === true ? ", which changes a decision" : "")

/** The lines of a snapshot. */
export const lines = (snapshot: Json.Fields, style: Style): ReadonlyArray<string> => {
  const rows = Json.objects(snapshot.artifacts)
  return [
    headline(snapshot, style),
    ...Json.objects(snapshot.reasons).map(({ description, silent_since }) =>
      style.tint("red", `silent since ${style.instant(silent_since)}: ${style.text(description)}`)
    ),
    ...Table.lines(
      rows.map((row) => [
        verdict(style, evaluated(snapshot, row.compliant)),
        style.text(row.name),
        style.short(row.fingerprint),
        style.text(Json.object(row.annotation).type),
        style.text(row.flow_name),
        recordedText(row, style)
      ])
    ),
    ...rows.flatMap((row) =>
      Json.objects(row.late_evidence).map((late) => lateLine(row, late, style))
    ),
    style.text(snapshot.html_url)
  ]
}
