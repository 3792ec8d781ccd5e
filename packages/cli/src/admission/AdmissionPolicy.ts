/**
 * Decides whether an object may be admitted, from what is known about each of its images and the rule of its namespace.
 * Pure.
 *
 * A refused image denies in the mode `enforce` alone. An image about which nothing could be learnt denies there if
 * the rule is fail-closed. An emergency admits both, where the rule allows emergencies.
 */
import * as ForeignText from "../shared/ForeignText.js"
import { type AdmissionAnswer, MESSAGE_LENGTH_MAX } from "./AdmissionReview.js"
import { BREAK_GLASS, type PodImage } from "./PodImages.js"

/** What decides: the policies of an environment, or policies by name. */
export type Scope =
  | { readonly type: "environment"; readonly environment: string }
  | { readonly type: "policies"; readonly policies: ReadonlyArray<string> }

/** How objects of a namespace are admitted. */
export interface Rule {
  readonly scope: Scope
  readonly mode: "warn" | "enforce"
  /** What holds for an image about which nothing can be learnt. */
  readonly fail: "open" | "closed"
  readonly allowsBreakGlass: boolean
}

/** Why an artifact is not compliant, and what to do about it. */
export interface Reason {
  readonly text: string
  readonly remedy: string | undefined
}

/** What is known about an image. */
export type Finding =
  | {
      readonly type: "compliant"
      readonly digest: string
      /** Why the last valid receipt was used; undefined for a fresh one. */
      readonly stale: string | undefined
    }
  | {
      readonly type: "refused"
      readonly digest: string | undefined
      readonly why: string
      readonly reasons: ReadonlyArray<Reason>
      readonly stale: string | undefined
    }
  | { readonly type: "unanswered"; readonly digest: string | undefined; readonly why: string }

/** An image with what is known about it. */
export interface FoundImage extends PodImage {
  readonly finding: Finding
}

/** What came of a review, by one word. */
export type Outcome = "allowed" | "warned" | "failed-open" | "break-glass" | "denied"

/** A decision. */
export interface Decision extends AdmissionAnswer {
  readonly outcome: Outcome
}

/** What is decided on. */
export interface Question {
  readonly namespace: string
  readonly rule: Rule
  readonly images: ReadonlyArray<FoundImage>
  /** The reason on the pods; undefined without the annotation. */
  readonly breakGlass: string | undefined
}

/** So many images are shown in a denial. */
const IMAGES_SHOWN = 5
/** So many reasons are shown of each. */
const REASONS_SHOWN = 3

/** The words for a scope. */
export const scopeText = (scope: Scope): string =>
  scope.type === "environment"
    ? `environment ${scope.environment}`
    : `${scope.policies.length === 1 ? "policy" : "policies"} ${scope.policies.join(", ")}`

/** The command that shows everything about an image. */
const commandOf = (digest: string, scope: Scope): string =>
  `attestry assert artifact --fingerprint ${digest} ${
    scope.type === "environment"
      ? `--environment ${scope.environment}`
      : scope.policies.map((name) => `--policy ${name}`).join(" ")
  }`

const whyOf = ({ finding }: FoundImage): string => {
  if (finding.type === "unanswered") return finding.why
  const why = finding.type === "compliant" ? "compliant" : finding.why
  return finding.stale === undefined ? why : `${why} by its last valid receipt (${finding.stale})`
}

const problemLines = (image: FoundImage, scope: Scope): ReadonlyArray<string> => {
  const { finding } = image
  const reasons = finding.type === "refused" ? finding.reasons : []
  const more = reasons.length - REASONS_SHOWN
  return [
    `- ${image.image} (${image.place}): ${whyOf(image)}`,
    ...reasons
      .slice(0, REASONS_SHOWN)
      .flatMap(({ text, remedy }) => [
        `    ${text}`,
        ...(remedy === undefined ? [] : [`    do: ${remedy}`])
      ]),
    ...(more > 0 ? [`    and ${more} more reasons`] : []),
    ...(finding.type === "refused" && finding.digest !== undefined
      ? [`    see: ${commandOf(finding.digest, scope)}`]
      : [])
  ].map((line) => line.slice(0, line.search(/\S/)) + ForeignText.line(line.trimStart()))
}

const emergencyLine = ({ rule, breakGlass }: Question): string => {
  if (!rule.allowsBreakGlass)
    return breakGlass === undefined
      ? "Emergencies do not admit it in this namespace."
      : `The annotation ${BREAK_GLASS} does not count in this namespace.`
  if (breakGlass === "") return `The annotation ${BREAK_GLASS} has no reason: write why.`
  return `In an emergency, annotate the pods with ${BREAK_GLASS}: "why"; it is recorded, and asks for a waiver.`
}

const denialOf = (question: Question, blocking: ReadonlyArray<FoundImage>): string => {
  const { images, namespace, rule } = question
  const lines = blocking.slice(0, IMAGES_SHOWN).flatMap((image) => problemLines(image, rule.scope))
  const more = blocking.length - IMAGES_SHOWN
  const last = emergencyLine(question)
  const place = `in the namespace ${namespace} (${scopeText(rule.scope)})`
  const text = [
    `attestry: ${blocking.length} of ${images.length} images may not run ${place}`,
    ...lines,
    ...(more > 0 ? [`- and ${more} more images`] : [])
  ].join("\n")
  // WHY the cut: the way out of an emergency stands at the end, whatever is before it.
  const room = MESSAGE_LENGTH_MAX - last.length - 2
  return `${text.length <= room ? text : `${text.slice(0, room - 1)}…`}\n${last}`
}

const warningOf = (prefix: string) => (image: FoundImage) =>
  `attestry: ${prefix}${image.image} (${image.place}): ${whyOf(image)}`

/** Warnings about images that are admitted by a receipt from before the deployment fell silent. */
const staleWarnings = (images: ReadonlyArray<FoundImage>): ReadonlyArray<string> =>
  images
    .filter(({ finding }) => finding.type === "compliant" && finding.stale !== undefined)
    .map(warningOf(""))

/** Decides on an object. */
export const decide = (question: Question): Decision => {
  const { images, rule, breakGlass } = question
  const refused = images.filter(({ finding }) => finding.type === "refused")
  const unanswered = images.filter(({ finding }) => finding.type === "unanswered")
  const stale = staleWarnings(images)
  const admitted = (outcome: Outcome, warnings: ReadonlyArray<string> = []): Decision => ({
    outcome,
    isAllowed: true,
    message: "",
    warnings: [...warnings, ...stale],
    notes: { outcome, scope: scopeText(rule.scope) }
  })
  if (refused.length + unanswered.length === 0) return admitted("allowed")
  const failing = rule.fail === "closed" ? unanswered : []
  const blocking = [...refused, ...failing]
  const open = unanswered.filter((image) => !failing.includes(image))
  const openWarnings = open.map(warningOf("admitted without an answer: "))
  if (rule.mode === "warn")
    return admitted("warned", [...blocking.map(warningOf("would be denied: ")), ...openWarnings])
  if (blocking.length === 0) return admitted("failed-open", openWarnings)
  if (rule.allowsBreakGlass && breakGlass !== undefined && breakGlass !== "")
    return admitted("break-glass", [
      ...blocking.map(warningOf("admitted by break-glass: ")),
      ...openWarnings
    ])
  return {
    outcome: "denied",
    isAllowed: false,
    message: denialOf(question, blocking),
    warnings: [...openWarnings, ...stale],
    notes: { outcome: "denied", scope: scopeText(rule.scope) }
  }
}
