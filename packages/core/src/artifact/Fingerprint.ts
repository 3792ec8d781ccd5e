/**
 * The identity of an artifact: its SHA-256 in lower-case hexadecimal. SPEC §4.3, §8
 *
 * Upper case is refused, not folded, and equality is equality of text. Name, tag and path are no part of the
 * identity. Clients compute fingerprints.
 */
import * as Schema from "effect/Schema"
import { FINGERPRINT_PATTERN } from "../shared/Identifier.js"
import * as JsonScanner from "../shared/internal/JsonScanner.js"

/** The pattern of a fingerprint prefix in lookups. SPEC §8 */
export const FINGERPRINT_PREFIX_PATTERN = "^[a-f0-9]{5,64}$"

/** A whole fingerprint. */
export const Fingerprint = Schema.String.pipe(
  Schema.pattern(
    new RegExp(FINGERPRINT_PATTERN),
    JsonScanner.scannedBy(JsonScanner.lowerHexOf(64))
  ),
  Schema.brand("Fingerprint")
)
/** A whole fingerprint. */
export type Fingerprint = typeof Fingerprint.Type

/** The first 5 to 64 characters of a fingerprint. */
export const FingerprintPrefix = Schema.String.pipe(
  Schema.pattern(new RegExp(FINGERPRINT_PREFIX_PATTERN)),
  Schema.brand("FingerprintPrefix")
)
/** The first 5 to 64 characters of a fingerprint. */
export type FingerprintPrefix = typeof FingerprintPrefix.Type

/**
 * A fingerprint as a runtime reports it: the empty text stands for "not known". Some runtimes hide digests, and a unit
 * that is left out would look as if it had stopped.
 */
export const ReportedFingerprint = Schema.Union(Fingerprint, Schema.Literal("")).annotations(
  JsonScanner.scannedBy(JsonScanner.emptyOr(JsonScanner.lowerHexOf(64)))
)
/** A fingerprint as a runtime reports it: the empty text stands for "not known". */
export type ReportedFingerprint = typeof ReportedFingerprint.Type

/** Whether the runtime reported a fingerprint. */
export const isKnown = (reported: ReportedFingerprint): reported is Fingerprint => reported !== ""

/** The fingerprints that runtimes reported, each once, in ascending order. */
export const distinctKnown = (
  reported: Iterable<ReportedFingerprint>
): ReadonlyArray<Fingerprint> => [...new Set(reported)].filter(isKnown).sort()

/** Whether a fingerprint has the prefix; a whole one is a prefix of itself. */
export const startsWith = (fingerprint: Fingerprint, prefix: FingerprintPrefix): boolean =>
  fingerprint.startsWith(prefix)
