/** The rules of a policy in words, in the order in which core evaluates them. */
import * as MaxAge from "@attestry/core/MaxAge"
import type {
  AttestationRule,
  PolicyDocument,
  ProvenanceRequirement
} from "@attestry/core/PolicyDocument"
import type { Waiver } from "../shared/Contract.js"

/** The requirement of a rule, as a waiver names it. */
export type AskedRule = NonNullable<Waiver["rule"]>

export interface RuleText {
  readonly text: string
  readonly isDemanded: boolean
  readonly control: string | null
  readonly asks: AskedRule
  /** The path of the rule in the document. */
  readonly path: ReadonlyArray<string | number>
}

const age = ({ maxAge }: { readonly maxAge?: number }): string =>
  maxAge === undefined ? "" : `, at most ${MaxAge.describe(maxAge)} old`

const exceptions = ({ exceptions: given }: ProvenanceRequirement): string =>
  given.length === 0 ? "" : `, except if ${given.map(({ text }) => text).join(" or if ")}`

const requirement = (words: string, given: ProvenanceRequirement): string =>
  given.required ? `${words}${age(given)}${exceptions(given)}` : `${words} is not required`

const subjectOf = ({ forControl, name, type }: AttestationRule): string => {
  const named = name === "*" ? "" : name
  if (forControl !== null) return `decision${named === "" ? "" : ` ${named}`} for ${forControl}`
  if (type === "*") return named
  return named === "" ? `any ${type}` : `${named} (${type})`
}

const asked = ({ mustBeVerified, where }: AttestationRule): string =>
  `${mustBeVerified === true ? ", verified" : ""}${where === undefined ? "" : `, where ${where.text}`}`

const attestation = (rule: AttestationRule): string => {
  const outcome = rule.mustBeCompliant ? "" : ", compliant or not"
  const condition = rule.condition === null ? "" : ` if ${rule.condition.text}`
  return `${subjectOf(rule)}${outcome}${asked(rule)}${age(rule)}${condition}`
}

export const rulesOf = (document: PolicyDocument): ReadonlyArray<RuleText> => [
  {
    text: requirement("provenance", document.provenance),
    isDemanded: document.provenance.required,
    control: null,
    asks: { type: "provenance" as const },
    path: ["artifacts", "provenance"]
  },
  {
    text: requirement("a compliant trail", document.trailCompliance),
    isDemanded: document.trailCompliance.required,
    control: null,
    asks: { type: "trail-compliance" as const },
    path: ["artifacts", "trail-compliance"]
  },
  ...document.attestations.map((rule, index) => ({
    text: attestation(rule),
    isDemanded: true,
    control: rule.forControl,
    asks: {
      type: "attestation" as const,
      attestation_type: rule.type,
      attestation_name: rule.name,
      ...(rule.forControl === null ? {} : { for_control: rule.forControl })
    },
    path: ["artifacts", "attestations", index]
  }))
]
