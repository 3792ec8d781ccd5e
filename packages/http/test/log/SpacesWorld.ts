/** Spaces, places, placement rules and grants with their entries, as use cases write them. */
import { GrantStore } from "@attestry/core/GrantStore"
import { type OrgId, SpaceId, SpaceName } from "@attestry/core/Identifier"
import { Journals } from "@attestry/core/Journals"
import { rootOf, type Space } from "@attestry/core/Space"
import { SpaceStore } from "@attestry/core/SpaceStore"
import * as ThingPlace from "@attestry/core/ThingPlace"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { Effect } from "effect"

const ACTOR = { kind: "system", id: "test", name: "test" } as const

const later = (at: Timestamp.Timestamp, micros: number) => Timestamp.fromMicros(at + micros)

interface Written {
  readonly kind: string
  readonly subject: { readonly type: string; readonly id: string }
  readonly content: unknown
}

/** Records an entry. */
const recorder = (org: OrgId, at: Timestamp.Timestamp) =>
  Effect.map(
    Journals,
    (journals) => (written: Written) => journals.record({ org, actor: ACTOR, at, ...written })
  )

/** Three spaces: one is moved, one is deleted. */
const spaces = Effect.fn(function* (org: OrgId, at: Timestamp.Timestamp) {
  const store = yield* SpaceStore
  const record = yield* recorder(org, at)
  const tell = (kind: string, space: Space) =>
    record({ kind, subject: { type: "space", id: space.id }, content: space })
  const made = (name: string, description: string): Space => ({
    org_id: org,
    id: SpaceId.make(`space-${name}`),
    parent_id: rootOf(org),
    name: SpaceName.make(name),
    description,
    from_at: at,
    to_at: null
  })
  const [retail, cards, gone] = [made("retail", "shops"), made("cards", ""), made("gone", "x")]
  yield* store.begin([retail, cards, gone])
  for (const space of [retail, cards, gone]) yield* tell("space_created", space)
  const moved = { ...cards, parent_id: retail.id, description: "plastic", from_at: later(at, 1) }
  yield* store.end({ ...cards, to_at: moved.from_at })
  yield* store.begin([moved])
  yield* tell("space_changed", moved)
  const over = { ...gone, to_at: later(at, 3) }
  yield* store.end(over)
  yield* tell("space_deleted", over)
  return { retail, cards }
})

/** One flow moves from space to space, another one back to the root. */
const places = Effect.fn(function* (
  org: OrgId,
  at: Timestamp.Timestamp,
  { cards, retail }: { readonly retail: Space; readonly cards: Space }
) {
  const store = yield* SpaceStore
  const record = yield* recorder(org, at)
  const root = rootOf(org)
  const placed = (
    thing_id: string,
    space_id: SpaceId,
    from_at: Timestamp.Timestamp
  ): ThingPlace.ThingPlace => ({
    org_id: org,
    kind: "flow",
    thing_id,
    space_id,
    from_at,
    to_at: null
  })
  const tell = (thing_id: string, from: SpaceId, to: SpaceId, from_at: Timestamp.Timestamp) =>
    record({
      kind: "thing_placed",
      subject: { type: "space", id: to },
      content: { kind: "flow", thing_id, name: thing_id, from, to, from_at }
    })
  const [one, two] = [placed("one", retail.id, at), placed("two", retail.id, at)]
  yield* store.beginPlaces([one, two])
  yield* tell("one", root, retail.id, at)
  yield* tell("two", root, retail.id, at)
  const moved = ThingPlace.ended(one, later(at, 5))
  yield* store.endPlaces([moved, ThingPlace.ended(two, later(at, 5))])
  yield* store.beginPlaces([placed("one", cards.id, moved.to_at)])
  yield* tell("one", retail.id, cards.id, moved.to_at)
  yield* tell("two", retail.id, root, moved.to_at)
  const rules = [{ kind: "flow" as const, name: "pay-*", space_id: retail.id }]
  yield* store.putRules(org, rules)
  const subject = { type: "org", id: org }
  yield* record({ kind: "placement_rules_set", subject, content: { org_id: org, rules } })
})

/** Two grants, one of which is ended. */
const grants = Effect.fn(function* (org: OrgId, at: Timestamp.Timestamp, space_id: SpaceId) {
  const store = yield* GrantStore
  const record = yield* recorder(org, at)
  const draft = {
    org_id: org,
    space_id,
    eligible: false,
    expires_at: null,
    reason: "they pay",
    given_by: "u",
    from_at: at,
    to_at: null
  }
  const given = [
    yield* store.append({ ...draft, subject: { kind: "team", id: "pay" }, role: "member" }),
    yield* store.append({
      ...draft,
      subject: { kind: "everyone", id: "" },
      role: "reader",
      expires_at: later(at, 1_000_000)
    })
  ]
  const subjectOf = (number: number) => ({ type: "grant", id: String(number) })
  for (const grant of given)
    yield* record({ kind: "grant_given", subject: subjectOf(grant.number), content: grant })
  const [first] = given
  if (first === undefined) return
  const over = { ...first, to_at: later(at, 7) }
  yield* store.end(over)
  yield* record({ kind: "grant_ended", subject: subjectOf(over.number), content: over })
})

/** Fills an org. */
export const fillSpaces = Effect.fn(function* (org: OrgId) {
  const { run } = yield* Transaction
  yield* run(org, (scope) =>
    Effect.gen(function* () {
      const at = yield* scope.now
      const made = yield* spaces(org, at)
      yield* places(org, at, made)
      yield* grants(org, at, made.retail.id)
    })
  )
})
