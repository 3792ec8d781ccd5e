/** Trees of spaces, and bindings in them. */
import { OrgId, SpaceId, SpaceName } from "@attestry/core/Identifier"
import type { KeyScope } from "@attestry/core/KeyScope"
import { permissions } from "@attestry/core/Permission"
import { Role } from "@attestry/core/Role"
import { DEPTH_MAX, rootOf, type Space } from "@attestry/core/Space"
import type { Binding } from "@attestry/core/Standing"
import * as Timestamp from "@attestry/core/Timestamp"
import * as FastCheck from "effect/FastCheck"

/** The org of the trees. */
export const ORG = OrgId.make("acme")

/** The id of the root. */
export const ROOT = rootOf(ORG)

/** The most spaces of a tree. */
const SPACES = 12

/** The id of a space by its number, which begins with 1; that of 0 is the root. */
const idOf = (number: number): SpaceId => (number === 0 ? ROOT : SpaceId.make(`space-${number}`))

const spaceOf = (number: number, parent_id: SpaceId, name: string): Space => ({
  org_id: ORG,
  id: idOf(number),
  parent_id,
  name: SpaceName.make(name),
  description: "",
  from_at: Timestamp.fromSeconds(1),
  to_at: null
})

/** A tree: each parent comes before what is in it; names come again, but not in one parent. */
const treeOf = (parents: ReadonlyArray<number>): ReadonlyArray<Space> => {
  const depths = [0]
  const counts = new Map<number, number>()
  return parents.map((given, index) => {
    const chosen = given % (index + 1)
    const parent = (depths[chosen] ?? 0) < DEPTH_MAX ? chosen : 0
    depths.push((depths[parent] ?? 0) + 1)
    const before = counts.get(parent) ?? 0
    counts.set(parent, before + 1)
    return spaceOf(index + 1, idOf(parent), `n${before}`)
  })
}

/** The spaces of a tree, in any order. */
export const spaces: FastCheck.Arbitrary<ReadonlyArray<Space>> = FastCheck.array(
  FastCheck.nat(SPACES),
  { maxLength: SPACES }
)
  .map(treeOf)
  .chain((all) => FastCheck.shuffledSubarray([...all], { minLength: all.length }))

/** Spaces with any parents, also unknown ones, and spaces that are in each other. */
export const damaged: FastCheck.Arbitrary<ReadonlyArray<Space>> = FastCheck.array(
  FastCheck.nat(SPACES + 2),
  { maxLength: SPACES }
).map((parents) =>
  parents.map((parent, index) => spaceOf(index + 1, idOf(parent), `n${index + 1}`))
)

/** The id of a space that a tree has or not, or of the root. */
export const space: FastCheck.Arbitrary<SpaceId> = FastCheck.nat(SPACES + 1).map(idOf)

/** A role in a space that a tree has or not. */
export const binding: FastCheck.Arbitrary<Binding> = FastCheck.record({
  role: FastCheck.constantFrom(...Role.literals),
  space
})

/** Some bindings. */
export const bindings: FastCheck.Arbitrary<ReadonlyArray<Binding>> = FastCheck.array(binding, {
  maxLength: 4
})

/** A permission. */
export const permission = FastCheck.constantFrom(...permissions)

/** Ids of flows and environments that keys name. */
export const THINGS: ReadonlyArray<string> = ["thing-1", "thing-2", "thing-3"]

const named = FastCheck.subarray([...THINGS])

/** What keys leave: all, or some permissions and places; the root is not named. */
export const scope: FastCheck.Arbitrary<KeyScope | undefined> = FastCheck.option(
  FastCheck.record(
    {
      permissions: FastCheck.subarray([...permissions], { minLength: 1 }),
      spaces: FastCheck.array(
        space.filter((id) => id !== ROOT),
        { maxLength: 3 }
      ),
      flows: named,
      environments: named
    },
    { requiredKeys: [] }
  ),
  { nil: undefined }
)
