/** Reads and replaces the sign-in settings of orgs, and lists recent attempts to sign in. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { AccessNotices } from "../access/AccessNotices.js"
import { type Actor, CurrentActor } from "../access/Actor.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import type { Permission } from "../access/Permission.js"
import type { JournalActor } from "../journal/JournalEntry.js"
import { Journals } from "../journal/Journals.js"
import type { Slice } from "../membership/MembershipStore.js"
import type { Org } from "../org/Org.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import type { OrgId, OrgName } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { isFresh } from "./CountedSession.js"
import * as ClaimTeams from "./internal/ClaimTeams.js"
import { Providers } from "./Providers.js"
import * as SignInSettings from "./SignInSettings.js"
import { SignInStore } from "./SignInStore.js"

const WRITE: Permission = "sign-in.write"

/** Use cases of sign-in settings. */
export class SignInRules extends Effect.Service<SignInRules>()("@attestry/core/SignInRules", {
  effect: Effect.gen(function* () {
    const store = yield* SignInStore
    const providers = yield* Providers
    const transaction = yield* Transaction
    const journals = yield* Journals
    const epoch = yield* AccessEpoch
    const teams = yield* ClaimTeams.make
    const held = yield* HeldChanges
    const notices = yield* AccessNotices

    const settingsOf = (org: OrgId) =>
      Effect.map(store.findSettings([org]), (found) => found.get(org) ?? SignInSettings.DEFAULTS)

    const granted = (org: OrgName) =>
      Effect.flatMap(CurrentActor, (actor) => Access.authorize(actor, org, WRITE))

    const replace = (
      { id, name }: Pick<Org, "id" | "name">,
      next: SignInSettings.SignInSettings,
      actor: JournalActor
    ) =>
      Effect.gen(function* () {
        const invalid = (problems: { readonly [field: string]: string }) =>
          new SignInSettings.InvalidSignInSettings({ org: name, problems })
        return yield* transaction
          .run(id, (scope) =>
            Effect.gen(function* () {
              const all = yield* teams.lockAll(id)
              const problems = SignInSettings.problems(next, { providers, teams: all }, name)
              if (Object.keys(problems).length > 0) return yield* invalid(problems)
              const before = yield* settingsOf(id)
              const isSame = CanonicalJson.equals(before, next)
              const writer = { org: id, actor, at: yield* scope.now }
              if (!isSame)
                yield* held.check(writer, {
                  kinds: ["sign-in"],
                  subject: { type: "sign-in", name },
                  before,
                  after: next
                })
              // WHY also for the same settings: a team that was deleted meanwhile is made again.
              yield* Effect.catchTag(teams.keep(writer, next, all), "TooManyTeams", ({ message }) =>
                invalid({ group_teams: message })
              )
              if (isSame) return next
              yield* store.putSettings(id, next)
              yield* journals.record({
                ...writer,
                kind: "sign_in_set",
                subject: { type: "org", id },
                content: { org_id: id, settings: next }
              })
              yield* notices.add(id, writer.at, {
                _tag: "AccessChange",
                change: "sign-in-set",
                by: actor.name,
                subject: { kind: "org", id },
                role: null,
                previous_role: null,
                eligible: false,
                settings: SignInSettings.differing(before, next),
                reason: ""
              })
              return next
            })
          )
          .pipe(Effect.zipLeft(epoch.advance))
      })

    /** The settings of an org. */
    const get = Effect.fn("SignInRules.get")(function* (org: OrgName) {
      const { orgId } = yield* granted(org)
      return yield* settingsOf(orgId)
    })

    /** Replaces the settings of an org; the same ones change and record nothing. */
    const put = Effect.fn("SignInRules.put")(function* (
      org: OrgName,
      next: SignInSettings.SignInSettings
    ) {
      const access = yield* granted(org)
      const roles = [...next.join.map(({ role }) => role), next.provision_role]
      yield* Effect.forEach(roles, (role) => Access.checkGift(access.actor, org, role))
      return yield* replace(
        { id: access.orgId, name: org },
        next,
        WriteContext.actorOf(access.actor)
      )
    })

    /** Replaces the settings of an org for an administrator of the deployment. */
    const set = Effect.fn("SignInRules.set")(
      (org: Pick<Org, "id" | "name">, next: SignInSettings.SignInSettings, by: JournalActor) =>
        replace(org, next, by)
    )

    /**
     * For a sensitive operation of an actor: within how many seconds the person must have signed in, where the
     * actor has not; none where the operation is open. An operation in no org asks what the strictest org of the
     * actor asks. Service accounts are not asked, and a key is no sign-in.
     */
    const stale = Effect.fn("SignInRules.stale")(function* (
      actor: Actor,
      org: OrgName | undefined
    ) {
      const orgs = actor.memberships.filter((each) => org === undefined || each.org === org)
      if (actor.kind === "service-account" || orgs.length === 0) return Option.none()
      const found = yield* store.findSettings(orgs.map(({ org_id }) => org_id))
      const minutes = strictest(Array.from(found.values(), ({ fresh_minutes }) => fresh_minutes))
      const now = Timestamp.fromMillis(yield* Clock.currentTimeMillis)
      return minutes === null ||
        isFresh({ fresh_minutes: minutes }, actor.signed_in?.auth_time ?? null, now)
        ? Option.none()
        : Option.some(minutes * 60)
    })

    /** A slice of the recent attempts to sign in that concern an org, newest first. */
    const attempts = Effect.fn("SignInRules.attempts")(function* (org: OrgName, slice: Slice) {
      const { orgId } = yield* granted(org)
      const usable = SignInSettings.accepted(yield* settingsOf(orgId), providers, org)
      return yield* store.listSignIns(orgId, { providers: usable.map(({ id }) => id) }, slice)
    })

    return { get, put, set, stale, attempts } as const
  })
}) {}

/** The shortest of some limits; `null` is none. */
const strictest = (all: ReadonlyArray<number | null>): number | null =>
  all.reduce((least, each) => (least === null ? each : Math.min(least, each ?? least)), null)
