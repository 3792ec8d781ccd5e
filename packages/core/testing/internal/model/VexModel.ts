/** Which statement of VEX decides, from the words of the rule: the verified ones about it, sorted, and the last. */
import type { AcceptedStatement } from "@attestry/core/VexDecision"

/** What a statement is asked about: a vulnerability in a component of a product. */
export interface VexPlace {
  readonly vulnerability: string
  readonly product: string
  readonly component: string | null
}

/** The status that decides about a vulnerability in a component; undefined without a verified statement. */
export const statusOf = (
  statements: ReadonlyArray<AcceptedStatement>,
  { component, product, vulnerability }: VexPlace
): string | undefined =>
  statements
    .filter(({ state }) => state === "verified")
    .filter((each) => each.vulnerability === vulnerability && each.product === product)
    .filter(
      ({ subcomponents }) =>
        subcomponents === undefined || subcomponents.some((each) => each === component)
    )
    .map((each) => ({ ...each, time: each.at ?? -1 }))
    .sort((left, right) => left.sequence - right.sequence)
    .sort((left, right) => left.time - right.time)
    .at(-1)?.status
