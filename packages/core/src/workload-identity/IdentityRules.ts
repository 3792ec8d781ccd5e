/** Reads and saves the rules of service accounts for id tokens. SPEC §4.10 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Gifts from "../access/Gifts.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import * as KeyScope from "../access/KeyScope.js"
import type { Permission } from "../access/Permission.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import * as ScopePlaces from "../api-key/internal/ScopePlaces.js"
import { Journals } from "../journal/Journals.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import * as AccountReach from "../service-account/internal/AccountReach.js"
import { ServiceAccountNotFound } from "../service-account/ServiceAccount.js"
import { ServiceAccountStore } from "../service-account/ServiceAccountStore.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import type { OrgName, ServiceAccountName } from "../shared/Identifier.js"
import { OutboundUrlCheck } from "../shared/OutboundUrlCheck.js"
import { type Locking, Transaction } from "../shared/Transaction.js"
import { type IdentityRule, InvalidIdentityRules, problems } from "./IdentityRule.js"
import { WorkloadIdentityStore } from "./WorkloadIdentityStore.js"

const WRITE: Permission = "identity-rule.write"

/** An account, by the names in a path. */
export interface RulesPath {
  readonly org: OrgName
  readonly name: ServiceAccountName
}

/** The rule that is stored. */
const ruleOf = ({
  scope: given,
  ...rule
}: IdentityRule): Either.Either<IdentityRule, KeyScope.InvalidKeyScope> =>
  Either.map(KeyScope.read(given), (scope) => (scope === undefined ? rule : { ...rule, scope }))

/** The rules that are not among the current ones. */
const added = (
  current: ReadonlyArray<IdentityRule>,
  next: ReadonlyArray<IdentityRule>
): ReadonlyArray<IdentityRule> => {
  const known = new Set(current.map((rule) => CanonicalJson.print(rule)))
  return next.filter((rule) => !known.has(CanonicalJson.print(rule)))
}

/** Use cases of the rules for id tokens. */
export class IdentityRules extends Effect.Service<IdentityRules>()("@attestry/core/IdentityRules", {
  effect: Effect.gen(function* () {
    const store = yield* WorkloadIdentityStore
    const accounts = yield* ServiceAccountStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const check = yield* OutboundUrlCheck
    const held = yield* HeldChanges

    const reaches = yield* Reaches
    const { checkGiven } = yield* AccountReach.make
    const { named, resolve } = yield* ScopePlaces.make

    const find = (granted: GrantedWithin, name: ServiceAccountName, locking: Locking) =>
      Effect.gen(function* () {
        const { org, orgId } = granted
        const notFound = () => new ServiceAccountNotFound({ org, name })
        const account = yield* Effect.flatMap(
          accounts.findByName({ org: orgId, name }, locking),
          Either.fromOption(notFound)
        )
        yield* reaches.permit(granted, { kind: "service-account", id: account.id }, notFound)
        return account
      })

    /** The rules of an account, in their order. */
    const list = Effect.fn("IdentityRules.list")(function* ({ org, name }: RulesPath) {
      const granted = yield* reaches.authorize(org, WRITE)
      const account = yield* find(granted, name, { lock: false })
      return yield* named(granted.orgId, yield* store.listRules(account))
    })

    /** Replaces the rules of an account; records nothing when they are the same. */
    const replace = Effect.fn("IdentityRules.replace")(function* (
      { org, name }: RulesPath,
      drafts: ReadonlyArray<IdentityRule>
    ) {
      const access = yield* reaches.authorize(org, WRITE)
      const found = problems(drafts, check)
      if (Object.keys(found).length > 0)
        return yield* new InvalidIdentityRules({ org, name, problems: found })
      const read = yield* Effect.forEach(drafts, ruleOf)
      return yield* transaction.run(access.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const account = yield* find(access, name, { lock: true })
          const rules = yield* Effect.forEach(read, ({ scope: asked, ...rule }, index) =>
            Effect.map(
              resolve(
                access,
                { scope: asked, at: `rules[${index}].scope` },
                { now, owner: account }
              ),
              (kept): IdentityRule => (kept === undefined ? rule : { ...rule, scope: kept })
            )
          )
          const current = yield* store.listRules(account)
          if (CanonicalJson.print(current) === CanonicalJson.print(rules))
            return yield* named(access.orgId, rules)
          const gained = added(current, rules)
          if (gained.length > 0) yield* checkGiven(access, account, now)
          yield* Effect.forEach(gained, ({ scope: given }) =>
            Gifts.checkScope(access.actor, given, access.org)
          )
          const writer = WriteContext.make(access, now)
          // A rule that gives keys which provision people is such a key.
          if (gained.some(({ scope: given }) => KeyScope.isNamed(given, "scim.write")))
            yield* held.check(writer, {
              kinds: ["sign-in"],
              subject: { type: "service_account", name: account.name },
              at: { kind: "service-account", id: account.id },
              before: { rules: current },
              after: { rules }
            })
          yield* store.replaceRules(account, rules)
          yield* journals.record({
            ...writer,
            kind: "identity_rules_changed",
            subject: { type: "service_account", id: account.id },
            content: { service_account: account.name, rules }
          })
          return yield* named(access.orgId, rules)
        })
      )
    })

    return { list, replace } as const
  })
}) {}
