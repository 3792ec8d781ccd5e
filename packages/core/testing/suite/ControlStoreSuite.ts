/** The contract of `ControlStore`. */
import * as Control from "@attestry/core/Control"
import { type ControlQuery, ControlStore } from "@attestry/core/ControlStore"
import { ControlIdentifier } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import * as Tags from "@attestry/core/Tags"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { controlIdentifier } from "../arbitrary/Control.js"
import { nonEmptyText, text, timestamp } from "../arbitrary/Text.js"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const textTo = (value: FastCheck.Arbitrary<string>) =>
  FastCheck.array(FastCheck.tuple(nonEmptyText, value), { maxLength: 3 }).map(Object.fromEntries)

const content = FastCheck.record({
  identifier: controlIdentifier,
  name: nonEmptyText.map((name) => `${name}!`),
  description: FastCheck.option(text),
  links: textTo(FastCheck.constant("https://example.org/ü?q=1")),
  by: text,
  at: timestamp
})

const newControl = (owner: Org, identifier: string, name = identifier): Control.Changed =>
  Control.create(
    owner.id,
    {
      identifier: ControlIdentifier.make(identifier),
      name,
      description: null,
      links: { wiki: "https://wiki.example.org" }
    },
    { by: "anna", at: Fixture.AT }
  )

const edited = (control: Control.Control, name: string): Control.Changed => ({
  control: { ...control, name, version: control.version + 1 },
  entry: {
    version: control.version + 1,
    kind: "Edited",
    name,
    description: control.description,
    links: control.links,
    user: "max",
    timestamp: Fixture.LATER
  }
})

/** Every version of a control, oldest first. */
const oldestFirst = (key: Control.ControlKey) =>
  Effect.flatMap(ControlStore, (store) =>
    Effect.map(store.listVersions(key, "asc", { page: 1, perPage: 100 }), ({ items }) => items)
  )

/** States the contract of `ControlStore`. */
export const controlStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`ControlStore (${name})`, ports, options, (it) => {
    it.effect.prop(
      "returns every control, and its first version, unchanged",
      { content },
      ({ content: { by, at, ...draft } }) =>
        Effect.gen(function* () {
          const store = yield* ControlStore
          const first = Control.create((yield* Fixture.org).id, draft, { by, at })
          const key = Control.keyOf(first.control)
          deepStrictEqual(yield* store.find(key), Option.none())
          deepStrictEqual(yield* oldestFirst(key), [])
          assert.strictEqual(yield* store.insert(first), true)
          deepStrictEqual(yield* store.find(key), Option.some(first.control))
          deepStrictEqual(yield* store.find(key, { lock: true }), Option.some(first.control))
          deepStrictEqual(yield* oldestFirst(key), [first.entry])
          deepStrictEqual(yield* store.findVersion(key, 1), Option.some(first.entry))
        }),
      { fastCheck: { numRuns: 25 } }
    )

    it.effect("adds nothing when the identifier is taken, archived or not", () =>
      Effect.gen(function* () {
        const store = yield* ControlStore
        const org = yield* Fixture.org
        const first = newControl(org, "CTL-1")
        yield* store.insert(first)
        assert.strictEqual(yield* store.insert(newControl(org, "CTL-1", "other")), false)
        const gone = Option.getOrThrow(
          Control.archive(first.control, { by: "max", at: Fixture.LATER })
        )
        yield* store.revise(gone)
        assert.strictEqual(yield* store.insert(newControl(org, "CTL-1", "other")), false)
        deepStrictEqual(yield* store.find(Control.keyOf(first.control)), Option.some(gone.control))
        const entries = yield* oldestFirst(Control.keyOf(first.control))
        deepStrictEqual(entries, [first.entry, gone.entry])
        assert.strictEqual(yield* store.insert(newControl(org, "ctl-1")), true)
      })
    )

    it.effect("lists every version in order, and separates orgs", () =>
      Effect.gen(function* () {
        const store = yield* ControlStore
        const [org, other] = [yield* Fixture.org, yield* Fixture.org]
        const first = newControl(org, "CTL-1")
        yield* store.insert(first)
        yield* store.insert(newControl(other, "CTL-1"))
        let { control } = first
        for (let count = 2; count <= 12; count++) {
          const next = edited(control, `name ${count}`)
          yield* store.revise(next)
          control = next.control
        }
        const key = Control.keyOf(control)
        const versions = yield* oldestFirst(key)
        assert.deepStrictEqual(
          versions.map((entry) => [entry.version, entry.name]),
          Array.from({ length: 12 }, (_, index) => [
            index + 1,
            index === 0 ? "CTL-1" : `name ${index + 1}`
          ])
        )
        deepStrictEqual(yield* store.findVersion(key, 12), Option.fromNullable(versions[11]))
        deepStrictEqual(yield* store.findVersion(key, 13), Option.none())
        const numbers = (direction: "asc" | "desc", page: number) =>
          Effect.map(store.listVersions(key, direction, { page, perPage: 5 }), (found) => [
            found.items.map(({ version }) => version),
            found.total
          ])
        assert.deepStrictEqual(yield* numbers("desc", 1), [[12, 11, 10, 9, 8], 12])
        assert.deepStrictEqual(yield* numbers("asc", 3), [[11, 12], 12])
        assert.deepStrictEqual(yield* numbers("asc", 4), [[], 12])
        const foreign = { org: other.id, identifier: control.identifier }
        assert.strictEqual((yield* oldestFirst(foreign)).length, 1)
      })
    )

    it.effect("lists the distinct tags of controls that are not archived", () =>
      Effect.gen(function* () {
        const store = yield* ControlStore
        const [org, other] = [yield* Fixture.org, yield* Fixture.org]
        const tagged = (of: typeof org, identifier: string, tags: Control.Control["tags"]) =>
          Effect.gen(function* () {
            const first = newControl(of, identifier)
            yield* store.insert(first)
            const control = { ...first.control, tags }
            yield* store.tag(control)
            return control
          })
        assert.deepStrictEqual(yield* store.listTags(org.id), [])
        yield* tagged(org, "CTL-1", { team: "é", empty: "" })
        yield* tagged(org, "CTL-2", { team: "é", stage: "x:y" })
        yield* tagged(org, "CTL-3", { team: "b" })
        yield* tagged(other, "CTL-1", { foreign: "1" })
        const gone = yield* tagged(org, "CTL-4", { gone: "1" })
        const archived = Control.archive(gone, { by: "max", at: Fixture.LATER })
        yield* store.revise(Option.getOrThrow(archived))
        assert.deepStrictEqual(Tags.sorted(yield* store.listTags(org.id)), [
          { key: "empty", value: "" },
          { key: "stage", value: "x:y" },
          { key: "team", value: "b" },
          { key: "team", value: "é" }
        ])
      })
    )

    it.effect("tags a control without a version", () =>
      Effect.gen(function* () {
        const store = yield* ControlStore
        const first = newControl(yield* Fixture.org, "CTL-1")
        yield* store.insert(first)
        const tagged = { ...first.control, tags: { team: "é", empty: "" } }
        yield* store.tag(tagged)
        const key = Control.keyOf(tagged)
        deepStrictEqual(yield* store.find(key), Option.some(tagged))
        assert.strictEqual((yield* oldestFirst(key)).length, 1)
        yield* store.revise(edited(tagged, "renamed"))
        const found = Option.getOrThrow(yield* store.find(key))
        assert.deepStrictEqual(found.tags, tagged.tags)
      })
    )

    it.effect("pages by name, and filters by every condition", () =>
      Effect.gen(function* () {
        const store = yield* ControlStore
        const org = yield* Fixture.org
        const added = [
          newControl(org, "C-3", "alpha"),
          newControl(org, "C-1", "beta"),
          newControl(org, "C-2", "beta"),
          newControl(org, "X-9", "Gamma")
        ]
        for (const one of added) yield* store.insert(one)
        for (const { control } of added.slice(0, 2))
          yield* store.tag({ ...control, tags: { n: control.name } })
        const list = (query: Partial<ControlQuery>, page = 1) =>
          Effect.map(
            store.list(
              org.id,
              { archived: false, tags: [], direction: "asc", ...query },
              { page, perPage: 3 }
            ),
            ({ items, total }) => [items.map(({ identifier }) => identifier).join(" "), total]
          )
        assert.deepStrictEqual(yield* list({}), ["X-9 C-3 C-1", 4])
        assert.deepStrictEqual(yield* list({}, 2), ["C-2", 4])
        assert.deepStrictEqual(yield* list({ direction: "desc" }), ["C-2 C-1 C-3", 4])
        assert.deepStrictEqual(yield* list({ search: "" }), ["X-9 C-3 C-1", 4])
        assert.deepStrictEqual(yield* list({ search: "c-" }), ["C-3 C-1 C-2", 3])
        assert.deepStrictEqual(yield* list({ search: "MM" }), ["X-9", 1])
        assert.deepStrictEqual(yield* list({ search: "%" }), ["", 0])
        assert.deepStrictEqual(yield* list({ tags: [{ key: "n" }] }), ["C-3 C-1", 2])
        assert.deepStrictEqual(yield* list({ tags: [{ key: "n", value: "beta" }] }), ["C-1", 1])
        assert.deepStrictEqual(yield* list({ archived: true }), ["", 0])
        assert.strictEqual(
          (yield* store.list(
            (yield* Fixture.org).id,
            { archived: false, tags: [], direction: "asc" },
            { page: 1, perPage: 1 }
          )).total,
          0
        )
      })
    )
  })
