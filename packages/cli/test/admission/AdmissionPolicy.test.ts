/** Decisions about objects: a plain model of the rule says the same for every mixture of images. */
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import {
  decide,
  type Finding,
  type FoundImage,
  type Question,
  type Rule
} from "../../src/admission/AdmissionPolicy.js"
import * as AdmissionReview from "../../src/admission/AdmissionReview.js"

const DIGEST = "a".repeat(64)

const stale = fc.option(fc.constant("it did not answer"), { nil: undefined })

const finding: fc.Arbitrary<Finding> = fc.oneof(
  fc.record({ type: fc.constant("compliant" as const), digest: fc.constant(DIGEST), stale }),
  fc.record({
    type: fc.constant("refused" as const),
    digest: fc.option(fc.constant(DIGEST), { nil: undefined }),
    why: fc.string(),
    reasons: fc.array(
      fc.record({ text: fc.string(), remedy: fc.option(fc.string(), { nil: undefined }) }),
      { maxLength: 5 }
    ),
    stale
  }),
  fc.record({
    type: fc.constant("unanswered" as const),
    digest: fc.option(fc.constant(DIGEST), { nil: undefined }),
    why: fc.string()
  })
)

const image: fc.Arbitrary<FoundImage> = fc.record({
  image: fc.string({ maxLength: 300 }),
  place: fc.string(),
  finding
})

const rule: fc.Arbitrary<Rule> = fc.record({
  scope: fc.constantFrom(
    { type: "environment" as const, environment: "prod" },
    { type: "policies" as const, policies: ["one", "two"] }
  ),
  mode: fc.constantFrom("warn" as const, "enforce" as const),
  fail: fc.constantFrom("open" as const, "closed" as const),
  allowsBreakGlass: fc.boolean()
})

const question: fc.Arbitrary<Question> = fc.record({
  namespace: fc.constant("shop"),
  rule,
  images: fc.array(image, { maxLength: 30 }),
  breakGlass: fc.constantFrom(undefined, "", "INC-1")
})

/** What the guide says, as plainly as it says it. */
const model = ({
  images,
  rule: { mode, fail, allowsBreakGlass },
  breakGlass
}: Question): string => {
  const has = (type: string) => images.some((each) => each.finding.type === type)
  if (!has("refused") && !has("unanswered")) return "allowed"
  if (mode === "warn") return "warned"
  const stops = has("refused") || (has("unanswered") && fail === "closed")
  if (!stops) return "failed-open"
  return allowsBreakGlass && breakGlass === "INC-1" ? "break-glass" : "denied"
}

describe("a decision about an object", () => {
  it("is that of the plain model, denies with a text alone, and warns of all else that is not compliant", () => {
    fc.assert(
      fc.property(question, (asked) => {
        const { isAllowed, message, outcome, warnings } = decide(asked)
        assert.strictEqual(outcome, model(asked))
        assert.strictEqual(isAllowed, outcome !== "denied")
        assert.strictEqual(message === "", isAllowed)
        const open = asked.images.filter(({ finding: { type } }) => type !== "compliant")
        if (isAllowed) assert.isAtLeast(warnings.length, open.length)
      })
    )
  })

  it("is printed within the limits of API servers, and without control characters in warnings", () => {
    fc.assert(
      fc.property(question, (asked) => {
        const { response } = JSON.parse(AdmissionReview.print("u", decide(asked)))
        const warnings: ReadonlyArray<string> = response.warnings ?? []
        assert.isAtMost(warnings.length, AdmissionReview.WARNINGS_MAX)
        for (const each of warnings) {
          assert.isAtMost(each.length, AdmissionReview.WARNING_LENGTH_MAX)
          // biome-ignore lint/suspicious/noControlCharactersInRegex: they would change a terminal
          assert.notMatch(each, /[\u0000-\u001f]/)
        }
        const message: string = response.status?.message ?? ""
        assert.isAtMost(message.length, AdmissionReview.MESSAGE_LENGTH_MAX)
        if (!response.allowed) assert.match(message, /attestry\.dev\/break-glass|Emergencies/)
      })
    )
  })

  it("tells the reasons with what to do, the command that shows all, and the way out of an emergency", () => {
    const refused: FoundImage = {
      image: "registry.example.org/shop/web:1",
      place: "container web",
      finding: {
        type: "refused",
        digest: DIGEST,
        why: "not compliant by known",
        reasons: [{ text: "the review is missing", remedy: "attestry attest generic -n review" }],
        stale: undefined
      }
    }
    const { message } = decide({
      namespace: "shop",
      rule: {
        scope: { type: "policies", policies: ["known"] },
        mode: "enforce",
        fail: "open",
        allowsBreakGlass: true
      },
      images: [refused],
      breakGlass: undefined
    })
    assert.deepStrictEqual(message.split("\n"), [
      "attestry: 1 of 1 images may not run in the namespace shop (policy known)",
      "- registry.example.org/shop/web:1 (container web): not compliant by known",
      "    the review is missing",
      "    do: attestry attest generic -n review",
      `    see: attestry assert artifact --fingerprint ${DIGEST} --policy known`,
      'In an emergency, annotate the pods with attestry.dev/break-glass: "why"; it is recorded, and asks for a waiver.'
    ])
  })
})
