/** Defines, edits, archives and finds controls, and says what was decided about them. SPEC §4.11 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as Writer from "../access/Writer.js"
import { ArtifactStore } from "../artifact/ArtifactStore.js"
import { type AttestationView, AttestationViews } from "../compliance/AttestationViews.js"
import { Journals } from "../journal/Journals.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import type { ControlIdentifier, FlowName, OrgName } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import * as Tags from "../shared/Tags.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import * as Control from "./Control.js"
import * as ControlCoverage from "./ControlCoverage.js"
import * as ControlDecision from "./ControlDecision.js"
import { ControlReferences } from "./ControlReferences.js"
import { type ControlQuery, ControlStore } from "./ControlStore.js"

/** A control with the policies whose latest version names it. */
export interface ControlView {
  readonly control: Control.Control
  readonly policies: ReadonlyArray<string>
}

/** Which decisions are listed, in the words of callers. */
export interface DecisionQuery {
  readonly flowNames?: ReadonlyArray<FlowName>
  readonly isCompliant?: boolean
  readonly from?: Timestamp
  readonly to?: Timestamp
  readonly direction?: "asc" | "desc"
}

/** A control in an org, as callers name it. */
export interface ControlPath {
  readonly org: OrgName
  readonly control: ControlIdentifier
}

const changeOf = ({ actor, at }: Writer.Writer): Control.Change => ({ by: actor.name, at })

/** What tells the artifact of a view apart from those of others. */
const contentOf = ({ attestation }: AttestationView): string =>
  `${attestation.flow_id} ${attestation.fingerprint}`

/** Use cases of controls. */
export class Controls extends Effect.Service<Controls>()("@attestry/core/Controls", {
  effect: Effect.gen(function* () {
    const store = yield* ControlStore
    const references = yield* ControlReferences
    const attestations = yield* AttestationViews
    const artifacts = yield* ArtifactStore
    const transaction = yield* Transaction
    const journals = yield* Journals

    const record = (
      writer: Writer.Writer,
      kind: string,
      content: Pick<Control.Changed, "control"> & Partial<Control.Changed>
    ) =>
      journals.record({
        ...writer,
        kind,
        subject: { type: "control", id: content.control.identifier },
        content
      })

    const viewOf = (control: Control.Control) =>
      Effect.map(
        references.policiesNaming(control.org_id, control.identifier),
        (policies): ControlView => ({ control, policies })
      )

    /** Defines a control; an identifier is never given twice. */
    const create = Effect.fn("Controls.create")(function* (
      org: OrgName,
      draft: Control.ControlDraft
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "control.write")
      return yield* transaction.run(granted.orgId, ({ now }) =>
        Effect.gen(function* () {
          const writer = Writer.make(granted, now)
          const first = Control.create(granted.orgId, draft, changeOf(writer))
          if (!(yield* store.insert(first))) {
            return yield* new Control.ControlExists({ org, control: draft.identifier })
          }
          yield* record(writer, "control_created", first)
          return yield* viewOf(first.control)
        })
      )
    })

    /** Runs a change on a control under its lock, and keeps what it comes to. */
    const change = <E>(
      { org, control: identifier }: ControlPath,
      kind: string,
      decide: (
        control: Control.Control,
        change: Control.Change
      ) => Either.Either<Option.Option<Control.Changed>, E>
    ) =>
      Effect.gen(function* () {
        const granted = yield* Access.authorize(yield* CurrentActor, org, "control.write")
        return yield* transaction.run(granted.orgId, ({ now }) =>
          Effect.gen(function* () {
            const writer = Writer.make(granted, now)
            const control = yield* Effect.flatMap(
              store.lock({ org: granted.orgId, identifier }),
              Either.fromOption(() => new Control.ControlNotFound({ org, control: identifier }))
            )
            const next = yield* decide(control, changeOf(writer))
            if (Option.isNone(next)) return yield* viewOf(control)
            yield* store.revise(next.value)
            yield* record(writer, kind, next.value)
            return yield* viewOf(next.value.control)
          })
        )
      })

    /** Edits a control that is in use; the same definition makes no version. DECISION D7.1, D7.2 */
    const update = Effect.fn("Controls.update")((path: ControlPath, patch: Control.ControlPatch) =>
      change(path, "control_edited", (control, made) =>
        Either.mapLeft(
          Control.edit(control, patch, made),
          () => new Control.ControlArchived({ org: path.org, control: path.control })
        )
      )
    )

    /** Takes a control out of the catalog; its history, and what asks for it, stay. DECISION D7.8 */
    const archive = Effect.fn("Controls.archive")((path: ControlPath) =>
      change(path, "control_archived", (control, made) =>
        Either.right(Control.archive(control, made))
      )
    )

    /** Puts a control back into the catalog, as it was. */
    const unarchive = Effect.fn("Controls.unarchive")((path: ControlPath) =>
      change(path, "control_unarchived", (control, made) =>
        Either.right(Control.unarchive(control, made))
      )
    )

    /** Sets and removes tags of a control; this makes no version. DECISION B-20 */
    const tag = Effect.fn("Controls.tag")(function* (
      { org, control: identifier }: ControlPath,
      tags: Tags.TagChange
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "control.write")
      return yield* transaction.run(granted.orgId, ({ now }) =>
        Effect.gen(function* () {
          const control = yield* Effect.flatMap(
            store.lock({ org: granted.orgId, identifier }),
            Either.fromOption(() => new Control.ControlNotFound({ org, control: identifier }))
          )
          const next = { ...control, tags: Tags.apply(control.tags, tags) }
          if (CanonicalJson.equals(next.tags, control.tags)) return
          yield* store.tag(next)
          yield* record(Writer.make(granted, now), "control_tagged", { control: next })
        })
      )
    })

    /** A control of the org that the caller may read. */
    const find = ({ org, control: identifier }: ControlPath) =>
      Effect.gen(function* () {
        const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
        return yield* Effect.flatMap(
          store.find({ org: orgId, identifier }),
          Either.fromOption(() => new Control.ControlNotFound({ org, control: identifier }))
        )
      })

    /** A control, archived or not. */
    const get = Effect.fn("Controls.get")((path: ControlPath) => Effect.flatMap(find(path), viewOf))

    /** One page of the controls that pass. */
    const list = Effect.fn("Controls.list")(function* (
      org: OrgName,
      query: ControlQuery,
      page: Page
    ) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      return yield* store.list(orgId, query, page)
    })

    /** Every version of a control, oldest first. DECISION B-13 */
    const versions = Effect.fn("Controls.versions")((path: ControlPath) =>
      Effect.flatMap(find(path), (control) => store.listVersions(Control.keyOf(control)))
    )

    /** The version of that number. */
    const version = Effect.fn("Controls.version")((path: ControlPath, number: number) =>
      Effect.flatMap(find(path), (control) =>
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

    /** One page of what was decided about a control, over all flows or some. SPEC §4.11 */
    const decisions = Effect.fn("Controls.decisions")(function* (
      path: ControlPath,
      query: DecisionQuery,
      page: Page
    ) {
      const { identifier } = yield* find(path)
      const asked = { ...query, control: identifier }
      const { items, total } = yield* attestations.list(path.org, asked, page)
      const names = yield* artifactNames(items)
      return {
        items: ControlDecision.read(items, (view) => names.get(contentOf(view)) ?? null),
        total
      } satisfies Paged<ControlDecision.ControlDecision>
    })

    /** Which environments ask for decisions about a control. */
    const coverage = Effect.fn("Controls.coverage")(function* (
      path: ControlPath,
      filter: ControlCoverage.CoverageFilter,
      page: Page
    ) {
      const { org_id, identifier } = yield* find(path)
      const naming = yield* references.policiesNaming(org_id, identifier)
      const environments = yield* references.environments(org_id)
      return ControlCoverage.report(environments, naming, { filter, page })
    })

    return {
      create,
      get,
      list,
      update,
      archive,
      unarchive,
      tag,
      versions,
      version,
      decisions,
      coverage
    } as const
  })
}) {}
