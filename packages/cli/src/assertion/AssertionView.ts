/** Prints an assertion for people: each reason with its position, evidence and command, then the verdict. Pure. */
import * as ShellWord from "@attestry/core/ShellWord"
import type { CommandResult } from "../shared/CommandResult.js"
import type { Style } from "../shared/Style.js"
import type { Assertion, Reason } from "./Assertion.js"
import * as AssertionExpiry from "./AssertionExpiry.js"
import * as Gate from "./Gate.js"

/** The origin of a reason: the policy and its rule, or the template of a flow. */
export const originOf = (reason: Reason): string => {
  const { policy_name, policy_version, rule, rule_number, flow_name } = reason
  if (policy_name === null) return `${rule ?? "template"} of flow ${flow_name}`
  const named = rule_number === null ? rule : `rule ${rule_number}`
  return `policy ${policy_name}, version ${policy_version}${named === null ? "" : `, ${named}`}`
}

const placeOf = ({ position }: Reason): string => {
  if (position === null) return ""
  const { file, line, column } = position
  return file === null ? `   line ${line}, column ${column}` : `   ${file}:${line}:${column}`
}

/** The line of the rule, with the rule underlined. */
const frameLines = ({ position }: Reason, style: Style): ReadonlyArray<string> => {
  if (position === null || position.text.trim() === "") return []
  const { line, column, text } = position
  const number = String(line).padStart(3)
  const margin = " ".repeat(number.length)
  const shown = style.text(text).trimEnd()
  const marks = "^".repeat(Math.max(1, shown.length - column + 1))
  return [
    `${margin} |`,
    `${number} | ${shown}`,
    `${margin} | ${" ".repeat(column - 1)}${style.tint("red", marks)}`
  ]
}

const reasonLines = (reason: Reason, style: Style, isFull: boolean): ReadonlyArray<string> => {
  const head = `${style.tint("red", `error[${style.text(reason.type)}]`)}: ${style.text(reason.description)}`
  if (!isFull) return [head]
  const { trail_name, flow_name, found, command } = reason
  const place = `trail ${style.text(trail_name)} of flow ${style.text(flow_name)}`
  return [
    head,
    `  --> ${style.text(originOf(reason))}${style.text(placeOf(reason))}`,
    ...frameLines(reason, style),
    ...(trail_name === null
      ? []
      : [
          `   = found  in ${place}: ${found.length === 0 ? "nothing" : found.map(style.text).join(", ")}`
        ]),
    ...(command === null ? [] : [`   = do     ${style.text(ShellWord.line(command))}`]),
    ""
  ]
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`

/** The remark about a trail that is compliant because its template expects nothing. */
export const NOTHING_EXPECTED = "nothing is expected of this trail"

/** Whether a trail is compliant because its template expects nothing. */
export const isUnasked = ({ answer, compliant, scope }: Assertion): boolean =>
  compliant && scope === "trail" && answer.nothing_expected === true

/** Why the verdict is so, where the reasons do not tell. */
const remarkOf = (assertion: Assertion): string => {
  const { answer, compliant, reasons, scope } = assertion
  if (isUnasked(assertion)) return `: ${NOTHING_EXPECTED}`
  if (answer.is_allowed === true) return ": it is on the allow-list"
  if (compliant) return ""
  return scope === "snapshot" && reasons.length === 0
    ? ": no policy that counts is attached, so it has no verdict"
    : `: ${plural(reasons.length, "reason")}`
}

const headline = (assertion: Assertion, style: Style): string => {
  const { compliant, subject, environment } = assertion
  const digest = subject.fingerprint === null ? "" : ` (${style.short(subject.fingerprint)})`
  const where = environment === null ? "" : ` in ${style.text(environment)}`
  const verdict = compliant ? style.tint("green", "COMPLIANT") : style.tint("red", "NOT COMPLIANT")
  const { as_of } = assertion.answer
  const when = as_of === undefined ? "" : ` by what was known ${style.instant(as_of)}`
  return `${verdict}   ${style.text(subject.name)}${digest}${where}${when}${remarkOf(assertion)}`
}

/** The result of an assert command. */
export const resultOf = (
  assertion: Assertion,
  explain: string | undefined,
  nowSeconds: number
): CommandResult => ({
  exit: assertion.compliant ? "done" : "no",
  value: assertion,
  items: assertion.reasons,
  quiet: assertion.compliant ? "COMPLIANT" : "NON-COMPLIANT",
  lines: (style) => [
    ...assertion.reasons.flatMap((reason) => reasonLines(reason, style, explain !== "short")),
    ...Gate.linesOf(assertion, style, nowSeconds),
    headline(assertion, style),
    ...AssertionExpiry.linesOf(assertion.answer, style, nowSeconds),
    ...(assertion.url === null ? [] : [`see ${style.text(assertion.url)}`])
  ]
})
