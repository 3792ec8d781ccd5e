/** Saves and reads the versions of the trust policy of an org. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { Journals } from "../journal/Journals.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import type { ChangeHeld } from "../protection/Protection.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import type { OrgName } from "../shared/Identifier.js"
import * as KeyedMutex from "../shared/internal/KeyedMutex.js"
import type { StoreError } from "../shared/StoreError.js"
import { Transaction } from "../shared/Transaction.js"
import { TrustedKeyCheck } from "./TrustedKeyCheck.js"
import * as TrustPolicyDocument from "./TrustPolicyDocument.js"
import { TrustPolicyStore } from "./TrustPolicyStore.js"
import {
  type TrustPolicyDraft,
  TrustPolicyNotFound,
  type TrustPolicyVersion
} from "./TrustPolicyVersion.js"
import { TrustRootNames } from "./TrustRootNames.js"

/** Whether a text made a version, or is that of the latest one. */
export type Saved = "created" | "unchanged"

/** Use cases of trust policies. */
export class TrustPolicies extends Effect.Service<TrustPolicies>()("@attestry/core/TrustPolicies", {
  effect: Effect.gen(function* () {
    const store = yield* TrustPolicyStore
    const journals = yield* Journals
    const transaction = yield* Transaction
    const held = yield* HeldChanges
    const knownRoots = yield* TrustRootNames
    const keyProblemOf = yield* TrustedKeyCheck
    const turns = KeyedMutex.make()

    const tell = ({ version }: TrustPolicyVersion, result: Saved) =>
      CurrentOutcome.setOutcome({ type: "trust-policy", id: null, name: null, result, version })

    /** Appends a version; if a concurrent one took its number, it compares the text with that one. */
    const save = (
      writer: WriteContext.WriteContext,
      org: OrgName,
      { comment, text }: TrustPolicyDraft
    ): Effect.Effect<Saved, ChangeHeld | StoreError> =>
      Effect.gen(function* () {
        const latest = Option.getOrUndefined(yield* store.findLatest(writer.org))
        if (latest?.text === text) {
          yield* tell(latest, "unchanged")
          return "unchanged"
        }
        yield* held.check(writer, {
          kinds: ["trust"],
          subject: { type: "trust-policy", name: org },
          before: latest === undefined ? null : { version: latest.version, text: latest.text },
          after: { text }
        })
        const made: TrustPolicyVersion = {
          org_id: writer.org,
          version: (latest?.version ?? 0) + 1,
          text,
          comment,
          created_by: writer.actor.name,
          at: writer.at
        }
        if (!(yield* store.append(made))) return yield* save(writer, org, { comment, text })
        const { org_id, version } = made
        yield* journals.record({
          ...writer,
          kind: "trust_policy_version_created",
          subject: { type: "org", id: org_id },
          content: { org_id, version, text, comment }
        })
        yield* tell(made, "created")
        return "created"
      })

    /**
     * Adds a version if the text differs from the latest one, byte for byte. Concurrent calls all succeed: different
     * texts get numbers without a gap. A text with a trust root or key that this deployment cannot use is refused.
     */
    const put = Effect.fn("TrustPolicies.put")(function* (org: OrgName, draft: TrustPolicyDraft) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "trust-policy.write")
      yield* TrustPolicyDocument.parse(draft.text, { knownRoots, keyProblemOf })
      const saved = transaction.run(granted.orgId, (scope) =>
        Effect.flatMap(scope.now, (now) => save(WriteContext.make(granted, now), org, draft))
      )
      return yield* turns(granted.orgId, saved)
    })

    /** The latest version; fails if there is none. */
    const get = Effect.fn("TrustPolicies.get")(function* (org: OrgName) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const found = yield* store.findLatest(orgId)
      return Option.isSome(found) ? found.value : yield* new TrustPolicyNotFound({ org })
    })

    /** Every version, newest first. */
    const versions = Effect.fn("TrustPolicies.versions")(function* (org: OrgName) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      return yield* store.list(orgId)
    })

    return { put, get, versions } as const
  })
}) {}
