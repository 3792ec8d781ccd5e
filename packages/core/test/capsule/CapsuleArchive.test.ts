/** The checksums of archives are those of ZIP, however their bytes come. */
import { crc32 } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as CapsuleArchive from "../../src/capsule/CapsuleArchive.js"

const pieces = FastCheck.array(FastCheck.uint8Array({ maxLength: 40 }), { maxLength: 6 })

describe("CapsuleArchive", () => {
  it.prop("sums pieces of any sizes as the platform sums the whole", { pieces }, ({ pieces }) =>
    assert.strictEqual(pieces.reduce(CapsuleArchive.checksum, 0), crc32(Buffer.concat(pieces)))
  )

  it("sums the bytes that the standard gives", () =>
    assert.strictEqual(CapsuleArchive.checksum(0, Buffer.from("123456789")), 0xcbf43926))
})
