/** Adds the receipt of a verdict to the answer of a tool that claims it, so that others can check the claim. */

import * as Receipt from "@attestry/core/Receipt"
import * as Option from "effect/Option"
import type { Fields } from "../shared/Json.js"
import * as Json from "../shared/Json.js"
import * as Output from "../shared/Output.js"

/** The largest receipt in an answer, which must leave room for the reasons. */
export const RECEIPT_BYTES_MAX = 16_384

const without = (problem: string): Fields => ({ receipt: null, receipt_problem: problem })

/** Whether a receipt says what the answer says. */
const agrees = ({ compliant }: Fields, text: string): boolean =>
  Option.match(Receipt.read(text), {
    onNone: () => false,
    onSome: ({ passed }) => typeof compliant !== "boolean" || compliant === passed
  })

/** The answer with its receipt; where there is none, with the reason. */
export const add = async (answer: unknown, make: () => Promise<unknown>): Promise<unknown> => {
  if (!Json.isObject(answer)) return answer
  try {
    const receipt = await make()
    const text = JSON.stringify(receipt)
    if (Buffer.byteLength(text) > RECEIPT_BYTES_MAX) {
      return { ...answer, ...without("the receipt is larger than an answer: attestry receipt get") }
    }
    return agrees(answer, text)
      ? { ...answer, receipt }
      : { ...answer, ...without("the verdict changed meanwhile: ask again") }
  } catch (thrown) {
    // WHY: the claim stands without a receipt, for example of a log that the operator does not sign.
    return { ...answer, ...without(Output.failureOf(thrown).message) }
  }
}
