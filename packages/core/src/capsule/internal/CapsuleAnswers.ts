/** The answers that were given, as a capsule tells them: `expected.json`. Pure. */

import * as Option from "effect/Option"
import type { LoggedEntry } from "../../log/Log.js"
import type { SubjectLeaf } from "../../log/LogStore.js"
import * as Timestamp from "../../shared/Timestamp.js"
import type * as Capsule from "../Capsule.js"
import type { ReleaseQuestion, ReleaseTable } from "../CapsuleReleases.js"
import { CapsuleHistory } from "./CapsuleHistory.js"
import type { CapsuleScope } from "./CapsuleSelecting.js"
import * as ReleaseAnswers from "./ReleaseAnswers.js"
import { RowRecomputation } from "./RowRecomputation.js"

const END = { position: Number.MAX_SAFE_INTEGER, at: Timestamp.fromMicros(0) }

const keyOf = (environment: string, index: number): string => `${environment} ${index}`

/** Collects what entries tell about answers, in their order. */
export class CapsuleAnswers {
  readonly #heads = new Map<string, Capsule.ChainHead>()
  /** The index of the entry of each snapshot. */
  readonly #created = new Map<string, number>()
  readonly #history: CapsuleHistory | undefined

  constructor(readonly scope: CapsuleScope) {
    const { fingerprints, trails } = scope.selection
    const isNeeded = fingerprints.length + trails.length > 0 || scope.releases !== undefined
    this.#history = isNeeded ? new CapsuleHistory() : undefined
  }

  /** Notes the next entry. */
  accept({ entry, leaf: { index } }: LoggedEntry): void {
    const { subject } = entry
    this.#heads.set(`${subject.type} ${subject.id}`, { subject, index })
    if (entry.kind === "snapshot_created") {
      const said: unknown = JSON.parse(entry.content)
      if (typeof said === "object" && said !== null && "index" in said)
        this.#created.set(keyOf(subject.id, Number(said.index)), index)
    }
    try {
      this.#history?.accept({ ...entry, sequence: index })
    } catch {
      // WHY every failure: a verifier passes over an entry that no rule can read, and so does this.
    }
  }

  /** Whether every selected snapshot has its entry. */
  get isComplete(): boolean {
    return this.scope.environments.every(
      ({ changes, last, ref }) =>
        changes.length === last && this.#created.has(keyOf(ref.environment, last))
    )
  }

  /** The question about releases, with the names that the log has. */
  #named(question: ReleaseQuestion): ReleaseQuestion {
    const named = <Thing extends { readonly id: string; readonly name: string }>(
      type: "environment" | "flow" | "policy",
      thing: Thing
    ): Thing => ({ ...thing, name: this.#history?.nameOf(type, thing.id) ?? thing.name })
    const { environments, flow, policy } = question
    return {
      ...question,
      environments: environments.map((each) => named("environment", each)),
      flow: flow && named("flow", flow),
      policy: policy && named("policy", policy)
    }
  }

  /** The selection, with the names that the log has where releases are asked for. */
  get selection(): Capsule.Selection {
    const { releases, ...selection } = this.scope.selection
    return releases === undefined ? selection : { ...selection, releases: this.#named(releases) }
  }

  /**
   * The table of releases; none where the log does not have everything that it names, and a table of nothing where none
   * is asked for.
   */
  releases(
    leaves: ReadonlyArray<SubjectLeaf>
  ): Option.Option<{ readonly releases?: ReleaseTable }> {
    const { releases } = this.scope
    if (releases === undefined) return Option.some({})
    const { filter, policy } = releases.selection
    const isKnown =
      policy === null || this.#history?.versionAt(policy.id, filter.to) === policy.version
    const indexes = new Map(leaves.map(({ index, sequence }) => [sequence, index]))
    return ReleaseAnswers.of(releases, {
      indexOf: (sequence) => indexes.get(sequence),
      nameOf: (type, id) => this.#history?.nameOf(type, id)
    }).pipe(
      Option.filter(() => isKnown),
      Option.map((table) => ({ releases: table }))
    )
  }

  /**
   * The answers. `positions` has the commit position of each snapshot by environment and index; an entry of a trail
   * that has an earlier leaf and a later position was not seen.
   */
  expected(
    leaves: ReadonlyArray<SubjectLeaf>,
    positions: ReadonlyMap<string, number>
  ): Omit<Capsule.Expected, "releases"> {
    const { environments, selection, trails } = this.scope
    const indexes = new Map(leaves.map(({ index, sequence }) => [sequence, index]))
    const known = trails.filter(({ id }) => this.#heads.has(`trail ${id}`))
    const late = known.flatMap(({ artifacts, events }) =>
      events.flatMap(({ position, sequence }) => {
        const index = indexes.get(sequence)
        return index === undefined ? [] : [{ index, position, artifacts }]
      })
    )
    const rows = this.#history === undefined ? undefined : new RowRecomputation(this.#history)
    const reported = new Map<string, Set<string>>()
    for (const { artifacts, id } of known)
      for (const { fingerprint } of artifacts)
        reported.set(fingerprint, (reported.get(fingerprint) ?? new Set()).add(id))
    const wanted = new Set<string>([
      ...selection.fingerprints,
      ...environments.flatMap(({ fingerprints }) => [...fingerprints])
    ])
    return {
      environments: environments.map(({ changes, ref: { environment: id } }) => ({
        id,
        snapshots: changes.map(({ begun, ended, index }) => {
          const place = this.#created.get(keyOf(id, index)) ?? 0
          const position = positions.get(keyOf(id, index)) ?? Number.MAX_SAFE_INTEGER
          const unseen = late
            .filter((each) => each.index < place && each.position >= position)
            .map((each) => each.index)
          return { index, begun, ended, unseen }
        })
      })),
      trails: selection.trails.map(({ id }) => ({ id, status: rows?.statusOf(id) ?? null })),
      artifacts: selection.fingerprints.map((fingerprint) => ({
        fingerprint,
        flows:
          rows
            ?.timelineOf(fingerprint)
            .at(END)
            .map(({ view }) => view) ?? []
      })),
      reported: [...wanted].sort().map((fingerprint) => ({
        fingerprint,
        trails: [...(reported.get(fingerprint) ?? [])].sort()
      })),
      chains: [...this.#heads.values()]
    }
  }
}
