/** Texts of trust policies, and their problems in one line each. */
import * as Either from "effect/Either"
import * as TrustPolicyDocument from "../../src/trust-policy/TrustPolicyDocument.js"

/** The first line. */
export const HEAD = "_schema: https://h/schemas/trust-policy/v1\n"

/** The lines of a key in PEM whose body begins with four characters. */
export const pem = (body: string): string =>
  `-----BEGIN PUBLIC KEY-----\n${body}AAAA\n-----END PUBLIC KEY-----\n`

/** A key in one line. */
export const key = (id: string, body = "AAAA"): string =>
  `{ id: ${id}, public_key: ${JSON.stringify(pem(body))} }`

/** A policy with one key. */
export const KEYED = `${HEAD}keys:\n  - ${key("release")}\n`

/** A policy with a key and rules. */
export const withRules = (...rules: ReadonlyArray<string>): string =>
  `${KEYED}rules:\n${rules.map((rule) => `  - ${rule}\n`).join("")}`

/** A rule about one kind by the key. */
export const RULE = "{ name: a, kinds: [sbom], signer: { keys: [release] } }"

/** A rule with a Sigstore identity. */
export const sigstore = (san: string, issuer = "https://issuer.example", more = ""): string =>
  `{ name: s, kinds: [sbom], signer: { sigstore: { roots: [public-good], issuer: "${issuer}", ` +
  `san: "${san}"${more} } } }`

/** The problems of a text, with their lines. */
export const problems = (
  text: string,
  knownRoots: ReadonlySet<string> | null = null
): ReadonlyArray<string> =>
  Either.match(TrustPolicyDocument.parse(text, { knownRoots }), {
    onLeft: (error) =>
      error.problems.map(({ line, message, path }) => `${path} (${line}): ${message}`),
    onRight: () => []
  })
