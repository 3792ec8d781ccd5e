/** References to images as package URLs; the command line has a test of each form of reference. */
import { assert, describe, it } from "@effect/vitest"
import * as BaseImage from "../../src/component/BaseImage.js"

const HEX = "ab".repeat(32)

describe("BaseImage.purlOf", () => {
  it.each([
    ["docker.io/library/node:20", { purl: "pkg:docker/node@20" }],
    ["ghcr.io/acme/base", { purl: "pkg:docker/ghcr.io/acme/base" }],
    [`ghcr.io/acme/base:1@sha256:${HEX}`, { purl: `pkg:oci/base@sha256:${HEX}` }],
    [HEX, { problem: "without_name" }],
    ["pkg:docker/node", { problem: "no_reference" }],
    ["node@latest", { problem: "no_sha256" }]
  ])("reads %s", (image, expected) => {
    assert.deepStrictEqual(BaseImage.purlOf(image), expected)
  })
})
