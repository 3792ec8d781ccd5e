/**
 * Reads where artifacts ran and run, by fingerprint, commit, flow, repository, author, builder, component or
 * vulnerability. SPEC §4.3
 */

import * as Effect from "effect/Effect"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import type { Fingerprint, FingerprintPrefix } from "../artifact/Fingerprint.js"
import type { ComponentId } from "../component/Component.js"
import { ComponentStore } from "../component/ComponentStore.js"
import type { Purl } from "../component/Purl.js"
import * as VersionRange from "../component/VersionRange.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import * as PlacedEnvironments from "../environment/internal/PlacedEnvironments.js"
import * as ReadableFlows from "../flow/internal/ReadableFlows.js"
import * as ReadableRepos from "../repo/internal/ReadableRepos.js"
import { RepoNotFound } from "../repo/Repo.js"
import type {
  CommitSha,
  EnvironmentName,
  FlowName,
  OrgId,
  OrgName,
  SlotName
} from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import * as Slices from "../shared/Slices.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { TimeWindow } from "../shared/TimeWindow.js"
import { Transaction } from "../shared/Transaction.js"
import { ReadModels } from "../snapshot/ReadModels.js"
import type { Exposure, ExposureQuery, ExposureSubject, ExposureSummary } from "./Exposure.js"
import * as Mitigations from "./internal/Mitigations.js"

/** What is asked about, by name. */
export type NamedSubject =
  | { readonly _tag: "Content"; readonly prefix: FingerprintPrefix }
  | { readonly _tag: "Commit"; readonly commit: CommitSha }
  | { readonly _tag: "Flow"; readonly flow: FlowName; readonly slot?: SlotName }
  | { readonly _tag: "Repo"; readonly name: string }
  | { readonly _tag: "Author"; readonly author: string }
  | { readonly _tag: "Builder"; readonly builder: string }
  | {
      readonly _tag: "Component"
      readonly purl: Purl
      readonly versions?: VersionRange.VersionRange
    }
  | { readonly _tag: "Vulnerability"; readonly vulnerability: string }

type NamedComponent = Extract<NamedSubject, { readonly _tag: "Component" }>

/** Which exposures are listed, by name; a logical environment stands for its members. */
export interface NamedExposureQuery extends TimeWindow {
  readonly subject: NamedSubject
  readonly environments?: ReadonlyArray<EnvironmentName>
  readonly running?: boolean
}

/** One page of exposures, all of them together, and the instant of the answer. */
export interface ExposurePage extends Paged<Exposure> {
  readonly summary: ExposureSummary
  readonly now: Timestamp
  /** For questions about components; null for others. */
  readonly containment: Containment | null
}

/** What evidence about the contents of artifacts adds to an answer. */
export interface Containment {
  /** The purls of the asked components in each artifact of the page, the first ones of many. */
  readonly components: ReadonlyMap<Fingerprint, ReadonlyArray<string>>
  /** The exposures of the page that verified VEX mitigates; null unless a vulnerability is asked about. */
  readonly mitigated: ReadonlySet<Exposure> | null
  /** How many artifacts with exposures that pass the filter have no bill of materials, and so no answer. */
  readonly withoutSbom: number
}

/** A question with the vulnerability that it is about; null for other questions. */
interface AskedContainment extends ExposureQuery {
  readonly vulnerability: string | null
}

/** The most components that an exposure lists. */
export const COMPONENTS_LISTED_MAX = 100

/** Use cases of exposures. */
export class Exposures extends Effect.Service<Exposures>()("@attestry/core/Exposures", {
  effect: Effect.gen(function* () {
    const store = yield* ReadModels
    const environments = yield* EnvironmentStore
    const reaches = yield* Reaches
    const present = yield* PlacedEnvironments.make
    const flows = yield* ReadableFlows.make
    const repos = yield* ReadableRepos.make
    const components = yield* ComponentStore
    const transaction = yield* Transaction
    const { mitigatedOf } = yield* Mitigations.make

    /** The versions of a package that the question means. */
    const packagesOf = (org: OrgId, { purl, versions }: NamedComponent) =>
      Effect.gen(function* () {
        const known = yield* components.listVersions(org, purl)
        return yield* Slices.run(function* () {
          const ids: Array<ComponentId> = []
          for (const { id, type, version } of known) {
            yield
            const isMeant =
              versions === undefined
                ? purl.version === null || purl.version === version
                : version !== null && VersionRange.matches(versions, { type, version })
            if (isMeant) ids.push(id)
          }
          return ids
        })
      })

    const containmentOf = (
      org: OrgId,
      { subject, vulnerability, ...filter }: AskedContainment,
      exposures: ReadonlyArray<Exposure>
    ) =>
      Effect.gen(function* () {
        if (subject._tag !== "Component") return null
        const contained = yield* components.listContained(org, {
          fingerprints: [...new Set(exposures.map(({ fingerprint }) => fingerprint))],
          components: subject.components,
          ...(filter.flows === undefined ? {} : { flows: filter.flows }),
          // WHY one more: a list with it is cut, and VEX about its beginning mitigates nothing.
          limit: COMPONENTS_LISTED_MAX + 1
        })
        const whole = new Map(
          contained
            .filter(({ purls }) => purls.length <= COMPONENTS_LISTED_MAX)
            .map(({ fingerprint, purls }) => [fingerprint, purls])
        )
        return {
          components: new Map(
            contained.map(({ fingerprint, purls }) => [
              fingerprint,
              purls.slice(0, COMPONENTS_LISTED_MAX)
            ])
          ),
          mitigated:
            vulnerability === null
              ? null
              : yield* mitigatedOf(org, { vulnerability, components: whole }, exposures),
          withoutSbom: yield* store.withoutSbom(org, filter)
        } satisfies Containment
      })

    const subjectOf = (granted: GrantedWithin, asked: NamedSubject) =>
      Effect.gen(function* () {
        const { org, orgId } = granted
        if (asked._tag === "Flow") {
          const { flow, slot } = asked
          const { id } = yield* flows.find(granted, flow)
          return { _tag: "Flow", flow: id, ...(slot === undefined ? {} : { slot }) } as const
        }
        if (asked._tag === "Component")
          return { _tag: "Component", components: yield* packagesOf(orgId, asked) } as const
        if (asked._tag === "Vulnerability") {
          const named = yield* components.listVulnerable(orgId, asked.vulnerability)
          return { _tag: "Component", components: named.map((each) => each.component_id) } as const
        }
        if (asked._tag !== "Repo") return asked satisfies ExposureSubject
        const found = yield* repos.listByName(granted, asked.name)
        return found.length === 0
          ? yield* new RepoNotFound({ org, repo: asked.name })
          : ({ _tag: "Repo", repos: found.map(({ id }) => id) } as const)
      })

    /** The readable environments, or the named ones with their readable members. */
    const environmentsOf = (
      granted: GrantedWithin,
      names: ReadonlyArray<EnvironmentName> | undefined
    ) =>
      Effect.gen(function* () {
        if (names === undefined) return yield* reaches.readableEnvironments(granted)
        const found = yield* Effect.forEach(names, (name) =>
          Effect.flatMap(
            environments.findByName({ org: granted.orgId, name }),
            present(granted, name)
          )
        )
        const ids = found.flatMap(({ environment: e }) => e.included ?? [e.id])
        const kept = yield* reaches.keepReadable(granted, {
          kind: "environment",
          things: [...new Set(ids)],
          idOf: (id) => id
        })
        return { environments: kept }
      })

    /** One page of exposures, newest start first; the page and the summary are of one moment. */
    const list = Effect.fn("Exposures.list")(function* (
      org: OrgName,
      { subject, environments: names, ...filter }: NamedExposureQuery,
      page: Page
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const query = {
        ...filter,
        subject: yield* subjectOf(granted, subject),
        ...(yield* environmentsOf(granted, names)),
        ...(yield* reaches.readableFlows(granted))
      }
      // WHY a transaction: its instant is that of the store, by which snapshots are dated.
      const now = yield* transaction.run(granted.orgId, ({ now: instant }) => instant)
      return yield* transaction.snapshot(
        granted.orgId,
        Effect.gen(function* () {
          const found = yield* store.exposures(granted.orgId, query, page)
          const summary = yield* store.exposureSummary(granted.orgId, query, now)
          const vulnerability = subject._tag === "Vulnerability" ? subject.vulnerability : null
          const containment = yield* containmentOf(
            granted.orgId,
            { ...query, vulnerability },
            found.items
          )
          return { ...found, summary, now, containment } satisfies ExposurePage
        })
      )
    })

    return { list } as const
  })
}) {}
