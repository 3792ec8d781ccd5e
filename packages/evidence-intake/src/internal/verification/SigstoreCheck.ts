/**
 * The signature of a Sigstore bundle: by a certificate, or by a key of the trust policy, with a proof of a log.
 *
 * `@sigstore/verify` checks certificate, timestamps, log and signature, without network. Its own policy of identities
 * is not used: it takes the expected identity for a regular expression without ends.
 */
import type { TrustPolicyDocument } from "@attestry/core/TrustPolicyDocument"
import type { Bundle } from "@sigstore/bundle"
import { crypto } from "@sigstore/core"
import { type SignedEntity, type TrustMaterial, toSignedEntity, Verifier } from "@sigstore/verify"
import * as Either from "effect/Either"
import type { EvidenceDocument } from "../../EvidenceDocument.js"
import type { TrustRoot } from "../../verification/TrustRoot.js"
import * as DigestSignature from "./DigestSignature.js"
import * as EnvelopeCheck from "./EnvelopeCheck.js"
import * as SignatureCheck from "./SignatureCheck.js"
import * as SigstoreBundle from "./SigstoreBundle.js"
import * as SigstoreContent from "./SigstoreContent.js"
import * as SigstoreFailure from "./SigstoreFailure.js"
import * as SigstoreIdentity from "./SigstoreIdentity.js"

const { failed, unverifiable } = SignatureCheck
type Check = SignatureCheck.SignatureCheck
type ProvenSignature = SignatureCheck.ProvenSignature

/** What a bundle is checked with. */
export interface SigstoreMaterial {
  readonly policy: TrustPolicyDocument
  readonly roots: ReadonlyMap<string, TrustRoot>
  /** In epoch seconds. */
  readonly now: number
}

/**
 * The least number of entries and timestamps that a bundle needs.
 *
 * A private instance may have no logs, as that of GitHub has none; its trust root then lists none, and a timestamp of
 * its authority is all that there is. A root with logs always needs an entry of each.
 */
const thresholdsOf = ({ ctlogs, tlogs }: TrustMaterial) => ({
  ctlogThreshold: Math.min(1, ctlogs.length),
  tlogThreshold: Math.min(1, tlogs.length),
  timestampThreshold: 1
})

/** An instance of Sigstore, and the name of its trust root. */
interface Instance {
  readonly root: string
  readonly material: TrustMaterial
}

const instancesOf = (roots: SigstoreMaterial["roots"]): ReadonlyArray<Instance> =>
  [...roots].flatMap(([root, { instances }]) => instances.map((material) => ({ root, material })))

/** When the bundle was signed and where it is logged; all of it is verified. */
const attested = (entity: SignedEntity): Pick<ProvenSignature, "signedAt" | "log"> => {
  const times = SigstoreFailure.instants(entity).map((instant) => instant.getTime())
  const entry = entity.tlogEntries.find(({ inclusionProof }) => inclusionProof !== undefined)
  const [origin] = entry?.inclusionProof?.checkpoint?.envelope.split("\n", 1) ?? []
  return {
    signedAt: times.length === 0 ? null : Math.min(...times) / 1_000,
    log: entry === undefined || origin === undefined ? null : { origin, index: entry.logIndex }
  }
}

/** Whether a log entry is proved by a path to a checkpoint; a promise of the log is not enough. */
const isLogged = (entity: SignedEntity): boolean =>
  entity.tlogEntries.some(({ inclusionProof }) => inclusionProof?.checkpoint !== undefined)

/** Verifies with the library; the signer is of its certificate, or the given one. */
const verified = (
  entity: SignedEntity,
  { root, material }: Instance,
  signer: SignatureCheck.ProvenSigner | null
): Check => {
  try {
    const identity = SigstoreIdentity.of(
      new Verifier(material, thresholdsOf(material)).verify(entity)
    )
    if (material.tlogs.length > 0 && !isLogged(entity)) return failed("bad_log_proof")
    const proven: SignatureCheck.ProvenSigner | null =
      signer ?? (identity === null ? null : { kind: "sigstore", identity, root })
    if (proven === null) return failed("malformed")
    return { kind: "proven", proven: [{ signer: proven, ...attested(entity) }] }
  } catch (error) {
    // WHY: the library and its decoders throw whatever the bundle makes them throw; none of it is verified.
    return SigstoreFailure.of(error, entity, material)
  }
}

/** What holds with any instance; otherwise what is wrong with any, before what is not known to them. */
const combined = (checks: ReadonlyArray<Check>): Check => {
  const [first, ...others] = checks.flatMap((check) =>
    check.kind === "proven" ? check.proven : []
  )
  if (first !== undefined) return { kind: "proven", proven: [first, ...others] }
  const wrong = checks.find((check) => check.kind === "refused" && check.state === "failed")
  return wrong ?? checks[0] ?? unverifiable("unknown_root")
}

const byCertificate = (entity: SignedEntity, bundle: Bundle, roots: SigstoreMaterial["roots"]) => {
  if (entity.key.$case !== "certificate") return failed("malformed")
  const { certificate } = entity.key
  const instances = instancesOf(roots).filter(({ material }) =>
    SigstoreFailure.knowsIssuer(certificate, material)
  )
  const isBare = bundle.content.$case === "messageSignature"
  if (isBare && !DigestSignature.isSupported(crypto.createPublicKey(certificate.publicKey)))
    return unverifiable("unknown_key")
  return combined(instances.map((instance) => verified(entity, instance, null)))
}

/** Whether a key can be asked about the bundle: the signature of a bare file needs a key of ECDSA. */
const isAskable = (bundle: Bundle, key: EnvelopeCheck.PolicyKey): boolean =>
  bundle.content.$case === "dsseEnvelope" || DigestSignature.isSupported(key.key)

const byKey = (
  entity: SignedEntity,
  bundle: Bundle,
  { policy, roots, now }: SigstoreMaterial
): Check => {
  if (entity.key.$case !== "public-key") return failed("malformed")
  const { hint } = entity.key
  const keys = EnvelopeCheck.policyKeys(policy, now)
  const holders = keys.filter((key) => SigstoreContent.isSignedBy(bundle, key))
  if (holders.length === 0) {
    const isUnknown = keys.some((key) => key.id === hint && !isAskable(bundle, key))
    return isUnknown ? unverifiable("unknown_key") : EnvelopeCheck.notByKey(hint, policy)
  }
  const [first, ...others] = holders.filter((key) => key.isCurrent)
  if (first === undefined) return unverifiable("unknown_key")
  const publicKey = () => ({ publicKey: first.key, validFor: () => true })
  const signer = { kind: "keys", keys: [first, ...others] } as const
  const checked = { ...entity, signature: SigstoreContent.verifiedContent(entity.signature) }
  return combined(
    instancesOf(roots).map(({ root, material }) =>
      verified(checked, { root, material: { ...material, publicKey } }, signer)
    )
  )
}

/** Checks a bundle with every trust root that knows its certificate authority. */
export const check = (
  document: EvidenceDocument,
  signed: Extract<EvidenceDocument["signed"], { readonly kind: "sigstore" }>,
  material: SigstoreMaterial
): Check => {
  const bundle = SigstoreBundle.read(signed.bundle)
  if (Either.isLeft(bundle)) return failed(bundle.left)
  if (!SigstoreContent.isOf(bundle.right, document, signed)) return failed("malformed")
  try {
    const entity = toSignedEntity(bundle.right)
    const complete = {
      ...entity,
      signature: SigstoreContent.content(bundle.right, entity.signature)
    }
    return entity.key.$case === "certificate"
      ? byCertificate(complete, bundle.right, material.roots)
      : byKey(complete, bundle.right, material)
  } catch {
    // WHY: certificates and timestamps are decoded when they are first asked, and decoders throw.
    return failed("malformed")
  }
}
