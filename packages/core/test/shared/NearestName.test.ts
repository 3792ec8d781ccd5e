/** The distance of two texts against its definition, which tries every change. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as NearestName from "../../src/shared/NearestName.js"

/** The distance by its definition; exponential. */
const model = (left: string, right: string): number => {
  if (left === "" || right === "") return left.length + right.length
  const ways = [
    model(left.slice(1), right) + 1,
    model(left, right.slice(1)) + 1,
    model(left.slice(1), right.slice(1)) + (left[0] === right[0] ? 0 : 1)
  ]
  if (left.length > 1 && left[0] === right[1] && left[1] === right[0])
    ways.push(model(left.slice(2), right.slice(2)) + 1)
  return Math.min(...ways)
}

const short = FastCheck.string({ unit: FastCheck.constantFrom("a", "b", "c"), maxLength: 6 })
const name = FastCheck.string({ unit: FastCheck.constantFrom("a", "b", "_"), maxLength: 8 })

describe("NearestName.distance", () => {
  it.prop("agrees with its definition", { left: short, right: short }, ({ left, right }) =>
    assert.strictEqual(NearestName.distance(left, right), model(left, right))
  )

  it.prop("is the same in both directions", { left: name, right: name }, ({ left, right }) =>
    assert.strictEqual(NearestName.distance(left, right), NearestName.distance(right, left))
  )
})

describe("NearestName.find", () => {
  it.prop(
    "finds the first of the known names with the fewest changes, if they are few",
    { given: name, known: FastCheck.array(name, { maxLength: 5 }) },
    ({ given, known }) => {
      const near = known
        .map((candidate) => ({ candidate, changes: NearestName.distance(given, candidate) }))
        .filter(({ candidate, changes }) => changes <= NearestName.changesMax(candidate))
        .sort((left, right) => left.changes - right.changes)
      assert.strictEqual(NearestName.find(given, known), near[0]?.candidate)
    }
  )

  it("knows common mistakes", () => {
    const known = ["page", "per_page", "flow", "flow_name", "attestation_type", "sort_direction"]
    const nearest = (given: string) => NearestName.find(given, known)
    assert.strictEqual(nearest("flowname"), "flow_name")
    assert.strictEqual(nearest("flow-name"), "flow_name")
    assert.strictEqual(nearest("FLOW"), "flow")
    assert.strictEqual(nearest("flwo"), "flow")
    assert.strictEqual(nearest("attestation_typ"), "attestation_type")
    assert.strictEqual(nearest("colour"), undefined)
    assert.strictEqual(nearest(""), undefined)
  })

  it("does not compare a name that is much longer than every known one", () => {
    const long = "x".repeat(10_000_000)
    assert.strictEqual(NearestName.find(long, [`${"x".repeat(30)}`]), undefined)
  })
})
