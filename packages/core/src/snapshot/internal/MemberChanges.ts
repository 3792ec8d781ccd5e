/** The members of a logical environment before and in one of its snapshots, from the stores. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ReportedFingerprint } from "../../artifact/Fingerprint.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Verdict } from "../../shared/Verdict.js"
import type { MemberChange } from "../LogicalRows.js"
import type { Snapshot, SnapshotMember } from "../Snapshot.js"
import { SnapshotStore } from "../SnapshotStore.js"

const counted = (members: ReadonlyArray<SnapshotMember> | null | undefined) =>
  new Map(members?.map(({ environment_id, index }) => [environment_id, index]))

/** A member with the verdict of the snapshot that its rows are of. */
export interface ReadMember extends MemberChange {
  readonly verdict: Verdict
}

/** Reads the changes of members. */
export class MemberChanges extends Effect.Service<MemberChanges>()("@attestry/core/MemberChanges", {
  effect: Effect.gen(function* () {
    const snapshots = yield* SnapshotStore
    const environments = yield* EnvironmentStore

    /**
     * The change of each member, those that left or were archived included, under their current names or under given
     * ones; with `only`, the rows of these fingerprints.
     */
    const read = (
      snapshot: Snapshot,
      {
        only,
        namesOf = environments.names
      }: {
        readonly only?: ReadonlyArray<ReportedFingerprint> | undefined
        readonly namesOf?: EnvironmentStore["Type"]["names"] | undefined
      } = {}
    ): Effect.Effect<ReadonlyArray<ReadMember>, StoreError> =>
      Effect.gen(function* () {
        const org = snapshot.org_id
        const own = { org, environment: snapshot.environment_id }
        const before = yield* snapshots.find(own, { _tag: "AtIndex", index: snapshot.index - 1 })
        const [old, next] = [counted(Option.getOrNull(before)?.members), counted(snapshot.members)]
        const members = [...new Set([...next.keys(), ...old.keys()])]
        const names = yield* namesOf(org, members)
        return yield* Effect.forEach(members, (id) => {
          const index = next.get(id) ?? old.get(id) ?? 0
          return Effect.map(
            snapshots.find({ org, environment: id }, { _tag: "AtIndex", index }, only),
            (found): ReadMember => ({
              environment: names.get(id) ?? "",
              before: old.get(id) ?? null,
              now: next.get(id) ?? null,
              rows: Option.match(found, { onNone: () => [], onSome: ({ rows }) => rows }),
              verdict: Option.match(found, {
                onNone: () => "Unknown",
                onSome: ({ verdict }) => verdict
              })
            })
          )
        })
      })

    return { read } as const
  })
}) {}
