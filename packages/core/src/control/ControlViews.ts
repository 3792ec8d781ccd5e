/** Reads controls: one or a page, their versions, the decisions about them, and their coverage. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Reaches, readableIds, readableWithin } from "../access/Reaches.js"
import { ArtifactStore } from "../artifact/ArtifactStore.js"
import { type AttestationView, AttestationViews } from "../compliance/AttestationViews.js"
import type {
  AttestationId,
  ControlIdentifier,
  FlowId,
  FlowName,
  OrgName
} from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import * as Tags from "../shared/Tags.js"
import type { Timestamp } from "../shared/Timestamp.js"
import * as Control from "./Control.js"
import * as ControlCoverage from "./ControlCoverage.js"
import * as ControlDecision from "./ControlDecision.js"
import { type ControlQuery, ControlStore } from "./ControlStore.js"
import { ControlReferences } from "./internal/ControlReferences.js"
import * as ReadablePolicies from "./internal/ReadablePolicies.js"

/** A control with the policies whose latest version names it. */
export interface ControlView {
  readonly control: Control.Control
  readonly policies: ReadonlyArray<string>
}

/** Which decisions are listed, with names instead of ids. */
export interface DecisionQuery {
  /** In one of these flows, or of `flowIds`; each must exist. */
  readonly flowNames?: ReadonlyArray<FlowName>
  /** In one of these flows, or of `flowNames`; an unknown id matches nothing. */
  readonly flowIds?: ReadonlyArray<FlowId>
  readonly isCompliant?: boolean
  readonly from?: Timestamp
  readonly to?: Timestamp
  readonly direction?: "asc" | "desc"
}

/** A control in an org, by the names in a path. */
export interface ControlPath {
  readonly org: OrgName
  readonly control: ControlIdentifier
}

/** A key for the artifact of a view. */
const contentOf = ({ attestation }: AttestationView): string =>
  `${attestation.flow_id} ${attestation.fingerprint}`

/** Use cases of reading controls. */
export class ControlViews extends Effect.Service<ControlViews>()("@attestry/core/ControlViews", {
  effect: Effect.gen(function* () {
    const store = yield* ControlStore
    const references = yield* ControlReferences
    const reaches = yield* Reaches
    const policiesNaming = yield* ReadablePolicies.make
    const attestations = yield* AttestationViews
    const artifacts = yield* ArtifactStore

    /** A control of an org, and what the caller has there; one that the caller does not read is absent. */
    const find = ({ org, control: identifier }: ControlPath) =>
      Effect.gen(function* () {
        const granted = yield* reaches.authorize(org, "org.read")
        const notFound = () => new Control.ControlNotFound({ org, control: identifier })
        const found = yield* store.find({ org: granted.orgId, identifier })
        const control = yield* reaches.permitFound(granted, found, {
          kind: "control",
          idOf: () => identifier,
          notFound
        })
        return { granted, control }
      })

    /** A control, archived or not. */
    const get = Effect.fn("Controls.get")(function* (path: ControlPath) {
      const { control, granted } = yield* find(path)
      const view: ControlView = {
        control,
        policies: yield* policiesNaming(granted, control.identifier)
      }
      return view
    })

    /** One page of the controls that pass the query. */
    const list = Effect.fn("Controls.list")(function* (
      org: OrgName,
      query: ControlQuery,
      page: Page
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      return yield* store.list(granted.orgId, { ...query, ...readableWithin(granted) }, page)
    })

    /** The distinct tags of controls that are not archived, by key, then by value. */
    const tags = Effect.fn("Controls.tags")(function* (org: OrgName) {
      const granted = yield* reaches.authorize(org, "org.read")
      return Tags.sorted(yield* store.listTags(granted.orgId, readableIds(granted)))
    })

    /** One page of the versions of a control, by number. */
    const versions = Effect.fn("Controls.versions")(
      (path: ControlPath, direction: "asc" | "desc", page: Page) =>
        Effect.flatMap(find(path), ({ control }) =>
          store.listVersions(Control.keyOf(control), direction, page)
        )
    )

    /** The version of that number. */
    const version = Effect.fn("Controls.version")((path: ControlPath, number: number) =>
      Effect.flatMap(find(path), ({ control }) =>
        Effect.flatMap(
          store.findVersion(Control.keyOf(control), number),
          Either.fromOption(() => new Control.ControlVersionNotFound({ ...path, version: number }))
        )
      )
    )

    const artifactNames = (views: ReadonlyArray<AttestationView>) =>
      Effect.gen(function* () {
        const about = new Map(views.map((view) => [contentOf(view), view.attestation] as const))
        const names = yield* Effect.forEach(
          about,
          ([content, { org_id: org, flow_id: flow, fingerprint }]) =>
            fingerprint === null
              ? Effect.succeed([content, null] as const)
              : Effect.map(
                  artifacts.listByContent({ org, flow, fingerprint }),
                  ([newest]) => [content, newest?.report.filename ?? null] as const
                )
        )
        return new Map(names)
      })

    const decided = (views: ReadonlyArray<AttestationView>) =>
      Effect.map(artifactNames(views), (names) =>
        ControlDecision.read(views, (view) => names.get(contentOf(view)) ?? null)
      )

    /** One page of the decisions about a control, in all flows or some. SPEC §4.11 */
    const decisions = Effect.fn("Controls.decisions")(function* (
      path: ControlPath,
      query: DecisionQuery,
      page: Page
    ) {
      const { identifier } = (yield* find(path)).control
      const filter = { ...query, control: identifier }
      const { items, total } = yield* attestations.list(path.org, filter, page)
      return {
        items: yield* decided(items),
        total
      } satisfies Paged<ControlDecision.ControlDecision>
    })

    /** One decision about a control, by the id of its attestation. */
    const decision = Effect.fn("Controls.decision")(function* (
      path: ControlPath,
      id: AttestationId
    ) {
      const { identifier } = (yield* find(path)).control
      const found = yield* attestations.list(
        path.org,
        { id, control: identifier },
        { page: 1, perPage: 1 }
      )
      return yield* Effect.flatMap(
        Effect.map(decided(found.items), Arr.head),
        Either.fromOption(() => new Control.ControlDecisionNotFound({ ...path, decision: id }))
      )
    })

    /** Which environments require decisions about a control. */
    const coverage = Effect.fn("Controls.coverage")(function* (
      path: ControlPath,
      filter: ControlCoverage.CoverageFilter,
      page: Page
    ) {
      const { control, granted } = yield* find(path)
      const naming = yield* references.policiesNaming(control.org_id, control.identifier)
      const found = yield* references.environments(
        control.org_id,
        { ...filter, ...readableWithin(granted), policies: naming.map(({ id }) => id) },
        page
      )
      return ControlCoverage.report(
        found,
        naming.map(({ name }) => name)
      )
    })

    return { get, list, tags, versions, version, decisions, decision, coverage } as const
  })
}) {}
