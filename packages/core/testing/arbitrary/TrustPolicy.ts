/** Trust policies that `TrustPolicyDocument.parse` accepts: with all members, with few, and without rules. */
import * as EvidenceKind from "@attestry/core/EvidenceKind"
import {
  FAIL_ON,
  type TrustedKey,
  type TrustedSigner,
  type TrustPolicyDocument,
  type TrustRule
} from "@attestry/core/TrustPolicyDocument"
import * as FastCheck from "effect/FastCheck"

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/** Some text that is not empty and that a document may contain. */
const text = FastCheck.string({ unit: "binary", minLength: 1, maxLength: 40 }).filter(
  (each) => !each.includes("\0")
)

const id = FastCheck.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,20}$/)

const texts = FastCheck.uniqueArray(text, { minLength: 1, maxLength: 3 })

const nullable = <A>(values: FastCheck.Arbitrary<A>): FastCheck.Arbitrary<A | null> =>
  FastCheck.option(values, { nil: null })

/** A text in the form of a public key; its bytes are no key. */
export const publicKey: FastCheck.Arbitrary<string> = FastCheck.array(
  FastCheck.constantFrom(...BASE64),
  { minLength: 4, maxLength: 160 }
).map((characters) => {
  const body = characters.slice(0, Math.floor(characters.length / 4) * 4).join("")
  const lines = body.match(/.{1,64}/g) ?? []
  return `-----BEGIN PUBLIC KEY-----\n${lines.join("\n")}\n-----END PUBLIC KEY-----\n`
})

const day = 86_400

const keys: FastCheck.Arbitrary<ReadonlyArray<TrustedKey>> = FastCheck.uniqueArray(
  FastCheck.record({
    id,
    publicKey,
    validUntil: nullable(
      FastCheck.oneof(
        FastCheck.integer({ min: 0, max: 80_000 }).map((days) => days * day),
        FastCheck.integer({ min: 0, max: 80_000 * day })
      )
    )
  }),
  {
    maxLength: 4,
    comparator: (left, right) =>
      left.id === right.id ||
      left.publicKey.replaceAll("\n", "") === right.publicKey.replaceAll("\n", "")
  }
)

const sigstore: FastCheck.Arbitrary<TrustedSigner> = FastCheck.record({
  kind: FastCheck.constant("sigstore" as const),
  roots: FastCheck.uniqueArray(id, { minLength: 1, maxLength: 2 }),
  issuer: FastCheck.constantFrom(
    "https://token.actions.githubusercontent.com",
    "https://gitlab.example",
    "https://issuer.example/oauth2"
  ),
  san: FastCheck.constantFrom(
    "https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/*",
    "https://github.com/**",
    "*@acme.example"
  ),
  sourceRepositoryId: nullable(text)
})

const signer = (known: ReadonlyArray<TrustedKey>): FastCheck.Arbitrary<TrustedSigner> =>
  known.length === 0
    ? sigstore
    : FastCheck.oneof(
        sigstore,
        FastCheck.subarray(
          known.map((key) => key.id),
          { minLength: 1 }
        ).chain((ids) =>
          FastCheck.record({
            kind: FastCheck.constant("keys" as const),
            keys: FastCheck.constant(ids),
            threshold: FastCheck.integer({ min: 1, max: ids.length })
          })
        )
      )

const kinds = FastCheck.uniqueArray(FastCheck.constantFrom(...EvidenceKind.ALL), {
  minLength: 1,
  maxLength: 3
})

const about = FastCheck.oneof(
  FastCheck.record({ kinds, predicates: FastCheck.constant([]) }),
  FastCheck.record({ kinds: FastCheck.constant([]), predicates: texts })
)

const rule = (known: ReadonlyArray<TrustedKey>): FastCheck.Arbitrary<TrustRule> =>
  FastCheck.record({
    about,
    name: text,
    signer: signer(known),
    builder: nullable(text),
    buildLevel: nullable(FastCheck.integer({ min: 1, max: 3 })),
    source: nullable(
      FastCheck.record({ repository: nullable(text), ref: nullable(text) }).filter(
        ({ ref, repository }) => ref !== null || repository !== null
      )
    ),
    buildType: nullable(text),
    parameters: nullable(
      FastCheck.uniqueArray(
        FastCheck.tuple(FastCheck.oneof(text, FastCheck.constant("__proto__")), text),
        {
          maxLength: 3,
          selector: ([name]) => name
        }
      ).map((members): { readonly [name: string]: string } => Object.fromEntries(members))
    ),
    strictParameters: FastCheck.boolean(),
    flows: nullable(
      FastCheck.uniqueArray(FastCheck.constantFrom("shop", "web", "api"), { minLength: 1 })
    ),
    verifiers: nullable(texts),
    properties: FastCheck.uniqueArray(text, { maxLength: 2 })
  }).map(({ about: { kinds: of, predicates }, ...rest }) => ({ ...rest, kinds: of, predicates }))

/** A document. */
export const document: FastCheck.Arbitrary<TrustPolicyDocument> = keys.chain((known) =>
  FastCheck.record({
    schema: FastCheck.constant("https://one.example/schemas/trust-policy/v1"),
    failOn: FastCheck.constantFrom(...FAIL_ON),
    minLines: nullable(FastCheck.constantFrom(0, 12.5, 80, 100)),
    keys: FastCheck.constant(known),
    rules: FastCheck.uniqueArray(rule(known), { maxLength: 4, selector: ({ name }) => name }),
    mustBeVerified: FastCheck.oneof(FastCheck.constant([]), kinds)
  })
)
