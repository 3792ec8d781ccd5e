/** Records the repositories that reports name, and lists, finds and tags them. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { AccessDenied } from "../access/Access.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { Journals } from "../journal/Journals.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { setOutcomeOf } from "../shared/CurrentOutcome.js"
import type { RepoInfo } from "../shared/GitCommit.js"
import { type OrgId, type OrgName, RepoId } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import type { Page } from "../shared/Page.js"
import * as Tags from "../shared/Tags.js"
import { Transaction } from "../shared/Transaction.js"
import * as Upsert from "../shared/Upsert.js"
import * as ReadableRepos from "./internal/ReadableRepos.js"
import * as Repo from "./Repo.js"
import * as RepoProvider from "./RepoProvider.js"
import { type RepoFilter, type RepoQuery, RepoStore } from "./RepoStore.js"

/** The filter with the neutral word of its provider, which stores know. */
const withNeutralProvider = <A extends RepoFilter>(filter: A): A =>
  filter.provider === undefined
    ? filter
    : { ...filter, provider: RepoProvider.neutral(filter.provider) }

/** Use cases of repositories. */
export class Repos extends Effect.Service<Repos>()("@attestry/core/Repos", {
  effect: Effect.gen(function* () {
    const store = yield* RepoStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const ids = yield* IdGenerator
    const reaches = yield* Reaches
    const readable = yield* ReadableRepos.make

    const record = (writer: WriteContext.WriteContext, kind: string, repo: Repo.Repo) =>
      journals.record({ ...writer, kind, subject: { type: "repo", id: repo.id }, content: repo })

    const fresh = ({ org, at }: WriteContext.WriteContext, info: RepoInfo) =>
      Effect.map(ids.next, (id) => Repo.create(info, { org, id: RepoId.make(id), at }))

    /** The stored repository that a report names. */
    const find = (org: OrgId, info: RepoInfo) => store.find({ org, ...Repo.keyOf(info) })

    /**
     * The id of the repository that a report names, created or updated where needed. For use cases of reports,
     * inside their transaction; `known` is the result of `find`, before the transaction or in it.
     */
    const note = (
      writer: WriteContext.WriteContext,
      info: RepoInfo,
      known: Option.Option<Repo.Repo>
    ) =>
      Effect.gen(function* () {
        const key = { org: writer.org, ...Repo.keyOf(info) }
        if (Option.isSome(known) && Repo.isKnown(known.value, info)) {
          if (Repo.isActive(known.value, writer.at)) yield* store.touch(known.value, writer.at)
          return known.value.id
        }
        const repo = yield* fresh(writer, info)
        const [found, created] = yield* Upsert.getOrCreate(
          { find: store.find(key, { lock: true }), insert: store.insert(repo) },
          repo
        )
        if (created) yield* record(writer, "repo_created", repo)
        else if (!Repo.isKnown(found, info)) {
          const next = Repo.revise(found, info, writer.at)
          yield* store.update(next)
          yield* record(writer, "repo_updated", next)
        }
        return found.id
      })

    /** One page of the repositories that pass the query. */
    const list = Effect.fn("Repos.list")(function* (org: OrgName, query: RepoQuery, page: Page) {
      const granted = yield* reaches.authorize(org, "org.read")
      const shown = { ...withNeutralProvider(query), ...(yield* reaches.readableFlows(granted)) }
      return yield* store.list(granted.orgId, shown, page)
    })

    /** The values by which repositories can be filtered. */
    const filterOptions = Effect.fn("Repos.filterOptions")(function* (
      org: OrgName,
      filter: RepoFilter
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const shown = { ...withNeutralProvider(filter), ...(yield* reaches.readableFlows(granted)) }
      return yield* store.filterOptions(granted.orgId, shown)
    })

    /** The distinct tags of repositories. */
    const listTags = Effect.fn("Repos.listTags")(function* (org: OrgName) {
      const granted = yield* reaches.authorize(org, "org.read")
      return yield* store.listTags(granted.orgId, yield* reaches.readableFlows(granted))
    })

    /** The repository of our id, or of a name; a name of several providers needs the provider. */
    const get = Effect.fn("Repos.get")(function* (
      org: OrgName,
      wanted: { readonly name: string; readonly provider?: string; readonly id?: string }
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { id, name, provider } = wanted
      if (id !== undefined) return yield* readable.get(granted, id)
      const found = (yield* readable.listByName(granted, name)).filter(
        (repo) => provider === undefined || repo.provider === RepoProvider.neutral(provider)
      )
      const [first, ...others] = found
      if (first === undefined) return yield* new Repo.RepoNotFound({ org, repo: name })
      if (others.length > 0 && provider === undefined) {
        const providers = [...new Set(found.map(Repo.shownProvider))].filter(Boolean)
        return yield* new Repo.AmbiguousRepo({ repo: name, providers })
      }
      return first
    })

    /** Fails where the permission reaches none of the flows that name a repository. */
    const permit = (granted: GrantedWithin, id: string) =>
      Effect.gen(function* () {
        if (granted.reach._tag === "Whole") return
        yield* readable.get(granted, id)
        const [reached] = yield* readable.listByIds({ ...granted, readable: granted.reach }, [
          RepoId.make(id)
        ])
        const { org, permission } = granted
        if (reached === undefined) return yield* new AccessDenied({ org, permission })
      })

    /** Sets and removes tags of the repository of our id, at one of the flows that name it. */
    const tag = Effect.fn("Repos.tag")(function* (org: OrgName, id: string, tags: Tags.TagChange) {
      const granted = yield* reaches.authorize(org, "tag.write")
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const notFound = () => new Repo.RepoNotFound({ org, repo: id })
          const repo = yield* Effect.flatMap(
            store.find({ org: granted.orgId, id: RepoId.make(id) }, { lock: true }),
            Either.fromOption(notFound)
          )
          yield* permit(granted, id)
          const next = { ...repo, tags: Tags.apply(repo.tags, tags), last_modified_at: now }
          const isSame = CanonicalJson.equals(next.tags, repo.tags)
          yield* setOutcomeOf("repo", repo, isSame ? "unchanged" : "updated")
          if (isSame) return
          yield* store.update(next)
          yield* record(WriteContext.make(granted, now), "repo_tagged", next)
        })
      )
    })

    return { find, note, list, filterOptions, listTags, get, tag } as const
  })
}) {}
