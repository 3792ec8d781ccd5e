/** Which statement of VEX decides, from the words of the rule: the verified ones about a pair, sorted, and the last. */
import type { AcceptedStatement } from "@attestry/core/VexDecision"

/** The status that decides about a vulnerability in a product; undefined without a verified statement. */
export const statusOf = (
  statements: ReadonlyArray<AcceptedStatement>,
  vulnerability: string,
  product: string
): string | undefined =>
  statements
    .filter(({ state }) => state === "verified")
    .filter((each) => each.vulnerability === vulnerability && each.product === product)
    .map((each) => ({ ...each, time: each.at ?? -1 }))
    .sort((left, right) => left.sequence - right.sequence)
    .sort((left, right) => left.time - right.time)
    .at(-1)?.status
