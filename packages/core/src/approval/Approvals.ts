/** Records and finds approvals. SPEC §4.12 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as WriteContext from "../access/internal/WriteContext.js"
import { Reaches } from "../access/Reaches.js"
import type { Artifact } from "../artifact/Artifact.js"
import { ArtifactNotFound } from "../artifact/ArtifactLookup.js"
import { ArtifactStore } from "../artifact/ArtifactStore.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { FlowStore } from "../flow/FlowStore.js"
import * as ReadableFlows from "../flow/internal/ReadableFlows.js"
import { Journals } from "../journal/Journals.js"
import type { FlowName, OrgId, OrgName } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import type { Page } from "../shared/Page.js"
import { Transaction } from "../shared/Transaction.js"
import { TrailListener } from "../trail/internal/TrailListener.js"
import { TrailStore } from "../trail/TrailStore.js"
import * as Approval from "./Approval.js"
import { ApprovalStore } from "./ApprovalStore.js"

/** Use cases of approvals. */
export class Approvals extends Effect.Service<Approvals>()("@attestry/core/Approvals", {
  effect: Effect.gen(function* () {
    const store = yield* ApprovalStore
    const flows = yield* FlowStore
    const artifacts = yield* ArtifactStore
    const trails = yield* TrailStore
    const environments = yield* EnvironmentStore
    const listener = yield* TrailListener
    const transaction = yield* Transaction
    const journals = yield* Journals
    const ids = yield* IdGenerator
    const reaches = yield* Reaches
    const readable = yield* ReadableFlows.make

    const append = (
      writer: WriteContext.WriteContext,
      flow: Approval.Approval["flow_id"],
      request: Approval.ApprovalRequest
    ) =>
      Effect.gen(function* () {
        yield* flows.lock({ org: writer.org, id: flow })
        return yield* store.append({
          org_id: writer.org,
          flow_id: flow,
          id: yield* ids.next,
          state: Approval.stateOf(request),
          request,
          created_by: writer.actor.name,
          created_at: writer.at
        })
      })

    /** Locks the trail before its event is journalled, so that the events of a trail keep their order. */
    const lockTrail = ({ org_id: org, flow_id: flow, trail_id }: Artifact) =>
      Effect.flatMap(trails.listByIds(org, [trail_id]), ([found]) =>
        found === undefined
          ? Effect.succeedNone
          : trails.findByName({ org, flow, name: found.name }, { lock: true })
      )

    /** Null when the approval names no environment, or an unknown one. */
    const environmentOf = (org: OrgId, { environment }: Approval.ApprovalRequest) =>
      environment === undefined || environment === null
        ? Effect.succeed(null)
        : Effect.map(
            environments.findByName({ org, name: environment }),
            Option.match({ onNone: () => null, onSome: (found) => found.environment.id })
          )

    /** Records an approval of an artifact of the flow, as an event of the artifact's newest trail. */
    const create = Effect.fn("Approvals.create")(function* (
      org: OrgName,
      flowName: FlowName,
      request: Approval.ApprovalRequest
    ) {
      const granted = yield* reaches.authorize(org, "approval.write")
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const writer = WriteContext.make(granted, now)
          const flow = yield* readable.find(granted, flowName)
          const { artifact_fingerprint: fingerprint } = request
          const key = { org: granted.orgId, flow: flow.id, fingerprint }
          const [newest] = yield* artifacts.listByContent(key)
          if (newest === undefined) {
            return yield* new ArtifactNotFound({ org, flow: flowName, fingerprint })
          }
          const approval = yield* append(writer, flow.id, request)
          const trail = yield* lockTrail(newest)
          const reviewer = request.reviews?.at(-1)?.approved_by
          const { sequence } = yield* journals.record({
            ...writer,
            kind: "artifact_approval_reported",
            subject: { type: "trail", id: newest.trail_id },
            content: {
              artifact_fingerprint: fingerprint,
              approval_id: approval.id,
              approval_number: approval.number,
              environment_id: yield* environmentOf(writer.org, request),
              environment_name: request.environment ?? null,
              state: approval.state,
              reviewer: reviewer === undefined ? writer.actor.name : `external://${reviewer}`,
              approval
            }
          })
          if (Option.isSome(trail)) {
            const event = { writer, flow, trail: trail.value }
            const { id } = approval
            yield* listener.stored(event, { _tag: "ApprovalRecorded", id, fingerprint }, sequence)
          }
          return approval
        })
      )
    })

    /** The approval of that number in the flow. */
    const get = Effect.fn("Approvals.get")(function* (
      org: OrgName,
      flowName: FlowName,
      number: number
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { orgId } = granted
      const flow = yield* readable.find(granted, flowName)
      return yield* Effect.flatMap(
        store.find({ org: orgId, flow: flow.id, number }),
        Either.fromOption(() => new Approval.ApprovalNotFound({ org, flow: flowName, number }))
      )
    })

    /** One page of the approvals of the flow, newest first. */
    const list = Effect.fn("Approvals.list")(function* (
      org: OrgName,
      flowName: FlowName,
      page: Page
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { orgId } = granted
      const flow = yield* readable.find(granted, flowName)
      return yield* store.list({ org: orgId, flow: flow.id }, page)
    })

    return { create, get, list } as const
  })
}) {}
