/** References to images become the package URLs that provenance has, or a usage error that tells what to write. */
import * as Purl from "@attestry/core/Purl"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as BaseImage from "../../src/history/BaseImage.js"
import { CommandFailure } from "../../src/shared/CommandFailure.js"

const HEX = "ab".repeat(32)

const failureOf = (image: string): CommandFailure => {
  try {
    assert.fail(BaseImage.purlOf(image))
  } catch (cause) {
    if (cause instanceof CommandFailure) return cause
    throw cause
  }
}

describe("BaseImage.purlOf", () => {
  it.each([
    ["node:20-alpine", "pkg:docker/node@20-alpine"],
    ["node", "pkg:docker/node"],
    ["library/node:20", "pkg:docker/node@20"],
    ["docker.io/library/node:20", "pkg:docker/node@20"],
    ["index.docker.io/acme/base:1", "pkg:docker/acme/base@1"],
    ["acme/library/x:1", "pkg:docker/acme/library/x@1"],
    ["ghcr.io/acme/base:1", "pkg:docker/ghcr.io/acme/base@1"],
    ["ghcr.io/library/base:1", "pkg:docker/ghcr.io/library/base@1"],
    ["ghcr.io/acme/base", "pkg:docker/ghcr.io/acme/base"],
    ["localhost/base:1", "pkg:docker/localhost/base@1"],
    ["localhost:5000/acme/base:1", "pkg:docker/localhost:5000/acme/base@1"],
    ["localhost:5000/base", "pkg:docker/localhost:5000/base"],
    ["Registry.example.org/a__b/c.d-e:V_1", "pkg:docker/Registry.example.org/a__b/c.d-e@V_1"],
    [`node@sha256:${HEX}`, `pkg:oci/node@sha256:${HEX}`],
    [`ghcr.io/acme/base:1@sha256:${HEX}`, `pkg:oci/base@sha256:${HEX}`]
  ])("reads %s", (image, purl) => {
    assert.strictEqual(BaseImage.purlOf(image), purl)
    const { name, type, version } = Either.getOrThrow(Purl.parse(purl))
    assert.strictEqual(`pkg:${type}/${name}${version === null ? "" : `@${version}`}`, purl)
  })

  it.each([
    "",
    ":1",
    "Node:20",
    "a b",
    "pkg:docker/node",
    "node:",
    "node:20:1",
    "a//b",
    "/a",
    "a/",
    "-a"
  ])("refuses %j", (image) => {
    const { details, message, word } = failureOf(image)
    assert.strictEqual(word, "usage")
    assert.strictEqual(message, `\`${image}\` is no reference to an image`)
    assert.match(details.hint ?? "", /node:20-alpine/)
  })

  it("refuses a digest without a name, and says what to write", () => {
    for (const image of [`sha256:${HEX}`, HEX]) {
      const { details, message } = failureOf(image)
      assert.match(message, /needs the name of the image/)
      assert.strictEqual(details.hint, `NAME@sha256:${HEX}`)
    }
  })

  it("refuses a digest that is not of SHA-256", () => {
    for (const digest of ["", "latest", `sha256:${HEX.slice(1)}`, `sha512:${HEX}${HEX}`, HEX])
      assert.match(failureOf(`node@${digest}`).message, /is not sha256:/)
  })
})
