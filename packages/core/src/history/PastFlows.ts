/** Flows as of an instant: the name, the tags and the template of then. SPEC §4.1 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { DeploymentStore } from "../deployment/DeploymentStore.js"
import { type FlowOverview, FlowOverviews } from "../deployment/FlowOverviews.js"
import { TemplateVersionStore } from "../flow/TemplateVersionStore.js"
import type { FlowName, OrgId, OrgName } from "../shared/Identifier.js"
import { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import * as AsOf from "./AsOf.js"
import { HistoryStore } from "./HistoryStore.js"
import * as PastNames from "./internal/PastNames.js"
import { versionAt } from "./internal/VersionAt.js"

/** A flow as of an instant. */
export interface PastFlow extends FlowOverview {
  readonly asOf: Timestamp
}

/** Use cases of flows as of an instant. */
export class PastFlows extends Effect.Service<PastFlows>()("@attestry/core/PastFlows", {
  effect: Effect.gen(function* () {
    const overviews = yield* FlowOverviews
    const deployments = yield* DeploymentStore
    const history = yield* HistoryStore
    const templates = yield* TemplateVersionStore
    const names = yield* PastNames.make

    const overviewAt = (orgId: OrgId, { flow, repoUrl }: FlowOverview, asOf: Timestamp) =>
      Effect.gen(function* () {
        const versions = (yield* history.flowVersions(orgId, [flow.id])).get(flow.id) ?? []
        const version = versionAt(versions, asOf)
        if (version === undefined)
          return yield* new AsOf.NotYetThere({ noun: "Flow", name: flow.name, asOf })
        const { archived_at, at, name, tags, template_id } = version
        const template = yield* templates.find(orgId, template_id)
        if (Option.isNone(template))
          return yield* new StoreError({
            operation: "PastFlows.get",
            cause: new Error("the template is missing")
          })
        const { content } = template.value
        const deployed = yield* deployments.findNewest(orgId, {
          ...{ flow: flow.id, to: asOf, archivedBy: asOf }
        })
        return {
          flow: {
            ...flow,
            ...{ archived_at, name, tags, template_id, template: content, last_modified_at: at }
          },
          repoUrl,
          lastDeploymentAt: Option.getOrNull(Option.map(deployed, ({ event }) => event.timestamp)),
          asOf
        } satisfies PastFlow
      })

    /** The flow that had that name, as it was at an instant; fails when it was made later. */
    const get = Effect.fn("PastFlows.get")(function* (
      org: OrgName,
      name: FlowName,
      asked: AsOf.AsOf
    ) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const { asOf, isPast } = yield* names.momentOf(orgId, asked)
      if (!isPast) return { ...(yield* overviews.get(org, name)), asOf } satisfies PastFlow
      const found = yield* overviews.get(org, yield* names.flow(orgId, name, asOf))
      return yield* overviewAt(orgId, found, asOf)
    })

    return { get } as const
  })
}) {}
