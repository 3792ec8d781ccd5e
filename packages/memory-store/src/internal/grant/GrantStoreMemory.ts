/** `GrantStore` in memory. A transaction is the only writer, so a locked read is a plain one. */

import * as Grant from "@attestry/core/Grant"
import { GrantStore } from "@attestry/core/GrantStore"
import type { OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { Binding } from "@attestry/core/Standing"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"
import { times } from "../team/TeamStoreMemory.js"

const grants = table<Grant.Grant>("grant")

const isOpen = ({ to_at }: Grant.Grant): boolean => to_at === null
const isFor =
  (subject: Grant.GrantSubject) =>
  (grant: Pick<Grant.Grant, "subject">): boolean =>
    grant.subject.kind === subject.kind && grant.subject.id === subject.id

const textOf = ({ role, space }: Binding): string => key(space, role)

/** Each binding once, by space and role. */
const distinct = (bindings: ReadonlyArray<Binding>): ReadonlyArray<Binding> =>
  [...new Map(bindings.map((binding) => [textOf(binding), binding])).values()].sort(
    (left, right) => (textOf(left) < textOf(right) ? -1 : 1)
  )

/** `GrantStore` in memory. */
export const layer: Layer.Layer<GrantStore, never, MemoryState> = Layer.effect(
  GrantStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const rows = yield* MemoryRows.make(grants)
    const teamTimes = yield* MemoryRows.make(times)

    /** The grants of an org that are wanted, by number. */
    const select = (org: OrgId, keep: (grant: Grant.Grant) => boolean) =>
      Effect.map(rows.values, (all) =>
        all
          .filter((grant) => grant.org_id === org && keep(grant))
          .sort((left, right) => left.number - right.number)
      )

    /** The subjects whose grants a user or account has at an instant. */
    const subjectsOf = (org: OrgId, subject: Grant.GrantSubject, at: Timestamp) =>
      Effect.map(
        teamTimes.values,
        (all): ReadonlyArray<Grant.GrantSubject> => [
          subject,
          { kind: "everyone", id: "" },
          ...all
            .filter(
              ({ from_at, org_id, to_at, user_id }) =>
                org_id === org &&
                subject.kind === "user" &&
                user_id === subject.id &&
                from_at <= at &&
                (to_at === null || at < to_at)
            )
            .map(({ team_id }) => ({ kind: "team" as const, id: team_id }))
        ]
      )

    const bindingsOf = (
      org: OrgId,
      subject: Grant.GrantSubject,
      { at, eligible }: { readonly at: Timestamp; readonly eligible: boolean }
    ) =>
      Effect.gen(function* () {
        const subjects = yield* subjectsOf(org, subject, at)
        const found = yield* select(
          org,
          (grant) =>
            Grant.holds(grant, at) &&
            grant.eligible === eligible &&
            subjects.some((each) => isFor(each)(grant))
        )
        return distinct(found.map(({ role, space_id }) => ({ role, space: space_id })))
      })

    return GrantStore.of({
      countToAdd: (org, subject) =>
        Effect.map(select(org, isOpen), (open) => ({
          org: open.length,
          subject: open.filter(isFor(subject)).length
        })),
      append: (draft) =>
        state.transaction(() =>
          Effect.gen(function* () {
            const before = yield* select(draft.org_id, () => true)
            const grant = { ...draft, number: (before.at(-1)?.number ?? 0) + 1 }
            yield* rows.set(key(draft.org_id, grant.number), grant)
            return grant
          })
        ),
      find: ({ number, org }) => rows.find(key(org, number)),
      lockOpen: (org, subject, { eligible, space }) =>
        Effect.map(
          select(
            org,
            (grant) =>
              isOpen(grant) &&
              isFor(subject)(grant) &&
              grant.space_id === space &&
              grant.eligible === eligible
          ),
          ([found]) => Option.fromNullable(found)
        ),
      end: ({ number, org_id, to_at }) =>
        state.transaction(() =>
          Effect.flatMap(rows.find(key(org_id, number)), (found) =>
            Option.isNone(found)
              ? Effect.void
              : rows.set(key(org_id, number), { ...found.value, to_at })
          )
        ),
      list: (org, { eligible, ended, now, role, spaces, subject }, page) =>
        Effect.map(
          select(
            org,
            (grant) =>
              (ended || Grant.holds(grant, now)) &&
              (subject === undefined || isFor(subject)(grant)) &&
              (role ?? grant.role) === grant.role &&
              (eligible ?? grant.eligible) === grant.eligible &&
              (spaces?.includes(grant.space_id) ?? true)
          ),
          (found) => Page.slice([...found].reverse(), page)
        ),
      listOpen: (org, subject) => select(org, (grant) => isOpen(grant) && isFor(subject)(grant)),
      hasOpenIn: (org, space) =>
        Effect.map(
          select(org, (grant) => isOpen(grant) && grant.space_id === space),
          (found) => found.length > 0
        ),
      listBindings: (org, subject, at) => bindingsOf(org, subject, { at, eligible: false }),
      listEligible: (org, id, at) => bindingsOf(org, { kind: "user", id }, { at, eligible: true })
    })
  })
)
