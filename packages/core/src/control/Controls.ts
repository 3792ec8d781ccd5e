/** Defines, edits, archives and tags controls. SPEC §4.11 */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { AccessDenied } from "../access/Access.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { Journals } from "../journal/Journals.js"
import { HeldChanges } from "../protection/internal/HeldChanges.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import type { OrgName, SpaceId } from "../shared/Identifier.js"
import * as Tags from "../shared/Tags.js"
import { Transaction } from "../shared/Transaction.js"
import { Placements } from "../space/Placements.js"
import * as Control from "./Control.js"
import { ControlStore } from "./ControlStore.js"
import type { ControlPath, ControlView } from "./ControlViews.js"
import * as ReadablePolicies from "./internal/ReadablePolicies.js"

const changeOf = ({ actor, at }: WriteContext.WriteContext): Control.Change => ({
  by: actor.name,
  at
})

/** Use cases of controls. */
export class Controls extends Effect.Service<Controls>()("@attestry/core/Controls", {
  effect: Effect.gen(function* () {
    const store = yield* ControlStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const held = yield* HeldChanges
    const reaches = yield* Reaches
    const placements = yield* Placements
    const policiesNaming = yield* ReadablePolicies.make

    /** Fails if a control may not be changed without other people. Archiving only takes away. */
    const checkHeld = (
      writer: WriteContext.WriteContext,
      kind: string,
      {
        before,
        after,
        space
      }: {
        readonly before: Control.Control | null
        readonly after: Control.Control
        /** The space that a new one goes to. */
        readonly space?: SpaceId
      }
    ) => {
      const shown = ({ archived, description, links, name, version }: Control.Control) => ({
        name,
        description,
        links,
        version,
        archived
      })
      return kind === "control_archived"
        ? Effect.void
        : held.check(writer, {
            kinds: ["control"],
            subject: { type: "control", name: after.identifier },
            at: space ?? { kind: "control", id: after.identifier },
            before: before && shown(before),
            after: shown(after)
          })
    }

    const record = (
      writer: WriteContext.WriteContext,
      kind: string,
      content: Pick<Control.Changed, "control"> & Partial<Control.Changed>
    ) =>
      journals.record({
        ...writer,
        kind,
        subject: { type: "control", id: content.control.identifier },
        content
      })

    const viewOf = (granted: GrantedWithin, control: Control.Control) =>
      Effect.map(
        policiesNaming(granted, control.identifier),
        (policies): ControlView => ({ control, policies })
      )

    /** The locked control, if the caller may change it. */
    const lock = (granted: GrantedWithin, identifier: Control.Control["identifier"]) =>
      Effect.gen(function* () {
        const notFound = () =>
          new Control.ControlNotFound({ org: granted.org, control: identifier })
        const found = yield* store.find({ org: granted.orgId, identifier }, { lock: true })
        return yield* reaches.permitFound(granted, found, {
          kind: "control",
          idOf: () => identifier,
          notFound
        })
      })

    /** The space of a new control; a name that is taken where the caller may not write is 403. */
    const choosePlace = (granted: GrantedWithin, draft: Control.ControlDraft) =>
      Effect.gen(function* () {
        const { org, orgId, permission } = granted
        const { identifier: id, space } = draft
        const denied = () => new AccessDenied({ org, permission })
        if (Option.isSome(yield* store.find({ org: orgId, identifier: id })))
          yield* reaches.permit(granted, { kind: "control", id }, denied)
        return yield* placements.choose(granted, { kind: "control", name: id, space })
      })

    /** Defines a control; an identifier is used once. */
    const create = Effect.fn("Controls.create")(function* (
      org: OrgName,
      draft: Control.ControlDraft
    ) {
      const granted = yield* reaches.authorize(org, "control.write")
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const writer = WriteContext.make(granted, now)
          const space = yield* choosePlace(granted, draft)
          const first = Control.create(granted.orgId, draft, changeOf(writer))
          yield* checkHeld(writer, "control_created", {
            before: null,
            after: first.control,
            space
          })
          if (!(yield* store.insert(first))) {
            return yield* new Control.ControlExists({ org, control: draft.identifier })
          }
          yield* record(writer, "control_created", first)
          const { identifier: id } = draft
          yield* placements.put(writer, { kind: "control", id, name: id }, space)
          return yield* viewOf(granted, first.control)
        })
      )
    })

    /** Runs a change on a locked control, and stores its result. */
    const change = <E>(
      { org, control: identifier }: ControlPath,
      kind: string,
      decide: (
        control: Control.Control,
        change: Control.Change
      ) => Either.Either<Option.Option<Control.Changed>, E>
    ) =>
      Effect.gen(function* () {
        const granted = yield* reaches.authorize(org, "control.write")
        return yield* transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const writer = WriteContext.make(granted, now)
            const control = yield* lock(granted, identifier)
            const next = yield* decide(control, changeOf(writer))
            if (Option.isNone(next)) return yield* viewOf(granted, control)
            yield* checkHeld(writer, kind, { before: control, after: next.value.control })
            yield* store.revise(next.value)
            yield* record(writer, kind, next.value)
            return yield* viewOf(granted, next.value.control)
          })
        )
      })

    /** Edits an active control; an equal definition adds no version. */
    const update = Effect.fn("Controls.update")((path: ControlPath, patch: Control.ControlPatch) =>
      change(path, "control_edited", (control, made) =>
        Either.mapLeft(
          Control.edit(control, patch, made),
          () => new Control.ControlArchived({ org: path.org, control: path.control })
        )
      )
    )

    /**
     * Archives a control; its history and the policies that name it stay. Enforcement does not change: a policy says
     * what it says.
     */
    const archive = Effect.fn("Controls.archive")((path: ControlPath) =>
      change(path, "control_archived", (control, made) =>
        Either.right(Control.archive(control, made))
      )
    )

    /** Unarchives a control. */
    const unarchive = Effect.fn("Controls.unarchive")((path: ControlPath) =>
      change(path, "control_unarchived", (control, made) =>
        Either.right(Control.unarchive(control, made))
      )
    )

    /**
     * Sets and removes tags of a control without adding a version. A role that may not edit a control may not relabel
     * it.
     */
    const tag = Effect.fn("Controls.tag")(function* (
      { org, control: identifier }: ControlPath,
      tags: Tags.TagChange
    ) {
      const granted = yield* reaches.authorize(org, "control.write")
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const control = yield* lock(granted, identifier)
          const next = { ...control, tags: Tags.apply(control.tags, tags) }
          const isSame = CanonicalJson.equals(next.tags, control.tags)
          const result = isSame ? "unchanged" : "updated"
          const { name, version } = control
          yield* CurrentOutcome.setOutcome({
            type: "control",
            id: identifier,
            name,
            result,
            version
          })
          if (isSame) return
          yield* store.tag(next)
          yield* record(WriteContext.make(granted, now), "control_tagged", { control: next })
        })
      )
    })

    return { create, update, archive, unarchive, tag } as const
  })
}) {}
