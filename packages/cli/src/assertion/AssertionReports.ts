/** `--report FORMAT=FILE`: writes the result in formats for other programs. */
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { resolve } from "node:path"
import * as ShellWord from "@attestry/core/ShellWord"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { unreadable, usage } from "../shared/CommandFailure.js"
import * as ForeignText from "../shared/ForeignText.js"
import { VERSION } from "../shared/Version.js"
import type { Assertion, Reason } from "./Assertion.js"
import { isUnasked, NOTHING_EXPECTED, originOf } from "./AssertionView.js"

/** The identity of a finding, stable across runs. */
const identityOf = (reason: Reason): string =>
  [
    reason.type,
    reason.policy_name ?? "",
    reason.rule ?? "",
    reason.flow_name ?? "",
    reason.attestation_name ?? ""
  ].join("/")

const cell = (text: string): string => ForeignText.markdown(text)

/** A path as a relative URL. */
const addressOf = (file: string): string =>
  // WHY: a lone surrogate cannot be encoded.
  Buffer.from(file).toString("utf8").split(/[\\/]/).map(encodeURIComponent).join("/")

/** The URL of the page; null if it is not an http URL. */
const pageOf = ({ url }: Assertion): string | null =>
  url !== null && /^https?:\/\/[^\s<>"]+$/.test(url) ? url : null

/** The rule, linked to its line if the repository has the file. */
const ruleCell = (reason: Reason): string => {
  const { position } = reason
  if (position?.file == null) return cell(originOf(reason))
  const address = `${addressOf(position.file)}#L${position.line}`
  return `[${cell(originOf(reason))}](${address.replaceAll(/[()]/g, "")})`
}

const rowOf = (reason: Reason): string => {
  const { command, found, description } = reason
  const todo = command === null ? "" : ForeignText.code(ShellWord.line(command))
  return `| ${ruleCell(reason)} | ${cell(description)} | ${cell(found.join(", "))} | ${todo} |`
}

/** The result as Markdown, reasons first. */
export const markdown = (assertion: Assertion): string => {
  const { compliant, subject, environment, reasons } = assertion
  const url = pageOf(assertion)
  const where = environment === null ? "" : ` in ${ForeignText.code(environment)}`
  const head = `### ${compliant ? "Compliant" : "Not compliant"}: ${ForeignText.code(subject.name)}${where}`
  const unasked = isUnasked(assertion) ? [`${NOTHING_EXPECTED}.`, ""] : []
  const table = ["| Rule | Reason | Found | Do |", "|---|---|---|---|", ...reasons.map(rowOf)]
  const link = url === null ? [] : ["", `<${url}>`]
  return `${[head, "", ...unasked, ...(reasons.length === 0 ? [] : table), ...link].join("\n")}\n`
}

/** WHY: SARIF reads brackets in a message as a link. */
const sarifText = (text: string): string => ForeignText.line(text).replaceAll(/[\\[\]]/g, "\\$&")

const sarif = ({ reasons }: Assertion): string => {
  const types = [...new Set(reasons.map(({ type }) => type))]
  const result = (reason: Reason) => ({
    ruleId: `attestry/${reason.type}`,
    level: "error",
    message: { text: sarifText(`${reason.description} (${originOf(reason)})`) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: addressOf(reason.position?.file ?? ".attestry.yaml") },
          region: {
            startLine: reason.position?.file == null ? 1 : reason.position.line,
            startColumn: reason.position?.file == null ? 1 : reason.position.column
          }
        }
      }
    ],
    partialFingerprints: {
      "attestry/v1": identityOf(reason)
    }
  })
  return JSON.stringify({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "attestry",
            version: VERSION,
            rules: types.map((type) => ({ id: `attestry/${type}` }))
          }
        },
        results: reasons.map(result)
      }
    ]
  })
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"]
])

const xml = (text: string): string =>
  ForeignText.line(text)
    .replaceAll(/[&<>"]/g, (character) => ENTITIES.get(character) ?? "")
    // WHY: XML does not allow these characters, even escaped.
    .replaceAll(/[\ufffe\uffff]|\p{Cs}/gu, "\ufffd")

const junit = ({ subject, reasons }: Assertion): string => {
  const cases = reasons.map(
    (reason) =>
      `  <testcase name="${xml(originOf(reason))}" classname="${xml(subject.name)}">` +
      `<failure message="${xml(reason.description)}"/></testcase>`
  )
  const passed = `  <testcase name="compliant" classname="${xml(subject.name)}"/>`
  const lines = reasons.length === 0 ? [passed] : cases
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="attestry" tests="${lines.length}" failures="${reasons.length}" errors="0" skipped="0">`,
    ...lines,
    "</testsuite>",
    ""
  ].join("\n")
}

const dotenv = ({ compliant, subject, url }: Assertion): string =>
  [
    `ATTESTRY_COMPLIANT=${compliant}`,
    `ATTESTRY_FINGERPRINT=${subject.fingerprint ?? ""}`,
    `ATTESTRY_URL_OF_ANSWER=${ForeignText.line(url ?? "")}`,
    ""
  ].join("\n")

/** The page of the result as a link in a GitLab job. */
const gitlabAnnotations = (assertion: Assertion): string => {
  const { compliant, subject } = assertion
  const url = pageOf(assertion)
  const label = `${compliant ? "compliant" : "not compliant"}: ${ForeignText.line(subject.name)}`
  const links = url === null ? [] : [{ external_link: { label, url } }]
  return `${JSON.stringify({ attestry: links })}\n`
}

/** The reasons as a GitLab Code Quality report. */
const gitlabCodequality = ({ reasons }: Assertion): string =>
  `${JSON.stringify(
    reasons.map((reason) => ({
      description: ForeignText.line(`${reason.description} (${originOf(reason)})`),
      check_name: `attestry/${reason.type}`,
      fingerprint: createHash("sha256").update(identityOf(reason)).digest("hex"),
      severity: "blocker",
      location: {
        path: reason.position?.file ?? ".attestry.yaml",
        lines: { begin: reason.position?.file == null ? 1 : reason.position.line }
      }
    }))
  )}\n`

const WRITERS: ReadonlyMap<string, (assertion: Assertion) => string> = new Map([
  ["md", markdown],
  ["sarif", sarif],
  ["junit", junit],
  ["json", (assertion: Assertion) => `${JSON.stringify(assertion)}\n`],
  ["dotenv", dotenv],
  ["gitlab-annotations", gitlabAnnotations],
  ["gitlab-codequality", gitlabCodequality]
])

/** The names of the formats. */
export const FORMATS = [...WRITERS.keys()]

/** The result in a format; undefined for an unknown format. */
export const print = (format: string, assertion: Assertion): string | undefined =>
  WRITERS.get(format)?.(assertion)

/** Writes the files that `--report` names. */
export const writeReports = (
  { host }: CommandContext,
  args: Arguments,
  assertion: Assertion
): void => {
  for (const [format, file] of args.pairs("report")) {
    const text = print(format, assertion)
    if (text === undefined)
      throw usage(`--report knows no format \`${format}\``, `there is: ${FORMATS.join(", ")}`)
    try {
      writeFileSync(resolve(host.cwd, file), text)
    } catch (cause) {
      throw unreadable(`${file} cannot be written`, undefined, cause)
    }
  }
}
