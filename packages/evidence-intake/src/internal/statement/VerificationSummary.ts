/**
 * Results of verification: verification summaries of SLSA 1 and 0.2, and simple verification results 0.1 and 0.2.
 *
 * Summaries of SLSA 0.2 exist with members in both spellings, `timeVerified` and `time_verified`.
 */
import * as Either from "effect/Either"
import type { JsonObject, PredicateReader } from "../Format.js"
import * as Members from "../Members.js"
import type { ReadContent } from "../ReadContent.js"

const SHA256 = /^[0-9a-f]{64}$/i

interface Summary {
  readonly format: { readonly name: string; readonly version: string }
  readonly verifier: string | null
  readonly result: string | null
  readonly levels: ReadonlyArray<string>
  readonly policy: JsonObject
  readonly verifiedAt: number | null
}

const policyOf = (policy: JsonObject) => {
  const sha256 = Members.text(Members.object(policy, "digest"), "sha256")
  return {
    uri: Members.text(policy, "uri"),
    sha256: sha256 !== null && SHA256.test(sha256) ? sha256.toLowerCase() : null
  }
}

const contentOf = (summary: Summary): ReadContent => ({
  facts: {
    kind: "verification",
    format: summary.format,
    tool: null,
    created_at: summary.verifiedAt,
    truncated: [],
    verifier: summary.verifier,
    result: summary.result,
    levels: summary.levels,
    policy: policyOf(summary.policy),
    verified_at: summary.verifiedAt
  },
  subjects: []
})

const verifierOf = (predicate: JsonObject): JsonObject => Members.object(predicate, "verifier")

const readFirst = (predicate: JsonObject): ReadContent =>
  contentOf({
    format: { name: "slsa-verification-summary", version: "1" },
    verifier: Members.text(verifierOf(predicate), "id"),
    result: Members.text(predicate, "verificationResult"),
    levels: Members.texts(predicate, "verifiedLevels"),
    policy: Members.object(predicate, "policy"),
    verifiedAt: Members.instant(predicate, "timeVerified")
  })

const readEarlier = (predicate: JsonObject): ReadContent => {
  const level = Members.text(predicate, "policyLevel") ?? Members.text(predicate, "policy_level")
  return contentOf({
    format: { name: "slsa-verification-summary", version: "0.2" },
    verifier: Members.text(verifierOf(predicate), "id"),
    result:
      Members.text(predicate, "verificationResult") ??
      Members.text(predicate, "verification_result"),
    levels: level === null ? [] : [level],
    policy: Members.object(predicate, "policy"),
    verifiedAt:
      Members.instant(predicate, "timeVerified") ?? Members.instant(predicate, "time_verified")
  })
}

/** A simple result lists properties that hold, and has no word for the result: one without any has not passed. */
const readSimple =
  (version: string) =>
  (predicate: JsonObject): ReadContent => {
    const verifier = verifierOf(predicate)
    const [policy] = Members.objects(verifier, "policies")
    const properties = Members.texts(predicate, "properties")
    return contentOf({
      format: { name: "simple-verification-result", version },
      verifier: Members.text(verifier, "id"),
      result: properties.length === 0 ? null : "PASSED",
      levels: properties,
      policy: policy ?? Members.object(verifier, "policy"),
      verifiedAt: Members.instant(predicate, "timeCreated")
    })
  }

const reader = (type: string, read: (predicate: JsonObject) => ReadContent): PredicateReader => ({
  isPredicate: (given) => given === type,
  read: (predicate) => Either.right(read(predicate))
})

/** The readers of results of verification. */
export const PREDICATES: ReadonlyArray<PredicateReader> = [
  reader("https://slsa.dev/verification_summary/v1", readFirst),
  reader("https://slsa.dev/verification_summary/v0.2", readEarlier),
  reader("https://in-toto.io/attestation/svr/v0.1", readSimple("0.1")),
  reader("https://in-toto.io/attestation/svr/v0.2", readSimple("0.2"))
]
