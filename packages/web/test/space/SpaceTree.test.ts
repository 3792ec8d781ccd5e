/** Paths of spaces: above and below, and where a grant makes an admin. */
import { assert, describe, it } from "vitest"
import { below, depthOf, isAdminOf, isWithin, parentOf } from "../../app/space/SpaceTree.js"

describe("a path of a space", () => {
  it("is within itself, the spaces above and the root, and in no other", () => {
    for (const above of ["/", "retail", "retail/shops"])
      assert.isTrue(isWithin("retail/shops", above), above)
    for (const other of ["ret", "retail/shop", "retail/shops/eu", "platform"])
      assert.isFalse(isWithin("retail/shops", other), other)
    assert.isFalse(isWithin("/", "retail"))
  })

  it("is the name below its parent", () => {
    assert.deepStrictEqual(["/", "retail", "a/b/c"].map(parentOf), ["/", "/", "a/b"])
    assert.strictEqual(below("/", "retail"), "retail")
    assert.strictEqual(below("retail", "shops"), "retail/shops")
  })

  it("is indented below those spaces above it that are listed", () => {
    const listed = [{ path: "a/b" }, { path: "a/b/c" }, { path: "d" }]
    assert.deepStrictEqual(
      listed.map(({ path }) => depthOf(path, listed)),
      [0, 1, 0]
    )
  })

  it("has the admins of grants there and above", () => {
    const admin = { kind: "grant", role: "admin", space: "retail" } as const
    assert.isTrue(isAdminOf([admin], "retail/shops"))
    assert.isFalse(isAdminOf([admin], "/"))
    assert.isFalse(isAdminOf([{ ...admin, role: "member" }], "retail"))
    assert.isFalse(isAdminOf([{ ...admin, kind: "base" }], "retail"))
  })
})
