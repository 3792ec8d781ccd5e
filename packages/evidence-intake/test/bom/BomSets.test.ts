/** V-11: the components of a bill of materials depend neither on the order nor on the format of its document. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as Purl from "../../src/Purl.js"
import {
  cycloneDxJson,
  cycloneDxXml,
  DIGEST,
  type List,
  list,
  readJson,
  readXml,
  sbomOf,
  setDigest,
  spdx2,
  spdx3
} from "./BomDocuments.js"

const FORMATS = [
  ["CycloneDX in JSON", (list: List) => sbomOf(readJson(cycloneDxJson(list)))],
  ["CycloneDX in XML", (list: List) => sbomOf(readXml(cycloneDxXml(list)))],
  ["SPDX 2", (list: List) => sbomOf(readJson(spdx2(list)))],
  ["SPDX 3", (list: List) => sbomOf(readJson(spdx3(list)))]
] as const

/** The normalised purl; null without one. */
const normal = (purl: string | null): string | null =>
  purl === null ? null : (Either.getOrNull(Purl.parse(purl))?.purl ?? null)

/** What a bill of materials says, found one component after another. */
const model = ({ root, components }: List) => {
  const rootPurl = normal(root?.purl ?? null)
  const others = components.filter(({ purl }) => normal(purl) === null || normal(purl) !== rootPurl)
  const purls = others.map(({ purl }) => normal(purl)).filter((purl) => purl !== null)
  const licenses = [...new Set(others.map(({ license }) => license))]
    .filter((license) => license !== null)
    .map((license) => ({
      license,
      components: others.filter((other) => other.license === license).length
    }))
    .sort((a, b) => b.components - a.components || (a.license < b.license ? -1 : 1))
  return {
    purls: [...new Set(purls)].sort(),
    counts: {
      total: others.length,
      with_purl: purls.length,
      without_purl: others.length - purls.length
    },
    licenses,
    set: setDigest(purls),
    root: root === null ? null : { name: "a", version: null, purl: rootPurl },
    subjects: root === null ? [] : [{ name: "a", digest: { sha256: DIGEST } }]
  }
}

describe("bills of materials", () => {
  it.prop(
    "have the same facts in every format",
    { list },
    ({ list }) => {
      const expected = model(list)
      for (const [name, read] of FORMATS) {
        const { facts, components, subjects } = read(list)
        const actual = {
          purls: components.map(({ purl }) => purl),
          counts: facts.components,
          licenses: facts.licenses,
          set: facts.set_sha256,
          root: facts.root,
          subjects
        }
        assert.deepStrictEqual(actual, expected, name)
        assert.deepStrictEqual(facts.tool, { name: "maker", version: "1.0" }, name)
        assert.strictEqual(facts.created_at, 1_767_323_045, name)
      }
    },
    { fastCheck: { numRuns: 300 } }
  )

  it.prop(
    "have the same set in any order",
    {
      lists: list.chain(({ root, components }) =>
        FastCheck.shuffledSubarray([...components], {
          minLength: components.length,
          maxLength: components.length
        }).map((shuffled) => [
          { root, components },
          { root, components: shuffled }
        ])
      )
    },
    ({ lists }) => {
      const sets = lists.flatMap((list) => FORMATS.map(([, read]) => read(list)))
      const different = new Set(sets.map(({ facts }) => facts.set_sha256))
      assert.strictEqual(different.size, 1)
      for (const { components } of sets) assert.deepStrictEqual(components, sets[0]?.components)
    }
  )
})
