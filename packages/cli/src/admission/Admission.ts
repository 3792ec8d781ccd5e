/**
 * Answers reviews: finds what is known about each image within the time, decides by the rule of the namespace, and
 * begins the requests of an emergency. Nothing here fails for what a request says.
 */
import {
  type Decision,
  decide,
  type Finding,
  type FoundImage,
  type Rule,
  type Scope
} from "./AdmissionPolicy.js"
import type { AdmissionRequest } from "./AdmissionReview.js"
import type { RuleOf } from "./AdmissionRules.js"
import type { ImageDigests } from "./ImageDigests.js"
import * as PodImages from "./PodImages.js"
import type { ReceiptCache } from "./ReceiptCache.js"
import type { Emergency } from "./WaiverRequests.js"

/** The most images of one object. WHY refused above it: each may cost a request. */
export const IMAGES_MAX = 256

/** The dependencies of an answer. */
export interface AdmissionParts {
  readonly ruleOf: RuleOf
  readonly digests: ImageDigests
  readonly receipts: ReceiptCache
  /** Begins to ask for a waiver. */
  readonly emergency: (emergency: Emergency) => void
}

/** A decision with what it was made from. */
export interface Reviewed {
  /** Undefined if the namespace or the object is not looked at. */
  readonly decision: Decision | undefined
  readonly images: ReadonlyArray<FoundImage>
}

/** Answers reviews. */
export interface Admission {
  readonly review: (request: AdmissionRequest, withinMs: number) => Promise<Reviewed>
  /** Judges images by the rule of a namespace; undefined if no rule covers the namespace. */
  readonly findings: (
    namespace: string,
    images: ReadonlyArray<PodImages.PodImage>,
    withinMs: number
  ) => Promise<ReadonlyArray<FoundImage> | undefined>
}

const keyOf = (scope: Scope, digest: string): string => `${JSON.stringify(scope)} ${digest}`

/** The scope of a key of the cache. */
export const scopeOf = (key: string): Scope => JSON.parse(key.slice(0, key.lastIndexOf(" ")))

const tooMany = (images: ReadonlyArray<PodImages.PodImage>): ReadonlyArray<FoundImage> => [
  {
    image: `${images.length} images`,
    place: "the object",
    finding: {
      type: "refused",
      digest: undefined,
      why: `an object has at most ${IMAGES_MAX} images`,
      reasons: [],
      stale: undefined
    }
  }
]

/** A promise that ends with undefined after a time, and how to end the wait. */
const limit = (millis: number) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const ended = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), millis)
  })
  return { ended, stop: () => clearTimeout(timer) }
}

/** Makes the answers. */
export const make = ({ ruleOf, digests, receipts, emergency }: AdmissionParts): Admission => {
  const findingOf = async (
    image: string,
    scope: Scope,
    { ended, why }: { readonly ended: Promise<undefined>; readonly why: string }
  ): Promise<Finding> => {
    const late = { type: "unanswered", digest: undefined, why } as const
    const found = (await Promise.race([digests.find(image), ended])) ?? late
    if (found.type === "refused") {
      return { ...found, digest: undefined, reasons: [], stale: undefined }
    }
    if (found.type === "unanswered") return { ...found, digest: undefined }
    const { digest } = found
    const finding = receipts.find(keyOf(scope, digest), digest)
    return (await Promise.race([finding, ended])) ?? { ...late, digest }
  }

  const find = async (
    images: ReadonlyArray<PodImages.PodImage>,
    scope: Scope,
    withinMs: number
  ): Promise<ReadonlyArray<FoundImage>> => {
    if (images.length > IMAGES_MAX) return tooMany(images)
    const { ended, stop } = limit(withinMs)
    const late = { ended, why: `there was no answer within ${withinMs / 1_000} s` }
    try {
      return await Promise.all(
        images.map(async (each) => ({
          ...each,
          finding: await findingOf(each.image, scope, late)
        }))
      )
    } finally {
      stop()
    }
  }

  const beginRequests = (
    { namespace }: AdmissionRequest,
    { scope }: Rule,
    reviewed: { readonly images: ReadonlyArray<FoundImage>; readonly reason: string }
  ): void => {
    for (const { finding } of reviewed.images)
      if (finding.type !== "compliant" && finding.digest !== undefined)
        emergency({ scope, digest: finding.digest, namespace, reason: reviewed.reason })
  }

  return {
    findings: async (namespace, images, withinMs) => {
      const rule = ruleOf(namespace)
      return rule === undefined ? undefined : find(images, rule.scope, withinMs)
    },
    review: async (request, withinMs) => {
      const rule = ruleOf(request.namespace)
      const asked = rule === undefined ? [] : PodImages.ask(request)
      if (rule === undefined || asked.length === 0) return { decision: undefined, images: [] }
      const images = await find(asked, rule.scope, withinMs)
      const reason = PodImages.breakGlassOf(request)
      const { namespace } = request
      const decision = decide({ namespace, rule, images, breakGlass: reason })
      if (decision.outcome === "break-glass" && !request.isDryRun && reason !== undefined)
        beginRequests(request, rule, { images, reason })
      return { decision, images }
    }
  }
}
