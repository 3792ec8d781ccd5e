/** The life of a control: the table of semantics 7.2, and laws CONTROL-1 to CONTROL-3 over histories. */
import * as Control from "@attestry/core/Control"
import { ControlIdentifier, OrgId } from "@attestry/core/Identifier"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Either, Option, Schema } from "effect"
import { type ControlCommand, controlHistory, definition } from "../../testing/arbitrary/Control.js"
import * as Model from "../../testing/internal/model/ControlModel.js"

const change: Control.Change = { by: "ada", at: Timestamp.fromSeconds(1_790_000_000) }
const later: Control.Change = { by: "max", at: Timestamp.plusSeconds(change.at, 60) }

const draft: Control.ControlDraft = {
  identifier: ControlIdentifier.make("CTL-7"),
  name: "Peer review",
  description: null,
  links: { wiki: "https://wiki.example.org" }
}

const first = Control.create(OrgId.make("o"), draft, change)
const archived = Option.getOrThrow(Control.archive(first.control, later)).control

const apply = (
  control: Control.Control,
  command: ControlCommand
): Either.Either<Option.Option<Control.Changed>, "archived"> => {
  switch (command.do) {
    case "edit":
      return Control.edit(control, command.patch, later)
    case "archive":
      return Either.right(Control.archive(control, later))
    case "unarchive":
      return Either.right(Control.unarchive(control, later))
  }
}

/** Applies a history; refused commands change nothing. */
const play = (start: Control.Changed, history: ReadonlyArray<ControlCommand>) => {
  let { control } = start
  const entries = [start.entry]
  for (const command of history) {
    const next = apply(control, command)
    if (Either.isRight(next) && Option.isSome(next.right)) {
      control = next.right.value.control
      entries.push(next.right.value.entry)
    }
  }
  return { control, entries }
}

const start = (given: Control.Definition) =>
  Control.create(OrgId.make("o"), { ...draft, ...given }, change)

describe("Control", () => {
  it("begins with version 1, Created", () => {
    deepStrictEqual(first, {
      control: {
        org_id: OrgId.make("o"),
        ...draft,
        tags: {},
        version: 1,
        archived: false,
        created_by: "ada",
        created_at: change.at
      },
      entry: {
        version: 1,
        kind: "Created",
        name: "Peer review",
        description: null,
        links: { wiki: "https://wiki.example.org" },
        user: "ada",
        timestamp: change.at
      }
    })
  })

  it("an edit that changes name, description or links adds one version, Edited", () => {
    for (const patch of [{ name: "x" }, { description: "x" }, { links: {} }]) {
      const next = Option.getOrThrow(Either.getOrThrow(Control.edit(first.control, patch, later)))
      deepStrictEqual(next.control, { ...first.control, ...patch, version: 2 })
      deepStrictEqual(next.entry, {
        ...first.entry,
        ...patch,
        version: 2,
        kind: "Edited",
        user: "max",
        timestamp: later.at
      })
    }
  })

  it("an edit without a change adds none", () => {
    const same = { name: "Peer review", links: { wiki: "https://wiki.example.org" } }
    for (const patch of [{}, same, { description: null }])
      deepStrictEqual(Control.edit(first.control, patch, later), Either.right(Option.none()))
  })

  it("an archived control is not edited, even without a change", () => {
    for (const patch of [{}, { name: "x" }])
      deepStrictEqual(Control.edit(archived, patch, later), Either.left("archived"))
  })

  it("archives and unarchives with versions of the same counter, each once", () => {
    assert.deepStrictEqual([archived.archived, archived.version], [true, 2])
    deepStrictEqual(Control.archive(archived, later), Option.none())
    deepStrictEqual(Control.unarchive(first.control, later), Option.none())
    const back = Option.getOrThrow(Control.unarchive(archived, later))
    deepStrictEqual(back.control, { ...first.control, version: 3 })
    assert.deepStrictEqual([back.entry.version, back.entry.kind], [3, "Unarchived"])
  })

  it.prop(
    "agrees with the model on every history",
    { definition, history: controlHistory },
    ({ definition, history }) => {
      let { control } = start(definition)
      let entries: ReadonlyArray<Model.Entry> = [{ version: 1, kind: "Created", definition }]
      for (const command of history) {
        const expected = Model.step(entries, command)
        const next = apply(control, command)
        assert.strictEqual(Either.isLeft(next), expected === "refused")
        if (expected === "refused" || Either.isLeft(next)) continue
        assert.strictEqual(Option.isSome(next.right), expected.length > entries.length)
        control = Option.match(next.right, { onNone: () => control, onSome: (to) => to.control })
        entries = expected
        const last = entries[entries.length - 1]
        assert.deepInclude(control, {
          ...last?.definition,
          version: entries.length,
          archived: Model.isArchived(entries)
        })
      }
    }
  )

  it.prop(
    "CONTROL-1: versions are 1 to n, Created is first and alone, Archived and Unarchived alternate",
    { definition, history: controlHistory },
    ({ definition, history }) => {
      const { entries } = play(start(definition), history)
      const kinds = entries.map(({ kind }) => kind)
      assert.deepStrictEqual(
        entries.map(({ version }) => version),
        entries.map((_, index) => index + 1)
      )
      assert.strictEqual(kinds.indexOf("Created"), 0)
      assert.strictEqual(kinds.lastIndexOf("Created"), 0)
      const moves = kinds.filter((kind) => kind === "Archived" || kind === "Unarchived")
      assert.deepStrictEqual(
        moves,
        moves.map((_, index) => (index % 2 === 0 ? "Archived" : "Unarchived"))
      )
    }
  )

  it.prop(
    "CONTROL-2: archived exactly when the last of the two is Archived",
    { definition, history: controlHistory },
    ({ definition, history }) => {
      const { control, entries } = play(start(definition), history)
      const kinds = entries.map(({ kind }) => kind)
      assert.strictEqual(
        control.archived,
        kinds.lastIndexOf("Archived") > kinds.lastIndexOf("Unarchived")
      )
    }
  )

  it.prop(
    "CONTROL-3: archiving twice is archiving once, and unarchiving restores the definition",
    { definition, history: controlHistory },
    ({ definition, history }) => {
      const before = play(start(definition), [...history, { do: "unarchive" }])
      const once = play(start(definition), [...history, { do: "unarchive" }, { do: "archive" }])
      const twice = play(start(definition), [
        ...history,
        { do: "unarchive" },
        { do: "archive" },
        { do: "archive" }
      ])
      deepStrictEqual(twice, once)
      const back = Option.getOrThrow(Control.unarchive(once.control, later))
      deepStrictEqual({ ...back.control, version: before.control.version }, before.control)
    }
  )
})

describe("ControlIdentifier", () => {
  const isIdentifier = Schema.is(ControlIdentifier)
  it("begins with a letter or a digit and has 1 to 256 characters", () => {
    for (const text of ["a", "7", "CTL-7", "a._~-", "a".repeat(256)])
      assert.isTrue(isIdentifier(text))
    for (const text of ["", ".", "..", "-a", "_a", "a/b", "a b", "ä", "a".repeat(257), "a\n"])
      assert.isFalse(isIdentifier(text), text)
  })
})
