/**
 * `attestry policy diff OLD NEW`: whether the new policy accepts more, less, the same or something else. Works
 * offline.
 */

import * as MaxAge from "@attestry/core/MaxAge"
import type { AttestationFact } from "@attestry/core/PolicyFacts"
import * as PolicyComparison from "@attestry/policy-lab/PolicyComparison"
import type { CommandModule } from "../shared/CommandSpec.js"
import type { Style } from "../shared/Style.js"
import * as PolicyFile from "./PolicyFile.js"

const SAYS: { readonly [R in PolicyComparison.Relation]: string } = {
  equivalent: "equivalent: both accept the same artifacts",
  stronger: "stronger: the new policy accepts less",
  weaker: "weaker: the new policy accepts more",
  incomparable: "incomparable: each accepts something that the other one does not",
  unknown: "unknown: the policies are too large or too complex to be sure"
}

const tagsText = (tags: { readonly [key: string]: string }): string =>
  Object.keys(tags).length === 0 ? "" : `, tags ${JSON.stringify(tags)}`

type Witness = PolicyComparison.Witness

const ageText = (
  { reported_at }: { readonly reported_at?: number },
  { now }: Pick<Witness, "now">
): string =>
  now === undefined || reported_at === undefined || reported_at === now
    ? ""
    : `, ${MaxAge.describe(now - reported_at)} old`

const attestationText = (fact: AttestationFact, at: Pick<Witness, "now">): string => {
  const { control, is_compliant, name, type } = fact
  const about = control === null ? "" : ` for control ${control}`
  const outcome = is_compliant ? "compliant" : "not compliant"
  return `${type} ${JSON.stringify(name)}${about}, ${outcome}${ageText(fact, at)}`
}

/** Facts in the form of policy tests, to copy into a test. */
const showFacts = ({ facts: { artifact, flows }, ...at }: Witness): ReadonlyArray<string> => [
  `artifact: ${JSON.stringify(artifact.name)}`,
  ...(flows.length === 0 ? ["no flow knows it"] : []),
  ...flows.flatMap((flow) => [
    `flow ${JSON.stringify(flow.flow_name)}, ${flow.artifact_status}${tagsText(flow.tags)}${ageText(flow, at)}`,
    ...flow.attestations.map((fact) => `  ${attestationText(fact, at)}`)
  ])
]

const directionLines = (
  title: string,
  direction: PolicyComparison.Direction,
  style: Style
): ReadonlyArray<string> => {
  if (direction === null) return []
  if (direction === "unknown") return [`${title}: not known`]
  return [
    `${title}, for example`,
    ...showFacts(direction).map((line) => `    ${style.text(line)}`),
    ...direction.reasons.map(({ description }) => `    refused: ${style.text(description)}`)
  ]
}

const ruleLines = (
  { added, changed, removed }: PolicyComparison.RuleChanges,
  style: Style
): ReadonlyArray<string> => [
  ...added.map((line) => `+ ${style.text(line)}`),
  ...removed.map((line) => `- ${style.text(line)}`),
  ...changed.map((line) => `~ ${style.text(line)}`)
]

/** Whether the command exits with a no; an unknown relation does. */
const isRefused = (
  { acceptedByNewOnly, acceptedByOldOnly }: PolicyComparison.Comparison,
  refused: ReadonlyArray<string>
): boolean =>
  refused.some((word) => {
    const [more, less] = [acceptedByNewOnly !== null, acceptedByOldOnly !== null]
    return word === "weaker" ? more : word === "stronger" ? less : more || less
  })

/** Runs `attestry policy diff`. */
export const run: CommandModule["run"] = async (context, args) => {
  const [oldFile = "", newFile = ""] = args.positionals
  const before = await PolicyFile.policy(context, oldFile)
  const comparison = PolicyComparison.compare(before, await PolicyFile.policy(context, newFile))
  const { acceptedByNewOnly, acceptedByOldOnly, relation, rules } = comparison
  return {
    exit: isRefused(comparison, args.texts("fail-if")) ? "no" : "done",
    value: {
      schema: "attestry.cli/policy-diff/v1",
      relation,
      accepted_by_old_only: acceptedByOldOnly,
      accepted_by_new_only: acceptedByNewOnly,
      rules
    },
    quiet: relation,
    lines: (style) => [
      SAYS[relation],
      ...ruleLines(rules, style),
      ...directionLines("accepted by the old policy only", acceptedByOldOnly, style),
      ...directionLines("accepted by the new policy only", acceptedByNewOnly, style)
    ]
  }
}
