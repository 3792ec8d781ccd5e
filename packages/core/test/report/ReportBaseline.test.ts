/** A report that is read against the one before it says what it says when it is read by itself. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { FastCheck, Option } from "effect"
import type { PhysicalKind } from "../../src/environment/EnvironmentKind.js"
import type { RunningRow } from "../../src/environment/RunningRow.js"
import * as ReportBaseline from "../../src/report/internal/ReportBaseline.js"
import * as ScannedReport from "../../src/report/internal/ScannedReport.js"
import * as Texts from "../../testing/arbitrary/Text.js"
import * as Generated from "../../testing/EnvironmentReport.js"
import { lengthForRun } from "../shared/Effort.js"

type Known = Option.Option<ReportBaseline.ReportBaseline>

const SCALING = [false, true] as const

const scan = (kind: PhysicalKind, text: string, before: Known = Option.none()) =>
  Option.fromNullable(ScannedReport.read({ kind, text }, Option.getOrUndefined(before)))

/** Reads a text both ways and compares; gives the baseline of the next. */
const follow = (kind: PhysicalKind, text: string, before: Known): Known => {
  const [quick, alone] = [scan(kind, text, before), scan(kind, text)]
  assert.strictEqual(Option.isSome(quick), Option.isSome(alone))
  if (Option.isNone(quick) || Option.isNone(alone)) return before
  for (const includeScaling of SCALING) {
    assert.strictEqual(
      quick.value.runningSetText({ includeScaling }),
      alone.value.runningSetText({ includeScaling })
    )
  }
  deepStrictEqual(quick.value.rows(), alone.value.rows())
  return Option.some(quick.value.baseline())
}

const isRead = (kind: PhysicalKind, text: string, before: Known): boolean =>
  ReportBaseline.changesTo(Option.getOrThrow(before), kind, text) !== undefined

/** How units come, go and change places between two reports. */
const step = <U>(unit: FastCheck.Arbitrary<U>) =>
  FastCheck.array(
    FastCheck.record({
      at: FastCheck.double({ min: 0, max: 1, noNaN: true }),
      gone: FastCheck.nat({ max: 2 }),
      come: FastCheck.array(unit, { maxLength: 2 }),
      isMoved: FastCheck.boolean()
    }),
    { maxLength: 3 }
  ).map(
    (moves) =>
      (units: ReadonlyArray<U>): ReadonlyArray<U> =>
        moves.reduce((all, { at, gone, come, isMoved }) => {
          const place = Math.floor(at * all.length)
          const taken = all.slice(place, place + gone)
          const others = [...all.slice(0, place), ...come, ...all.slice(place + gone)]
          return isMoved ? [...others, ...taken] : others
        }, units)
  )

const historyOf = (kind: PhysicalKind) =>
  FastCheck.record({
    kind: FastCheck.constant(kind),
    first: FastCheck.array(Generated.unit(kind), { minLength: 1, maxLength: 12 }),
    steps: FastCheck.array(step(Generated.unit(kind)), { minLength: 1, maxLength: 5 }),
    space: FastCheck.constantFrom<Array<string | number>>("", 1)
  })

const history = Generated.physicalKind.chain(historyOf)

/** The texts of the reports of a history. */
const textsOf = ({
  first,
  steps,
  space
}: {
  readonly first: ReadonlyArray<object>
  readonly steps: ReadonlyArray<(units: ReadonlyArray<never>) => ReadonlyArray<object>>
  readonly space: string | number
}): ReadonlyArray<string> => {
  let units = first
  const reports = [first]
  for (const change of steps) {
    // WHY: the units of a history are of one kind, which is lost where kinds are any.
    units = change(units as ReadonlyArray<never>)
    reports.push(units)
  }
  return reports.map((artifacts) => JSON.stringify({ artifacts }, null, space))
}

/** The quick run has a fifteenth of the trials of a deep one, the full run a fifth. */
const runs = (deep: number) => ({
  fastCheck: { numRuns: lengthForRun({ quick: deep / 15, full: deep / 5, deep }) }
})

describe("ReportBaseline: properties", () => {
  it.prop(
    "each report of a history says what it says by itself",
    { history },
    ({ history: given }) => {
      textsOf(given).reduce((known: Known, text) => follow(given.kind, text, known), Option.none())
    },
    runs(3_000)
  )

  it.prop(
    "each report of a long list says what it says by itself, wherever it has changed",
    { history, times: FastCheck.integer({ min: 8, max: 16 }) },
    ({ history: { first, ...given }, times }) => {
      const long = Array.from({ length: times }, () => first).flat()
      const texts = textsOf({ ...given, first: long })
      texts.reduce((known: Known, text) => follow(given.kind, text, known), Option.none())
    },
    runs(300)
  )

  it.prop(
    "what is damaged is read against nothing, or says what it says by itself",
    { history, edits: FastCheck.array(Texts.edit, { minLength: 1, maxLength: 2 }) },
    ({ history: given, edits }) => {
      const [first = "", second = ""] = textsOf(given)
      const known = follow(given.kind, first, Option.none())
      const damaged = (text: string) => edits.reduce((all, edit) => edit(all), text)
      follow(given.kind, damaged(second), known)
      follow(given.kind, damaged(first), known)
    },
    runs(3_000)
  )

  it.prop(
    "a report of another kind says what it says by itself",
    { history, kind: Generated.physicalKind },
    ({ history: given, kind }) => {
      const [first = "", second = ""] = textsOf(given)
      follow(kind, second, follow(given.kind, first, Option.none()))
    }
  )
})

describe("ReportBaseline: examples", () => {
  const fingerprintOf = (service: number, version: number) =>
    (service * 1_000 + version).toString(16).padStart(64, "0")

  const pod = (
    service: number,
    { version = 0, replica = 0, at = 1_790_000_000 + service } = {}
  ) => ({
    digests: { [`registry.example.org/service-${service}`]: fingerprintOf(service, version) },
    creationTimestamp: at,
    podName: `service-${service}-${version}-${replica}`,
    namespace: "production"
  })

  const every = <A>(count: number, make: (at: number) => A): ReadonlyArray<A> =>
    Array.from({ length: count }, (_, at) => make(at))

  const print = (artifacts: ReadonlyArray<object>) => JSON.stringify({ artifacts })
  const pods = every(60, (service) => pod(service))
  type Units = ReadonlyArray<ReturnType<typeof pod>>
  const spliced = (units: Units, at: number, gone: number, ...come: Units): Units => [
    ...units.slice(0, at),
    ...come,
    ...units.slice(at + gone)
  ]
  const replaced = (units: Units, at: number, unit: Units[number]): Units =>
    spliced(units, at, 1, unit)
  const before = () => follow("K8S", print(pods), Option.none())

  const rowsAfter = (artifacts: ReadonlyArray<object>, known: Known): ReadonlyArray<RunningRow> => {
    follow("K8S", print(artifacts), known)
    return Option.getOrThrow(scan("K8S", print(artifacts), known)).rows()
  }

  it("gives the very same rows for what is written as before, and new ones for the rest", () => {
    const known = before()
    const old = new Set(Option.getOrThrow(known).rows)
    const next = pods.map((unit, at) => (at % 20 === 7 ? pod(at, { version: 1 }) : unit))
    assert.strictEqual(isRead("K8S", print(next), known), true)
    const fresh = rowsAfter(next, known).filter((row) => !old.has(row))
    assert.deepStrictEqual(
      fresh.map(({ fingerprint }) => fingerprint).sort(),
      [7, 27, 47].map((at) => fingerprintOf(at, 1))
    )
  })

  it.each([0, 7, 8, 63, 64, 65, 127, 128, 199])(
    "finds all but one of 200 again, whichever that is (%i)",
    (place) => {
      const many = every(200, (service) => pod(service))
      const known = follow("K8S", print(many), Option.none())
      const old = new Set(Option.getOrThrow(known).rows)
      for (const next of [
        replaced(many, place, pod(999)),
        spliced(many, place, 1),
        spliced(many, place, 0, pod(999))
      ]) {
        assert.strictEqual(isRead("K8S", print(next), known), true)
        const fresh = rowsAfter(next, known).filter((row) => !old.has(row))
        assert.isAtMost(fresh.length, 1)
      }
    }
  )

  it("knows again what stands behind a long run of units that were deployed together", () => {
    const many = every(400, (service) => pod(service))
    const known = follow("K8S", print(many), Option.none())
    const deployed = (count: number) =>
      many.map((unit, at) => (at >= 50 && at < 50 + count ? pod(at, { version: 1 }) : unit))
    assert.strictEqual(isRead("K8S", print(deployed(50)), known), true)
    assert.strictEqual(isRead("K8S", print(deployed(51)), known), false)
    rowsAfter(deployed(50), known)
  })

  it.each([
    ["one pod more in the middle", spliced(pods, 30, 0, pod(70))],
    ["three pods less", spliced(pods, 30, 3)],
    ["pods at both ends", [pod(70), ...pods, pod(71)]],
    ["a pod that has restarted", replaced(pods, 5, pod(5, { replica: 1, at: 1_790_000_500 }))],
    ["a name that has become longer", replaced(pods, 5, pod(5_555))],
    ["a second instance of a row", spliced(pods, 9, 0, pod(8, { replica: 1 }))],
    ["the same pod twice", spliced(pods, 9, 0, pod(8))],
    ["two pods that have changed places", replaced(replaced(pods, 3, pod(4)), 4, pod(3))],
    ["12 pods that were replaced at once", pods.map((unit, at) => (at < 12 ? pod(at + 70) : unit))]
  ])("reads only what differs: %s", (_, next) => {
    const known = before()
    assert.strictEqual(isRead("K8S", print(next), known), true)
    follow("K8S", print(next), follow("K8S", print(next), known))
  })

  it.each([
    [
      "13 pods that were replaced at once",
      print(pods.map((unit, at) => (at < 13 ? pod(at + 70) : unit)))
    ],
    ["another order", print([...pods].reverse())],
    ["nothing", print([])],
    ["another spacing", JSON.stringify({ artifacts: pods }, null, 1)],
    ["something after the end", `${print(pods)} x`],
    ["an end that is missing", print(pods).slice(0, -1)],
    [
      "an escape in a pod that is new",
      print([...pods, pod(70)]).replace("service-70-0-0", "\\u0070")
    ]
  ])("leaves the whole text to others: %s", (_, text) => {
    const known = before()
    assert.strictEqual(isRead("K8S", text, known), false)
    follow("K8S", text, known)
  })

  it("builds a row of which some instances stay from all of its instances", () => {
    const scaled = pods.flatMap((unit, at) =>
      at === 8 ? every(3, (replica) => pod(8, { replica, at: 1_790_000_100 + replica })) : [unit]
    )
    const known = follow("K8S", print(scaled), before())
    const rolled = replaced(scaled, 9, pod(8, { version: 1, replica: 1 }))
    assert.strictEqual(isRead("K8S", print(rolled), known), true)
    const rows = rowsAfter(rolled, known)
    const timesOf = (version: number) =>
      rows.find(({ fingerprint }) => fingerprint === fingerprintOf(8, version))?.creationTimestamp
    assert.deepStrictEqual(timesOf(0), [1_790_000_100, 1_790_000_102])
    assert.deepStrictEqual(timesOf(1), [1_790_000_008])
  })

  it("leaves rows without a fingerprint of which instances stay to reading as a whole", () => {
    const task = (arn: string) => ({
      digests: { shop: "" },
      creationTimestamp: 1_790_000_000,
      taskArn: arn
    })
    const others = ["1", "2", "3"].map((arn) => ({ ...task(arn), digests: { [arn]: "" } }))
    const known = follow("container-tasks", print([task("a"), task("b"), ...others]), Option.none())
    const next = print([task("a"), task("c"), ...others])
    assert.strictEqual(isRead("container-tasks", next, known), false)
    follow("container-tasks", next, known)
    const both = print([task("c"), task("d"), ...others])
    assert.strictEqual(isRead("container-tasks", both, known), true)
    follow("container-tasks", both, known)
  })

  it("takes a text of which more than half is new for another altogether", () => {
    const known = follow("K8S", print(pods.slice(0, 8)), Option.none())
    for (const [count, isFollowed] of [
      [4, true],
      [5, false]
    ] as const) {
      const next = print(pods.slice(0, 8).map((unit, at) => (at < count ? pod(at + 70) : unit)))
      assert.strictEqual(isRead("K8S", next, known), isFollowed)
      follow("K8S", next, known)
    }
  })

  it("reads as a whole when too many rows have instances that stay", () => {
    const twice = (version: (service: number) => number) =>
      every(70, (service) => [
        pod(service, { replica: 0 }),
        pod(service, { version: version(service), replica: 1 })
      ]).flat()
    const known = follow("K8S", print(twice(() => 0)), Option.none())
    for (const [count, isFollowed] of [
      [64, true],
      [65, false]
    ] as const) {
      const next = print(twice((service) => (service < count ? 1 : 0)))
      assert.strictEqual(isRead("K8S", next, known), isFollowed)
      follow("K8S", next, known)
    }
  })

  it("keeps as much of a long history as of its last report", () => {
    let known = before()
    for (let version = 1; version <= 40; version++) {
      known = follow("K8S", print(replaced(pods, version, pod(version, { version }))), known)
    }
    const { items, rows, lines } = Option.getOrThrow(known)
    assert.strictEqual(rows.length, pods.length)
    assert.strictEqual(items.places.length, 2 * pods.length)
    assert.strictEqual(lines?.sorted.length, pods.length)
  })
})
