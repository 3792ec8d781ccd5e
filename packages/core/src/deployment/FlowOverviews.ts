/** A flow with its repository and its last deployment. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { ArtifactStore } from "../artifact/ArtifactStore.js"
import type { Flow } from "../flow/Flow.js"
import { Flows } from "../flow/Flows.js"
import type { FlowName, OrgName } from "../shared/Identifier.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { DeploymentStore } from "./DeploymentStore.js"

/** A flow with its repository and its last deployment. */
export interface FlowOverview {
  readonly flow: Flow
  /** The repository of its newest artifact; empty without one. */
  readonly repoUrl: string
  /** The instant of the last deployment of one of its artifacts; null without one. */
  readonly lastDeploymentAt: Timestamp | null
}

const NEWEST = { page: 1, perPage: 1 }

/** Use cases: overviews of flows. */
export class FlowOverviews extends Effect.Service<FlowOverviews>()("@attestry/core/FlowOverviews", {
  effect: Effect.gen(function* () {
    const flows = yield* Flows
    const artifacts = yield* ArtifactStore
    const deployments = yield* DeploymentStore

    /** The flow of that name; fails when there is none. */
    const get = Effect.fn("FlowOverviews.get")(function* (org: OrgName, name: FlowName) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const flow = yield* flows.get(org, name)
      const [newest] = yield* artifacts.list({ org: orgId, flow: flow.id }, NEWEST)
      const deployed = yield* deployments.findNewest(orgId, { flow: flow.id })
      const overview: FlowOverview = {
        flow,
        repoUrl: newest?.report.repo_url ?? "",
        lastDeploymentAt: Option.getOrNull(Option.map(deployed, ({ event }) => event.timestamp))
      }
      return overview
    })

    return { get } as const
  })
}) {}
