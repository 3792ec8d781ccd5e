/**
 * Lints policies, flow templates and trust policies with core's parsers. The keys of a document decide which of the
 * first two it is; a trust policy is named by its command.
 */
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import * as TrustPolicyLint from "@attestry/core/TrustPolicyLint"
import * as YamlText from "@attestry/core/YamlText"
import * as PolicyLint from "@attestry/policy-lab/PolicyLint"
import * as Either from "effect/Either"

/** A problem and its position. */
export interface Problem {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** A remark about a policy without problems. */
export interface Remark extends Problem {
  readonly code: string
  readonly severity: "warning" | "info"
  readonly suggestion: string | null
}

/** The kind of a document, its problems, and remarks. */
export interface Lint {
  readonly kind: "policy" | "template" | "trust-policy"
  readonly problems: ReadonlyArray<Problem>
  readonly remarks: ReadonlyArray<Remark>
}

/** Whether a text is a flow template: it has `trail`, and none of the keys of a policy. */
const isTemplate = (text: string): boolean => {
  const parsed = YamlText.parse(text)
  if (Either.isLeft(parsed)) return false
  const { value } = parsed.right
  return typeof value === "object" && value !== null && Object.hasOwn(value, "trail")
}

/** The problems of a template. */
export const template = (text: string): ReadonlyArray<Problem> =>
  Either.match(FlowTemplate.parse(text), {
    onLeft: ({ problems }) => problems,
    onRight: () => []
  })

/** The problems of a policy; if there are none, the remarks about it. */
export const policy = (text: string): Omit<Lint, "kind"> =>
  Either.match(PolicyLint.check(text), {
    onLeft: ({ problems }) => ({ problems, remarks: [] }),
    onRight: (remarks) => ({ problems: [], remarks })
  })

/** The problems of a trust policy; if there are none, the remarks about it at an instant in epoch seconds. */
export const trustPolicy = (text: string, now: number): Omit<Lint, "kind"> =>
  Either.match(TrustPolicyLint.check(text, now), {
    onLeft: ({ problems }) => ({ problems, remarks: [] }),
    onRight: (remarks) => ({
      problems: [],
      remarks: remarks.map((remark) => ({ ...remark, suggestion: null }))
    })
  })

/** Lints a text by its kind; `asTemplate` forces the kind. */
export const lint = (text: string, asTemplate: boolean): Lint =>
  asTemplate || isTemplate(text)
    ? { kind: "template", problems: template(text), remarks: [] }
    : { kind: "policy", ...policy(text) }
