/**
 * Exchanges the id token of a pipeline for a key of a service account that ends soon. RFC 8693
 *
 * The exchange never waits for a network: the keys of issuers are fetched apart (`IssuerRefresh`). The new key ends
 * with its grace period, so that it is neither rotated nor announced as expiring. A prober learns nothing from a
 * refusal. DECISIONS.md, "Pipelines exchange id tokens for keys"
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { isAtLeast } from "../access/Role.js"
import type { ApiKey } from "../api-key/ApiKey.js"
import { CredentialStore } from "../api-key/CredentialStore.js"
import * as KeyMinting from "../api-key/internal/KeyMinting.js"
import { Journals } from "../journal/Journals.js"
import type { Org } from "../org/Org.js"
import { OrgStore } from "../org/OrgStore.js"
import type { ServiceAccount } from "../service-account/ServiceAccount.js"
import type { OrgName, ServiceAccountName } from "../shared/Identifier.js"
import { Secrets } from "../shared/Secrets.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { fits, type IdentityRule } from "./IdentityRule.js"
import * as IdToken from "./IdToken.js"
import * as IssuerKeys from "./IssuerKeys.js"
import { type AccountRules, WorkloadIdentityStore } from "./WorkloadIdentityStore.js"

/** A token to exchange. */
export interface ExchangeRequest {
  readonly org: OrgName
  readonly token: Redacted.Redacted<string>
  /** The account that is meant; the least privileged that fits by default. */
  readonly account: ServiceAccountName | undefined
}

/** The key that a token was exchanged for. */
export interface ExchangedKey {
  readonly text: Redacted.Redacted<string>
  readonly account: ServiceAccountName
  readonly lifetimeSeconds: number
  readonly expiresAt: Timestamp.Timestamp
}

interface Match {
  readonly account: ServiceAccount
  readonly rule: IdentityRule
}

/** What a key is issued for, and when. */
interface Issuing {
  readonly token: IdToken.IdToken
  readonly match: Match
  readonly now: Timestamp.Timestamp
}

/** Exchanged keys are forgotten a day after their end. */
const KEPT_SECONDS = 86_400

/** Claims that lead back to the run, where a token has them. */
const RUN_CLAIMS = ["run_id", "run_attempt", "job_workflow_ref", "pipeline_id", "job_id"]

/** The least privileged first, then by name. */
const byPrivilege = (left: Match, right: Match): number => {
  if (left.account.privilege !== right.account.privilege)
    return isAtLeast(left.account.privilege, right.account.privilege) ? 1 : -1
  return left.account.name < right.account.name ? -1 : 1
}

const matchesOf = (
  all: ReadonlyArray<AccountRules>,
  claims: IdToken.IdTokenClaims,
  wanted: ServiceAccountName | undefined
): ReadonlyArray<Match> =>
  all
    .filter(({ account }) => wanted === undefined || account.name === wanted)
    .flatMap(({ account, rules }) => {
      const rule = rules.find((each) => fits(each, claims))
      return rule === undefined ? [] : [{ account, rule }]
    })
    .sort(byPrivilege)

/** What the journal keeps of a token: what the rule decided by, and what leads back to the run. */
const contentOf = ({ claims }: IdToken.IdToken, { account, rule }: Match, key: ApiKey) => {
  const named = [...Object.keys(rule.claims), ...RUN_CLAIMS].filter((name) =>
    Object.hasOwn(claims.all, name)
  )
  return {
    service_account: account.name,
    issuer: claims.issuer,
    subject: claims.subject,
    jti: claims.id ?? null,
    rule,
    claims: Object.fromEntries(named.map((name) => [name, claims.all[name]])),
    key_id: key.id,
    expires_at: key.expires_at
  }
}

/** Use case: the exchange of id tokens. */
export class TokenExchanges extends Effect.Service<TokenExchanges>()(
  "@attestry/core/TokenExchanges",
  {
    effect: Effect.gen(function* () {
      const orgs = yield* OrgStore
      const store = yield* WorkloadIdentityStore
      const keys = yield* CredentialStore
      const secrets = yield* Secrets
      const transaction = yield* Transaction
      const journals = yield* Journals
      const { mint } = yield* KeyMinting.make

      /** The key of the token's issuer; has unknown ones fetched. */
      const keyOf = ({ claims, keyId, algorithm }: IdToken.IdToken, now: Timestamp.Timestamp) =>
        Effect.gen(function* () {
          const issuer = yield* store.findIssuer(claims.issuer)
          if (Option.isNone(issuer)) return yield* new IdToken.InvalidIdToken()
          const { fetched_at: fetchedAt, keys: known } = issuer.value
          const isUsable =
            fetchedAt !== null && now < Timestamp.plusSeconds(fetchedAt, IssuerKeys.STALE_SECONDS)
          const found = isUsable ? IssuerKeys.find(known, keyId) : Option.none()
          if (Option.isSome(found)) {
            const key = IssuerKeys.serving(found.value, algorithm)
            return Option.isSome(key) ? key.value : yield* new IdToken.InvalidIdToken()
          }
          const isWanted = yield* store.wantKeys(claims.issuer, IssuerKeys.WANT_SECONDS)
          // WHY: keys that were fetched just now do not hold it, so that it is no key of the issuer.
          return isWanted || !isUsable
            ? yield* new IdToken.IssuerKeysPending()
            : yield* new IdToken.InvalidIdToken()
        })

      const verify = (token: IdToken.IdToken, now: Timestamp.Timestamp) =>
        Effect.gen(function* () {
          const key = yield* keyOf(token, now)
          const { algorithm, content, signature } = token
          const isSigned = yield* secrets.verify({ algorithm, key, content, signature })
          if (!isSigned || !IdToken.isCurrent(token.claims, now))
            return yield* new IdToken.InvalidIdToken()
        })

      const checkUse = (org: Org, { claims }: IdToken.IdToken, { rule }: Match) =>
        Effect.gen(function* () {
          if (!rule.single_use) return
          if (claims.id === undefined) return yield* new IdToken.InvalidIdToken()
          const token = yield* secrets.digest(`${claims.issuer}\n${claims.id}`)
          const seconds = claims.expiresAt + 2 * IdToken.LEEWAY_SECONDS
          const endsAt = Timestamp.fromSeconds(Math.ceil(seconds))
          if (!(yield* store.useToken({ org: org.id, token, endsAt })))
            return yield* new IdToken.InvalidIdToken()
        })

      const issue = (org: Org, { token, match, now }: Issuing) =>
        Effect.gen(function* () {
          const { account, rule } = match
          const end = Timestamp.plusSeconds(now, rule.lifetime)
          yield* store.removeEndedKeys(account, Timestamp.plusSeconds(now, -KEPT_SECONDS))
          const { key, text } = yield* mint(
            {
              owner: {
                kind: "service-account",
                org_id: account.org_id,
                service_account_id: account.id
              },
              description: `id token of ${token.claims.subject}`.slice(0, 256),
              expiresAt: end,
              isExchanged: true,
              scope: rule.scope
            },
            now
          )
          const ending = { ...key, grace_period_expires_at: end }
          yield* keys.updateKey(ending)
          yield* journals.record({
            org: org.id,
            actor: { kind: "service-account", id: account.id, name: account.name },
            at: now,
            kind: "credential_exchanged",
            subject: { type: "api_key", id: key.id },
            content: contentOf(token, match, ending)
          })
          const { name } = account
          return {
            text,
            account: name,
            lifetimeSeconds: rule.lifetime,
            expiresAt: end
          } satisfies ExchangedKey
        })

      /** The key for a token; every refusal is the same error. */
      const exchange = Effect.fn("TokenExchanges.exchange")(function* ({
        org: name,
        token: text,
        account
      }: ExchangeRequest) {
        const token = IdToken.parse(Redacted.value(text))
        if (Option.isNone(token)) return yield* new IdToken.InvalidIdToken()
        const org = yield* orgs.find({ name: name })
        if (Option.isNone(org)) return yield* new IdToken.InvalidIdToken()
        const { claims } = token.value
        const { id } = org.value
        if ((yield* store.listAccounts(id, claims.issuer)).length === 0)
          return yield* new IdToken.InvalidIdToken()
        // WHY before the transaction: what it notes about unknown keys must outlive the refusal.
        yield* verify(token.value, yield* transaction.run(id, (scope) => scope.now))
        return yield* transaction
          .run(id, (scope) =>
            Effect.gen(function* () {
              const all = yield* store.listAccounts(id, claims.issuer)
              const [match] = matchesOf(all, claims, account)
              if (match === undefined) return yield* new IdToken.InvalidIdToken()
              yield* checkUse(org.value, token.value, match)
              return yield* issue(org.value, { token: token.value, match, now: yield* scope.now })
            })
          )
          .pipe(
            // WHY: the end of a key lies a lifetime after now, never in the past.
            Effect.catchTag("ExpiryNotInFuture", () => new IdToken.InvalidIdToken())
          )
      })

      return { exchange } as const
    })
  }
) {}
