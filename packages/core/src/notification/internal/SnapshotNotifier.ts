/**
 * Adds deliveries to the outbox when something happens in an environment: `SnapshotListener`.
 *
 * Runs in the transaction of the write that causes the notification, so that both commit or neither does
 * (P-OUTBOX). Provenance is read only for rows with subscribers.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { distinctKnown } from "../../artifact/Fingerprint.js"
import * as Environment from "../../environment/Environment.js"
import type { OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { FlowView } from "../../snapshot/FlowView.js"
import { MemberChanges } from "../../snapshot/internal/MemberChanges.js"
import {
  type AllowedArtifact,
  type AppendedSnapshot,
  type ChangedWaiver,
  type ReportingEnvironment,
  type SilentEnvironment,
  SnapshotListener
} from "../../snapshot/internal/SnapshotListener.js"
import * as LogicalRows from "../../snapshot/LogicalRows.js"
import { type FlowRecord, ProvenanceStore } from "../../snapshot/ProvenanceStore.js"
import * as RowEvidence from "../../snapshot/RowEvidence.js"
import type { ListedRow } from "../../snapshot/Snapshot.js"
import { type EventPosition, SnapshotStore } from "../../snapshot/SnapshotStore.js"
import type { AboutThing } from "../Audience.js"
import type { EnvironmentNotification, Trigger } from "../EnvironmentNotification.js"
import type { Provenance as NotifiedProvenance, NotifiedSnapshot } from "../Notification.js"
import { NotificationStore } from "../NotificationStore.js"
import * as EnvironmentTrigger from "./EnvironmentTrigger.js"
import * as FiringDeliveries from "./FiringDeliveries.js"
import * as NotificationTrigger from "./NotificationTrigger.js"

/** The number of events of one snapshot that are read at a time. */
const EVENTS_AT_ONCE = 1_000

/** A changed row, in the environment in which it runs. */
interface NotifiedRow extends Pick<ListedRow, "name" | "fingerprint" | "annotation" | "flows"> {
  readonly environment: string
}

/** The provenance in the primary flow, and the flow; null without one. */
const provenanceOf = (
  [primary]: ReadonlyArray<FlowView>,
  records: ReadonlyArray<FlowRecord>
): Pick<NotificationTrigger.ChangedRow, "provenance" | "flow"> => {
  if (primary === undefined) return { provenance: null }
  const flow = records.find(({ artifact }) => artifact.flow_id === primary.flow_id)
  if (flow === undefined) return { provenance: null }
  const provenance: NotifiedProvenance = {
    flow: flow.flowName,
    trail: primary.trail_name,
    slot: primary.slot,
    status: primary.status,
    commit: primary.git_commit,
    commit_url: primary.commit_url,
    build_url: flow.artifact.id === primary.artifact_id ? flow.artifact.report.build_url : null
  }
  return { provenance, flow: primary.flow_id }
}

/** The environment in which something happened. */
const aboutOf = ({ id }: Pick<Environment.Environment, "id">): AboutThing => ({
  kind: "environment",
  id
})

/** Reads the changed rows, their provenance, and the previous verdict. */
const makeReading = Effect.gen(function* () {
  const snapshots = yield* SnapshotStore
  const members = yield* MemberChanges
  const provenance = yield* ProvenanceStore

  const recordsOf = (
    org: OrgId,
    rows: ReadonlyArray<Pick<NotifiedRow, "fingerprint">>
  ): Effect.Effect<ReadonlyArray<FlowRecord>, StoreError> => {
    const known = distinctKnown(rows.map(({ fingerprint }) => fingerprint))
    return known.length === 0 ? Effect.succeed([]) : provenance.records(org, known, [])
  }

  const changedIn = (
    snapshot: AppendedSnapshot,
    after: Option.Option<EventPosition> = Option.none()
  ): Effect.Effect<ReadonlyArray<NotifiedRow>, StoreError> =>
    Effect.gen(function* () {
      const { environment, head } = snapshot
      const { index } = head
      const query = { span: { first: index, last: index }, skip: 0, after, limit: EVENTS_AT_ONCE }
      const found = yield* snapshots.events(Environment.ref(environment), {
        ...query,
        newestFirst: false
      })
      const rows = found.map(({ row, annotation }) => ({
        ...row,
        annotation,
        environment: environment.name
      }))
      const last = found.at(-1)
      return found.length < EVENTS_AT_ONCE || last === undefined
        ? rows
        : [...rows, ...(yield* changedIn(snapshot, Option.some(last)))]
    })

  const changedInMembers = ({ environment, head: { index } }: AppendedSnapshot) =>
    Effect.gen(function* () {
      const found = yield* snapshots.find(Environment.ref(environment), { _tag: "AtIndex", index })
      if (Option.isNone(found)) return []
      return LogicalRows.compose(yield* members.read(found.value))
    })

  const previousVerdict = ({ environment, head: { index } }: AppendedSnapshot) =>
    Effect.map(
      snapshots.heads(Environment.ref(environment), { first: index - 1, last: index - 1 }),
      ([head]) => head?.verdict ?? null
    )

  return {
    recordsOf,
    previousVerdict,
    latest: (environment: Environment.Environment) =>
      Effect.map(snapshots.latest(Environment.ref(environment)), (found) =>
        Option.getOrNull(Option.map(found, ({ index, verdict }) => ({ index, verdict })))
      ),
    changedRows: (
      snapshot: AppendedSnapshot
    ): Effect.Effect<ReadonlyArray<NotifiedRow>, StoreError> =>
      snapshot.environment.type === "logical" ? changedInMembers(snapshot) : changedIn(snapshot)
  }
})

const subscribes = (
  subscriptions: ReadonlyArray<EnvironmentNotification>,
  trigger: Trigger | null
): boolean => trigger !== null && subscriptions.some(({ triggers }) => triggers.includes(trigger))

const ROW_TRIGGERS: ReadonlyArray<Trigger> = [
  "ON_STARTED_ARTIFACT",
  "ON_EXITED_ARTIFACT",
  "ON_SCALED_ARTIFACT"
]

const VERDICT_TRIGGERS: ReadonlyArray<Trigger> = ["ON_COMPLIANT_ENV", "ON_NON_COMPLIANT_ENV"]

/** Use cases of notifying: called by the writes of `SnapshotListener`. */
export class SnapshotNotifier extends Effect.Service<SnapshotNotifier>()(
  "@attestry/core/SnapshotNotifier",
  {
    effect: Effect.gen(function* () {
      const store = yield* NotificationStore
      const reading = yield* makeReading
      const sending = yield* FiringDeliveries.make

      /** The changed rows with subscribers, with their provenance. */
      const rowsFor = (
        snapshot: AppendedSnapshot,
        subscriptions: ReadonlyArray<EnvironmentNotification>
      ): Effect.Effect<ReadonlyArray<NotificationTrigger.ChangedRow>, StoreError> =>
        Effect.gen(function* () {
          if (!ROW_TRIGGERS.some((trigger) => subscribes(subscriptions, trigger))) return []
          const rows = (yield* reading.changedRows(snapshot)).filter(({ annotation }) =>
            subscribes(subscriptions, NotificationTrigger.triggerOf(annotation))
          )
          const records = yield* reading.recordsOf(snapshot.writer.org, rows)
          return rows.map(({ name, fingerprint, annotation, flows, environment: place }) => ({
            place,
            name,
            fingerprint,
            annotation,
            ...provenanceOf(
              flows,
              records.filter(({ artifact }) => artifact.fingerprint === fingerprint)
            )
          }))
        })

      /** The previous verdict; null also when no subscription needs it. */
      const verdictFor = (
        snapshot: AppendedSnapshot,
        subscriptions: ReadonlyArray<EnvironmentNotification>
      ) =>
        VERDICT_TRIGGERS.some((trigger) => subscribes(subscriptions, trigger))
          ? reading.previousVerdict(snapshot)
          : Effect.succeed(null)

      const appended = (snapshot: AppendedSnapshot) =>
        Effect.gen(function* () {
          const { writer, environment, head, warned } = snapshot
          const subscriptions = yield* store.listWatchingEnvironment(
            Environment.ref(environment),
            environment.name
          )
          if (subscriptions.length === 0) return
          const firings = NotificationTrigger.ofSnapshot({
            org: yield* sending.nameOf(writer.org),
            environment: environment.name,
            environmentId: environment.id,
            at: head.timestamp,
            snapshot: { index: head.index, verdict: head.verdict },
            previousVerdict: yield* verdictFor(snapshot, subscriptions),
            rows: yield* rowsFor(snapshot, subscriptions),
            warned
          })
          const { sequence } = snapshot.recorded ?? {}
          const about = aboutOf(environment)
          const place = { org: writer.org, at: head.timestamp, sequence, about }
          yield* sending.send(place, firings, subscriptions)
        })

      const allowed = ({ writer, environment, entry, sequence }: AllowedArtifact) =>
        Effect.gen(function* () {
          const ref = Environment.ref(environment)
          const subscriptions = yield* store.listWatchingEnvironment(ref, environment.name)
          if (!subscribes(subscriptions, "ON_ALLOWED_ARTIFACT")) return
          const { name, fingerprint } = entry
          const records = yield* reading.recordsOf(writer.org, [entry])
          const views = (RowEvidence.group(records).get(fingerprint) ?? []).map(RowEvidence.viewOf)
          const firing = NotificationTrigger.ofAllowance({
            org: yield* sending.nameOf(writer.org),
            environment: environment.name,
            environmentId: environment.id,
            at: writer.at,
            snapshot: yield* reading.latest(environment),
            row: { name, fingerprint, ...provenanceOf(views, records) }
          })
          const about = aboutOf(environment)
          const place = { org: writer.org, at: writer.at, sequence, about }
          yield* sending.send(place, [firing], subscriptions)
        })

      /** Sends what happened to an environment, where a subscription has the trigger. */
      const send = (
        trigger: Trigger,
        {
          writer,
          environment,
          sequence
        }: Pick<SilentEnvironment, "writer" | "environment" | "sequence">,
        firingOf: (
          place: NotificationTrigger.SnapshotTrigger & {
            readonly snapshot: NotifiedSnapshot | null
          }
        ) => NotificationTrigger.Firing
      ) =>
        Effect.gen(function* () {
          const { org, at } = writer
          const subscriptions = yield* store.listWatchingEnvironment(
            Environment.ref(environment),
            environment.name
          )
          if (!subscribes(subscriptions, trigger)) return
          const firing = firingOf({
            org: yield* sending.nameOf(org),
            environment: environment.name,
            environmentId: environment.id,
            at,
            snapshot: yield* reading.latest(environment)
          })
          const about = aboutOf(environment)
          yield* sending.send({ org, at, sequence, about }, [firing], subscriptions)
        })

      const silent = (silence: SilentEnvironment) =>
        send("ON_SILENT_ENV", silence, (place) =>
          EnvironmentTrigger.ofSilence({ ...place, since: silence.since })
        )

      const reporting = (silence: ReportingEnvironment) =>
        send("ON_REPORTING_ENV", silence, (place) =>
          EnvironmentTrigger.ofReporting({ ...place, since: silence.silentSince })
        )

      const waiverChanged = (changed: ChangedWaiver) =>
        send("ON_WAIVER_CHANGED", changed, (place) => {
          const { waiver, change, sequence } = changed
          return EnvironmentTrigger.ofWaiver({ ...place, waiver, change, sequence })
        })

      return { appended, allowed, silent, reporting, waiverChanged } as const
    })
  }
) {}

/** `SnapshotListener` on the outbox. */
export const layerListener: Layer.Layer<SnapshotListener, never, SnapshotNotifier> = Layer.effect(
  SnapshotListener,
  SnapshotNotifier
)
