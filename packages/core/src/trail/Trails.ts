/** Begins and updates trails. SPEC §4.7 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as WriteContext from "../access/internal/WriteContext.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import { TrailEvaluator } from "../compliance/internal/TrailEvaluator.js"
import type { Flow } from "../flow/Flow.js"
import { FlowStore } from "../flow/FlowStore.js"
import { Flows } from "../flow/Flows.js"
import * as FlowTemplate from "../flow/FlowTemplate.js"
import { Journals } from "../journal/Journals.js"
import type * as Repo from "../repo/Repo.js"
import { Repos } from "../repo/Repos.js"
import { setOutcomeOf } from "../shared/CurrentOutcome.js"
import type { GitCommitInfo, RepoInfo } from "../shared/GitCommit.js"
import {
  type FlowName,
  type OrgId,
  type OrgName,
  TemplateId,
  TrailId,
  type TrailName
} from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { Transaction, type TransactionScope } from "../shared/Transaction.js"
import * as Upsert from "../shared/Upsert.js"
import { TrailListener } from "./internal/TrailListener.js"
import * as Trail from "./Trail.js"
import { TrailStore } from "./TrailStore.js"

/** The fields of a report that link its trail to a repository and a commit. */
export interface ReportLinks {
  readonly git_commit_info?: GitCommitInfo | null
  readonly repo_info?: RepoInfo | null
}

/** A trail by the name of its flow and its own. */
export interface TrailPath {
  readonly flow: FlowName
  readonly name: TrailName
}

/** Use cases of trails. */
export class Trails extends Effect.Service<Trails>()("@attestry/core/Trails", {
  effect: Effect.gen(function* () {
    const store = yield* TrailStore
    const flows = yield* Flows
    const repos = yield* Repos
    const versions = yield* FlowStore
    const evaluator = yield* TrailEvaluator
    const listener = yield* TrailListener
    const transaction = yield* Transaction
    const journals = yield* Journals
    const ids = yield* IdGenerator
    const reaches = yield* Reaches

    const appendVersion = ({ org_id, template, template_id, last_modified_at }: Trail.Trail) =>
      template === null || template_id === null
        ? Effect.void
        : versions.appendTemplate({
            org_id,
            id: template_id,
            content: template,
            created_at: last_modified_at
          })

    /** The number of the entry of a trail that was created; none when another transaction has created it. */
    const insert = (writer: WriteContext.WriteContext, flow: Flow, trail: Trail.Trail) =>
      Effect.flatMap(store.insert(trail), (created) =>
        created
          ? Effect.zipRight(
              appendVersion(trail),
              Effect.map(
                journals.record({
                  ...writer,
                  kind: "trail_reported",
                  subject: { type: "trail", id: trail.id },
                  // WHY: the event has the template that the trail begins with, also when it is the flow's.
                  content: { ...trail, template_id: trail.template_id ?? flow.template_id }
                }),
                ({ sequence }) => Option.some(sequence)
              )
            )
          : Effect.succeedNone
      )

    const update =
      (writer: WriteContext.WriteContext, flow: Flow, draft: Trail.TrailDraft) =>
      (current: Trail.Trail) =>
        Effect.gen(function* () {
          const changes = Trail.changes(current, draft)
          yield* setOutcomeOf("trail", current, changes.length === 0 ? "unchanged" : "updated")
          if (changes.length === 0) {
            yield* evaluator.refresh({ writer, flow, trail: current })
            return "unchanged" as const
          }
          const version = TemplateId.make(yield* ids.next)
          const next = Trail.revise(current, draft, { at: writer.at, version })
          yield* store.update(next)
          if (next.template_id === version) yield* appendVersion(next)
          const { sequence } = yield* journals.record({
            ...writer,
            kind: "trail_updated",
            subject: { type: "trail", id: next.id },
            content: { changes, trail: next }
          })
          yield* evaluator.evaluate({ writer, flow, trail: next }, sequence)
          yield* note(writer, next, { links: draft })
          return "updated" as const
        })

    const fresh = (writer: WriteContext.WriteContext, flow: Flow, draft: Trail.TrailDraft) =>
      Effect.map(
        Effect.all([ids.next, ids.next]),
        ([id, version]): Trail.Trail => ({
          org_id: writer.org,
          id: TrailId.make(id),
          flow_id: flow.id,
          ...Trail.NO_DETAILS,
          template: null,
          repo_ids: [],
          ...draft,
          template_id: draft.template === undefined ? null : TemplateId.make(version),
          created_by: writer.actor.name,
          created_at: writer.at,
          last_modified_at: writer.at
        })
      )

    const lock = (writer: WriteContext.WriteContext, flow: Flow, draft: Trail.TrailDraft) =>
      store.findByName({ org: writer.org, flow: flow.id, name: draft.name }, { lock: true })

    /**
     * Links a trail to the repository and the commit of a report. For use cases that write below a trail,
     * inside their transaction; `known` is the repository, where the caller has read it.
     */
    const note = Effect.fnUntraced(function* (
      writer: WriteContext.WriteContext,
      trail: Trail.Trail,
      report: { readonly links: ReportLinks; readonly known?: Option.Option<Repo.Repo> }
    ) {
      const { git_commit_info: commit, repo_info: repo } = report.links
      if (commit !== undefined && commit !== null) {
        const { sha1: sha, branch } = commit
        yield* store.linkCommit({ org: writer.org, trail: trail.id, sha, branch: branch ?? "" })
      }
      if (repo === undefined || repo === null) return undefined
      const id = yield* repos.note(
        writer,
        repo,
        report.known ?? (yield* repos.find(writer.org, repo))
      )
      if (!trail.repo_ids.includes(id)) {
        yield* store.update({ ...trail, repo_ids: [...trail.repo_ids, id] })
      }
      return id
    })

    /**
     * Begins the trail or updates it, and creates the flow where it is absent. Identical concurrent calls all
     * succeed.
     */
    const begin = Effect.fn("Trails.begin")(function* (
      org: OrgName,
      flowName: FlowName,
      draft: Trail.TrailDraft
    ) {
      const granted = yield* reaches.authorize(org, "trail.write")
      if (draft.template !== undefined) yield* FlowTemplate.parse(draft.template)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const writer = WriteContext.make(granted, now)
          const flow = yield* flows.ensure(granted, writer, flowName)
          const trail = yield* fresh(writer, flow, draft)
          return yield* Upsert.put({
            find: lock(writer, flow, draft),
            insert: Effect.flatMap(
              insert(writer, flow, trail),
              Option.match({
                onNone: () => Effect.succeed(false),
                onSome: (sequence) =>
                  evaluator
                    .evaluate({ writer, flow, trail }, sequence)
                    .pipe(
                      Effect.zipRight(note(writer, trail, { links: trail })),
                      Effect.zipRight(
                        listener.stored({ writer, flow, trail }, { _tag: "TrailBegun" }, sequence)
                      ),
                      Effect.zipRight(setOutcomeOf("trail", trail, "created")),
                      Effect.as(true)
                    )
              })
            ),
            update: update(writer, flow, draft)
          })
        })
      )
    })

    /** The repository that a report names, for `note`; none when it names none. */
    const findRepo = (org: OrgId, { repo_info }: ReportLinks) =>
      repo_info === undefined || repo_info === null
        ? Effect.succeedNone
        : repos.find(org, repo_info)

    const create = Effect.fnUntraced(function* (
      granted: GrantedWithin,
      writer: WriteContext.WriteContext,
      { flow: flowName, ...draft }: TrailPath
    ) {
      const flow = yield* flows.ensure(granted, writer, flowName)
      const made = yield* fresh(writer, flow, draft)
      let begun = Option.none<number>()
      const [trail, isBegin] = yield* Upsert.getOrCreate(
        {
          find: lock(writer, flow, draft),
          insert: Effect.map(insert(writer, flow, made), (sequence) => {
            begun = sequence
            return Option.isSome(sequence)
          })
        },
        made
      )
      return { flow, trail, isBegin, ...(Option.isSome(begun) ? { begun: begun.value } : {}) }
    })

    /**
     * The locked trail of that name and its flow, each created where it is absent, with the write context. For use
     * cases that write below a trail, inside their transaction; the caller evaluates the trail after its write, and
     * tells the listener. A report of an artifact names its fingerprint.
     */
    const lockOrCreate = (
      granted: GrantedWithin,
      { flow, name, fingerprint }: TrailPath & { readonly fingerprint?: Fingerprint },
      { now }: TransactionScope
    ) =>
      Effect.gen(function* () {
        const found = yield* store.lockWithFlow({
          org: granted.orgId,
          flow,
          name,
          ...(fingerprint === undefined ? {} : { fingerprint })
        })
        const writer = WriteContext.make(granted, yield* now)
        const locked = Option.isSome(found)
          ? found.value
          : yield* create(granted, writer, { flow, name })
        if (Option.isSome(found))
          yield* reaches.permitTaken(granted, { kind: "flow", id: found.value.flow.id })
        return { writer, ...locked }
      })

    return { begin, findRepo, lockOrCreate, note } as const
  })
}) {}
