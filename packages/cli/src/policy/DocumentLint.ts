/** Lints policies and templates of flows with core's own readers; which of the two a text is, its keys tell. */
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as YamlText from "@attestry/core/YamlText"
import * as Either from "effect/Either"

/** One problem with its place. */
export interface Problem {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** What a text is, and what is wrong with it. */
export interface Lint {
  readonly kind: "policy" | "template"
  readonly problems: ReadonlyArray<Problem>
}

/** Whether a text is a template of a flow: it has `trail`, and none of the keys of a policy. */
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

/** The problems of a policy. */
export const policy = (text: string): ReadonlyArray<Problem> =>
  Either.match(PolicyDocument.parse(text), {
    onLeft: ({ problems }) => problems,
    onRight: () => []
  })

/** The problems of a text, read as what it is or as a template where that is asked for. */
export const lint = (text: string, asTemplate: boolean): Lint =>
  asTemplate || isTemplate(text)
    ? { kind: "template", problems: template(text) }
    : { kind: "policy", problems: policy(text) }
