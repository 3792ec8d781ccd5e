/** Histories are read together, whole or not at all, and a damaged one does not hide another. */
import { describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, Layer } from "effect"
import type { JournalEntry } from "../../src/journal/JournalEntry.js"
import { JournalStore } from "../../src/journal/JournalStore.js"
import { Journals } from "../../src/journal/Journals.js"
import { type Damage, DamagedRecords } from "../../src/shared/DamagedRecords.js"
import { OrgId } from "../../src/shared/Identifier.js"
import { StoreError } from "../../src/shared/StoreError.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import { layerSecrets } from "../../webcrypto/SecretsWebCrypto.js"

const org = OrgId.make("org-1")

const entry = (id: string, sequence: number): JournalEntry => ({
  org_id: org,
  sequence,
  kind: "test",
  subject: { type: "trail", id },
  actor: { kind: "system", id: "s", name: "s" },
  at: Timestamp.fromSeconds(sequence),
  content: "{}",
  digest: ""
})

const entries = [entry("a", 1), entry("b", 2), entry("a", 3), entry("c", 4)]

type Told = readonly [id: string, sequences: ReadonlyArray<number>]

/** The histories of `a`, `b` and `none` from a journal with damaged entries. */
const readWith = (damaged: ReadonlyArray<number>) => {
  const asked: Array<string> = []
  const list = (about: ReadonlyArray<string>) =>
    Effect.flatMap(DamagedRecords, (noted) => {
      asked.push(about.join())
      const found = entries.filter(({ subject }) => about.includes(subject.id))
      const whole = found.filter(({ sequence }) => !damaged.includes(sequence))
      if (noted === undefined && whole.length < found.length) {
        return new StoreError({ operation: "list", cause: "damaged" })
      }
      found.forEach(({ sequence }, position) => {
        if (damaged.includes(sequence)) noted?.push({ position, from: "list" })
      })
      return Effect.succeed(whole)
    })
  const journal = Layer.mock(JournalStore, {
    listBySubject: (_, subject) => list("ids" in subject ? subject.ids : [subject.id])
  })
  return Effect.flatMap(Journals, ({ histories }) =>
    histories(org, { type: "trail", ids: ["a", "b", "none"] })
  ).pipe(
    Effect.map((found) => ({
      found: [...found].map(([id, told]): Told => [id, told.map(({ sequence }) => sequence)]),
      asked
    })),
    Effect.provide(Layer.provide(Journals.Default, Layer.merge(layerSecrets, journal)))
  )
}

const going =
  (noted: Array<Damage>) =>
  <A, E>(work: Effect.Effect<A, E>) =>
    Effect.provideService(work, DamagedRecords, noted)

const [ofA, ofB, ofNone]: [Told, Told, Told] = [
  ["a", [1, 3]],
  ["b", [2]],
  ["none", []]
]

describe("Histories", () => {
  it.effect("are read together, strictly or for display", () =>
    Effect.gen(function* () {
      const expected = { found: [ofA, ofB, ofNone], asked: ["a,b,none"] }
      deepStrictEqual(yield* readWith([]), expected)
      deepStrictEqual(yield* going([])(readWith([4])), expected)
    })
  )

  it.effect("leave out only damaged ones, without their positions", () =>
    Effect.gen(function* () {
      const noted: Array<Damage> = []
      deepStrictEqual(yield* going(noted)(readWith([3])), {
        found: [ofB, ofNone],
        asked: ["a,b,none", "a", "b", "none"]
      })
      deepStrictEqual(yield* Effect.map(going(noted)(readWith([1, 2, 3])), ({ found }) => found), [
        ofNone
      ])
      deepStrictEqual(noted, [])
    })
  )

  it.effect("fail when the caller does not provide `DamagedRecords`", () =>
    Effect.gen(function* () {
      deepStrictEqual((yield* Effect.flip(readWith([3]))).operation, "list")
    })
  )
})
