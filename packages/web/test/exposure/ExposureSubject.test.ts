/** The subject of a question, in the address. */
import * as Exposure from "@attestry/core/Exposure"
import * as Route from "@attestry/web/Route"
import { assert, describe, it } from "vitest"
import {
  builderOf,
  parse,
  queryOf,
  routeOf,
  subjectOf
} from "../../app/exposure/ExposureSubject.js"

describe("subjects", () => {
  it("are read from the address, the first of several, and never an empty one", () => {
    const at = (search: string) => subjectOf(Route.parse(`/acme/where-it-ran${search}`))
    assert.deepStrictEqual(at("?author=Jo&commit=abc"), { name: "commit", value: "abc" })
    assert.deepStrictEqual(at("?fingerprint=&builder=https%3A%2F%2Fci"), {
      name: "builder",
      value: "https://ci"
    })
    assert.isUndefined(at(""))
  })

  it("are checked before they are asked", () => {
    assert.deepStrictEqual(parse("fingerprint", " sha256:ABCDE "), {
      name: "fingerprint",
      value: "abcde"
    })
    for (const text of ["abcd", "g".repeat(10), "a".repeat(65), ""])
      assert.isUndefined(parse("fingerprint", text))
    assert.isUndefined(parse("commit", "a".repeat(39)))
    assert.deepStrictEqual(parse("commit", "A".repeat(40))?.value, "a".repeat(40))
    assert.isUndefined(parse("author", "  "))
    assert.deepStrictEqual(
      parse("author", " Jo Doe <jo@example.org> ")?.value,
      "Jo Doe <jo@example.org>"
    )
  })

  it("of components have a range of versions, and no other has", () => {
    const at = (search: string) => subjectOf(Route.parse(`/acme/where-it-ran${search}`))
    const ranged = { name: "purl", value: "pkg:npm/lodash", versions: "<4.17.21" } as const
    assert.deepStrictEqual(at("?purl=pkg%3Anpm%2Flodash&versions=%3C4.17.21"), ranged)
    assert.deepStrictEqual(at("?purl=pkg%3Anpm%2Flodash&versions="), {
      name: "purl",
      value: "pkg:npm/lodash"
    })
    assert.deepStrictEqual(at("?vulnerability=CVE-1&versions=1"), {
      name: "vulnerability",
      value: "CVE-1"
    })
    assert.deepStrictEqual(parse("purl", " pkg:npm/lodash ", " <4.17.21 "), ranged)
    assert.deepStrictEqual(parse("vulnerability", "CVE-1", "1"), {
      name: "vulnerability",
      value: "CVE-1"
    })
    assert.isUndefined(parse("purl", " ", "1"))
    assert.deepStrictEqual(subjectOf(routeOf("acme", ranged)), ranged)
    assert.deepStrictEqual(queryOf(ranged), { purl: "pkg:npm/lodash", versions: "<4.17.21" })
  })

  it("of base images are the components that images are", () => {
    assert.deepStrictEqual(parse("base_image", " node:20-alpine "), {
      name: "purl",
      value: "pkg:docker/node@20-alpine"
    })
    for (const text of ["", "Node", "a".repeat(64), "node@sha512:1"])
      assert.isUndefined(parse("base_image", text))
  })

  it("take the builder of an address as the server does", () => {
    for (const address of [
      "https://ci.example.org/7",
      "HTTPS://CI.example.org:8443?x=1",
      "no address",
      "",
      "ftp://files",
      "https:///nothing"
    ])
      assert.strictEqual(builderOf(address) ?? null, Exposure.builderOf(address))
  })
})
