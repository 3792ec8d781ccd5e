/**
 * Answers who can do what, why, and what is missing, now and at past instants. SPEC §4.32
 *
 * Admins of a space ask about what is in it; every member asks about itself. What was in another space at the instant
 * is answered to those alone who administer that space too.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AccessDenied, authorizeMember } from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { leavesAt } from "../access/KeyScope.js"
import { lowest, type Permission } from "../access/Permission.js"
import * as Reach from "../access/Reach.js"
import { everywhere, type GrantedWithin, Reaches } from "../access/Reaches.js"
import type { Role } from "../access/Role.js"
import { SubjectNotFound } from "../grant/Grant.js"
import * as AsOf from "../history/AsOf.js"
import type { ApiKeyId, OrgName, SpaceId } from "../shared/Identifier.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { ROOT_PATH, SpaceNotFound } from "../space/Space.js"
import { SpaceStore } from "../space/SpaceStore.js"
import * as SpaceTree from "../space/SpaceTree.js"
import type { ThingKind } from "../space/ThingPlace.js"
import * as AccessState from "./AccessState.js"
import { AccessStates, type Moment } from "./internal/AccessStates.js"
import * as AskedKeys from "./internal/AskedKeys.js"
import { GrantSubjects, keyOf, type NamedSubject } from "./internal/GrantSubjects.js"
import { Things } from "./internal/Things.js"
import { ThingNotFound } from "./Move.js"

const ADMINISTER: Permission = "grant.write"

/** A place that is asked about: a space by its path, or the space of a thing. */
export interface AskedPlace {
  readonly kind: ThingKind | "space"
  readonly name: string
}

/** A person or an account that is asked about. */
export type AskedSubject = NamedSubject & { readonly kind: AccessState.Holder["kind"] }

/** A binding with the path of its space, and the name of its team. */
export interface BindingView {
  readonly kind: AccessState.ReasonedBinding["kind"]
  readonly role: Role
  readonly space: string
  readonly number: number | null
  readonly team: string | null
}

/** A holder of a permission. */
export interface AllowedView {
  readonly holder: AccessState.Holder
  readonly role: Role
  readonly via: ReadonlyArray<BindingView>
}

/** Why an operation is allowed or not. */
export interface Explanation {
  readonly allowed: boolean
  readonly because: "binding" | "membership" | "no-role" | "key-scope"
  /** The path of the space in which the permission is asked for. */
  readonly space: string
  readonly binding: BindingView | null
  /** The lowest role that is missing in the space. */
  readonly missing: Role | null
  /** What break-glass would give it by, where it is missing. */
  readonly eligible: BindingView | null
}

/** An instant that is asked about, with the spaces of then. */
interface Instant extends Moment {
  readonly tree: SpaceTree.SpaceTree
}

/** What an operation asks for; without a permission every member may call it. */
export interface AskedOperation {
  readonly permission: Permission | null
  /** Whether the permission is asked for in the whole org. */
  readonly isAtRoot: boolean
  readonly place?: AskedPlace | undefined
}

/** Answers questions about access. */
export class AccessQuestions extends Effect.Service<AccessQuestions>()(
  "@attestry/core/AccessQuestions",
  {
    effect: Effect.gen(function* () {
      const states = yield* AccessStates
      const subjects = yield* GrantSubjects
      const things = yield* Things
      const places = yield* SpaceStore
      const reaches = yield* Reaches
      const transaction = yield* Transaction
      const keys = yield* AskedKeys.make

      const momentOf = (asked: AsOf.AsOf | undefined, now: Timestamp): Moment => {
        const at = asked === undefined ? now : AsOf.instantOf(asked, now)
        return { at, isNow: at >= now }
      }

      const treeAt = ({ orgId }: GrantedWithin, { at, isNow }: Moment) =>
        Effect.map(isNow ? places.list(orgId) : places.list(orgId, at), (spaces) =>
          SpaceTree.make(orgId, spaces)
        )

      /** The space that is asked about, which the caller sees; a thing is found by its name of now. */
      const spaceOf = (sight: GrantedWithin, { at, isNow, tree }: Instant, asked: AskedPlace) =>
        Effect.gen(function* () {
          const { org, orgId } = sight
          if (asked.kind === "space") {
            const found = SpaceTree.find(tree, asked.name)
            return Option.isSome(found) && Reach.holds(sight.reach, found.value)
              ? found.value
              : yield* new SpaceNotFound({ org, space: asked.name })
          }
          const { kind, name } = asked
          const missing = new ThingNotFound({ kind, name })
          const thing = Option.getOrUndefined(yield* things.find(orgId, kind, name))
          if (thing === undefined) return yield* missing
          yield* reaches.permit({ ...sight, readable: sight.reach }, thing, () => missing)
          const found = yield* isNow
            ? places.placesOf(orgId, { kind, ids: [thing.id] })
            : places.placesOf(orgId, { kind, ids: [thing.id] }, at)
          const space = found.get(thing.id) ?? tree.root
          return Reach.holds(sight.reach, space) ? space : yield* missing
        })

      /** Makes the views of bindings. */
      const viewing = (
        { orgId }: GrantedWithin,
        tree: SpaceTree.SpaceTree,
        owned: ReadonlyArray<AccessState.ReasonedBinding>
      ) =>
        Effect.map(
          subjects.namesOf(
            orgId,
            owned.flatMap(({ grant, kind }) =>
              kind === "team" && grant !== null ? [grant.subject] : []
            )
          ),
          (names) =>
            ({ grant, kind, number, role, space }: AccessState.ReasonedBinding): BindingView => ({
              kind,
              role,
              space: SpaceTree.labelOf(tree, space),
              number,
              team:
                kind === "team" && grant !== null
                  ? (names.get(keyOf(grant.subject)) ?? grant.subject.id)
                  : null
            })
        )

      const reading = <A, E, R>(
        sight: GrantedWithin,
        asOf: AsOf.AsOf | undefined,
        work: (instant: Instant) => Effect.Effect<A, E, R>
      ) =>
        transaction.run(sight.orgId, (scope) =>
          Effect.gen(function* () {
            const moment = momentOf(asOf, yield* scope.now)
            const answer = yield* work({ ...moment, tree: yield* treeAt(sight, moment) })
            return { answer, ...(asOf === undefined ? {} : { asOf: moment.at }) }
          })
        )

      /** All who have a permission at a place, and all who may open break-glass for it, with the reasons. */
      const who = Effect.fn("AccessQuestions.who")(function* (
        org: OrgName,
        permission: Permission,
        { asOf, place }: { readonly asOf?: AsOf.AsOf; readonly place?: AskedPlace }
      ) {
        const sight = yield* reaches.authorize(org, ADMINISTER)
        return yield* reading(sight, asOf, (instant) =>
          Effect.gen(function* () {
            const { tree } = instant
            if (place === undefined && sight.reach._tag === "Part")
              return yield* new AccessDenied({ org, permission: ADMINISTER })
            const space = place === undefined ? tree.root : yield* spaceOf(sight, instant, place)
            const state = yield* states.read(sight.orgId, instant)
            const path = SpaceTree.pathOf(tree, space)
            const found = AccessState.whoCan(state, permission, path)
            const waiting = AccessState.whoMayOpen(state, permission, path)
            const view = yield* viewing(
              sight,
              tree,
              [...found, ...waiting].flatMap(({ via }) => via)
            )
            const viewed = ({ via, ...each }: AccessState.Allowed): AllowedView => ({
              ...each,
              via: via.map(view)
            })
            return { subjects: found.map(viewed), eligible: waiting.map(viewed) }
          })
        )
      })

      /** What the caller may ask about: themselves everywhere, and others in the spaces that they administer. */
      const sightOf = (org: OrgName, subject: AskedSubject | undefined) =>
        Effect.gen(function* () {
          const actor = yield* CurrentActor
          const member = yield* authorizeMember(actor, org)
          const own = everywhere(member, "org.read")
          if (subject === undefined) return { isOwn: true, sight: own, id: actor.id }
          const denied = new AccessDenied({ org, permission: ADMINISTER })
          const found = yield* subjects
            .find({ id: member.orgId, name: org }, subject)
            .pipe(Effect.option)
          const id = Option.getOrUndefined(found)?.id
          if (id === actor.id && subject.kind === actor.kind) return { isOwn: true, sight: own, id }
          const sight = yield* reaches
            .authorize(org, ADMINISTER)
            .pipe(Effect.catchTag("AccessDenied", () => denied))
          return { isOwn: false, sight, id }
        })

      const holderOf = (
        { actor, org }: GrantedWithin,
        state: AccessState.AccessState,
        {
          id,
          subject
        }: { readonly id: string | undefined; readonly subject: AskedSubject | undefined }
      ) => {
        const kind = subject?.kind ?? actor.kind
        const found = state.holders.find(
          (each) =>
            each.kind === kind && (id === undefined ? each.name === subject?.name : each.id === id)
        )
        return found === undefined
          ? new SubjectNotFound({ org, kind, name: subject?.name ?? actor.name })
          : Effect.succeed(found)
      }

      /** What a person or an account has, and why: of others what is in the spaces that the caller administers. */
      const effective = Effect.fn("AccessQuestions.effective")(function* (
        org: OrgName,
        { asOf, subject }: { readonly asOf?: AsOf.AsOf; readonly subject?: AskedSubject }
      ) {
        const { id, sight } = yield* sightOf(org, subject)
        return yield* reading(sight, asOf, (instant) =>
          Effect.gen(function* () {
            const { tree } = instant
            const state = yield* states.read(sight.orgId, instant)
            const holder = yield* holderOf(sight, state, { id, subject })
            const seen = (all: ReadonlyArray<AccessState.ReasonedBinding>) =>
              all.filter(({ space }) => Reach.holds(sight.reach, space))
            const owned = seen(AccessState.bindings(state)(holder))
            const waiting = seen(AccessState.eligible(state)(holder))
            const view = yield* viewing(sight, tree, [...owned, ...waiting])
            return { holder, bindings: owned.map(view), eligible: waiting.map(view) }
          })
        )
      })

      /** What a key that works has: the bindings of its owner that its scope leaves. */
      const effectiveOfKey = Effect.fn("AccessQuestions.effectiveOfKey")(function* (
        org: OrgName,
        id: ApiKeyId,
        asOf: AsOf.AsOf | undefined
      ) {
        const { owner, scope, shown, sight } = yield* keys.find(org, id)
        return yield* reading(sight, asOf, (instant) =>
          Effect.gen(function* () {
            const { tree } = instant
            const state = yield* states.read(sight.orgId, instant)
            const subject = { kind: owner.kind, name: "" }
            const holder = yield* holderOf(sight, state, { id: owner.id, subject })
            const owned = AskedKeys.cut(
              tree,
              scope
            )(AccessState.bindings(state)(holder)).filter(({ space }) =>
              Reach.holds(sight.reach, space)
            )
            const view = yield* viewing(sight, tree, owned)
            return { holder, bindings: owned.map(view), scope: shown }
          })
        )
      })

      /** The place that an operation is asked about: of oneself what one reads, of others what one administers. */
      const placeOf = (
        { isOwn, sight }: { readonly isOwn: boolean; readonly sight: GrantedWithin },
        instant: Instant,
        { isAtRoot, place }: AskedOperation
      ) =>
        Effect.gen(function* () {
          const { org } = sight
          const { tree } = instant
          if (place === undefined || isAtRoot) {
            if (!isOwn && sight.reach._tag === "Part")
              return yield* new AccessDenied({ org, permission: ADMINISTER })
            return tree.root
          }
          if (isOwn && place.kind === "space" && place.name === ROOT_PATH) return tree.root
          const readable = yield* isOwn
            ? reaches
                .authorize(org, "org.read")
                .pipe(
                  Effect.catchTag("AccessDenied", () =>
                    Effect.succeed({ ...sight, reach: Reach.nothing })
                  )
                )
            : Effect.succeed(sight)
          return yield* spaceOf(readable, instant, place)
        })

      /** Why a person or an account may call an operation, or what is missing. */
      const explain = Effect.fn("AccessQuestions.explain")(function* (
        org: OrgName,
        asked: AskedOperation,
        { asOf, subject }: { readonly asOf?: AsOf.AsOf; readonly subject?: AskedSubject }
      ) {
        const { id, isOwn, sight } = yield* sightOf(org, subject)
        return yield* reading(sight, asOf, (instant) =>
          Effect.gen(function* () {
            const { tree } = instant
            const place: SpaceId = yield* placeOf({ isOwn, sight }, instant, asked)
            const state = yield* states.read(sight.orgId, instant)
            const holder = yield* holderOf(sight, state, { id, subject })
            const space = SpaceTree.labelOf(tree, place)
            const { permission } = asked
            const answer = (explanation: Partial<Explanation> & Pick<Explanation, "because">) => ({
              allowed: false,
              space,
              binding: null,
              missing: null,
              eligible: null,
              ...explanation
            })
            if (permission === null)
              return holder.suspended
                ? answer({ because: "no-role" })
                : answer({ because: "membership", allowed: true })
            const owned = AccessState.bindings(state)(holder)
            const path = SpaceTree.pathOf(tree, place)
            const found = AccessState.deciding(owned, permission, path)
            const [first] = found
            const waiting = AccessState.deciding(
              AccessState.eligible(state)(holder),
              permission,
              path
            )
            const view = yield* viewing(sight, tree, [...found, ...waiting])
            if (first === undefined)
              return answer({
                because: "no-role",
                missing: lowest(permission),
                eligible: waiting[0] === undefined ? null : view(waiting[0])
              })
            const binding = view(first)
            const isLeft = !isOwn || leavesAt(sight.actor.scope, permission, { path })
            return answer({ allowed: isLeft, because: isLeft ? "binding" : "key-scope", binding })
          })
        )
      })

      return { who, effective, effectiveOfKey, explain } as const
    })
  }
) {}
