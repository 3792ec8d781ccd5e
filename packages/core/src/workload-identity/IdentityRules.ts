/** Reads and saves the rules of service accounts for id tokens. SPEC §4.10 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as Gifts from "../access/Gifts.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import * as KeyScope from "../access/KeyScope.js"
import type { Permission } from "../access/Permission.js"
import { Journals } from "../journal/Journals.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import { ServiceAccountNotFound } from "../service-account/ServiceAccount.js"
import { ServiceAccountStore } from "../service-account/ServiceAccountStore.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import type { OrgName, ServiceAccountName } from "../shared/Identifier.js"
import { OutboundUrlCheck } from "../shared/OutboundUrlCheck.js"
import { Transaction } from "../shared/Transaction.js"
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

    const granted = (org: OrgName) =>
      Effect.flatMap(CurrentActor, (actor) => Access.authorize(actor, org, WRITE))

    /** The rules of an account, in their order. */
    const list = Effect.fn("IdentityRules.list")(function* ({ org, name }: RulesPath) {
      const { orgId } = yield* granted(org)
      const account = yield* Effect.flatMap(
        accounts.findByName({ org: orgId, name }),
        Either.fromOption(() => new ServiceAccountNotFound({ org, name }))
      )
      return yield* store.listRules(account)
    })

    /** Replaces the rules of an account; records nothing when they are the same. */
    const replace = Effect.fn("IdentityRules.replace")(function* (
      { org, name }: RulesPath,
      drafts: ReadonlyArray<IdentityRule>
    ) {
      const access = yield* granted(org)
      const found = problems(drafts, check)
      if (Object.keys(found).length > 0)
        return yield* new InvalidIdentityRules({ org, name, problems: found })
      const rules = yield* Effect.forEach(drafts, ruleOf)
      return yield* transaction.run(access.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const account = yield* Effect.flatMap(
            accounts.findByName({ org: access.orgId, name }, { lock: true }),
            Either.fromOption(() => new ServiceAccountNotFound({ org, name }))
          )
          const current = yield* store.listRules(account)
          if (CanonicalJson.print(current) === CanonicalJson.print(rules)) return rules
          const gained = added(current, rules)
          yield* Effect.forEach(gained, ({ scope: given }) =>
            Gifts.checkScope(access.actor, given, access.org)
          )
          const writer = WriteContext.make(access, now)
          // A rule that gives keys which provision people is such a key.
          if (gained.some(({ scope: given }) => KeyScope.isNamed(given, "scim.write")))
            yield* held.check(writer, {
              kinds: ["sign-in"],
              subject: { type: "service_account", name: account.name },
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
          return rules
        })
      )
    })

    return { list, replace } as const
  })
}) {}
