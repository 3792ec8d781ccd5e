/** Verifies the signed evidence of a capsule again, by the trust policy and the trust roots that are inside. */
import type { DocumentCheck, DocumentQuestion } from "@attestry/core/DocumentCheck"
import * as TrustPolicyDocument from "@attestry/core/TrustPolicyDocument"
import * as EvidenceReader from "@attestry/evidence-intake/EvidenceReader"
import * as EvidenceVerifier from "@attestry/evidence-intake/EvidenceVerifier"
import * as TrustRoot from "@attestry/evidence-intake/TrustRoot"
import * as Either from "effect/Either"
import * as Json from "../shared/Json.js"

/** The policy with the rule alone that was applied; all of it without one. */
const policyOf = ({
  policy,
  rule
}: DocumentQuestion): Either.Either<TrustPolicyDocument.TrustPolicyDocument, string> =>
  Either.gen(function* () {
    const all =
      policy === ""
        ? TrustPolicyDocument.NONE
        : yield* Either.mapLeft(
            TrustPolicyDocument.parse(policy),
            () => "a trust policy cannot be read"
          )
    if (rule === null) return all
    const rules = all.rules.filter(({ name }) => name === rule)
    return rules.length === 0
      ? yield* Either.left(`no trust policy of then has the rule ${rule}`)
      : { ...all, rules }
  })

const rootsOf = ({ roots }: DocumentQuestion) =>
  Either.all(
    Array.from(roots, ([name, text]) =>
      Either.mapBoth(TrustRoot.parse(text), {
        onLeft: () => `the trust root ${name} cannot be read`,
        onRight: (root) => [name, root] as const
      })
    )
  )

/** Reads and verifies a document again. */
export const check: DocumentCheck = (question) =>
  Either.gen(function* () {
    const { at, bytes, position } = question
    const policy = yield* policyOf(question)
    const roots = new Map(yield* rootsOf(question))
    const limits = { fileBytes: EvidenceReader.FILE_BYTES_CEILING }
    const { documents } = yield* Either.mapLeft(
      EvidenceReader.read(bytes, limits),
      ({ message }) => `the file cannot be read: ${message}`
    )
    const document = documents[position - 1]
    if (document === undefined) return yield* Either.left("the file has no such document")
    const { verification } = EvidenceVerifier.verify(document, { policy, roots, now: at })
    // WHY through JSON: absent members of facts are undefined.
    return { verification, facts: Json.object(JSON.parse(JSON.stringify(document.facts))) }
  }).pipe(Either.getOrElse((problem) => problem))
