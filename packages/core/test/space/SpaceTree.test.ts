/** The tree of spaces against the model that walks upwards. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Option } from "effect"
import { SpaceId, SpaceName } from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import { DEPTH_MAX, ROOT_PATH } from "../../src/space/Space.js"
import * as SpaceTree from "../../src/space/SpaceTree.js"
import * as Spaces from "../../testing/arbitrary/SpaceTree.js"
import * as Model from "../../testing/internal/model/AccessModel.js"

const NAME = SpaceName.make("same")
const UNKNOWN = SpaceId.make("unknown")

const worldOf = (spaces: Model.World["spaces"]): Model.World => ({ root: Spaces.ROOT, spaces })

const below = (world: Model.World, id: SpaceId) =>
  Model.known(world).filter((each) => Model.isWithin(world, each, id))

describe("the tree of spaces", () => {
  it.prop("has the paths and depths of the model", { spaces: Spaces.spaces }, ({ spaces }) => {
    const [world, tree] = [worldOf(spaces), SpaceTree.make(Spaces.ORG, spaces)]
    assert.strictEqual(tree.root, Spaces.ROOT)
    for (const id of [...Model.known(world), UNKNOWN]) {
      const path = Model.pathOf(world, id)
      assert.deepStrictEqual(SpaceTree.pathOf(tree, id), path)
      assert.strictEqual(SpaceTree.depthOf(tree, id), Math.max(0, path.length - 1))
    }
  })

  it.prop("has below a space what the model walks up from", { spaces: Spaces.spaces }, (given) => {
    const [world, tree] = [worldOf(given.spaces), SpaceTree.make(Spaces.ORG, given.spaces)]
    for (const id of Model.known(world)) {
      const inside = below(world, id)
      const own = Model.pathOf(world, id).length
      const heights = inside.map((each) => Model.pathOf(world, each).length - own)
      assert.deepStrictEqual([...SpaceTree.within(tree, id)].sort(), [...inside].sort())
      assert.strictEqual(SpaceTree.heightOf(tree, id), Math.max(...heights))
      const names = SpaceTree.childrenOf(tree, id).map(({ name }) => name)
      const children = given.spaces.filter(({ parent_id }) => parent_id === id)
      assert.deepStrictEqual(names, children.map(({ name }) => name).sort())
    }
  })

  it.prop("finds each space by its path, and no other", { spaces: Spaces.spaces }, ({ spaces }) => {
    const [world, tree] = [worldOf(spaces), SpaceTree.make(Spaces.ORG, spaces)]
    assert.strictEqual(SpaceTree.labelOf(tree, Spaces.ROOT), ROOT_PATH)
    const labels = Model.known(world).map((id) => {
      const label = SpaceTree.labelOf(tree, id)
      deepStrictEqual(SpaceTree.find(tree, label), Option.some(id))
      return label
    })
    assert.strictEqual(new Set(labels).size, spaces.length + 1)
    for (const path of ["", "/n0", "n0/", "N0", "unknown", "n0/unknown"])
      deepStrictEqual(SpaceTree.find(tree, path), Option.none())
    assert.strictEqual(SpaceTree.labelOf(tree, UNKNOWN), "")
  })

  it.prop("goes through every space once, by path", { spaces: Spaces.spaces }, ({ spaces }) => {
    const tree = SpaceTree.make(Spaces.ORG, spaces)
    const order = SpaceTree.inOrder(tree).map(({ id }) => SpaceTree.labelOf(tree, id).split("/"))
    assert.strictEqual(order.length, spaces.length)
    const sorted = [...order].sort((left, right) => {
      const at = left.findIndex((name, index) => name !== right[index])
      if (at === -1) return left.length - right.length
      return (left[at] ?? "") < (right[at] ?? "") ? -1 : 1
    })
    assert.deepStrictEqual(order, sorted)
  })

  it.prop("leaves out what does not come to the root", { spaces: Spaces.damaged }, ({ spaces }) => {
    const [world, tree] = [worldOf(spaces), SpaceTree.make(Spaces.ORG, spaces)]
    const known = Model.known(world)
    assert.deepStrictEqual([...tree.paths.keys()].sort(), [...known].sort())
    assert.strictEqual(SpaceTree.inOrder(tree).length, known.length - 1)
    for (const { id } of spaces) {
      assert.deepStrictEqual(SpaceTree.pathOf(tree, id), Model.pathOf(world, id))
      assert.isTrue(SpaceTree.within(tree, id).has(id))
    }
  })

  it("has nothing below a space that is unknown", () => {
    const tree = SpaceTree.make(Spaces.ORG, [])
    assert.deepStrictEqual([...SpaceTree.within(tree, UNKNOWN)], [UNKNOWN])
    assert.deepStrictEqual(
      [SpaceTree.heightOf(tree, UNKNOWN), SpaceTree.heightOf(tree, Spaces.ROOT)],
      [0, 0]
    )
  })

  it("finds the deepest path, and none that is deeper", () => {
    const deep = Array.from({ length: DEPTH_MAX + 1 }, (_, index) => ({
      org_id: Spaces.ORG,
      id: SpaceId.make(`d${index}`),
      parent_id: index === 0 ? Spaces.ROOT : SpaceId.make(`d${index - 1}`),
      name: NAME,
      description: "",
      from_at: Timestamp.fromSeconds(1),
      to_at: null
    }))
    const tree = SpaceTree.make(Spaces.ORG, deep)
    const pathOf = (length: number) => Array.from({ length }, () => NAME).join("/")
    const deepest = SpaceId.make(`d${DEPTH_MAX - 1}`)
    deepStrictEqual(SpaceTree.find(tree, pathOf(DEPTH_MAX)), Option.some(deepest))
    deepStrictEqual(SpaceTree.find(tree, pathOf(DEPTH_MAX + 1)), Option.none())
  })
})
