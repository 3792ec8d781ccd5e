/** The rules of a trust policy in words: the evidence, the signer, and further demands of each. */
import type { TrustedSigner, TrustRule } from "@attestry/core/TrustPolicyDocument"

/** A rule in words. */
export interface TrustRuleLine {
  readonly name: string
  /** The kinds of evidence, or the patterns of predicate types. */
  readonly about: string
  readonly signer: string
  /** One text for each further demand; empty if the signature alone decides. */
  readonly demands: ReadonlyArray<string>
}

const signerOf = (signer: TrustedSigner): string => {
  if (signer.kind === "sigstore") {
    const repository =
      signer.sourceRepositoryId === null ? "" : `, repository ${signer.sourceRepositoryId}`
    return `${signer.san}, by ${signer.issuer}${repository} (${signer.roots.join(", ")})`
  }
  const { keys, threshold } = signer
  if (keys.length === 1) return `key ${keys.join("")}`
  return threshold === 1
    ? `one of the keys ${keys.join(", ")}`
    : `${threshold} of the keys ${keys.join(", ")}`
}

const listed = (title: string, values: ReadonlyArray<string> | null): ReadonlyArray<string> =>
  values === null || values.length === 0 ? [] : [`${title} ${values.join(", ")}`]

const given = (title: string, value: string | number | null | undefined): ReadonlyArray<string> =>
  value === null || value === undefined ? [] : [`${title} ${value}`]

const demandsOf = (rule: TrustRule): ReadonlyArray<string> => [
  ...given("builder", rule.builder),
  ...given("builds of level", rule.buildLevel),
  ...given("source", rule.source?.repository),
  ...given("ref", rule.source?.ref),
  ...given("build type", rule.buildType),
  ...listed(
    rule.strictParameters ? "no parameters but" : "parameters",
    rule.parameters === null
      ? null
      : Object.entries(rule.parameters).map(([name, value]) => `${name} = ${value}`)
  ),
  ...listed("verifiers", rule.verifiers),
  ...listed("properties", rule.properties),
  ...listed("flows", rule.flows)
]

/** A rule in words. */
export const lineOf = (rule: TrustRule): TrustRuleLine => ({
  name: rule.name,
  about: rule.kinds.length > 0 ? rule.kinds.join(", ") : rule.predicates.join(", "),
  signer: signerOf(rule.signer),
  demands: demandsOf(rule)
})
