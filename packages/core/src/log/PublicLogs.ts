/**
 * Public logs: making a log public, reading it without a credential, and the keys that sign it.
 *
 * A reader of a public log is a member of no org. In operations that are open for public logs it counts as a reader
 * of that one org.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { type Actor, CurrentActor } from "../access/Actor.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { Journals } from "../journal/Journals.js"
import { OrgStore } from "../org/OrgStore.js"
import type { OrgId, OrgName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import { Transaction } from "../shared/Transaction.js"
import type { RecordedKey } from "./Log.js"
import { LogStore } from "./LogStore.js"
import * as PublicKeySet from "./PublicKeySet.js"

/** Who may read a log. */
export type Visibility = "members" | "public"

/** The maximum number of orgs whose keys are listed together. */
export const LISTED_MAX = 1_000

/** Use cases of public logs. */
export class PublicLogs extends Effect.Service<PublicLogs>()("@attestry/core/PublicLogs", {
  effect: Effect.gen(function* () {
    const [logs, orgs] = [yield* LogStore, yield* OrgStore]
    const [journals, transaction] = [yield* Journals, yield* Transaction]

    /** The actor as a reader of an org with a public log; none for any other org. */
    const visitor = (actor: Actor, org: OrgName): Effect.Effect<Option.Option<Actor>, StoreError> =>
      Effect.gen(function* () {
        const found = yield* orgs.find({ name: org })
        if (Option.isNone(found) || !(yield* logs.isPublic(found.value.id))) return Option.none()
        const membership = { org_id: found.value.id, org, role: "reader" as const }
        // WHY without the scope of its key: every reader may read this log.
        const { scope: _scope, ...reader } = actor
        return Option.some({ ...reader, memberships: [...actor.memberships, membership] })
      })

    /** Makes the log of an org public or private. Records nothing if it is so already. */
    const put = Effect.fn("PublicLogs.put")(function* (org: OrgName, visibility: Visibility) {
      const access = yield* Access.authorize(yield* CurrentActor, org, "log.write")
      const { orgId } = access
      yield* transaction.run(orgId, (scope) =>
        Effect.gen(function* () {
          const isPublic = visibility === "public"
          if ((yield* logs.isPublic(orgId)) === isPublic) return
          yield* logs.putPublic(orgId, isPublic)
          yield* journals.record({
            ...WriteContext.make(access, yield* scope.now),
            kind: "log_visibility_set",
            subject: { type: "log", id: orgId },
            content: { visibility }
          })
        })
      )
    })

    const keysOf = (
      org: OrgName,
      keys: ReadonlyArray<RecordedKey>
    ): ReadonlyArray<PublicKeySet.PublicKey> =>
      keys.flatMap((key) => Option.toArray(PublicKeySet.fromRecorded(org, key)))

    const listOf = (id: OrgId, org: OrgName) =>
      Effect.map(logs.listKeys(id), (keys) => keysOf(org, keys))

    /** The keys of all public logs, including retired keys. */
    const listAll = Effect.fn("PublicLogs.listAll")(function* () {
      const ids = (yield* logs.listPublic).slice(0, LISTED_MAX)
      const found = yield* Effect.forEach(ids, (id) =>
        Effect.flatMap(
          orgs.find({ id: id }),
          Option.match({
            onNone: () => Effect.succeed([]),
            onSome: ({ name }) => listOf(id, name)
          })
        )
      )
      return found.flat()
    })

    /** The keys of one org's log; for its members, or for everyone if it is public. */
    const listKeys = Effect.fn("PublicLogs.listKeys")(function* (org: OrgName, actor: Actor) {
      const reader = Access.isAllowed(actor, org, "org.read")
        ? actor
        : Option.getOrElse(yield* visitor(actor, org), () => actor)
      const { orgId } = yield* Access.authorize(reader, org, "org.read")
      return yield* listOf(orgId, org)
    })

    return { visitor, put, listAll, listKeys } as const
  })
}) {}
