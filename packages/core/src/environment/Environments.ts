/** Creates, changes, finds and lists environments. SPEC §4.4 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as WriteContext from "../access/internal/WriteContext.js"
import { type GrantedWithin, Reaches, readableWithin } from "../access/Reaches.js"
import { Journals } from "../journal/Journals.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import {
  EnvironmentId,
  type EnvironmentName,
  type OrgName,
  type PolicyId
} from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import type { Page, Paged } from "../shared/Page.js"
import * as Tags from "../shared/Tags.js"
import * as Upsert from "../shared/Upsert.js"
import type { WriteOutcome } from "../shared/WriteOutcome.js"
import { LogicalSnapshots } from "../snapshot/internal/LogicalSnapshots.js"
import { Silences } from "../snapshot/internal/Silences.js"
import { Reevaluations } from "../snapshot/Reevaluations.js"
import { Placements } from "../space/Placements.js"
import * as Cadence from "./Cadence.js"
import * as Environment from "./Environment.js"
import * as EnvironmentFailure from "./EnvironmentFailure.js"
import { fromWord } from "./EnvironmentKind.js"
import type * as EnvironmentList from "./EnvironmentList.js"
import { EnvironmentStore } from "./EnvironmentStore.js"
import { AttachedPolicies } from "./internal/AttachedPolicies.js"
import * as GivenMembers from "./internal/GivenMembers.js"
import { cadenceIn, modesIn } from "./internal/GivenSettings.js"
import * as PlacedEnvironments from "./internal/PlacedEnvironments.js"
import { UpToDateEnvironments } from "./UpToDateEnvironments.js"

type Env = Environment.Environment
type Draft = Environment.EnvironmentDraft

/** The context of a PUT, and the policies to attach where the request names them. */
interface Putting {
  readonly granted: GrantedWithin
  readonly writer: WriteContext.WriteContext
  readonly policies?: ReadonlyArray<PolicyId>
}

/** The spaces, by id, of which a list shows what is in them and below them. */
export interface EnvironmentsInSpaces {
  readonly spaces?: ReadonlyArray<string>
}

/** The environment to change, and the policies to attach where the request names them. */
interface Changed {
  readonly org: OrgName
  readonly name: EnvironmentName
  /** Its name after the change, where that is another one. */
  readonly newName?: EnvironmentName
  readonly policies?: ReadonlyArray<string>
  /** The names of members that it may take. */
  readonly members?: ReadonlyArray<string> | undefined
}

const tell = (environment: Env, result: WriteOutcome["result"]) =>
  CurrentOutcome.setOutcomeOf("environment", environment, result)

/** Journals an environment. WHY without due instants: they follow from evidence and reports, without an entry. */
const recorder =
  (journals: Journals) =>
  (
    writer: WriteContext.WriteContext,
    kind: string,
    { due_at: _due, silence_due_at: _look, ...environment }: Env
  ) =>
    journals.record({
      ...writer,
      kind,
      subject: { type: "environment", id: environment.id },
      content: environment
    })

/** Use cases of environments. */
export class Environments extends Effect.Service<Environments>()("@attestry/core/Environments", {
  effect: Effect.gen(function* () {
    const store = yield* EnvironmentStore
    const ids = yield* IdGenerator
    const logicalSnapshots = yield* LogicalSnapshots
    const attached = yield* AttachedPolicies
    const settled = yield* UpToDateEnvironments
    const reevaluations = yield* Reevaluations
    const silences = yield* Silences
    const reaches = yield* Reaches
    const placements = yield* Placements
    const present = yield* PlacedEnvironments.make

    const record = recorder(yield* Journals)
    const members = yield* GivenMembers.make

    /** The policies by their names, locked until the transaction ends; none without names. */
    const hold = (granted: GrantedWithin, names: ReadonlyArray<string> | undefined) =>
      names === undefined ? Effect.succeed(undefined) : attached.holdReadable(granted, names)

    const insert = ({ granted, writer, policies = [] }: Putting, draft: Draft) =>
      Effect.gen(function* () {
        const space = yield* placements.choose(granted, { ...draft, kind: "environment" })
        // WHY: an actor that may only report must not choose the policies that evaluate its reports.
        if (policies.length > 0) yield* reaches.checkIn(granted.org, "policy.write", space)
        const modes = yield* modesIn(attached)(granted, policies, draft.policy_modes)
        const type = fromWord(draft.type)
        const { name, included_environments } = draft
        const included = yield* members.idsOf(granted, { name, type }, included_environments)
        const environment = Environment.create(
          { org_id: writer.org, id: EnvironmentId.make(yield* ids.next) },
          draft,
          {
            included: included ?? [],
            policies,
            modes,
            cadence: yield* cadenceIn({ name, type }, draft),
            at: writer.at
          }
        )
        yield* attached.checkHeld(writer, space, environment)
        const created = yield* store.insert(environment)
        if (!created) return false
        yield* tell(environment, "created")
        yield* record(writer, "environment_created", environment)
        const { id } = environment
        yield* placements.put(writer, { kind: "environment", id, name }, space)
        yield* attached.recordChanges(writer, { before: { policies: [] }, after: environment })
        if (included !== undefined && included.length > 0) {
          yield* logicalSnapshots.append(writer, environment)
        }
        return true
      })

    /** Writes settings that differ; new members and other policies append one snapshot. */
    const save = (writer: WriteContext.WriteContext, current: Env, revised: Env) =>
      Effect.gen(function* () {
        yield* attached.checkHeld(writer, current, revised)
        const isSteady = Cadence.equals(current, revised)
        const next = isSteady ? revised : yield* silences.revised(writer, revised)
        yield* store.update(next)
        yield* record(writer, "environment_updated", next)
        yield* attached.recordChanges(writer, { before: current, after: next })
        if (!Environment.sameMembers(current, next)) yield* logicalSnapshots.append(writer, next)
        else if (!Environment.samePolicies(current, next)) yield* attached.reevaluate(writer, next)
        if (!isSteady) yield* reevaluations.cadenceChanged(writer, next)
      })

    const update =
      ({ granted, writer, policies }: Putting, draft: Draft) =>
      (environment: Env) =>
        Effect.gen(function* () {
          yield* reaches.permitTaken(granted, { kind: "environment", id: environment.id })
          const asked = fromWord(draft.type)
          if (environment.type !== asked) {
            return yield* new EnvironmentFailure.EnvironmentKindMismatch({
              environment: environment.name,
              kind: environment.type,
              asked
            })
          }
          const included = yield* members.idsOf(granted, environment, draft.included_environments)
          const ids = policies ?? environment.policies
          const modes = yield* modesIn(attached)(granted, ids, draft.policy_modes)
          const next = Environment.revise(
            environment,
            {
              ...Environment.settingsPut(draft),
              included,
              policies,
              modes,
              cadence: yield* cadenceIn(environment, draft)
            },
            writer.at
          )
          const isSame = Environment.sameSettings(environment, next)
          yield* tell(environment, isSame ? "unchanged" : "updated")
          if (isSame) return "unchanged" as const
          // An actor that may only report must not change settings by a second PUT.
          yield* reaches.checkAt(granted.org, "environment.write", {
            kind: "environment",
            id: environment.id
          })
          yield* save(writer, environment, next)
          return "updated" as const
        })

    /** Creates or updates the environment; identical concurrent calls all succeed. */
    const put = Effect.fn("Environments.put")(function* (
      org: OrgName,
      draft: Environment.EnvironmentDraft
    ) {
      const granted = yield* reaches.authorize(org, "environment.put")
      return yield* reevaluations.change(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const policies = yield* hold(granted, draft.policies)
          yield* members.hold(granted, draft.included_environments)
          const writer = WriteContext.make(granted, now)
          const putting: Putting = {
            granted,
            writer,
            ...(policies === undefined ? {} : { policies })
          }
          return yield* Upsert.put({
            // DECISIONS.md, "Old names keep working": a creating PUT takes a name that leads to a renamed or archived
            // environment.
            find: Effect.map(reevaluations.lock({ org: writer.org, name: draft.name }), (found) =>
              Option.filter(
                Option.map(found, ({ environment }) => environment),
                ({ name, archived_at }) => name === draft.name && archived_at === null
              )
            ),
            insert: insert(putting, draft),
            update: update(putting, draft)
          })
        })
      )
    })

    /** Locks an environment and changes it in one transaction; the change returns what it did, and is told. */
    const change = <A extends "updated" | "unchanged" | "archived", E>(
      { org, name, newName, policies: names, members: taken }: Changed,
      apply: (environment: Env, by: Putting) => Effect.Effect<A, E>
    ) =>
      Effect.gen(function* () {
        const granted = yield* reaches.authorize(org, "environment.write")
        return yield* reevaluations.change(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const policies = yield* hold(granted, names)
            yield* members.hold(granted, taken)
            const { environment } = yield* Effect.flatMap(
              reevaluations.lock({ org: granted.orgId, name }),
              present(granted, name)
            )
            const writer = WriteContext.make(granted, now)
            const by = { granted, writer, ...(policies === undefined ? {} : { policies }) }
            return yield* Effect.tap(apply(environment, by), (result) =>
              tell({ ...environment, name: newName ?? environment.name }, result)
            )
          })
        )
      })

    /** Changes the fields of the patch; the others stay. */
    const patch = (org: OrgName, name: EnvironmentName, fields: Environment.EnvironmentPatch) =>
      change(
        { org, name, ...fields, members: fields.included_environments },
        (environment, { granted, writer, policies }) =>
          Effect.gen(function* () {
            const included = yield* members.idsOf(
              granted,
              environment,
              fields.included_environments
            )
            const ids = policies ?? environment.policies
            const modes = yield* modesIn(attached)(granted, ids, fields.policy_modes)
            const next = Environment.revise(
              environment,
              {
                ...Environment.settingsIn(fields),
                included,
                policies,
                modes,
                cadence: yield* cadenceIn(environment, fields)
              },
              writer.at
            )
            if (Environment.sameSettings(environment, next)) return "unchanged" as const
            yield* save(writer, environment, next)
            return "updated" as const
          })
      ).pipe(Effect.withSpan("Environments.patch"))

    /** Adds a physical environment to a logical one; changes nothing when it is a member. */
    const join = (org: OrgName, logical: EnvironmentName, physical: string) =>
      change({ org, name: logical, members: [physical] }, (environment, { granted, writer }) =>
        Effect.gen(function* () {
          if (environment.included === null) {
            return yield* new EnvironmentFailure.EnvironmentNotLogical({
              environment: environment.name,
              kind: environment.type
            })
          }
          const member = yield* members.memberOf(granted)(physical)
          if (environment.included.includes(member)) return "unchanged" as const
          const included = [...environment.included, member]
          const next = Environment.revise(environment, { included }, writer.at)
          yield* save(writer, environment, next)
          return "updated" as const
        })
      ).pipe(Effect.withSpan("Environments.join"))

    /** Archives the environment and frees its name; its history stays. */
    const archive = (org: OrgName, name: EnvironmentName) =>
      change({ org, name }, (environment, { writer }) =>
        Effect.gen(function* () {
          const next = Environment.archive(environment, writer.at)
          const groups = yield* store.lockGroupsOf(Environment.ref(environment))
          yield* store.rename(next, environment.name)
          yield* record(writer, "environment_archived", next)
          yield* Effect.forEach(groups, (group) => logicalSnapshots.append(writer, group))
          return "archived" as const
        })
      ).pipe(Effect.asVoid, Effect.withSpan("Environments.archive"))

    /** Renames the environment; the old name leads to it until another environment takes it. */
    const rename = (org: OrgName, name: EnvironmentName, newName: EnvironmentName) =>
      change({ org, name, newName }, (environment, { granted, writer }) =>
        Effect.gen(function* () {
          if (environment.name === newName) return "unchanged" as const
          const { id } = environment
          yield* placements.checkName(writer.org, { kind: "environment", id }, newName)
          const next = { ...environment, name: newName, last_modified_at: writer.at }
          if (!(yield* store.rename(next, environment.name))) {
            const taken = { org: granted.org, environment: newName }
            return yield* new EnvironmentFailure.EnvironmentNameTaken(taken)
          }
          yield* record(writer, "environment_renamed", next)
          return "updated" as const
        })
      ).pipe(Effect.withSpan("Environments.rename"))

    /** Sets and removes tags; removing an absent tag changes nothing. */
    const tag = (org: OrgName, name: EnvironmentName, tags: Tags.TagChange) =>
      change({ org, name }, (environment, { writer }) =>
        Effect.gen(function* () {
          const next = {
            ...environment,
            tags: Tags.apply(environment.tags, tags),
            last_modified_at: writer.at
          }
          if (Tags.equals(environment.tags, next.tags)) return "unchanged" as const
          yield* store.update(next)
          yield* record(writer, "environment_tagged", next)
          return "updated" as const
        })
      ).pipe(Effect.withSpan("Environments.tag"))

    /** Environments with the names of their policies and members, without archived members. */
    const views = (granted: GrantedWithin, shown: ReadonlyArray<Env>) =>
      Effect.gen(function* () {
        const members = new Set(shown.flatMap(({ included }) => included ?? []))
        const names =
          members.size === 0
            ? new Map()
            : yield* store.names(granted.orgId, [...members], { active: true })
        const policiesOf = yield* attached.namesOf(granted.orgId, shown)
        return shown.map(
          (environment): Environment.EnvironmentView => ({
            org: granted.org,
            environment,
            included:
              environment.included?.flatMap((id) => {
                const name = names.get(id)
                return name === undefined ? [] : [name]
              }) ?? null,
            ...policiesOf(environment)
          })
        )
      })

    /** The environment of that name; fails when there is none. */
    const get = Effect.fn("Environments.get")(function* (org: OrgName, name: EnvironmentName) {
      const granted = yield* reaches.authorize(org, "org.read")
      // WHY first: an environment that the caller does not read is not evaluated for it.
      if (granted.readable._tag === "Part")
        yield* Effect.flatMap(
          store.findByName({ org: granted.orgId, name }),
          present(granted, name)
        )
      const { environment: found, isPending } = yield* settled.find(granted, name)
      const environment: Env = isPending ? { ...found, verdict_pending: true } : found
      const [view = { org, environment, included: null, policies: [], policyModes: {} }] =
        yield* views(granted, [environment])
      return view
    })

    /** The active environments that pass the query: one page of them, or all. */
    const list = Effect.fn("Environments.list")(function* (
      org: OrgName,
      { spaces, ...query }: EnvironmentList.EnvironmentQuery & EnvironmentsInSpaces,
      page: Option.Option<Page>
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const readable = yield* reaches.narrowed(granted, spaces)
      const shown = { ...query, ...readableWithin({ readable }) }
      const { items, total } = yield* settled.select(granted.orgId, shown, page)
      return {
        items: yield* views(granted, items),
        total
      } satisfies Paged<Environment.EnvironmentView>
    })

    return { put, get, list, patch, join, archive, rename, tag } as const
  })
}) {}
