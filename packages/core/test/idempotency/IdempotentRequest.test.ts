/** The decision about a request with an idempotency key, for every stored state. */
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as IdempotentRequest from "../../src/idempotency/IdempotentRequest.js"

const RESPONSE: IdempotentRequest.StoredResponse = {
  code: 200,
  mediaType: "text/plain",
  text: "OK",
  entries: null
}

const outcome: FastCheck.Arbitrary<IdempotentRequest.RequestOutcome> = FastCheck.constantFrom(
  { _tag: "Running" },
  { _tag: "Withheld" },
  { _tag: "Answered", response: RESPONSE }
)
const known = FastCheck.option(
  FastCheck.record({ content: FastCheck.constantFrom("a", "b"), outcome })
)

/** The decision for each state of the same request. */
const TABLE = { Running: "RequestUnderWay", Withheld: "ResponseWithheld", Answered: "Replay" }

const nameOf = (decision: IdempotentRequest.Decision): string =>
  decision._tag === "Refuse" ? decision.why._tag : decision._tag

describe("IdempotentRequest", () => {
  it.prop("decides as the table", { known }, ({ known }) => {
    const decision = IdempotentRequest.decide(Option.fromNullable(known), "a")
    const expected =
      known === null
        ? "Run"
        : known.content === "b"
          ? "IdempotencyKeyReused"
          : TABLE[known.outcome._tag]
    assert.strictEqual(nameOf(decision), expected)
    if (decision._tag === "Replay") assert.strictEqual(decision.response, RESPONSE)
  })

  it("accepts keys of 1 to 255 visible ASCII characters", () => {
    const isKey = Schema.is(IdempotentRequest.IdempotencyKey)
    for (const key of ["!", "~", "a".repeat(255)]) assert.isTrue(isKey(key))
    for (const key of ["", "a".repeat(256), " ", "a b", "\u007f", "é", "a\n"]) {
      assert.isFalse(isKey(key), JSON.stringify(key))
    }
  })

  it("interrupts work long before its claim expires", () => {
    assert.isTrue(IdempotentRequest.RUN_SECONDS_MAX < IdempotentRequest.CLAIM_SECONDS)
    assert.strictEqual(IdempotentRequest.RETENTION_SECONDS, 86_400)
  })
})
