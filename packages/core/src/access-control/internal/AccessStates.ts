/** Reads the access of an org now, or at an instant in the past. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { BaseRole } from "../../access/Role.js"
import { BreakGlassStore } from "../../break-glass/BreakGlassStore.js"
import { GrantStore } from "../../grant/GrantStore.js"
import { contentOf } from "../../journal/ErasedMembers.js"
import { JournalStore } from "../../journal/JournalStore.js"
import { MembershipStore } from "../../membership/MembershipStore.js"
import { ServiceAccountStore } from "../../service-account/ServiceAccountStore.js"
import type { OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import { rootOf } from "../../space/Space.js"
import { TeamStore } from "../../team/TeamStore.js"
import type { AccessState, Holder } from "../AccessState.js"

const EVERY_PAGE = { page: 1, perPage: Number.MAX_SAFE_INTEGER }
const EVERY_SLICE = { offset: 0, limit: 1_000_000 }
const DELETED = "service_account_deleted"

/** What an entry about an account says of it. */
const AccountContent = Schema.Struct({ name: Schema.String, privilege: BaseRole })
const isAccountContent = Schema.is(AccountContent)

/** An instant to look at, and whether it is now. */
export interface Moment {
  readonly at: Timestamp
  readonly isNow: boolean
}

/** Reads the access of orgs. */
export class AccessStates extends Effect.Service<AccessStates>()("@attestry/core/AccessStates", {
  effect: Effect.gen(function* () {
    const grants = yield* GrantStore
    const glasses = yield* BreakGlassStore
    const members = yield* MembershipStore
    const teams = yield* TeamStore
    const accounts = yield* ServiceAccountStore
    const journal = yield* JournalStore

    const membersNow = (org: OrgId) =>
      Effect.map(members.listMembers(org, EVERY_SLICE), ({ items }) =>
        items.map(
          ({ login, role, suspended_at, user_id }): Holder => ({
            kind: "user",
            id: user_id,
            name: login,
            role,
            suspended: suspended_at !== null
          })
        )
      )

    const membersAt = (org: OrgId, at: Timestamp) =>
      Effect.map(members.listMembersAt(org, at), (all) =>
        all.map(
          ({ login, role, suspended, user_id }): Holder => ({
            kind: "user",
            id: user_id,
            name: login,
            role,
            suspended
          })
        )
      )

    const accountsNow = (org: OrgId) =>
      Effect.map(accounts.list(org), (all) =>
        all.map(
          ({ id, name, privilege }): Holder => ({
            kind: "service-account",
            id,
            name,
            role: privilege,
            suspended: false
          })
        )
      )

    /** The accounts at an instant among those that are there now or have had a grant then. */
    const accountsAt = (org: OrgId, at: Timestamp, granted: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const ids = [...new Set([...(yield* accountsNow(org)).map(({ id }) => id), ...granted])]
        const entries = yield* journal.listBySubject(org, { type: "service_account", ids })
        const last = new Map(
          entries
            .filter((entry) => entry.at <= at)
            .map((entry) => [entry.subject.id ?? "", entry] as const)
        )
        return [...last].flatMap(([id, entry]): ReadonlyArray<Holder> => {
          const content = contentOf(entry)
          if (entry.kind === DELETED || !isAccountContent(content)) return []
          const { name, privilege } = content
          return [{ kind: "service-account", id, name, role: privilege, suspended: false }]
        })
      })

    const byName = (left: Holder, right: Holder): number =>
      left.kind === right.kind ? (left.name < right.name ? -1 : 1) : left.kind === "user" ? -1 : 1

    /** The access of an org at a moment; people first, then accounts, each by name. */
    const read = (org: OrgId, { at, isNow }: Moment): Effect.Effect<AccessState, StoreError> =>
      Effect.gen(function* () {
        const { items } = yield* grants.list(org, { now: at, ended: false }, EVERY_PAGE)
        const granted = items
          .filter(({ subject }) => subject.kind === "service-account")
          .map(({ subject }) => subject.id)
        const people = yield* isNow ? membersNow(org) : membersAt(org, at)
        const machines = yield* isNow ? accountsNow(org) : accountsAt(org, at, granted)
        return {
          root: rootOf(org),
          holders: [...people, ...machines].sort(byName),
          grants: items,
          openings: yield* glasses.listAt(org, at),
          teamMembers: yield* teams.listAt(org, at)
        }
      })

    return { read } as const
  })
}) {}
