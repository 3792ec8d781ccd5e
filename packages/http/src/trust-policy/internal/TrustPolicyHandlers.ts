/** Serves the operations of the trust policy of an org. */
import { TrustPolicyApi, type TrustPolicyResponse } from "@attestry/api/TrustPolicyApi"
import * as KeyAlgorithm from "@attestry/core/KeyAlgorithm"
import { TrustPolicies } from "@attestry/core/TrustPolicies"
import * as TrustPolicyDocument from "@attestry/core/TrustPolicyDocument"
import type { TrustPolicyVersion } from "@attestry/core/TrustPolicyVersion"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as OkBody from "../../shared/internal/OkBody.js"
import { toWire } from "../../shared/internal/WireErrors.js"

const responseOf = ({
  at,
  comment,
  created_by,
  text,
  version
}: TrustPolicyVersion): typeof TrustPolicyResponse.Type => {
  // WHY no failure: a later release may refuse a text of an earlier one, and its author must be able to read it.
  const { keys, rules } = Either.getOrElse(
    TrustPolicyDocument.parse(text),
    () => TrustPolicyDocument.NONE
  )
  return {
    version,
    comment,
    created_by,
    timestamp: at,
    trust_yaml: text,
    rules: rules.length,
    keys: keys.map(({ id, publicKey, validUntil }) => ({
      id,
      algorithm: KeyAlgorithm.of(publicKey),
      valid_until: validUntil
    }))
  }
}

/** Serves the operations of the trust policy of an org. */
export const TrustPolicyHandlers = group(
  TrustPolicyApi,
  Effect.map(TrustPolicies, (policies) => ({
    get: ({ path }) =>
      policies.get(path.org).pipe(
        toWire,
        Effect.map((version) => ok(responseOf(version)))
      ),
    put: ({ path, payload }) =>
      policies
        .put(path.org, { text: payload.trust_yaml, comment: payload.comment ?? "" })
        .pipe(toWire, Effect.map(OkBody.ofPut)),
    versions: ({ path }) =>
      policies.versions(path.org).pipe(
        toWire,
        Effect.map((versions) => ok(versions.map(responseOf)))
      )
  }))
)
