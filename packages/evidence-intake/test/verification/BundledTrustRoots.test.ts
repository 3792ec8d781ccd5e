/** The trust roots of the package: whole, as their source has them, and good for the signatures of today. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import * as BundledTrustRoots from "../../src/verification/BundledTrustRoots.js"
import * as TrustRoot from "../../src/verification/TrustRoot.js"

const FOLDER = join(import.meta.dirname, "../../roots")

const Sources = Schema.parseJson(
  Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      package: Schema.String,
      version: Schema.String,
      published: Schema.String.pipe(Schema.pattern(/^\d{4}-\d{2}-\d{2}$/)),
      license: Schema.Literal("Apache-2.0"),
      sha256: Schema.String
    })
  })
)

const sources = Schema.decodeUnknownSync(Sources)(
  readFileSync(join(FOLDER, "sources.json"), "utf8")
)

describe("the trust roots of the package", () => {
  const texts = BundledTrustRoots.texts()

  it("are the files of the folder, each with its source", () => {
    const names = [...texts.keys()]
    assert.deepStrictEqual(names, [BundledTrustRoots.PUBLIC_GOOD])
    assert.deepStrictEqual(Object.keys(sources), names)
    const files = [...names.map((name) => `${name}.json`), "sources.json"]
    assert.sameMembers(readdirSync(FOLDER), files)
  })

  it("have the bytes of their sources", () => {
    for (const [name, text] of texts)
      assert.strictEqual(createHash("sha256").update(text).digest("hex"), sources[name]?.sha256)
  })

  it("are one instance each, with authorities and logs in force", () => {
    for (const text of texts.values()) {
      const { instances } = Either.getOrThrow(TrustRoot.parse(text))
      assert.strictEqual(instances.length, 1)
      const [root] = instances
      const now = new Date()
      const isInForce = ({ start, end }: { readonly start: Date; readonly end: Date }) =>
        start <= now && now <= end
      for (const [part, all] of Object.entries({
        authorities: root.certificateAuthorities,
        timestamps: root.timestampAuthorities
      }))
        assert.isTrue(
          all.some(({ validFor }) => isInForce(validFor)),
          part
        )
      for (const logs of [root.tlogs, root.ctlogs])
        assert.isTrue(logs.some(({ validFor }) => isInForce(validFor)))
    }
  })
})
