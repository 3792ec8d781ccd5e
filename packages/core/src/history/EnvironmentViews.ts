/** Reads an environment with its policies and its verdict, now or as of an instant. SPEC §4.4 */
import * as Effect from "effect/Effect"
import { Reaches } from "../access/Reaches.js"
import * as Environment from "../environment/Environment.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { Environments } from "../environment/Environments.js"
import * as Silence from "../environment/Silence.js"
import { PolicyStore } from "../policy/PolicyStore.js"
import type { EnvironmentName, OrgName } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"
import { SnapshotStore } from "../snapshot/SnapshotStore.js"
import * as AsOf from "./AsOf.js"
import { HistoryStore, type PolicyAttachment } from "./HistoryStore.js"
import * as EnvironmentThen from "./internal/EnvironmentThen.js"
import { versionAt } from "./internal/VersionAt.js"
import * as NamesAsOf from "./NamesAsOf.js"
import { isValidAt } from "./ValidityPeriod.js"

/** An environment; has the instant if the read is as of one. */
export interface EnvironmentReading extends Environment.EnvironmentView {
  readonly asOf?: Timestamp.Timestamp
}

/** The instants up to a limit at which attachments began and ended. */
const changesOf = (
  attachments: ReadonlyArray<PolicyAttachment>,
  asOf: Timestamp.Timestamp
): ReadonlyArray<Timestamp.Timestamp> =>
  attachments
    .flatMap(({ from, to }) => (to === null ? [from.at] : [from.at, to.at]))
    .filter((at) => at <= asOf)

/** Use cases of reading environments. */
export class EnvironmentViews extends Effect.Service<EnvironmentViews>()(
  "@attestry/core/EnvironmentViews",
  {
    effect: Effect.gen(function* () {
      const environments = yield* Environments
      const history = yield* HistoryStore
      const policies = yield* PolicyStore
      const snapshots = yield* SnapshotStore
      const store = yield* EnvironmentStore
      const names = yield* NamesAsOf.make
      const reaches = yield* Reaches
      const environmentThen = yield* EnvironmentThen.make

      /** The verdict of the snapshot in force, and its instant; null before the first snapshot. */
      const verdictAt = (ref: Environment.EnvironmentRef, asOf: Timestamp.Timestamp) =>
        Effect.gen(function* () {
          const index = yield* snapshots.indexAt(ref, asOf)
          const [head] =
            index === 0 ? [] : yield* snapshots.heads(ref, { first: index, last: index })
          return head === undefined
            ? { verdict: null, last_changed_at: null }
            : { verdict: head.verdict, last_changed_at: head.timestamp }
        })

      /** The beginning of the silence that was known at an instant; absent without one. */
      const silenceAt = (ref: Environment.EnvironmentRef, asOf: Timestamp.Timestamp) =>
        Effect.map(store.listSilences(ref), (found) => {
          const silence = found.find((each) => Silence.isDeclaredAt(each, asOf))
          return silence === undefined ? {} : { silent_since: silence.from_at }
        })

      /** The policies attached at an instant, by name, with their modes. */
      const attachedAt = (
        ref: Environment.EnvironmentRef,
        attachments: ReadonlyArray<PolicyAttachment>
      ) =>
        Effect.gen(function* () {
          const modes = new Map(attachments.map(({ mode, policy_id }) => [policy_id, mode]))
          const found = yield* policies.list(ref.org, [...modes.keys()])
          return {
            policies: found.map(({ name }) => name),
            policyModes: Object.fromEntries(
              found.map(({ id, name }) => [name, modes.get(id) ?? "enforce"])
            )
          }
        })

      /** The members that were not archived, with the names that they had. */
      const membersAt = (
        { org_id, included }: Environment.Environment,
        asOf: Timestamp.Timestamp
      ) =>
        included === null
          ? Effect.succeed(null)
          : Effect.map(names.activeNames(org_id, included, asOf), (called) =>
              included.flatMap((id) => called.get(id) ?? [])
            )

      const viewAt = (
        org: OrgName,
        environment: Environment.Environment,
        asOf: Timestamp.Timestamp
      ) =>
        Effect.gen(function* () {
          const ref = Environment.ref(environment)
          const version = versionAt(yield* history.environmentVersions(ref), asOf)
          if (version === undefined)
            return yield* new AsOf.NotYetThere({
              noun: "Environment",
              name: environment.name,
              asOf
            })
          const { position: _position, at, ...settings } = version
          const state = yield* verdictAt(ref, asOf)
          const attachments = yield* history.attachments(ref)
          const changes = [at, ...changesOf(attachments, asOf), state.last_changed_at ?? at]
          const reported = environment.last_reported_at
          const {
            report_every: _every,
            when_silent: _effect,
            silent_since: _,
            ...kept
          } = environment
          const then: Environment.Environment = {
            ...kept,
            ...settings,
            ...state,
            ...(yield* silenceAt(ref, asOf)),
            last_modified_at: Timestamp.fromMicros(Math.max(...changes)),
            // WHY null: of reports that changed nothing, only the last one is stored.
            last_reported_at: reported !== null && reported <= asOf ? reported : null
          }
          return {
            org,
            environment: then,
            included: yield* membersAt(then, asOf),
            asOf,
            ...(yield* attachedAt(
              ref,
              attachments.filter((each) => isValidAt(each, asOf))
            ))
          } satisfies EnvironmentReading
        })

      /** The environment with a name, now or as of an instant; fails if it was created later. */
      const get = Effect.fn("EnvironmentViews.get")(function* (
        org: OrgName,
        name: EnvironmentName,
        asked?: AsOf.AsOf | undefined
      ) {
        if (asked === undefined) {
          const view: EnvironmentReading = yield* environments.get(org, name)
          return view
        }
        const granted = yield* reaches.authorize(org, "org.read")
        const { asOf, isEarlier } = yield* names.momentOf(granted.orgId, asked)
        if (!isEarlier)
          return { ...(yield* environments.get(org, name)), asOf } satisfies EnvironmentReading
        return yield* viewAt(org, yield* environmentThen(granted, name, asOf), asOf)
      })

      return { get } as const
    })
  }
) {}
