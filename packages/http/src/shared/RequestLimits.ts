/**
 * Rate limits by org, credential and failed authentication, and the size limit of files. One tenant must not starve
 * another. P-RATE
 */
import * as Context from "effect/Context"

/** Requests per minute, by what they are counted for. */
export interface Limits {
  readonly perOrg: number
  /** Those that may write, which are neither GET nor HEAD and do not only ask; they count for the org as well. */
  readonly writesPerOrg: number
  readonly perCredential: number
  /** Failed authentications from one address. */
  readonly failuresPerSource: number
  /** Failed authentications with one key id. */
  readonly failuresPerKey: number
}

/** The default limits: far above the load of a busy pipeline. */
export const defaults: Limits = {
  perOrg: 1_200_000,
  writesPerOrg: 60_000,
  perCredential: 600_000,
  failuresPerSource: 1_000,
  failuresPerKey: 100
}

/** The limits of this deployment. */
export class RequestLimits extends Context.Reference<RequestLimits>()(
  "@attestry/http/RequestLimits",
  { defaultValue: () => defaults }
) {}

/** Among how many processes the limits of orgs and credentials are divided now; asked at every request. */
export class LimitSharers extends Context.Reference<LimitSharers>()("@attestry/http/LimitSharers", {
  defaultValue: () => (): number => 1
}) {}

/** Whether this process has more to do than it can now; asked at every request. */
export class Overloaded extends Context.Reference<Overloaded>()("@attestry/http/Overloaded", {
  defaultValue: () => (): boolean => false
}) {}

/** The default of `FileBytesMax`. */
export const FILE_BYTES_MAX_DEFAULT = 10_485_760

/** The default of `EvidenceBytesMax`. */
export const EVIDENCE_BYTES_MAX_DEFAULT = 33_554_432

/** An evidence file has at most this many bytes. */
export class EvidenceBytesMax extends Context.Reference<EvidenceBytesMax>()(
  "@attestry/http/EvidenceBytesMax",
  { defaultValue: () => EVIDENCE_BYTES_MAX_DEFAULT }
) {}

/** A file of a form has at most this many bytes. */
export class FileBytesMax extends Context.Reference<FileBytesMax>()("@attestry/http/FileBytesMax", {
  defaultValue: () => FILE_BYTES_MAX_DEFAULT
}) {}
