/**
 * Adds people to orgs. The HTTP surface has no such operation: the server's administration commands and
 * its first start call these. DECISION A-21
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Role } from "../access/Role.js"
import type { JournalActor } from "../journal/JournalEntry.js"
import { Journals } from "../journal/Journals.js"
import type { Org } from "../org/Org.js"
import { Login, OrgName, UserId } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import * as PutOutcome from "../shared/PutOutcome.js"
import { Transaction } from "../shared/Transaction.js"
import type { Membership, User } from "./Membership.js"
import { MembershipStore } from "./MembershipStore.js"

/** The user is a member of the org already. */
export class AlreadyMember extends Schema.TaggedError<AlreadyMember>()("AlreadyMember", {
  org: OrgName,
  login: Login
}) {
  override get message(): string {
    return `\`${this.login}\` is a member of org \`${this.org}\` already`
  }
}

/** Whom to add, and as what. */
export interface AddMember {
  readonly org: Org
  readonly login: Login
  readonly role: Role
  readonly displayName: string | null
  readonly email: string | null
  readonly by: JournalActor
}

/** Use cases of memberships. */
export class Memberships extends Effect.Service<Memberships>()("@attestry/core/Memberships", {
  effect: Effect.gen(function* () {
    const store = yield* MembershipStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const ids = yield* IdGenerator

    /** Adds a person to an org, known or new; fails when the person is a member already. */
    const add = Effect.fn("Memberships.add")(function* (request: AddMember) {
      const { org, login, role } = request
      return yield* transaction.run(org.id, ({ now }) =>
        Effect.gen(function* () {
          const fresh: User = {
            id: UserId.make(yield* ids.next),
            login,
            display_name: request.displayName,
            email: request.email,
            created_at: now
          }
          const [user] = yield* PutOutcome.getOrCreate(
            { find: store.findUser(login), insert: store.insertUser(fresh) },
            fresh
          )
          const membership: Membership = {
            org_id: org.id,
            user_id: user.id,
            role,
            created_at: now
          }
          if (!(yield* store.insert(membership))) {
            return yield* new AlreadyMember({ org: org.name, login })
          }
          yield* journals.record({
            org: org.id,
            kind: "membership_added",
            subject: { type: "user", id: user.id },
            actor: request.by,
            at: now,
            content: { user_id: user.id, login, role, previous_role: null, source: "script" }
          })
          return user
        })
      )
    })

    return { add } as const
  })
}) {}
