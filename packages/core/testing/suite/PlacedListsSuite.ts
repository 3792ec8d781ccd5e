/**
 * Lists that show only what is in some spaces: each is the whole list without the things elsewhere, in its order, with
 * its pages and its total (law AC-8).
 */
import type { Artifact } from "@attestry/core/Artifact"
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { AttestationName } from "@attestry/core/Attestation"
import { AttestationStore } from "@attestry/core/AttestationStore"
import * as Control from "@attestry/core/Control"
import { ControlStore } from "@attestry/core/ControlStore"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Fingerprint, FingerprintPrefix } from "@attestry/core/Fingerprint"
import { type FlowActivity, FlowStore } from "@attestry/core/FlowStore"
import { CommitSha, ControlIdentifier, SpaceId } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import type { Page, Paged } from "@attestry/core/Page"
import type { Ports } from "@attestry/core/Ports"
import { SpaceStore } from "@attestry/core/SpaceStore"
import type { StoreError } from "@attestry/core/StoreError"
import * as ThingPlace from "@attestry/core/ThingPlace"
import { type CommitTrail, TrailStore } from "@attestry/core/TrailStore"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "../Suite.js"

const [A, B, C] = [SpaceId.make("a"), SpaceId.make("b"), SpaceId.make("c")]
const FIRST: Page = { page: 1, perPage: 100 }
const SHA = CommitSha.make("c0ffee".padEnd(40, "0"))

/** Which spaces are asked for; the last has nothing in it. */
const ASKED: ReadonlyArray<ReadonlyArray<SpaceId>> = [[], [A], [B], [A, B], [C]]

type Places = ReadonlyMap<string, SpaceId | undefined>

/**
 * Puts the first thing into `a` and the second into `b`. The third stays in the root, the fourth was in `a`, and the
 * fifth has come from `b` to `a`.
 */
const place = (org: Org, kind: ThingPlace.ThingKind, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const store = yield* SpaceStore
    const timeOf = (id: string, space: SpaceId, from_at = Fixture.AT): ThingPlace.ThingPlace => ({
      org_id: org.id,
      kind,
      thing_id: id,
      space_id: space,
      from_at,
      to_at: null
    })
    const [one = "", two = "", three = "", four = "", five = ""] = ids
    const left = [timeOf(four, A), timeOf(five, B)]
    yield* store.beginPlaces([timeOf(one, A), timeOf(two, B), ...left])
    yield* store.endPlaces(left.map((time) => ThingPlace.ended(time, Fixture.LATER)))
    yield* store.beginPlaces([timeOf(five, A, Fixture.LATER)])
    const places: Places = new Map([
      [one, A],
      [two, B],
      [three, undefined],
      [four, undefined],
      [five, A]
    ])
    return places
  })

/** What of a whole list is in some spaces. */
const among = <Item>(
  whole: ReadonlyArray<Item>,
  within: ReadonlyArray<SpaceId>,
  spaceOf: (item: Item) => SpaceId | undefined
): ReadonlyArray<Item> => whole.filter((item) => within.some((space) => space === spaceOf(item)))

interface Listed<Item, R> {
  readonly list: (
    within: ReadonlyArray<SpaceId> | undefined,
    page: Page
  ) => Effect.Effect<Paged<Item>, StoreError, R>
  readonly spaceOf: (item: Item) => SpaceId | undefined
}

/** Holds a list against the whole list, page by page. */
const check = <Item, R>({ list, spaceOf }: Listed<Item, R>, size: number) =>
  Effect.gen(function* () {
    const whole = yield* list(undefined, FIRST)
    deepStrictEqual(whole.total, size)
    for (const within of ASKED) {
      const wanted = among(whole.items, within, spaceOf)
      for (const page of [1, 2, 3, 9]) {
        const found = yield* list(within, { page, perPage: 2 })
        const items = wanted.slice(2 * (page - 1), 2 * page)
        deepStrictEqual([found.items, found.total], [items, wanted.length])
      }
      const all = yield* list(within, FIRST)
      deepStrictEqual([all.items, all.total], [wanted, wanted.length])
    }
  })

const NAMES = ["f1", "f2", "f3", "f4", "f5"]

/** Five flows with three trails each, in turn; each trail has a record, an attestation and a commit. */
const world = Effect.gen(function* () {
  const org = yield* Fixture.org
  const flows = yield* Effect.forEach(NAMES, (name) => Fixture.flow(org, name))
  const [trails, artifacts, attestations] = [
    yield* TrailStore,
    yield* ArtifactStore,
    yield* AttestationStore
  ]
  const empty = yield* Fixture.flow(org, "f6")
  let sequence = 0
  for (const run of ["r1", "r2", "r3"]) {
    for (const [index, flow] of flows.entries()) {
      sequence += 1
      const trail = yield* Fixture.trail(flow, run)
      yield* trails.linkCommit({ org: org.id, trail: trail.id, sha: SHA, branch: "main" })
      const record = yield* Fixture.newArtifact(trail, sequence)
      const fingerprint = Fingerprint.make(`${index}`.repeat(64))
      const git_commit = CommitSha.make(`${index}`.repeat(40))
      const report = { ...record.report, fingerprint, git_commit, filename: `${run}.tar` }
      yield* artifacts.append({ ...record, fingerprint, report })
      const attestation = yield* Fixture.newAttestation(trail, sequence)
      yield* attestations.append({ ...attestation, name: AttestationName.make(`n${index}`) })
    }
  }
  const places = yield* place(
    org,
    "flow",
    flows.map(({ id }) => id)
  )
  const inSpace = ({ flow_id }: { readonly flow_id: string }) => places.get(flow_id)
  return { org, flows, empty, places, inSpace, size: sequence }
})

const flows = (it: SuiteIt): void => {
  it.effect("lists flows by name and by activity", () =>
    Effect.gen(function* () {
      const store = yield* FlowStore
      const { org, places } = yield* world
      const spaceOf = ({ flow }: FlowActivity) => places.get(flow.id)
      for (const sort of ["name", "latest_activity"] as const)
        for (const direction of ["asc", "desc"] as const)
          yield* check(
            {
              spaceOf,
              list: (within, page) =>
                store.list(
                  org.id,
                  { sort, direction, ...(within === undefined ? {} : { within }) },
                  Option.some(page)
                )
            },
            6
          )
      const search = { text: "f", caseSensitive: false }
      const query = { sort: "name", direction: "asc", search } as const
      const all = yield* store.list(org.id, { ...query, within: [A] }, Option.none())
      deepStrictEqual([all.items.map(({ flow }) => flow.name), all.total], [["f1", "f5"], 2])
    })
  )

  it.effect("lists no flow of another org or kind, and none that was archived", () =>
    Effect.gen(function* () {
      const store = yield* FlowStore
      const [org, other] = [yield* Fixture.org, yield* Fixture.org]
      const [flow, gone] = [yield* Fixture.flow(org), yield* Fixture.flow(org, "gone")]
      yield* store.update({ ...gone, archived_at: Fixture.LATER })
      const timeOf = (of: Org, kind: ThingPlace.ThingKind, id: string) => ({
        org_id: of.id,
        kind,
        thing_id: id,
        space_id: A,
        from_at: Fixture.AT,
        to_at: null
      })
      const { beginPlaces } = yield* SpaceStore
      yield* beginPlaces([timeOf(other, "flow", flow.id)])
      yield* beginPlaces([timeOf(org, "policy", flow.id), timeOf(org, "flow", gone.id)])
      const query = { sort: "name", direction: "asc", within: [A, B] } as const
      deepStrictEqual(yield* store.list(org.id, query, Option.some(FIRST)), { items: [], total: 0 })
    })
  )
}

const trails = (it: SuiteIt): void => {
  it.effect("lists trails, all and those that pass other conditions", () =>
    Effect.gen(function* () {
      const store = yield* TrailStore
      const { flows: all, inSpace, org, size } = yield* world
      const queries = [
        [{}, size],
        [{ search: "r2" }, 5],
        [{ fingerprint: "4".repeat(64) }, 3],
        ...all.map((flow) => [{ flow: flow.id }, 3] as const)
      ] as const
      for (const [query, count] of queries)
        yield* check(
          {
            spaceOf: inSpace,
            list: (within, page) =>
              store.list(org.id, { ...query, ...(within === undefined ? {} : { within }) }, page)
          },
          count
        )
    })
  )

  it.effect("lists the trails of a commit", () =>
    Effect.gen(function* () {
      const store = yield* TrailStore
      const { flows: all, org, places, size } = yield* world
      const ids = new Map<string, string>(all.map(({ id, name }) => [name, id]))
      yield* check(
        {
          spaceOf: ({ flow }: CommitTrail) => places.get(ids.get(flow) ?? ""),
          list: (within, page) =>
            store.listByCommit(org.id, SHA, {
              ...page,
              ...(within === undefined ? {} : { within })
            })
        },
        size
      )
    })
  )
}

const artifacts = (it: SuiteIt): void => {
  it.effect("lists records, all and those that pass other conditions", () =>
    Effect.gen(function* () {
      const store = yield* ArtifactStore
      const { flows: all, inSpace, org } = yield* world
      const queries = [
        {},
        { search: "R2" },
        { commit: "0" },
        ...all.map((flow) => ({ flow: flow.id }))
      ]
      for (const query of queries) {
        const whole = yield* store.list({ org: org.id, ...query })
        for (const within of ASKED) {
          const wanted = among(whole, within, inSpace)
          const asked = { org: org.id, ...query, within }
          deepStrictEqual(yield* store.list(asked), wanted)
          deepStrictEqual(yield* store.list(asked, { page: 1, perPage: 2 }), wanted.slice(0, 2))
          deepStrictEqual(yield* store.list(asked, { page: 3, perPage: 2 }), wanted.slice(4, 6))
        }
      }
    })
  )

  it.effect("finds fingerprints, commits and the records of a fingerprint", () =>
    Effect.gen(function* () {
      const store = yield* ArtifactStore
      const { inSpace, org } = yield* world
      const records: ReadonlyArray<Artifact> = yield* store.list({ org: org.id })
      for (const within of ASKED) {
        const wanted = among(records, within, inSpace)
        for (const digit of ["0", "1", "2", "3", "4"]) {
          const fingerprint = Fingerprint.make(digit.repeat(64))
          const found = wanted.filter((record) => record.fingerprint === fingerprint)
          const isFound = found.length > 0
          const match = { org: org.id, limit: 5, within }
          deepStrictEqual(yield* store.listByContent({ org: org.id, fingerprint, within }), found)
          deepStrictEqual(
            yield* store.matchFingerprints({
              ...match,
              prefix: FingerprintPrefix.make(digit.repeat(7))
            }),
            isFound ? [fingerprint] : []
          )
          deepStrictEqual(
            yield* store.matchCommits({ ...match, prefix: digit }),
            isFound ? [CommitSha.make(digit.repeat(40))] : []
          )
        }
      }
    })
  )

  it.effect("lists attestations and their names", () =>
    Effect.gen(function* () {
      const store = yield* AttestationStore
      const { flows: all, inSpace, org, size } = yield* world
      const queries = [
        [{}, size],
        [{ direction: "asc" }, size],
        [{ names: ["n0", "n2"] }, 6],
        [{ flows: all.slice(1).map(({ id }) => id) }, 12]
      ] as const
      for (const [query, count] of queries) {
        const list = (within: ReadonlyArray<SpaceId> | undefined, page: Page) =>
          store.list(org.id, { ...query, ...(within === undefined ? {} : { within }) }, page)
        yield* check({ spaceOf: inSpace, list }, count)
      }
      const whole = (yield* store.list(org.id, {}, FIRST)).items
      for (const within of ASKED) {
        const wanted = among(whole, within, inSpace)
        const { items } = yield* store.listAfter(org.id, { within }, { after: 9, limit: 3 })
        deepStrictEqual(items, wanted.filter(({ sequence }) => sequence < 9).slice(0, 3))
        const names = [...new Set(wanted.map(({ name }) => name))].sort()
        deepStrictEqual([...(yield* store.listNames(org.id, 9, within))].sort(), names)
      }
    })
  )
}

const others = (it: SuiteIt): void => {
  it.effect("lists controls and their tags", () =>
    Effect.gen(function* () {
      const store = yield* ControlStore
      const org = yield* Fixture.org
      for (const name of NAMES) {
        const content = { identifier: ControlIdentifier.make(name), name, description: null }
        const by = { by: "anna", at: Fixture.AT }
        const made = Control.create(org.id, { ...content, links: {} }, by)
        yield* store.insert({ ...made, control: { ...made.control, tags: { of: name } } })
      }
      const places = yield* place(org, "control", NAMES)
      for (const query of [{}, { search: "F" }])
        for (const direction of ["asc", "desc"] as const)
          yield* check(
            {
              spaceOf: ({ identifier }: Control.Control) => places.get(identifier),
              list: (within, page) =>
                store.list(
                  org.id,
                  {
                    archived: false,
                    tags: [],
                    direction,
                    ...query,
                    ...(within === undefined ? {} : { within })
                  },
                  page
                )
            },
            5
          )
      for (const within of ASKED)
        deepStrictEqual(
          (yield* store.listTags(org.id, within)).map(({ value }) => value).sort(),
          among(NAMES, within, (name) => places.get(name))
        )
    })
  )

  it.effect("lists environments, by pages and by ids", () =>
    Effect.gen(function* () {
      const store = yield* EnvironmentStore
      const org = yield* Fixture.org
      const all = yield* Effect.forEach(NAMES, (name) => Fixture.environment(org, name))
      const ids = all.map(({ id }) => id)
      const places = yield* place(org, "environment", ids)
      const spaceOf = ({ id }: { readonly id: string }) => places.get(id)
      for (const query of [{}, { name: "F" }, { descending: true }])
        yield* check(
          {
            spaceOf,
            list: (within, page) =>
              store.page(org.id, { ...query, ...(within === undefined ? {} : { within }) }, page)
          },
          5
        )
      const namesOf = (found: ReadonlyArray<{ readonly name: string }>) =>
        found.map(({ name }) => name).sort()
      for (const within of ASKED) {
        const wanted = among(all, within, spaceOf)
        deepStrictEqual(namesOf(yield* store.list(org.id, undefined, within)), namesOf(wanted))
        deepStrictEqual(
          namesOf(yield* store.list(org.id, ids.slice(1), within)),
          namesOf(wanted.filter(({ id }) => id !== ids[0]))
        )
      }
    })
  )
}

/** States what lists of things in some spaces have. */
export const placedListsSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`lists of things in spaces (${name})`, ports, options, (it) => {
    flows(it)
    trails(it)
    artifacts(it)
    others(it)
  })
