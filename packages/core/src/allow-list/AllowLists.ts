/**
 * Adds artifacts to the allow-list of an environment, with or without an end, and removes them. Removal exists because
 * a permission that cannot be taken back is a hole. An entry that has ended stays listed until it is removed or put
 * again.
 *
 * Each change evaluates the environment in the same transaction. A person who allows something expects the verdict.
 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as WriteContext from "../access/internal/WriteContext.js"
import { Reaches } from "../access/Reaches.js"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import * as Environment from "../environment/Environment.js"
import { EnvironmentNotPhysical } from "../environment/EnvironmentFailure.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import * as PlacedEnvironments from "../environment/internal/PlacedEnvironments.js"
import { Journals } from "../journal/Journals.js"
import { findMember } from "../membership/internal/MemberLookup.js"
import { MembershipStore } from "../membership/MembershipStore.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import type { EnvironmentName, OrgName } from "../shared/Identifier.js"
import { Transaction } from "../shared/Transaction.js"
import type { WriteOutcome } from "../shared/WriteOutcome.js"
import { SnapshotListener } from "../snapshot/internal/SnapshotListener.js"
import { Reevaluations } from "../snapshot/Reevaluations.js"
import * as AllowListEntry from "./AllowListEntry.js"

/** Use cases of allow-lists. */
export class AllowLists extends Effect.Service<AllowLists>()("@attestry/core/AllowLists", {
  effect: Effect.gen(function* () {
    const environments = yield* EnvironmentStore
    const memberships = yield* MembershipStore
    const reaches = yield* Reaches
    const present = yield* PlacedEnvironments.make
    const transaction = yield* Transaction
    const journals = yield* Journals
    const reevaluations = yield* Reevaluations
    const listener = yield* SnapshotListener
    const held = yield* HeldChanges

    /** Fails if artifacts may not be allowed in an environment without other people. */
    const checkHeld = (
      writer: WriteContext.WriteContext,
      environment: Environment.Environment,
      {
        before,
        after
      }: {
        readonly before: AllowListEntry.AllowListEntry | undefined
        readonly after: AllowListEntry.AllowListEntry
      }
    ) => {
      const shown = (entry: AllowListEntry.AllowListEntry) => {
        const { created_at: _at, created_by: _by, ...rest } = AllowListEntry.contentOf(entry)
        return rest
      }
      return held.check(writer, {
        kinds: ["allow-list"],
        subject: { type: "environment", name: environment.name },
        at: { kind: "environment", id: environment.id },
        before: before === undefined ? null : shown(before),
        after: shown(after)
      })
    }

    /** Locks a physical environment, changes its list, and evaluates its rows again. */
    const change = <A, E>(
      org: OrgName,
      name: EnvironmentName,
      apply: (
        writer: WriteContext.WriteContext,
        environment: Environment.Environment
      ) => Effect.Effect<readonly [result: A, changed: boolean], E>
    ) =>
      Effect.gen(function* () {
        const granted = yield* reaches.authorize(org, "environment.write")
        return yield* reevaluations.change(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const writer = WriteContext.make(granted, now)
            const { environment } = yield* Effect.flatMap(
              reevaluations.lock({ org: granted.orgId, name }),
              present(granted, name)
            )
            if (environment.type === "logical") {
              return yield* new EnvironmentNotPhysical({ environment: environment.name })
            }
            const [result, changed] = yield* apply(writer, environment)
            if (changed) yield* reevaluations.entriesChanged(writer, environment)
            return result
          })
        )
      })

    const tell = (
      { fingerprint: id, name }: AllowListEntry.AllowListEntry,
      result: WriteOutcome["result"]
    ) => CurrentOutcome.setOutcomeOf("allow-list-entry", { id, name }, result)

    /** Fails if the end or the owner of a draft is not accepted. */
    const check = (
      { at, org }: WriteContext.WriteContext,
      { expires_at, owner }: AllowListEntry.AllowListDraft
    ) =>
      Effect.gen(function* () {
        if (expires_at != null && !AllowListEntry.isEndAccepted(expires_at, at))
          return yield* new AllowListEntry.AllowListEndOutOfRange({ expires_at })
        if (owner != null && Option.isNone(yield* findMember(memberships, org, owner)))
          return yield* new AllowListEntry.AllowListOwnerNotMember({ owner })
      })

    /** Adds or replaces an entry; an equal entry changes nothing. */
    const put = (org: OrgName, name: EnvironmentName, draft: AllowListEntry.AllowListDraft) =>
      change(org, name, (writer, environment) =>
        Effect.gen(function* () {
          yield* check(writer, draft)
          const entries = yield* environments.listAllowed(Environment.ref(environment))
          const current = entries.find(({ fingerprint }) => fingerprint === draft.fingerprint)
          if (current !== undefined && AllowListEntry.hasContent(current, draft)) {
            yield* tell(current, "unchanged")
            return ["unchanged", false] as const
          }
          const entry: AllowListEntry.AllowListEntry = {
            org_id: writer.org,
            environment_id: environment.id,
            fingerprint: draft.fingerprint,
            name: draft.name,
            reason: draft.reason,
            created_by: writer.actor.name,
            created_at: writer.at,
            expires_at: draft.expires_at ?? null,
            owner: draft.owner ?? null
          }
          yield* checkHeld(writer, environment, { before: current, after: entry })
          yield* environments.putAllowed(entry)
          const { sequence } = yield* journals.record({
            ...writer,
            kind: current === undefined ? "artifact_allowed" : "artifact_allowed_again",
            subject: { type: "environment", id: environment.id },
            content: AllowListEntry.contentOf(entry)
          })
          const isNewlyAllowed =
            current === undefined || !AllowListEntry.isInForce(current, writer.at)
          if (isNewlyAllowed) {
            yield* listener.allowed({ writer, environment, entry, sequence })
          }
          const result = current === undefined ? "created" : "updated"
          yield* tell(entry, result)
          return [result, current?.expires_at !== entry.expires_at] as const
        })
      ).pipe(Effect.withSpan("AllowLists.put"))

    /** Removes an entry. */
    const remove = (org: OrgName, name: EnvironmentName, fingerprint: Fingerprint) =>
      change(org, name, (writer, environment) =>
        Effect.gen(function* () {
          const ref = Environment.ref(environment)
          const entries = yield* environments.listAllowed(ref)
          const current = entries.find((entry) => entry.fingerprint === fingerprint)
          if (current === undefined) {
            return yield* new AllowListEntry.AllowListEntryNotFound({
              environment: environment.name,
              fingerprint
            })
          }
          yield* environments.removeAllowed(ref, fingerprint)
          yield* journals.record({
            ...writer,
            kind: "artifact_disallowed",
            subject: { type: "environment", id: environment.id },
            content: { fingerprint }
          })
          yield* tell(current, "deleted")
          return [undefined, true] as const
        })
      ).pipe(Effect.withSpan("AllowLists.remove"))

    /** Every entry of an environment, oldest first, and the instant of the read. */
    const list = Effect.fn("AllowLists.list")(function* (org: OrgName, name: EnvironmentName) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { environment, now } = yield* Effect.flatMap(
        environments.findByName({ org: granted.orgId, name }),
        present(granted, name)
      )
      return { entries: yield* environments.listAllowed(Environment.ref(environment)), now }
    })

    /** Every entry in active environments, newest first, and the instant of the read. */
    const listOfOrg = Effect.fn("AllowLists.listOfOrg")(function* (org: OrgName) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { orgId } = granted
      return yield* transaction.run(orgId, (scope) =>
        Effect.gen(function* () {
          const all = yield* environments.listAllowedOfOrg(orgId)
          const entries = yield* reaches.keepReadable(granted, {
            kind: "environment",
            things: all,
            idOf: ({ entry }) => entry.environment_id
          })
          return { entries, now: yield* scope.now }
        })
      )
    })

    return { put, remove, list, listOfOrg } as const
  })
}) {}
