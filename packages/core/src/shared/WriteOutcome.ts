/** The words for the effect of a write on its resource. */

/** The resources that writes are about. */
export const RESOURCES = [
  "allow-list-entry",
  "api-key",
  "artifact",
  "attestation",
  "attestation-type",
  "break-glass",
  "control",
  "environment",
  "environment-notification",
  "flow",
  "flow-notification",
  "grant",
  "invitation",
  "policy",
  "proposal",
  "repo",
  "service-account",
  "session",
  "space",
  "team",
  "trail",
  "trust-policy",
  "user",
  "waiver"
] as const

/** The results of a write. */
export const RESULTS = ["created", "updated", "unchanged", "archived", "deleted"] as const

/** What a write did to its resource. */
export interface WriteOutcome {
  readonly type: (typeof RESOURCES)[number]
  /** Its id, number or fingerprint; null for a resource that has its name alone. */
  readonly id: string | null
  readonly name: string | null
  readonly result: (typeof RESULTS)[number]
  /** The current version, of a resource with numbered versions. */
  readonly version?: number
  /** The latest snapshot of an environment, once it has one. */
  readonly snapshotIndex?: number
  /** Whether the resource is compliant; null where that is not known. */
  readonly isCompliant?: boolean | null
}
