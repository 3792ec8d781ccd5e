/**
 * Opens, closes and reviews break-glass. SPEC §4.34
 *
 * A person opens it with an eligible grant, or as an admin with a key for emergencies. No other person is asked, and
 * all admins are told. While it is open its role counts in its space, changes there are not held back, and every entry
 * of the person says so.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { type Actor, CurrentActor } from "../access/Actor.js"
import * as Gifts from "../access/Gifts.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import type { Permission } from "../access/Permission.js"
import type { Role } from "../access/Role.js"
import { GrantStore } from "../grant/GrantStore.js"
import type { OrgId, OrgName, SpaceId } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import * as Timestamp from "../shared/Timestamp.js"
import { type Locking, Transaction } from "../shared/Transaction.js"
import { SpaceStore } from "../space/SpaceStore.js"
import * as SpaceTree from "../space/SpaceTree.js"
import * as BreakGlass from "./BreakGlass.js"
import { BreakGlassStore } from "./BreakGlassStore.js"
import * as BreakGlassRecords from "./internal/BreakGlassRecords.js"

const ADMINISTER: Permission = "proposal.approve"

const DAY_SECONDS = 86_400

/** An opening with its state and the path of its space. */
export interface BreakGlassView {
  readonly glass: BreakGlass.BreakGlass
  readonly state: BreakGlass.BreakGlassState
  readonly space: string
}

/** What a person opens. */
export interface AskedOpening {
  readonly space: string
  readonly role: Role
  readonly reason: string
  readonly minutes: number
}

/** An opening by its number. */
export interface BreakGlassPath {
  readonly org: OrgName
  readonly number: number
}

const viewOf = (
  tree: SpaceTree.SpaceTree,
  glass: BreakGlass.BreakGlass,
  now: Timestamp.Timestamp
): BreakGlassView => ({
  glass,
  state: BreakGlass.stateAt(glass, now),
  space: SpaceTree.labelOf(tree, glass.space_id)
})

/** Use cases of break-glass. */
export class BreakGlasses extends Effect.Service<BreakGlasses>()("@attestry/core/BreakGlasses", {
  effect: Effect.gen(function* () {
    const store = yield* BreakGlassStore
    const grants = yield* GrantStore
    const spaces = yield* SpaceStore
    const transaction = yield* Transaction
    const epoch = yield* AccessEpoch
    const { decide, expire, record, remind } = yield* BreakGlassRecords.make

    const member = (org: OrgName) =>
      Effect.flatMap(CurrentActor, (actor) => Access.authorizeMember(actor, org))

    const write = <A, E, R>(
      granted: Access.Granted,
      work: (writer: WriteContext.WriteContext) => Effect.Effect<A, E, R>
    ) =>
      transaction
        .run(granted.orgId, (scope) =>
          Effect.flatMap(scope.now, (now) => work(WriteContext.make(granted, now)))
        )
        .pipe(Effect.zipLeft(epoch.advance))

    const treeOf = (org: OrgId) => Effect.map(spaces.list(org), (all) => SpaceTree.make(org, all))

    const isAdmin = (actor: Actor, org: OrgName) => Access.isAllowed(actor, org, ADMINISTER)

    /** What lets a person take a role in a space; undefined for those who have nothing. */
    const meansOf = Effect.fnUntraced(function* (
      { actor, orgId, role: base }: Access.Granted,
      at: Timestamp.Timestamp,
      { path, role }: { readonly role: Role; readonly path: ReadonlyArray<SpaceId> }
    ) {
      const eligible = yield* grants.listEligible(orgId, actor.id, at)
      if (BreakGlass.isEligible(eligible, role, path)) return "grant" as const
      return actor.emergency === true && base === "admin" ? ("emergency-key" as const) : undefined
    })

    /** Opens it, at once. A space that there is not is refused like one that the person may not open. */
    const open = Effect.fn("BreakGlasses.open")(function* (org: OrgName, asked: AskedOpening) {
      const granted = yield* member(org)
      const { actor } = granted
      const { minutes, reason, role } = asked
      if (actor.kind !== "user")
        return yield* new BreakGlass.BreakGlassForbidden({ because: "service-account" })
      yield* Gifts.checkRole(actor, role)
      return yield* write(granted, (writer) =>
        Effect.gen(function* () {
          const denied = new BreakGlass.BreakGlassForbidden({ because: "not-eligible" })
          const tree = SpaceTree.make(writer.org, yield* spaces.hold(writer.org, "share"))
          const space = yield* Either.fromOption(SpaceTree.find(tree, asked.space), () => denied)
          const path = SpaceTree.pathOf(tree, space)
          const means = yield* meansOf(granted, writer.at, { role, path })
          if (means === undefined) return yield* denied
          const last = yield* store.lockOpen(writer.org, actor.id)
          if (Option.isSome(last)) {
            if (BreakGlass.holds(last.value, writer.at))
              return yield* new BreakGlass.BreakGlassOpen({ number: last.value.number })
            yield* expire(writer, last.value)
          }
          const glass = yield* store.append({
            org_id: writer.org,
            user_id: actor.id,
            opened_by: actor.name,
            credential: actor.key_id,
            means,
            space_id: space,
            role,
            reason,
            minutes,
            opened_at: writer.at,
            ends_at: Timestamp.plusSeconds(writer.at, minutes * 60),
            closed_at: null,
            closed_by: null,
            reviewed: null
          })
          yield* record(writer, glass, "opened")
          return viewOf(tree, glass, writer.at)
        })
      )
    })

    /** An opening that the caller sees: admins all of them, and others their own. */
    const found = (granted: Access.Granted, { number, org }: BreakGlassPath, locking?: Locking) =>
      Effect.gen(function* () {
        const { actor, orgId } = granted
        const glass = yield* store.find({ org: orgId, number }, locking)
        const isSeen = (each: BreakGlass.BreakGlass) =>
          isAdmin(actor, org) || (actor.kind === "user" && each.user_id === actor.id)
        return yield* Either.fromOption(
          Option.filter(glass, isSeen),
          () => new BreakGlass.BreakGlassNotFound({ org, number })
        )
      })

    /** Closes it before its end: the person who has opened it may, and every admin. */
    const close = Effect.fn("BreakGlasses.close")(function* (path: BreakGlassPath) {
      const granted = yield* member(path.org)
      const { id: user_id, name: user } = granted.actor
      return yield* write(granted, (writer) =>
        Effect.gen(function* () {
          const glass = yield* found(granted, path, { lock: true })
          const state = BreakGlass.stateAt(glass, writer.at)
          if (state !== "open")
            return yield* new BreakGlass.BreakGlassDecided({ number: path.number, state })
          const closed = BreakGlass.close(glass, writer.at, { user_id, user })
          yield* decide(writer, closed, "closed")
          return viewOf(yield* treeOf(writer.org), closed, writer.at)
        })
      )
    })

    /** Reviews it once it is over: another admin of the whole org does, who is a person. */
    const review = Effect.fn("BreakGlasses.review")(function* (
      path: BreakGlassPath,
      comment: string
    ) {
      const actor = yield* CurrentActor
      const granted = yield* Access.authorize(actor, path.org, ADMINISTER)
      return yield* write(granted, (writer) =>
        Effect.gen(function* () {
          const glass = yield* found(granted, path, { lock: true })
          if (actor.kind !== "user" || granted.role !== "admin")
            return yield* new BreakGlass.BreakGlassForbidden({ because: "reviewer" })
          if (glass.user_id === actor.id)
            return yield* new BreakGlass.BreakGlassForbidden({ because: "own-opening" })
          const state = BreakGlass.stateAt(glass, writer.at)
          if (state === "open" || state === "reviewed")
            return yield* new BreakGlass.BreakGlassDecided({ number: path.number, state })
          const over = glass.closed_at === null ? yield* expire(writer, glass) : glass
          const { id: user_id, name: user } = actor
          const reviewed = BreakGlass.review(over, { at: writer.at, user_id, user, comment })
          yield* decide(writer, reviewed, "reviewed")
          return viewOf(yield* treeOf(writer.org), reviewed, writer.at)
        })
      )
    })

    /** One page of the openings that the caller sees, newest first. */
    const list = Effect.fn("BreakGlasses.list")(function* (
      org: OrgName,
      states: ReadonlyArray<BreakGlass.BreakGlassState> | undefined,
      page: Page
    ) {
      const granted = yield* member(org)
      const { actor, orgId } = granted
      return yield* transaction.run(orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const query = {
            now,
            ...(states === undefined ? {} : { states }),
            ...(isAdmin(actor, org) ? {} : { user: actor.kind === "user" ? actor.id : "" })
          }
          const { items, total } = yield* store.list(orgId, query, page)
          const tree = yield* treeOf(orgId)
          return { items: items.map((glass) => viewOf(tree, glass, now)), total }
        })
      )
    })

    const eachOf = (
      org: OrgId,
      numbers: ReadonlyArray<number>,
      work: (
        glass: BreakGlass.BreakGlass,
        at: Timestamp.Timestamp
      ) => Effect.Effect<void, never> | ReturnType<typeof remind>
    ) =>
      Effect.forEach(
        numbers,
        (number) =>
          transaction.run(org, (scope) =>
            Effect.gen(function* () {
              const at = yield* scope.now
              const glass = yield* store.find({ org, number }, { lock: true })
              if (Option.isSome(glass)) yield* work(glass.value, at)
            })
          ),
        { discard: true }
      )

    /**
     * Records the ends that time has brought by an instant, and says of what waits for its review that it does, once a
     * day. Runs in any process at any time: a second call finds nothing to do.
     */
    const lookAfter = Effect.fn("BreakGlasses.lookAfter")(function* (
      org: OrgId,
      now: Timestamp.Timestamp
    ) {
      yield* eachOf(org, yield* store.listOver(org, now), (glass, at) =>
        glass.closed_at === null && !BreakGlass.holds(glass, at)
          ? Effect.asVoid(expire({ org, at }, glass))
          : Effect.void
      )
      const yesterday = Timestamp.plusSeconds(now, -DAY_SECONDS)
      yield* eachOf(org, yield* store.listToNotify(org, yesterday), (glass, at) =>
        glass.reviewed === null ? remind({ org, at }, glass) : Effect.void
      )
    })

    return { open, close, review, list, lookAfter } as const
  })
}) {}
