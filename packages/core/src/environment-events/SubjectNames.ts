/**
 * The current names of subjects of journal entries, for entries that have only an id.
 *
 * WHY not in `journal`: it reads flows, trails and environments, which are of later modules.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { FlowStore } from "../flow/FlowStore.js"
import type { JournalSubject } from "../journal/JournalEntry.js"
import { EnvironmentId, FlowId, type OrgName, TrailId } from "../shared/Identifier.js"
import { TrailStore } from "../trail/TrailStore.js"

/** A subject with its name; a trail also has that of its flow. */
export interface NamedSubject {
  readonly type: string
  readonly id: string
  readonly name: string
  readonly flowName?: string
}

const idsOf = <Id extends string>(
  subjects: ReadonlyArray<JournalSubject>,
  type: string,
  isId: (text: unknown) => text is Id
): ReadonlyArray<Id> =>
  [...new Set(subjects.filter((subject) => subject.type === type).map(({ id }) => id))].filter(isId)

const isEnvironment = Schema.is(EnvironmentId)
const isFlow = Schema.is(FlowId)
const isTrail = Schema.is(TrailId)

/** Use case: names of what journal entries are about. */
export class SubjectNames extends Effect.Service<SubjectNames>()("@attestry/core/SubjectNames", {
  effect: Effect.gen(function* () {
    const environments = yield* EnvironmentStore
    const flows = yield* FlowStore
    const trails = yield* TrailStore

    /** The names of those that are environments, flows or trails; others, and unknown ids, are left out. */
    const list = Effect.fn("SubjectNames.list")(function* (
      org: OrgName,
      subjects: ReadonlyArray<JournalSubject>
    ) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "journal.read")
      const trailIds = idsOf(subjects, "trail", isTrail)
      const found = trailIds.length === 0 ? [] : yield* trails.listByIds(orgId, trailIds)
      const flowIds = [
        ...new Set([...idsOf(subjects, "flow", isFlow), ...found.map(({ flow_id }) => flow_id)])
      ]
      const known = flowIds.length === 0 ? [] : yield* flows.listByIds(orgId, flowIds)
      const flowNames = new Map(known.map(({ id, name }) => [id, name]))
      const environmentIds = idsOf(subjects, "environment", isEnvironment)
      const environmentNames =
        environmentIds.length === 0 ? [] : yield* environments.names(orgId, environmentIds)
      return [
        ...Array.from(environmentNames, ([id, name]) => ({ type: "environment", id, name })),
        ...known.map(({ id, name }) => ({ type: "flow", id, name })),
        ...found.map(({ id, name, flow_id }) => {
          const flowName = flowNames.get(flow_id)
          return { type: "trail", id, name, ...(flowName === undefined ? {} : { flowName }) }
        })
      ] satisfies ReadonlyArray<NamedSubject>
    })

    return { list } as const
  })
}) {}
