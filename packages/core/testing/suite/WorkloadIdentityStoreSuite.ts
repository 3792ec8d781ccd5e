/** The contract of `WorkloadIdentityStore`. */
import { CredentialStore } from "@attestry/core/CredentialStore"
import type { IdentityRule } from "@attestry/core/IdentityRule"
import type { Ports } from "@attestry/core/Ports"
import { ServiceAccountStore } from "@attestry/core/ServiceAccountStore"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { WorkloadIdentityStore } from "@attestry/core/WorkloadIdentityStore"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const freshIssuer = Effect.map(Fixture.freshId, (id) => `https://issuer-${id}.example.org`)

const ruleOf = (issuer: string, subject = "repo:acme/shop:ref"): IdentityRule => ({
  issuer,
  audience: "https://attestry.example.com",
  subject,
  claims: { repository_id: "42", ref: "refs/heads/*" },
  lifetime: 900,
  single_use: false
})

/** An account of a new org, with rules. */
const accountWith = (rules: ReadonlyArray<IdentityRule>) =>
  Effect.gen(function* () {
    const store = yield* WorkloadIdentityStore
    const transaction = yield* Transaction
    const account = yield* Fixture.serviceAccount(yield* Fixture.org)
    yield* transaction.run(account.org_id, () => store.replaceRules(account, rules))
    return account
  })

const KEY = { kty: "EC", kid: "k1", crv: "P-256", x: "eA", y: "eQ" } as const

/** States the contract of `WorkloadIdentityStore`. */
export const workloadIdentityStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`WorkloadIdentityStore (${name})`, ports, options, (it) => {
    it.effect("keeps the rules of an account in their order, and replaces them", () =>
      Effect.gen(function* () {
        const store = yield* WorkloadIdentityStore
        const transaction = yield* Transaction
        const issuer = yield* freshIssuer
        const rules = [ruleOf(issuer, "b:c"), ruleOf(issuer, "a:c")]
        const account = yield* accountWith(rules)
        deepStrictEqual(yield* store.listRules(account), rules)
        const next = [{ ...ruleOf(issuer), single_use: true, claims: {} }]
        yield* transaction.run(account.org_id, () => store.replaceRules(account, next))
        deepStrictEqual(yield* store.listRules(account), next)
        const other = yield* Fixture.serviceAccount(yield* Fixture.org)
        deepStrictEqual(yield* store.listRules(other), [])
      })
    )

    it.effect("finds the accounts of one org by an issuer", () =>
      Effect.gen(function* () {
        const store = yield* WorkloadIdentityStore
        const [issuer, second] = [yield* freshIssuer, yield* freshIssuer]
        const account = yield* accountWith([ruleOf(second), ruleOf(issuer)])
        yield* accountWith([ruleOf(issuer)])
        deepStrictEqual(yield* store.listAccounts(account.org_id, issuer), [
          { account, rules: [ruleOf(second), ruleOf(issuer)] }
        ])
        deepStrictEqual(yield* store.listAccounts(account.org_id, "https://none.example.org"), [])
      })
    )

    it.effect("notes the use of a token once in each org, until it has ended", () =>
      Effect.gen(function* () {
        const store = yield* WorkloadIdentityStore
        const [one, other] = [yield* Fixture.org, yield* Fixture.org]
        const token = "t".repeat(64)
        const later = Timestamp.fromSeconds(4_000_000_000)
        assert.isTrue(yield* store.useToken({ org: one.id, token, endsAt: later }))
        assert.isFalse(yield* store.useToken({ org: one.id, token, endsAt: later }))
        assert.isTrue(yield* store.useToken({ org: other.id, token, endsAt: later }))
        const ended = { org: one.id, token: "e".repeat(64), endsAt: Timestamp.fromSeconds(1) }
        assert.isTrue(yield* store.useToken(ended))
        assert.isTrue(yield* store.useToken(ended))
      })
    )

    it.effect("forgets exchanged keys that have ended, and no others", () =>
      Effect.gen(function* () {
        const store = yield* WorkloadIdentityStore
        const keys = yield* CredentialStore
        const transaction = yield* Transaction
        const account = yield* accountWith([])
        const end = Timestamp.fromSeconds(1_000)
        const made = (expires_at: Timestamp.Timestamp | null, grace: Timestamp.Timestamp | null) =>
          Effect.gen(function* () {
            const key = {
              ...(yield* Fixture.newKey(Fixture.accountOwner(account))),
              expires_at,
              grace_period_expires_at: grace
            }
            yield* keys.insertKey(key)
            yield* keys.updateKey(key)
            return key.id
          })
        const exchanged = yield* made(end, end)
        const kept = [
          yield* made(end, null),
          yield* made(null, end),
          yield* made(Timestamp.fromSeconds(3_000), Timestamp.fromSeconds(3_000))
        ]
        yield* transaction.run(account.org_id, () =>
          store.removeEndedKeys(account, Timestamp.fromSeconds(2_000))
        )
        assert.isTrue(Option.isNone(yield* keys.findCredential(exchanged)))
        for (const id of kept) assert.isTrue(Option.isSome(yield* keys.findCredential(id)))
      })
    )

    it.effect("knows issuers as long as a rule names them", () =>
      Effect.gen(function* () {
        const store = yield* WorkloadIdentityStore
        const transaction = yield* Transaction
        const issuer = yield* freshIssuer
        deepStrictEqual(yield* store.findIssuer(issuer), Option.none())
        assert.isFalse(yield* store.wantKeys(issuer, 60))
        const account = yield* accountWith([ruleOf(issuer)])
        deepStrictEqual(
          yield* store.findIssuer(issuer),
          Option.some({ issuer, keys: [], fetched_at: null })
        )
        assert.include(yield* store.listDueIssuers(600), issuer)
        yield* transaction.run(account.org_id, () => store.replaceRules(account, []))
        deepStrictEqual(yield* store.findIssuer(issuer), Option.none())
        assert.notInclude(yield* store.listDueIssuers(600), issuer)
        const second = yield* accountWith([ruleOf(issuer)])
        yield* (yield* ServiceAccountStore).remove(second)
        deepStrictEqual(yield* store.findIssuer(issuer), Option.none())
        assert.notInclude(yield* store.listDueIssuers(600), issuer)
      })
    )

    it.effect("keeps keys over a failed fetch, and has them fetched again at most so often", () =>
      Effect.gen(function* () {
        const store = yield* WorkloadIdentityStore
        const issuer = yield* freshIssuer
        yield* accountWith([ruleOf(issuer)])
        assert.isTrue(yield* store.wantKeys(issuer, 60))
        assert.isTrue(yield* store.wantKeys(issuer, 60))
        yield* store.saveKeys(issuer, [KEY])
        assert.notInclude(yield* store.listDueIssuers(600), issuer)
        assert.isFalse(yield* store.wantKeys(issuer, 60))
        assert.notInclude(yield* store.listDueIssuers(600), issuer)
        assert.isTrue(yield* store.wantKeys(issuer, 0))
        assert.include(yield* store.listDueIssuers(600), issuer)
        yield* store.failKeys(issuer, "timeout")
        assert.notInclude(yield* store.listDueIssuers(600), issuer)
        const found = Option.getOrThrow(yield* store.findIssuer(issuer))
        deepStrictEqual(found.keys, [KEY])
        assert.isNotNull(found.fetched_at)
      })
    )
  })
