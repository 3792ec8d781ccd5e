/**
 * Gives, lists and ends grants. SPEC §4.31
 *
 * A caller gives only roles that the caller holds in the space, and of which the scope of the key leaves all.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { AccessDenied } from "../access/Access.js"
import * as Gifts from "../access/Gifts.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import type { Permission } from "../access/Permission.js"
import * as Reach from "../access/Reach.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import type { Role } from "../access/Role.js"
import { hasRole } from "../access/Standing.js"
import * as Grant from "../grant/Grant.js"
import { GrantStore } from "../grant/GrantStore.js"
import { GrantRecords } from "../grant/internal/GrantRecords.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import { setOutcome } from "../shared/CurrentOutcome.js"
import type { OrgName, SpaceId } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { OrgSpaces } from "../space/internal/OrgSpaces.js"
import { SpaceNotFound } from "../space/Space.js"
import { SpaceStore } from "../space/SpaceStore.js"
import * as SpaceTree from "../space/SpaceTree.js"
import { GrantSubjects, keyOf, type NamedSubject } from "./internal/GrantSubjects.js"

const WRITE: Permission = "grant.write"

/** A grant with the names of its subject and of its space. */
export interface GrantView {
  readonly grant: Grant.Grant
  readonly subject: NamedSubject
  /** The path of the space; empty where the space was deleted. */
  readonly space: string
}

/** A grant to give. */
export interface GivenGrant {
  readonly subject: NamedSubject
  readonly space: string
  readonly role: Role
  /** Whether it gives nothing by itself, but lets the subject open break-glass. */
  readonly eligible: boolean
  readonly expiresAt: Timestamp.Timestamp | null
  readonly reason: string
}

/** Which grants are listed. */
export interface GrantFilter {
  readonly subject?: NamedSubject | undefined
  /** The path of a space: grants in it and below it. */
  readonly space?: string | undefined
  readonly role?: Role | undefined
  readonly eligible?: boolean | undefined
  readonly ended: boolean
}

/** Use cases of grants. */
export class Grants extends Effect.Service<Grants>()("@attestry/core/Grants", {
  effect: Effect.gen(function* () {
    const store = yield* GrantStore
    const spaces = yield* SpaceStore
    const trees = yield* OrgSpaces
    const subjects = yield* GrantSubjects
    const reaches = yield* Reaches
    const transaction = yield* Transaction
    const records = yield* GrantRecords
    const epoch = yield* AccessEpoch
    const held = yield* HeldChanges

    const write = <A, E, R>(
      org: OrgName,
      work: (granted: GrantedWithin, writer: WriteContext.WriteContext) => Effect.Effect<A, E, R>
    ) =>
      Effect.gen(function* () {
        const granted = yield* reaches.authorize(org, WRITE)
        return yield* transaction.run(granted.orgId, (scope) =>
          Effect.flatMap(scope.now, (now) => work(granted, WriteContext.make(granted, now)))
        )
      }).pipe(Effect.zipLeft(epoch.advance))

    const spaceOf = (granted: GrantedWithin, tree: SpaceTree.SpaceTree, path: string) => {
      const found = SpaceTree.find(tree, path)
      return Option.isSome(found) && Reach.holds(granted.reach, found.value)
        ? Effect.succeed(found.value)
        : new SpaceNotFound({ org: granted.org, space: path })
    }

    const named = (
      tree: SpaceTree.SpaceTree,
      { orgId }: GrantedWithin,
      grants: ReadonlyArray<Grant.Grant>
    ) =>
      Effect.map(
        subjects.namesOf(
          orgId,
          grants.map(({ subject }) => subject)
        ),
        (names) =>
          (grant: Grant.Grant): GrantView => ({
            grant,
            subject: {
              kind: grant.subject.kind,
              name: names.get(keyOf(grant.subject)) ?? grant.subject.id
            },
            space: SpaceTree.labelOf(tree, grant.space_id)
          })
      )

    const viewOf = (tree: SpaceTree.SpaceTree, granted: GrantedWithin, grant: Grant.Grant) =>
      Effect.map(named(tree, granted, [grant]), (name) => name(grant))

    const spacesOf = (
      granted: GrantedWithin,
      tree: SpaceTree.SpaceTree,
      path: string | undefined
    ) =>
      path === undefined
        ? Effect.succeed(Reach.spaceIdsOf(granted.reach))
        : Effect.map(spaceOf(granted, tree, path), (space) =>
            Reach.spaceIdsOf(Reach.narrow(granted.reach, SpaceTree.within(tree, space)))
          )

    /** One page of the grants in the spaces that the caller administers, newest first. */
    const list = Effect.fn("Grants.list")(function* (
      org: OrgName,
      { eligible, ended: withEnded, role, space, subject }: GrantFilter,
      page: Page
    ) {
      const granted = yield* reaches.authorize(org, WRITE)
      const tree = yield* trees.of(granted.orgId)
      const within = yield* spacesOf(granted, tree, space)
      const of =
        subject === undefined
          ? undefined
          : yield* subjects.find({ id: granted.orgId, name: org }, subject)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const { items, total } = yield* store.list(
            granted.orgId,
            {
              now: yield* scope.now,
              ended: withEnded,
              ...(of === undefined ? {} : { subject: of }),
              ...(role === undefined ? {} : { role }),
              ...(eligible === undefined ? {} : { eligible }),
              ...(within === undefined ? {} : { spaces: within })
            },
            page
          )
          return { items: items.map(yield* named(tree, granted, items)), total }
        })
      )
    })

    /** Refuses a role that the caller does not hold in the space, or of which the caller's key leaves less than all. */
    const checkGift = (
      granted: GrantedWithin,
      tree: SpaceTree.SpaceTree,
      { role, space }: { readonly role: Role; readonly space: SpaceId }
    ) =>
      Effect.gen(function* () {
        const { actor, org } = granted
        const membership = actor.memberships.find((each) => each.org === org)
        const denied = new AccessDenied({ org, permission: `giving the role ${role}` })
        if (membership === undefined) return yield* denied
        const standing = yield* reaches.standingOf(actor, membership)
        if (!hasRole(standing, role, SpaceTree.pathOf(tree, space))) return yield* denied
        yield* Gifts.checkRole(actor, role)
      })

    const checkCounts = (org: Grant.Grant["org_id"], subject: Grant.GrantSubject) =>
      Effect.gen(function* () {
        const counts = yield* store.countToAdd(org, subject)
        if (counts.org >= Grant.GRANTS_MAX)
          return yield* new Grant.TooManyGrants({ of: "org", max: Grant.GRANTS_MAX })
        if (counts.subject >= Grant.GRANTS_OF_SUBJECT_MAX)
          return yield* new Grant.TooManyGrants({
            of: "subject",
            max: Grant.GRANTS_OF_SUBJECT_MAX
          })
      })

    const tell = (
      { number }: Grant.Grant,
      result: "created" | "updated" | "unchanged" | "deleted"
    ) => setOutcome({ type: "grant", id: String(number), name: null, result })

    /**
     * Gives a role in a space; a grant of the same sort of the subject there ends, and the same again changes nothing.
     */
    const give = Effect.fn("Grants.give")((org: OrgName, given: GivenGrant) =>
      write(org, (granted, writer) =>
        Effect.gen(function* () {
          const { eligible, expiresAt, reason, role } = given
          const tree = SpaceTree.make(writer.org, yield* spaces.hold(writer.org, "share"))
          const space = yield* spaceOf(granted, tree, given.space)
          yield* checkGift(granted, tree, { role, space })
          const subject = yield* subjects.find({ id: writer.org, name: org }, given.subject)
          if (expiresAt !== null && expiresAt <= writer.at)
            return yield* new Grant.GrantEndsBefore()
          if (eligible && subject.kind === "service-account")
            return yield* new Grant.EligibleAccount()
          yield* checkCounts(writer.org, subject)
          const open = yield* store.lockOpen(writer.org, subject, { space, eligible })
          const before = Option.getOrUndefined(open)
          const next = { role, eligible, expires_at: expiresAt, reason }
          if (before !== undefined && Grant.sameContent(before, next)) {
            yield* tell(before, "unchanged")
            const view = yield* viewOf(tree, granted, before)
            return { view, result: "unchanged" as const }
          }
          yield* held.check(writer, {
            kinds: ["access"],
            subject: { type: "grant", name: `${given.subject.kind} ${given.subject.name}`.trim() },
            at: space,
            before: before === undefined ? null : { space: given.space, role: before.role },
            after: { space: given.space, role, eligible, expires_at: expiresAt }
          })
          const over = before === undefined ? undefined : yield* records.replace(writer, before)
          const grant = yield* store.append({
            org_id: writer.org,
            subject,
            space_id: space,
            ...next,
            given_by: granted.actor.id,
            from_at: Timestamp.fromMicros(Math.max(writer.at, over?.to_at ?? writer.at)),
            to_at: null
          })
          yield* records.recordGiven(writer, grant, before)
          yield* tell(grant, over === undefined ? "created" : "updated")
          const view = yield* viewOf(tree, granted, grant)
          return { view, result: over === undefined ? ("created" as const) : ("updated" as const) }
        })
      )
    )

    /** Ends a grant in a space that the caller administers; one that was ended stays as it is. */
    const end = Effect.fn("Grants.end")((org: OrgName, number: number) =>
      write(org, (granted, writer) =>
        Effect.gen(function* () {
          const notFound = () => new Grant.GrantNotFound({ org, number })
          const grant = yield* Effect.flatMap(
            store.find({ org: writer.org, number }, { lock: true }),
            Either.fromOption(notFound)
          )
          if (!Reach.holds(granted.reach, grant.space_id)) return yield* notFound()
          if (grant.to_at !== null) return yield* tell(grant, "unchanged")
          yield* records.end(writer, grant)
          yield* tell(grant, "deleted")
        })
      )
    )

    return { list, give, end } as const
  })
}) {}
