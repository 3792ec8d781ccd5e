/**
 * A decision receipt: a verdict about artifacts in a form that other tools read, with the policies that decided, the
 * place in the log, and the entries that were looked at. SPEC §4.29
 *
 * Printing is canonical, so that equal receipts have equal bytes.
 */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { printIso } from "../shared/internal/UtcCalendar.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Verdict } from "../shared/Verdict.js"
import * as ReceiptPredicate from "./ReceiptPredicate.js"

/** An artifact: the name under which it was decided about, and its fingerprint. */
export interface ReceiptSubject {
  readonly name: string
  readonly sha256: string
}

/** A policy that decided; without a text it is the policy that requires provenance. */
export interface ReceiptPolicy {
  readonly name: string
  readonly version: number
  /** The digest of its text. */
  readonly sha256: string | null
  /** Only for a policy that warns. */
  readonly mode?: "warn"
}

/** What was decided for: an environment, the flows of an artifact or one of them, or named policies. */
export type ReceiptScope =
  | { readonly type: "environment"; readonly name: string }
  | { readonly type: "flow"; readonly name: string | null }
  | { readonly type: "policies" }

/** The newest entry about a subject that was looked at; each entry names the one before it as its `prev`. */
export interface ChainEnd {
  readonly subject: { readonly type: string; readonly id: string }
  readonly entry: string
  readonly index: number
  /** The log of an entry of an earlier epoch, whose indexes are others; absent for the log of the receipt. */
  readonly origin?: string
}

/** An attestation that was looked at, as the entry of the log that recorded it. */
export interface ReceiptInput {
  readonly entry: string
  /** The digest of the bytes of the entry. */
  readonly sha256: string
}

/** The place of the snapshot's own entry, or the published log when an artifact was asserted. */
export type ReceiptPlace =
  | {
      readonly snapshot_index: number
      readonly log: { readonly origin: string; readonly index: number }
    }
  | {
      readonly expires_at: Timestamp
      readonly log: { readonly origin: string; readonly size: number; readonly root: string }
    }

/** What a receipt says. */
export interface DecisionReceipt {
  readonly subjects: ReadonlyArray<ReceiptSubject>
  readonly org: string
  /** The URL of the deployment, without a slash at its end. */
  readonly base: string
  readonly scope: ReceiptScope
  /** When it was decided, or the instant as of which. */
  readonly at: Timestamp
  /** Whether `at` is earlier than the making: what was true then may not be true any more. */
  readonly isEarlier?: boolean
  readonly verdict: Verdict
  /** The build level (SLSA) of the verified provenance of the artifact; absent where none gives one. */
  readonly buildLevel?: number
  readonly policies: ReadonlyArray<ReceiptPolicy>
  /** The digest of what was decided on. */
  readonly facts: string
  /** Fingerprints that are compliant because an allow-list has them, in ascending order. */
  readonly allow_listed: ReadonlyArray<string>
  /** Waivers without which a result would be another, in ascending order. */
  readonly waivers: ReadonlyArray<number>
  /** Absent for whole snapshots, and for more than a receipt names. */
  readonly inputs?: ReadonlyArray<ReceiptInput>
  readonly chain: ReadonlyArray<ChainEnd>
  readonly place: ReceiptPlace
  /** The number of the meaning of rules by which it was decided. */
  readonly evaluator: number
}

const SLSA_VERSION = "1.2"

/** The SHA-256 of the canonical text of a value, in hexadecimal. */
export const digestOf = (value: unknown): string =>
  Base64.encodeHex(Sha256.digestText(CanonicalJson.print(value)))

/** The digest of a set of policies, which names it whatever their order. */
export const policiesDigest = (policies: ReadonlyArray<ReceiptPolicy>): string =>
  digestOf(inOrder(policies))

const keyOf = ({ name, version }: ReceiptPolicy): string =>
  `${name} ${String(version).padStart(10, "0")}`

const inOrder = (policies: ReadonlyArray<ReceiptPolicy>): ReadonlyArray<ReceiptPolicy> =>
  [...policies].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))

const ORIGIN = /^(.+)\/api\/v2\/log\/([^/]+)(?:\/epochs\/\d+)?$/

/** The host and the org of a log by its origin, which is what its keys may speak for; none for another form. */
export const hostOf = (
  origin: string
): { readonly host: string; readonly org: string } | undefined => {
  const [, host, org] = ORIGIN.exec(origin) ?? []
  return host === undefined || org === undefined ? undefined : { host, org }
}

/**
 * The URL of the deployment as it was when the log began. WHY from the origin: a receipt stays the same when the
 * deployment moves to another host.
 */
export const baseOf = (origin: string, publicUrl: string): string => {
  const [scheme = "https"] = publicUrl.split("://")
  return `${scheme}://${hostOf(origin)?.host ?? ""}`
}

type Named = Pick<DecisionReceipt, "base" | "org">

/** The id of the verifier: an org of a deployment. */
export const verifierOf = ({ base, org }: Named): string =>
  `${base}/orgs/${encodeURIComponent(org)}`

/** The resource that was decided for. */
export const resourceOf = (named: Named, scope: ReceiptScope): string => {
  const org = `${named.base}/${encodeURIComponent(named.org)}`
  switch (scope.type) {
    case "environment":
      return `${org}/environments/${encodeURIComponent(scope.name)}`
    case "flow":
      return scope.name === null ? `${org}/flows` : `${org}/flows/${encodeURIComponent(scope.name)}`
    case "policies":
      return `${org}/policies`
  }
}

const policyUri = (receipt: DecisionReceipt): string => {
  const resource = resourceOf(receipt, receipt.scope)
  return receipt.scope.type === "policies" ? resource : `${resource}/policies`
}

const placeOf = ({ place }: DecisionReceipt) =>
  "expires_at" in place ? { ...place, expires_at: printIso(place.expires_at) } : place

const extensionOf = (receipt: DecisionReceipt) => ({
  org: receipt.org,
  ...(receipt.scope.type === "environment"
    ? { environment: receipt.scope.name }
    : receipt.scope.type === "flow" && receipt.scope.name !== null
      ? { flow: receipt.scope.name }
      : {}),
  scope: receipt.scope.type,
  verdict: receipt.verdict,
  facts: receipt.facts,
  policies: inOrder(receipt.policies),
  allow_listed: receipt.allow_listed,
  waivers: receipt.waivers,
  chain: receipt.chain,
  ...(receipt.isEarlier === true ? { as_of: printIso(receipt.at) } : {}),
  ...placeOf(receipt)
})

/** What the artifacts of a receipt are, in the words of SLSA and ours. */
const levelsOf = ({ buildLevel, verdict }: DecisionReceipt): ReadonlyArray<string> =>
  verdict === "Compliant"
    ? [
        ReceiptPredicate.COMPLIANT,
        ...(buildLevel === undefined ? [] : [`${ReceiptPredicate.BUILD_LEVEL}${buildLevel}`])
      ]
    : []

const inputsOf = ({ inputs, base, org }: DecisionReceipt) =>
  inputs === undefined
    ? {}
    : {
        inputAttestations: inputs.map(({ entry, sha256 }) => ({
          uri: `${base}/api/v2/log/${encodeURIComponent(org)}/entries/${entry}`,
          digest: { sha256 }
        }))
      }

const summaryOf = (receipt: DecisionReceipt) => {
  const levels = levelsOf(receipt)
  return {
    verifier: { id: verifierOf(receipt), version: { evaluator: String(receipt.evaluator) } },
    timeVerified: printIso(receipt.at),
    resourceUri: resourceOf(receipt, receipt.scope),
    policy: { uri: policyUri(receipt), digest: { sha256: policiesDigest(receipt.policies) } },
    ...inputsOf(receipt),
    verificationResult: levels.length > 0 ? "PASSED" : "FAILED",
    verifiedLevels: levels.length > 0 ? levels : ["FAILED"],
    slsaVersion: SLSA_VERSION,
    [ReceiptPredicate.EXTENSION]: extensionOf(receipt)
  }
}

const simpleOf = (receipt: DecisionReceipt) => ({
  verifier: {
    id: verifierOf(receipt),
    policies: [{ uri: policyUri(receipt), digest: { sha256: policiesDigest(receipt.policies) } }]
  },
  timeCreated: printIso(receipt.at),
  properties: levelsOf(receipt),
  [ReceiptPredicate.EXTENSION]: {
    ...extensionOf(receipt),
    resource_uri: resourceOf(receipt, receipt.scope)
  }
})

/** The payload of an envelope: an in-toto statement. */
export const print = (
  receipt: DecisionReceipt,
  predicate: ReceiptPredicate.ReceiptPredicate
): string =>
  CanonicalJson.print({
    _type: ReceiptPredicate.STATEMENT_TYPE,
    subject: receipt.subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: ReceiptPredicate.TYPES[predicate],
    predicate: predicate === "vsa" ? summaryOf(receipt) : simpleOf(receipt)
  })
