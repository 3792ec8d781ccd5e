/** A remark before its position is known, and the paths of conditions and rules. */
import type { Condition, Path, PolicyDocument } from "@attestry/core/PolicyDocument"
import type { RemarkCode } from "../PolicyRemark.js"

/** A remark without its position. */
export interface Draft {
  readonly code: RemarkCode
  readonly path: Path
  readonly message: string
  readonly suggestion?: string | undefined
}

/** A condition with its path and what it does. */
export interface PlacedCondition {
  readonly condition: Condition
  readonly path: Path
  readonly isException: boolean
}

/** The path of the attestation rule at a position. */
export const rulePath = (index: number): Path => ["artifacts", "attestations", index]

/** The path of a requirement. */
export const requirementPath = (key: "provenance" | "trail-compliance"): Path => ["artifacts", key]

/** The requirements of a document, each with its key. */
export const requirements = ({ provenance, trailCompliance }: PolicyDocument) =>
  [
    { key: "provenance", requirement: provenance },
    { key: "trail-compliance", requirement: trailCompliance }
  ] as const

/** Every condition that is evaluated, in the order of the rules. */
export const placedConditions = (document: PolicyDocument): ReadonlyArray<PlacedCondition> => [
  ...requirements(document).flatMap(({ key, requirement }) =>
    requirement.required
      ? requirement.exceptions.map((condition, index) => ({
          condition,
          path: [...requirementPath(key), "exceptions", index, "if"],
          isException: true
        }))
      : []
  ),
  ...document.attestations.flatMap(({ condition }, index) =>
    condition === null ? [] : [{ condition, path: [...rulePath(index), "if"], isException: false }]
  )
]
