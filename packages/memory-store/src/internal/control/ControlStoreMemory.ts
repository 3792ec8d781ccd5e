/** `ControlStore` in memory. */
import * as Control from "@attestry/core/Control"
import { type ControlQuery, ControlStore } from "@attestry/core/ControlStore"
import * as Page from "@attestry/core/Page"
import * as Tags from "@attestry/core/Tags"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"
import * as PlacedThings from "../space/PlacedThings.js"

/** Controls by org and identifier. */
export const controls = table<Control.Control>("control")
const versions = table<ReadonlyArray<Control.ControlVersion>>("control_version")

const keyOf = ({ org, identifier }: Control.ControlKey) => key(org, identifier)

const passes =
  (query: ControlQuery) =>
  ({ archived, name, identifier, tags }: Control.Control): boolean => {
    const part = query.search?.toLowerCase() ?? ""
    return (
      archived === query.archived &&
      [name, identifier].some((text) => text.toLowerCase().includes(part)) &&
      query.tags.every(({ key, value }) => Tags.has(tags, key, value))
    )
  }

const byName = (left: Control.Control, right: Control.Control): number =>
  left.name < right.name || (left.name === right.name && left.identifier < right.identifier)
    ? -1
    : 1

/** `ControlStore` in memory. */
export const layer: Layer.Layer<ControlStore, never, MemoryState> = Layer.effect(
  ControlStore,
  Effect.gen(function* () {
    const rows = yield* MemoryRows.make(controls)
    const entries = yield* MemoryRows.make(versions)
    const placed = yield* PlacedThings.make
    const versionsOf = (of: Control.ControlKey) =>
      Effect.map(
        entries.find(keyOf(of)),
        Option.getOrElse((): ReadonlyArray<Control.ControlVersion> => [])
      )
    return ControlStore.of({
      find: (of) => rows.find(keyOf(of)),
      list: (org, query, page) =>
        Effect.zipWith(rows.values, placed(org, "control", query.within), (all, isPlaced) => {
          const found = all
            .filter((control) => control.org_id === org && passes(query)(control))
            .filter(({ identifier }) => isPlaced(identifier))
            .sort(byName)
          return Page.slice(query.direction === "asc" ? found : found.reverse(), page)
        }),
      insert: ({ control, entry }) =>
        Effect.tap(rows.insert(keyOf(Control.keyOf(control)), control), (created) =>
          created ? entries.set(keyOf(Control.keyOf(control)), [entry]) : Effect.void
        ),
      revise: ({ control, entry }) =>
        Effect.gen(function* () {
          const of = Control.keyOf(control)
          const earlier = yield* versionsOf(of)
          yield* entries.set(keyOf(of), [...earlier, entry])
          yield* rows.replace(keyOf(of), control)
        }),
      tag: (control) => rows.replace(keyOf(Control.keyOf(control)), control),
      listVersions: (of, direction, page) =>
        Effect.map(versionsOf(of), (all) =>
          Page.slice(direction === "asc" ? all : [...all].reverse(), page)
        ),
      listTags: (org, within) =>
        Effect.zipWith(rows.values, placed(org, "control", within), (all, isPlaced) =>
          Tags.distinct(
            all.filter(
              ({ archived, identifier, org_id }) =>
                org_id === org && !archived && isPlaced(identifier)
            )
          )
        ),
      findVersion: (of, version) =>
        Effect.map(
          versionsOf(of),
          Arr.findFirst((entry) => entry.version === version)
        )
    })
  })
)
