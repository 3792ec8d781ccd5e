/**
 * Waivers of few policies, rules, conditions and days, so that they often reach rows of `testing/PolicyFacts` at one of
 * the instants.
 */
import * as ActiveWaiver from "@attestry/core/ActiveWaiver"
import * as Timestamp from "@attestry/core/Timestamp"
import * as FastCheck from "effect/FastCheck"
import { condition } from "../PolicyDocument.js"
import { FIRST_REPORTED, VOCABULARY } from "../PolicyFacts.js"

const HALF_DAY = 43_200

const dayAfter = (half: number): Timestamp.Timestamp =>
  Timestamp.fromSeconds(FIRST_REPORTED + half * HALF_DAY)

const rule: FastCheck.Arbitrary<ActiveWaiver.WaivedRule | null> = FastCheck.oneof(
  FastCheck.constant(null),
  FastCheck.constantFrom({ type: "provenance" } as const, { type: "trail-compliance" } as const),
  FastCheck.record(
    {
      type: FastCheck.constant("attestation" as const),
      attestation_type: FastCheck.constantFrom("*", ...VOCABULARY.attestationTypes),
      attestation_name: FastCheck.constantFrom("*", ...VOCABULARY.attestationNames),
      for_control: FastCheck.constantFrom(...VOCABULARY.controls)
    },
    { requiredKeys: ["type"] }
  )
)

/** A waiver of one of these policies. */
export const waiverOf = (
  names: ReadonlyArray<string>
): FastCheck.Arbitrary<ActiveWaiver.ActiveWaiver> =>
  FastCheck.record({
    number: FastCheck.integer({ min: 1, max: 5 }),
    policy_name: FastCheck.constantFrom(...names),
    rule,
    condition: FastCheck.option(condition),
    start: FastCheck.integer({ min: -2, max: 10 }),
    length: FastCheck.integer({ min: 1, max: 10 }),
    revoked: FastCheck.option(FastCheck.integer({ min: 0, max: 10 }), { freq: 4 })
  }).map(({ length, revoked, start, ...terms }) =>
    ActiveWaiver.make({
      ...terms,
      starts_at: dayAfter(start),
      expires_at: dayAfter(start + length),
      ...(revoked === null ? {} : { revoked_at: dayAfter(start + revoked) })
    })
  )

/** Up to six waivers of these policies, each with its own number. */
export const waiversOf = (
  names: ReadonlyArray<string>
): FastCheck.Arbitrary<ReadonlyArray<ActiveWaiver.ActiveWaiver>> =>
  FastCheck.array(waiverOf(names), { maxLength: 6 }).map((drawn) =>
    drawn.map((waiver, index) => ({ ...waiver, number: waiver.number * 10 + index }))
  )

/** An instant in the ten days that begin before the first report, on a boundary or next to one. */
export const instant: FastCheck.Arbitrary<Timestamp.Timestamp> = FastCheck.tuple(
  FastCheck.integer({ min: -2, max: 20 }),
  FastCheck.integer({ min: -1, max: 1 })
).map(([half, micros]) => Timestamp.fromMicros(dayAfter(half) + micros))
