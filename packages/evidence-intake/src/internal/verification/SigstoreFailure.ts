/**
 * Why the library refuses a bundle, as a state and a reason.
 *
 * The library has one code for several causes, so the material is asked which of them it is: what is wrong is `failed`,
 * what the trust root does not know is `unverifiable`.
 */
import type { X509Certificate } from "@sigstore/core"
import { type SignedEntity, type TrustMaterial, VerificationError } from "@sigstore/verify"
import * as SignatureCheck from "./SignatureCheck.js"

const { failed, unverifiable } = SignatureCheck

type Timestamp = SignedEntity["timestamps"][number]

/** Whether a timestamp is attested: an entry's time is only by a promise of the log. */
const isAttested = (timestamp: Timestamp): boolean =>
  timestamp.$case === "timestamp-authority" || timestamp.tlogEntry.inclusionPromise !== undefined

/** When an attested timestamp says that the bundle was signed. */
const instantOf = (timestamp: Timestamp): Date =>
  timestamp.$case === "timestamp-authority"
    ? timestamp.timestamp.signingTime
    : new Date(Number(timestamp.tlogEntry.integratedTime) * 1_000)

/** The attested times of a bundle. */
export const instants = (entity: SignedEntity): ReadonlyArray<Date> =>
  entity.timestamps.filter(isAttested).map(instantOf)

const isIssuerOf = (leaf: X509Certificate, authority: X509Certificate): boolean => {
  const wanted = leaf.extAuthorityKeyID?.keyIdentifier
  const own = authority.extSubjectKeyID?.keyIdentifier
  return wanted !== undefined && own !== undefined
    ? own.equals(wanted)
    : authority.subject.equals(leaf.issuer)
}

const issuersOf = (leaf: X509Certificate, { certificateAuthorities }: TrustMaterial) =>
  certificateAuthorities.flatMap(({ certChain }) =>
    certChain.filter((authority) => isIssuerOf(leaf, authority))
  )

/** Whether the trust root has a certificate authority that the certificate names as its issuer. */
export const knowsIssuer = (leaf: X509Certificate, material: TrustMaterial): boolean =>
  issuersOf(leaf, material).length > 0

const isSignedBy = (leaf: X509Certificate, authority: X509Certificate): boolean => {
  try {
    return leaf.verify(authority)
  } catch {
    // WHY: a signature algorithm that the library does not know makes it throw; the certificate is wrong either way.
    return false
  }
}

const certificateFailure = (entity: SignedEntity, material: TrustMaterial) => {
  if (entity.key.$case !== "certificate") return failed("malformed")
  const leaf = entity.key.certificate
  const issuers = issuersOf(leaf, material)
  if (issuers.length === 0) return unverifiable("unknown_root")
  if (!issuers.some((issuer) => isSignedBy(leaf, issuer))) return failed("bad_certificate")
  if (!instants(entity).every((instant) => leaf.validForDate(instant)))
    return failed("expired_certificate")
  const stamps = leaf.extSCT?.signedCertificateTimestamps ?? []
  const isKnown = stamps.every(({ logID }) =>
    material.ctlogs.some((log) => log.logID.equals(logID))
  )
  return isKnown ? failed("bad_certificate") : unverifiable("unknown_log")
}

const timestampFailure = (entity: SignedEntity, material: TrustMaterial) => {
  if (instants(entity).length === 0) return unverifiable("no_timestamp")
  const isKnown = entity.timestamps.every(
    (stamp) =>
      stamp.$case !== "timestamp-authority" ||
      material.timestampAuthorities.some(({ certChain: [signer] }) =>
        signer === undefined
          ? false
          : signer.serialNumber.equals(stamp.timestamp.signerSerialNumber) &&
            signer.issuer.equals(stamp.timestamp.signerIssuer)
      )
  )
  return isKnown ? failed("bad_timestamp") : unverifiable("unknown_root")
}

/** The bytes of a log id that checkpoints name it by. */
const HINT_BYTES = 4

const logFailure = (entity: SignedEntity, material: TrustMaterial) => {
  const hints = entity.tlogEntries.map(({ logId }) => logId.keyId.subarray(0, HINT_BYTES))
  const isKnown = hints.every((hint) =>
    material.tlogs.some(({ logID }) => logID.subarray(0, HINT_BYTES).equals(hint))
  )
  return hints.length > 0 && isKnown ? failed("bad_log_proof") : unverifiable("unknown_log")
}

/** The result for an error of the library. */
export const of = (
  error: unknown,
  entity: SignedEntity,
  material: TrustMaterial
): SignatureCheck.SignatureCheck => {
  if (!(error instanceof VerificationError)) return failed("malformed")
  switch (error.code) {
    case "TIMESTAMP_ERROR":
      return timestampFailure(entity, material)
    case "CERTIFICATE_ERROR":
      return certificateFailure(entity, material)
    case "TLOG_BODY_ERROR":
      return failed("log_mismatch")
    case "TLOG_ERROR":
    case "TLOG_INCLUSION_PROOF_ERROR":
    case "TLOG_INCLUSION_PROMISE_ERROR":
    case "TLOG_MISSING_INCLUSION_ERROR":
      return logFailure(entity, material)
    case "SIGNATURE_ERROR":
      return failed("bad_signature")
    case "PUBLIC_KEY_ERROR":
      return unverifiable("unknown_key")
    case "NOT_IMPLEMENTED_ERROR":
      return failed("malformed")
  }
}
