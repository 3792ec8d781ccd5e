/**
 * Appends a change of a membership to the history and to the journal, and tells it.
 *
 * Told is what changes rights: nothing of a member without a base role, and of what a SCIM client does, which an org
 * has from its provider by the thousand, only what concerns admins.
 */
import * as Effect from "effect/Effect"
import { type AccessChange, AccessNotices } from "../../access/AccessNotices.js"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import type { BaseRole } from "../../access/Role.js"
import { Journals } from "../../journal/Journals.js"
import { MembershipEventId } from "../../shared/Identifier.js"
import { IdGenerator } from "../../shared/IdGenerator.js"
import * as Membership from "../Membership.js"
import { type MembershipEventType, type MembershipSource, typeOf } from "../MembershipEvent.js"
import { MembershipStore } from "../MembershipStore.js"

/** A change, with the state after it. */
interface Change {
  readonly user: Membership.User
  readonly source: MembershipSource
  readonly role: BaseRole | null
  readonly previous_role: BaseRole | null
  readonly suspended: boolean
}

const JOURNAL_KINDS: { readonly [type in MembershipEventType]: string } = {
  added: "membership_added",
  changed: "membership_changed",
  suspended: "membership_suspended",
  restored: "membership_restored",
  removed: "membership_removed"
}

/** Whether a change is told. */
const isNotified = ({ previous_role, role, source }: Change): boolean => {
  const roles = [role ?? "none", previous_role ?? "none"]
  return source === "scim" ? roles.includes("admin") : roles.some((each) => each !== "none")
}

/** What is told of a change. */
const changeOf = ({ actor }: WriteContext, change: Change): AccessChange => {
  const type = typeOf(change)
  const isOwn = actor.kind === "user" && actor.id === change.user.id
  return type === "added" && isOwn ? "member-joined" : `member-${type}`
}

/** Makes the record of changes. */
export const make = Effect.gen(function* () {
  const store = yield* MembershipStore
  const journals = yield* Journals
  const ids = yield* IdGenerator
  const notices = yield* AccessNotices

  /** Appends a change. INVARIANT: the membership is locked or new. */
  return (writer: WriteContext, changed: Change) =>
    Effect.gen(function* () {
      const { user, ...change } = changed
      const id = MembershipEventId.make(yield* ids.next)
      yield* store.appendEvent({
        org_id: writer.org,
        id,
        user_id: user.id,
        user: Membership.displayName(user),
        changed_by: writer.actor.name,
        ...change,
        created_at: writer.at
      })
      const { role, previous_role, source } = change
      yield* journals.record({
        ...writer,
        kind: JOURNAL_KINDS[typeOf(change)],
        subject: { type: "user", id: user.id },
        content: {
          user_id: user.id,
          login: user.login,
          role,
          previous_role,
          source,
          event_id: id,
          // WHY these names: the log can show and erase a member with a personal name by itself.
          user: { username: user.display_name, email: user.email, created_at: user.created_at }
        }
      })
      if (isNotified(changed))
        yield* notices.add(writer.org, writer.at, {
          _tag: "AccessChange",
          change: changeOf(writer, changed),
          by: writer.actor.name,
          subject: { kind: "user", id: user.id },
          role,
          previous_role,
          eligible: false,
          settings: [],
          reason: ""
        })
    })
})
