/**
 * Runs commands on a store, and records the result of each so that two stores can be compared.
 *
 * Ids come from a counter and are equal by themselves; instants are replaced by their rank among all of a run,
 * which keeps their order and equality.
 */

import { createHash } from "node:crypto"
import { Artifacts } from "@attestry/core/Artifacts"
import { Environments } from "@attestry/core/Environments"
import { Flows } from "@attestry/core/Flows"
import { IdGenerator } from "@attestry/core/IdGenerator"
import { JournalStore } from "@attestry/core/JournalStore"
import type { Org } from "@attestry/core/Org"
import { OrgStore } from "@attestry/core/OrgStore"
import { Reports, type SubmittedReport } from "@attestry/core/Reports"
import { Snapshots } from "@attestry/core/Snapshots"
import { Trails } from "@attestry/core/Trails"
import { ACTORS, type Command, type Request } from "@attestry/core/testing/Command"
import * as Fixture from "@attestry/core/testing/Fixture"
import { Effect, Layer } from "effect"
import * as UseCaseLayer from "./UseCaseLayer.js"

/** Ids from a counter. */
export const layerCountedIds: Layer.Layer<IdGenerator> = Layer.sync(IdGenerator, () => {
  let count = 0
  return {
    next: Effect.sync(() => {
      count += 1
      const hex = count.toString(16).padStart(28, "0")
      return [
        hex.slice(0, 8),
        hex.slice(8, 12),
        hex.slice(12, 16),
        hex.slice(16, 20),
        hex.slice(20)
      ].join("-")
    })
  }
})

const submitted = ({
  kind,
  report
}: Extract<Request, { readonly _tag: "Report" }>): SubmittedReport<never, never> => {
  const text = JSON.stringify(report)
  const bodyDigest = createHash("sha256").update(text).digest("hex")
  return { kind, bodyDigest, text: Effect.succeed(text) }
}

const ask = ({ name: org }: Org, request: Request) =>
  Effect.gen(function* () {
    switch (request._tag) {
      case "PutFlow":
        return yield* (yield* Flows).put(org, request.draft)
      case "GetFlow":
        return yield* (yield* Flows).get(org, request.flow)
      case "BeginTrail":
        return yield* (yield* Trails).begin(org, request.flow, request.draft)
      case "ReportArtifact":
        return yield* (yield* Artifacts).report(org, request.flow, request.report)
      case "PutEnvironment":
        return yield* (yield* Environments).put(org, request.draft)
      case "GetEnvironment":
        return yield* (yield* Environments).get(org, request.environment)
      case "Report":
        return yield* (yield* Reports).accept(org, request.environment, submitted(request))
      case "GetSnapshot":
        return yield* (yield* Snapshots).get(org, request.environment, request.expression)
    }
  })

const actorOf = (orgs: readonly [Org, Org], place: number) => {
  const [inFirst = null, inSecond = null] = ACTORS[place] ?? []
  return Fixture.actor(
    ...(inFirst === null ? [] : [[orgs[0], inFirst] as const]),
    ...(inSecond === null ? [] : [[orgs[1], inSecond] as const])
  )
}

const INSTANTS = new Set([
  "at",
  "created_at",
  "last_modified_at",
  "last_reported_at",
  "last_changed_at",
  "first_reported_at",
  "timestamp",
  "next_timestamp"
])

type Visit = (instant: number) => number

/** The same value with every instant replaced. */
const replaceInstants = (value: unknown, visit: Visit): unknown => {
  if (Array.isArray(value)) return value.map((item) => replaceInstants(item, visit))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      INSTANTS.has(key) && typeof member === "number"
        ? visit(member)
        : replaceInstants(member, visit)
    ])
  )
}

/** The same value with every instant replaced by its rank among all of them. */
export const ranked = (value: unknown): unknown => {
  const instants = new Set<number>()
  replaceInstants(value, (instant) => {
    instants.add(instant)
    return instant
  })
  const ranks = new Map([...instants].sort((a, b) => a - b).map((instant, rank) => [instant, rank]))
  return replaceInstants(value, (instant) => ranks.get(instant) ?? -1)
}

/** The content of an entry. WHY without the digest of rows: rows have instants, read from the clock of each store. */
export const contentOf = (kind: string, content: string): unknown =>
  JSON.parse(content, (name, value) =>
    kind === "snapshot_created" && name === "digest" ? undefined : value
  )

const journalOf = ({ id: org }: Org) =>
  Effect.gen(function* () {
    const journal = yield* JournalStore
    const entries = yield* journal.listAfter({ org, after: 0, limit: 1_000 })
    return entries.map(({ sequence: _, digest: __, content, ...entry }) => ({
      ...entry,
      content: contentOf(entry.kind, content)
    }))
  })

/** The result of each command, and the journals at the end. */
export const play = (orgs: readonly [Org, Org], commands: ReadonlyArray<Command>) =>
  Effect.gen(function* () {
    const store = yield* OrgStore
    for (const org of orgs) yield* store.insert(org)
    const answers = yield* Effect.forEach(commands, ({ org, actor, request }) =>
      ask(orgs[org], request).pipe(
        Effect.map((answer): unknown => answer),
        Effect.catchTag("StoreError", Effect.die),
        Effect.catchAll((error) => Effect.succeed({ failed: { ...error, tag: error._tag } })),
        UseCaseLayer.as(actorOf(orgs, actor))
      )
    )
    return ranked({ answers, journals: yield* Effect.forEach(orgs, journalOf) })
  })
