/**
 * The model of checking decision receipts: what was signed, by whom, and what its holder expects, compared member by
 * member, without an envelope, a statement or a signature.
 */
import * as DecisionReceipt from "@attestry/core/DecisionReceipt"
import type { Expected } from "@attestry/core/Receipt"
import * as Timestamp from "@attestry/core/Timestamp"
import * as FastCheck from "effect/FastCheck"

/** The deployments and orgs of generated receipts. */
export const ORIGINS = [
  "one.example.com/api/v2/log/acme",
  "one.example.com/api/v2/log/globex",
  "two.example.com:8443/api/v2/log/acme"
] as const

/** The origin of a log. */
export type Origin = (typeof ORIGINS)[number]

/** A signed receipt: by the key of a log, whose receipt it need not be. */
export interface SignedReceipt {
  readonly receipt: DecisionReceipt.DecisionReceipt
  readonly signer: Origin
}

/** What a holder expects, with the logs whose keys it trusts and the end of each key. */
export interface Holder extends Omit<Expected, "keys"> {
  readonly trusted: ReadonlyArray<{
    readonly origin: Origin
    readonly retiredAt: Timestamp.Timestamp | null
  }>
}

const MINUTE = 60_000_000

const instant = FastCheck.integer({ min: 20, max: 40 }).map((minute) =>
  Timestamp.fromMicros(1_790_000_000_123_456 + minute * MINUTE)
)

const later = instant.map((at) => Timestamp.fromMicros(at + 10 * MINUTE))

const digest = FastCheck.constantFrom("a", "b", "c").map((digit) => digit.repeat(64))

const scope: FastCheck.Arbitrary<DecisionReceipt.ReceiptScope> = FastCheck.oneof(
  FastCheck.constantFrom("prod", "staging").map((name) => ({ type: "environment", name }) as const),
  FastCheck.constantFrom("shop", null).map((name) => ({ type: "flow", name }) as const),
  FastCheck.constant({ type: "policies" } as const)
)

const policies = FastCheck.uniqueArray(
  FastCheck.record({
    name: FastCheck.constantFrom("known", "tested"),
    version: FastCheck.integer({ min: 1, max: 2 }),
    sha256: digest
  }),
  { selector: ({ name, version }) => `${name} ${version}`, maxLength: 3 }
)

const placeOf = (origin: Origin): FastCheck.Arbitrary<DecisionReceipt.ReceiptPlace> =>
  FastCheck.oneof(
    FastCheck.nat(5).map((index) => ({ snapshot_index: 7, log: { origin, index } })),
    FastCheck.record({ size: FastCheck.nat(6), expires_at: later }).map(({ expires_at, size }) => ({
      expires_at,
      log: { origin, size, root: "AA==" }
    }))
  )

const receiptOf = (origin: Origin): FastCheck.Arbitrary<DecisionReceipt.DecisionReceipt> => {
  const { host = "", org = "" } = DecisionReceipt.hostOf(origin) ?? {}
  return FastCheck.record({
    org: FastCheck.constant(org),
    base: FastCheck.constant(`https://${host}`),
    subjects: FastCheck.uniqueArray(digest, { minLength: 1 }).map((all) =>
      all.map((sha256) => ({ name: `${sha256[0]} "é"`, sha256 }))
    ),
    scope,
    at: instant,
    isEarlier: FastCheck.constantFrom(false, false, false, true),
    verdict: FastCheck.constantFrom(
      ...(["Compliant", "Compliant", "Compliant", "Compliant"] as const),
      ...(["NonCompliant", "Unknown"] as const)
    ),
    policies,
    facts: digest,
    allow_listed: FastCheck.subarray(["a".repeat(64)]),
    waivers: FastCheck.subarray([1, 3]),
    chain: FastCheck.subarray([
      { subject: { type: "trail", id: "t" }, entry: "0123456789abcdef", index: 3 }
    ]),
    place: placeOf(origin),
    evaluator: FastCheck.constant(1)
  })
}

/** A receipt, which the key of another log may have signed. */
export const signedReceipt: FastCheck.Arbitrary<SignedReceipt> = FastCheck.constantFrom(
  ...ORIGINS
).chain((origin) =>
  FastCheck.record({
    receipt: receiptOf(origin),
    signer: FastCheck.oneof(
      { weight: 6, arbitrary: FastCheck.constant(origin) },
      { weight: 1, arbitrary: FastCheck.constantFrom(...ORIGINS) }
    )
  })
)

const sizeOf = ({ place: { log } }: DecisionReceipt.DecisionReceipt): number =>
  "index" in log ? log.index + 1 : log.size

/** Mostly nothing, and then mostly what the receipt says. */
const mostly = <A>(said: A, other: FastCheck.Arbitrary<A>) =>
  FastCheck.oneof(
    { weight: 4, arbitrary: FastCheck.constant(undefined) },
    { weight: 4, arbitrary: FastCheck.constant(said) },
    { weight: 1, arbitrary: other }
  )

const ends = FastCheck.oneof(
  { weight: 5, arbitrary: FastCheck.constant(null) },
  { weight: 1, arbitrary: instant }
)

/** What a holder of a receipt may expect: mostly what it says. */
export const holderOf = ({ receipt, signer }: SignedReceipt): FastCheck.Arbitrary<Holder> =>
  FastCheck.record({
    trusted: FastCheck.subarray([...ORIGINS], { minLength: 1 })
      .chain((origins) =>
        FastCheck.constantFrom(origins, [...new Set([signer, ...origins])], [signer])
      )
      .chain((origins) =>
        FastCheck.tuple(
          ...origins.map((origin) =>
            FastCheck.record({ origin: FastCheck.constant(origin), retiredAt: ends })
          )
        )
      ),
    now: FastCheck.integer({ min: -6, max: 6 }).map((minutes) =>
      Timestamp.fromMicros(receipt.at + minutes * MINUTE)
    ),
    subject: mostly(receipt.subjects[0]?.sha256 ?? "", digest),
    org: mostly(receipt.org, FastCheck.constant("globex")),
    resource: mostly(
      DecisionReceipt.resourceOf(receipt, receipt.scope),
      scope.map((asked) => DecisionReceipt.resourceOf(receipt, asked))
    ),
    environment: mostly(
      receipt.scope.type === "environment" ? receipt.scope.name : undefined,
      FastCheck.constant("staging")
    ),
    policies: mostly(
      DecisionReceipt.policiesDigest(receipt.policies),
      policies.map(DecisionReceipt.policiesDigest)
    ),
    allowsEarlier: mostly(receipt.isEarlier === true, FastCheck.boolean()),
    maxAge: mostly(6 * MINUTE, FastCheck.constantFrom(0, 5 * MINUTE)),
    logSize: mostly(sizeOf(receipt), FastCheck.nat(7))
  }).map((holder): Holder => {
    // WHY: the optional members are absent, not undefined.
    const { now, trusted, ...rest } = holder
    const given = Object.fromEntries(Object.entries(rest).filter(([, each]) => each !== undefined))
    return { now, trusted, ...given }
  })

const isWanted = <A>(wanted: A | undefined, found: ReadonlyArray<A>): boolean =>
  wanted === undefined || found.includes(wanted)

/** Whether the holder may rely on the receipt. */
export const isAccepted = ({ receipt, signer }: SignedReceipt, holder: Holder): boolean => {
  const { at, org, place, scope: decided, subjects } = receipt
  const key = holder.trusted.find(({ origin }) => origin === signer)
  if (key === undefined || signer !== place.log.origin) return false
  if (key.retiredAt !== null && key.retiredAt < at) return false
  const age = holder.now - at
  return (
    receipt.verdict === "Compliant" &&
    (receipt.isEarlier !== true || holder.allowsEarlier === true) &&
    age >= -5 * MINUTE &&
    age <= (holder.maxAge ?? Number.POSITIVE_INFINITY) &&
    (!("expires_at" in place) || holder.now < place.expires_at) &&
    sizeOf(receipt) >= (holder.logSize ?? 0) &&
    isWanted(holder.org, [org]) &&
    isWanted(
      holder.subject,
      subjects.map(({ sha256 }) => sha256)
    ) &&
    isWanted(holder.resource, [DecisionReceipt.resourceOf(receipt, decided)]) &&
    isWanted(holder.environment, decided.type === "environment" ? [decided.name] : []) &&
    isWanted(holder.policies, [DecisionReceipt.policiesDigest(receipt.policies)])
  )
}
