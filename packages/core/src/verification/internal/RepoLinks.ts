/**
 * The repositories that reports name, and to which of them records must be linked. Pure.
 *
 * A report identifies a repository by provider and id, or by provider and name. Several repositories may have had the
 * same name at different times, so each of them is accepted.
 */
import * as RepoProvider from "../../repo/RepoProvider.js"
import type { Columns, RecordKind, StoredRecord } from "../AuditStore.js"
import { listOf, membersOf, textOf } from "./ReplayState.js"

const put = (rows: Map<string, Set<string>>, key: string, id: string): void => {
  rows.set(key, (rows.get(key) ?? new Set<string>()).add(id))
}

const keyOf = (provider: unknown, value: unknown): string => `${textOf(provider)} ${String(value)}`

/** How a report identifies its repository. */
const named = ({ provider, id, name }: Columns) => ({
  isById: (id ?? null) !== null,
  key: keyOf(RepoProvider.neutral(textOf(provider)), id ?? name)
})

/** The repositories in the journal, and the records that name them. */
export class RepoLinks {
  readonly #byId = new Map<string, Set<string>>()
  readonly #byName = new Map<string, Set<string>>()
  /** The repositories that the reports of a trail name, in the order of first mention. */
  readonly #mentions = new Map<string, Map<string, Columns>>()

  /** Adds a repository; it may have had other names before. */
  repo({ id, provider, repo_id, name }: Columns): void {
    if ((repo_id ?? null) !== null) put(this.#byId, keyOf(provider, repo_id), textOf(id))
    put(this.#byName, keyOf(provider, name), textOf(id))
  }

  /** Adds a report of a trail, which may name a repository. */
  mention(trail: string, info: unknown): void {
    if ((info ?? null) === null) return
    const { isById, key } = named(membersOf(info))
    const known = this.#mentions.get(trail) ?? new Map<string, Columns>()
    const place = `${isById} ${key}`
    if (!known.has(place)) known.set(place, membersOf(info))
    this.#mentions.set(trail, known)
  }

  #candidates(info: Columns): ReadonlySet<string> {
    const { isById, key } = named(info)
    return (isById ? this.#byId : this.#byName).get(key) ?? new Set()
  }

  /** Whether a trail is linked to the repositories of its reports, in their order if the journal determines it. */
  #fitsTrail({ key, columns }: StoredRecord): boolean {
    const stored = listOf(columns.repo_ids).map(textOf)
    const wanted = [...(this.#mentions.get(key)?.values() ?? [])].map((info) =>
      this.#candidates(info)
    )
    const isDecided = wanted.every(({ size }) => size === 1)
    const union = new Set(wanted.flatMap((each) => [...each]))
    return isDecided
      ? stored.join() === [...union].join()
      : stored.every((id) => union.has(id)) &&
          wanted.every((each) => stored.some((id) => each.has(id)))
  }

  #fitsArtifact({ columns }: StoredRecord): boolean {
    const info = membersOf(columns.report).repo_info ?? null
    if (info === null) return (columns.repo_id ?? null) === null
    return this.#candidates(membersOf(info)).has(textOf(columns.repo_id))
  }

  /** The column that links a record to another repository than its reports name; undefined if there is none. */
  misfit(table: RecordKind, record: StoredRecord): string | undefined {
    if (table === "artifact") return this.#fitsArtifact(record) ? undefined : "repo_id"
    if (table === "trail") return this.#fitsTrail(record) ? undefined : "repo_ids"
    return undefined
  }
}
