/** Package URLs of pages, which mean what core reads in them; and the search of lists. */

import { SEARCH_CHARACTERS_MIN as SERVER_MIN } from "@attestry/core/Component"
import * as Purl from "@attestry/core/Purl"
import * as Route from "@attestry/web/Route"
import { Either, FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import { SEARCH_CHARACTERS_MIN, searchOf } from "../../app/component/ComponentSearch.js"
import { isVersioned, packageOf, short } from "../../app/component/PackageUrl.js"

const part = fc.stringMatching(/^@?[a-zA-Z0-9._%~+-]{1,8}$/)

const purl = fc
  .record({
    type: fc.constantFrom("npm", "deb", "golang", "GitHub"),
    path: fc.array(part, { minLength: 1, maxLength: 3 }),
    version: fc.constantFrom("", "@", "@1.0.0", "@2.36-9%2Bdeb12u1", "@sha256%3Aaa"),
    rest: fc.constantFrom("", "?arch=x@1", "#sub@2", "?a=b#c")
  })
  .map(({ type, path, version, rest }) => `pkg:${type}/${path.join("/")}${version}${rest}`)

describe("package URLs", () => {
  it("have a version where core finds one, and are of the same package without it", () => {
    fc.assert(
      fc.property(purl, (text) => {
        const parsed = Either.getOrUndefined(Purl.parse(text))
        if (parsed === undefined) return
        assert.strictEqual(isVersioned(text), parsed.version !== null, text)
        assert.deepStrictEqual(Either.getOrThrow(Purl.parse(packageOf(text))), {
          ...parsed,
          version: null
        })
      })
    )
  })

  it("are shown without their scheme", () => {
    assert.strictEqual(short("pkg:npm/lodash@4.17.20"), "npm/lodash@4.17.20")
    assert.strictEqual(short("lodash"), "lodash")
  })

  it("are addresses of pages, whatever they contain", () => {
    for (const text of [
      "pkg:npm/%40angular/core@17.0.0",
      "pkg:deb/debian/libc6@2.36-9%2Bdeb12u1"
    ]) {
      const path = Route.to("", "Component", { org: "acme", purl: text })
      const route = Route.parse(path)
      assert.strictEqual(route._tag === "Component" ? route.params.purl : undefined, text)
    }
  })
})

describe("the search of components", () => {
  const at = (q: string) => searchOf(Route.parse(`/acme/components?q=${encodeURIComponent(q)}`))

  it("is not sent with fewer characters than the server takes", () => {
    assert.strictEqual(SEARCH_CHARACTERS_MIN, SERVER_MIN)
    assert.deepStrictEqual(at("  "), { text: undefined, isTooShort: false })
    assert.deepStrictEqual(at(" lo "), { text: "lo", isTooShort: true })
    assert.deepStrictEqual(at("lod"), { text: "lod", isTooShort: false })
  })
})
