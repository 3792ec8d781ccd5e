/** What is printed about a review that did not simply pass. */
import type { CommandResult } from "../shared/CommandResult.js"
import type { Style } from "../shared/Style.js"
import type { Decision, FoundImage } from "./AdmissionPolicy.js"
import type { AdmissionRequest } from "./AdmissionReview.js"
import { breakGlassOf } from "./PodImages.js"

/** A review and its decision. */
export interface LoggedReview {
  readonly request: AdmissionRequest
  readonly decision: Decision
  readonly images: ReadonlyArray<FoundImage>
  readonly nowMs: number
}

/** So many images of a review are printed. */
const IMAGES_MAX = 20

const imageOf = ({ finding, image, place }: FoundImage) => ({
  image,
  place,
  found: finding.type,
  digest: finding.digest ?? null,
  why: finding.type === "compliant" ? null : finding.why
})

const TINTS = {
  allowed: "green",
  warned: "yellow",
  "failed-open": "yellow",
  "break-glass": "red",
  denied: "red"
} as const

const linesOf = (
  { request, decision, images }: LoggedReview,
  style: Style
): ReadonlyArray<string> => {
  const { kind, name, namespace, user } = request
  const object = `${style.text(kind)} ${style.text(namespace)}/${style.text(name)}`
  const found = images.filter(({ finding }) => finding.type !== "compliant").slice(0, IMAGES_MAX)
  return [
    `${style.tint(TINTS[decision.outcome], decision.outcome)} ${object} by ${style.text(user)}`,
    ...found.map(
      ({ finding, image }) =>
        `  ${style.text(image)}: ${style.text(finding.type === "compliant" ? "" : finding.why)}`
    )
  ]
}

/** The line of a review. */
export const resultOf = (logged: LoggedReview): CommandResult => {
  const { request, decision, images, nowMs } = logged
  return {
    value: {
      schema: "attestry.cli/admission/v1",
      at: new Date(nowMs).toISOString(),
      uid: request.uid,
      outcome: decision.outcome,
      namespace: request.namespace,
      kind: request.kind,
      name: request.name,
      operation: request.operation,
      user: request.user,
      dry_run: request.isDryRun,
      break_glass: breakGlassOf(request) ?? null,
      images: images.slice(0, IMAGES_MAX).map(imageOf)
    },
    quiet: decision.outcome,
    lines: (style) => linesOf(logged, style)
  }
}
