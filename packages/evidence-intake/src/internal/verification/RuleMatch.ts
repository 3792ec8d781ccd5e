/**
 * Whether a rule of the trust policy trusts a signer with a document.
 *
 * Provenance says its builder and source itself. For other kinds the certificate says them, and a document whose signer
 * has none does not fit a rule that expects them. Expectations about parameters and verifiers concern the kinds that
 * have them.
 */
import * as CanonicalJson from "@attestry/core/CanonicalJson"
import type { VerificationReason } from "@attestry/core/EvidenceVerification"
import * as TrustPattern from "@attestry/core/TrustPattern"
import type { TrustedSigner, TrustRule } from "@attestry/core/TrustPolicyDocument"
import type { EvidenceDocument } from "../../EvidenceDocument.js"
import type { ProvenSigner } from "./SignatureCheck.js"

/** What a rule is asked about. */
export interface Claim {
  readonly document: EvidenceDocument
  readonly signer: ProvenSigner
  /** The flows that the artifact belongs to; undefined if they are not known. */
  readonly flows: ReadonlyArray<string> | undefined
}

const isMatch = (pattern: string, value: string | null): boolean =>
  value !== null && TrustPattern.matches(pattern, value)

/** How many different keys of the rule signed. */
const keysOf = (
  rule: Extract<TrustedSigner, { readonly kind: "keys" }>,
  signer: Extract<ProvenSigner, { readonly kind: "keys" }>
): number => {
  const named = signer.keys.filter((key) => rule.keys.includes(key.id))
  return new Set(named.map((key) => key.fingerprint)).size
}

const namesSigner = ({ signer: rule }: TrustRule, { signer }: Claim): boolean => {
  if (rule.kind === "keys") return signer.kind === "keys" && keysOf(rule, signer) > 0
  if (signer.kind !== "sigstore") return false
  const { issuer, san, source_repository_id: repositoryId } = signer.identity
  return (
    rule.roots.includes(signer.root) &&
    issuer === rule.issuer &&
    isMatch(rule.san, san) &&
    (rule.sourceRepositoryId === null || repositoryId === rule.sourceRepositoryId)
  )
}

const isThresholdMet = ({ signer: rule }: TrustRule, { signer }: Claim): boolean =>
  rule.kind !== "keys" || (signer.kind === "keys" && keysOf(rule, signer) >= rule.threshold)

const coversContent = (rule: TrustRule, { document }: Claim): boolean =>
  rule.kinds.includes(document.facts.kind) ||
  rule.predicates.some((pattern) => isMatch(pattern, document.predicateType))

interface Origin {
  readonly builder: string | null
  readonly repository: string | null
  readonly ref: string | null
}

/** The address of a repository in provenance, without the scheme of Git and the ref that some builders add. */
const repositoryOf = (uri: string | null, ref: string | null): string | null => {
  if (uri === null) return null
  const address = uri.startsWith("git+") ? uri.slice("git+".length) : uri
  const suffix = `@${ref ?? ""}`
  return ref !== null && address.endsWith(suffix) ? address.slice(0, -suffix.length) : address
}

const originOf = ({ document: { facts }, signer }: Claim): Origin => {
  if (facts.kind === "provenance") {
    const { uri, ref } = facts.source
    return { builder: facts.builder_id, repository: repositoryOf(uri, ref), ref }
  }
  if (signer.kind === "keys") return { builder: null, repository: null, ref: null }
  const { build_signer, source_repository, source_ref } = signer.identity
  return { builder: build_signer, repository: source_repository, ref: source_ref }
}

const isExpected = (pattern: string | null, value: string | null): boolean =>
  pattern === null || isMatch(pattern, value)

const isSource = ({ source }: TrustRule, { repository, ref }: Origin): boolean =>
  source === null || (isExpected(source.repository, repository) && isExpected(source.ref, ref))

const asText = (value: unknown): string =>
  typeof value === "string" ? value : CanonicalJson.print(value)

const hasParameters = (rule: TrustRule, { parameters }: EvidenceDocument): boolean => {
  const expected = rule.parameters ?? {}
  const fits = Object.entries(expected).every(
    ([name, value]) => Object.hasOwn(parameters, name) && asText(parameters[name]) === value
  )
  return (
    fits &&
    (!rule.strictParameters ||
      Object.keys(parameters).every((name) => Object.hasOwn(expected, name)))
  )
}

const isBuild = (rule: TrustRule, { document }: Claim): boolean =>
  document.facts.kind !== "provenance" ||
  (isExpected(rule.buildType, document.facts.build_type) && hasParameters(rule, document))

const isVerifier = (rule: TrustRule, { document: { facts } }: Claim): boolean => {
  if (facts.kind !== "verification") return true
  const isNamed =
    rule.verifiers === null || rule.verifiers.some((pattern) => isMatch(pattern, facts.verifier))
  return isNamed && rule.properties.every((property) => facts.levels.includes(property))
}

const isFlow = (rule: TrustRule, { flows }: Claim): boolean =>
  rule.flows === null || flows === undefined || flows.some((flow) => rule.flows?.includes(flow))

/** A condition of rules, and the reason of a document that does not meet it. */
type Condition = readonly [(rule: TrustRule, claim: Claim) => boolean, VerificationReason]

/** The conditions in the order in which a document meets them. */
const CONDITIONS: ReadonlyArray<Condition> = [
  [namesSigner, "no_rule"],
  [coversContent, "no_rule"],
  [isThresholdMet, "threshold"],
  [(rule, claim) => isExpected(rule.builder, originOf(claim).builder), "builder_mismatch"],
  [(rule, claim) => isSource(rule, originOf(claim)), "source_mismatch"],
  [isBuild, "parameters_mismatch"],
  [isVerifier, "no_rule"],
  [isFlow, "flow_mismatch"]
]

/** A rule that does not fit: how many conditions hold before the first that does not, and the reason. */
export interface Mismatch {
  readonly met: number
  readonly reason: VerificationReason
}

/** The first condition of the rule that the document does not meet; null if the rule fits. */
export const mismatch = (rule: TrustRule, claim: Claim): Mismatch | null => {
  const met = CONDITIONS.findIndex(([isMet]) => !isMet(rule, claim))
  const [, reason] = CONDITIONS[met] ?? []
  return reason === undefined ? null : { met, reason }
}
