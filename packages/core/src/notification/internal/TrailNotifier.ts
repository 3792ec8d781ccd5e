/**
 * Adds deliveries to the outbox when something is stored about a trail: `TrailListener`.
 *
 * Runs in the transaction of the write that causes the notification, so that both commit or neither does (P-OUTBOX).
 * Where no subscription has the trigger, nothing but the subscriptions is read.
 */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { commitOf } from "../../artifact/Artifact.js"
import { ArtifactStore } from "../../artifact/ArtifactStore.js"
import { Fingerprint } from "../../artifact/Fingerprint.js"
import type { StoredEvaluation } from "../../compliance/StoredEvaluation.js"
import type { LogStore } from "../../log/LogStore.js"
import type { OrgStore } from "../../org/OrgStore.js"
import type { IdGenerator } from "../../shared/IdGenerator.js"
import { StoreError } from "../../shared/StoreError.js"
import type { TrailEvent } from "../../trail/internal/TrailEvent.js"
import { TrailListener, type TrailOccurrence } from "../../trail/internal/TrailListener.js"
import { TrailStore } from "../../trail/TrailStore.js"
import type { NotifiedArtifact } from "../Notification.js"
import { NotificationStore } from "../NotificationStore.js"
import type { OutboxStore } from "../OutboxStore.js"
import * as FiringDeliveries from "./FiringDeliveries.js"
import * as TrailTrigger from "./TrailTrigger.js"

const BEGUN: TrailOccurrence = { _tag: "TrailBegun" }

/** INVARIANT: a trail is evaluated in the transaction that begins it. */
const NOT_EVALUATED = new StoreError({
  operation: "TrailListener.stored",
  cause: new Error("the evaluation is missing")
})

/** `TrailListener` on the outbox. */
export const layer: Layer.Layer<
  TrailListener,
  never,
  ArtifactStore | TrailStore | NotificationStore | IdGenerator | LogStore | OrgStore | OutboxStore
> = Layer.effect(
  TrailListener,
  Effect.gen(function* () {
    const subscriptions = yield* NotificationStore
    const evaluations = yield* TrailStore
    const artifacts = yield* ArtifactStore
    const deliveries = yield* FiringDeliveries.make

    /** The newest record of the artifact on the trail, with its status; null where there is none. */
    const artifactOf = (
      { writer, flow, trail }: TrailEvent,
      occurrence: TrailOccurrence,
      { records }: StoredEvaluation
    ): Effect.Effect<NotifiedArtifact | null, StoreError> =>
      Effect.gen(function* () {
        if (occurrence._tag === "TrailBegun" || occurrence.fingerprint === null) return null
        const fingerprint = Fingerprint.make(occurrence.fingerprint)
        const key = { org: writer.org, flow: flow.id, trail: trail.id, fingerprint }
        const [newest] = yield* artifacts.listByContent(key)
        const record = records.find(({ artifact_id }) => artifact_id === newest?.id)
        if (newest === undefined || record === undefined) return null
        const { slot, report } = newest
        return {
          name: report.filename,
          fingerprint,
          provenance: {
            flow: flow.name,
            trail: trail.name,
            slot,
            status: record.status,
            commit: commitOf(report),
            commit_url: report.commit_url,
            build_url: report.build_url
          }
        }
      })

    const stored = Effect.fnUntraced(function* (
      event: TrailEvent,
      occurrence: TrailOccurrence,
      sequence: number
    ) {
      const { writer, flow, trail, isBegin, begun } = event
      const watching = yield* subscriptions.listWatchingFlow(writer.org, flow.id)
      const own = { occurrence, sequence }
      const occurrences = (
        isBegin === true ? [{ occurrence: BEGUN, sequence: begun }, own] : [own]
      ).filter((one) =>
        watching.some(({ triggers }) => triggers.includes(TrailTrigger.triggerOf(one.occurrence)))
      )
      if (occurrences.length === 0) return
      const found = yield* evaluations.findEvaluation(writer.org, trail.id)
      if (Option.isNone(found)) return yield* NOT_EVALUATED
      const input: TrailTrigger.TrailTriggerInput = {
        org: yield* deliveries.nameOf(writer.org),
        at: writer.at,
        flow: flow.name,
        trailId: trail.id,
        trail: { name: trail.name, status: found.value.trail.status },
        artifact: yield* artifactOf(event, occurrence, found.value)
      }
      for (const one of occurrences) {
        yield* deliveries.send(
          {
            org: writer.org,
            at: writer.at,
            sequence: one.sequence,
            about: { kind: "flow", id: flow.id }
          },
          [TrailTrigger.firingOf(one.occurrence, input)],
          watching
        )
      }
    })

    return { stored }
  })
)
