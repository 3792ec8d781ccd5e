/** Elements are read as they were written, and whatever reaches outside or grows is refused. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import type { XmlElement } from "../../src/internal/Format.js"
import * as XmlReader from "../../src/internal/xml/XmlReader.js"

const element = (name: string, rest: Partial<XmlElement> = {}): XmlElement => ({
  name,
  namespace: "",
  attributes: new Map(),
  children: [],
  text: "",
  ...rest
})

const messageOf = (text: string, nodesMax?: number): string =>
  Either.match(XmlReader.parse(text, nodesMax), {
    onLeft: ({ kind, message }) => `${kind}: ${message}`,
    onRight: ({ name }) => `read ${name}`
  })

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

const print = ({ name, attributes, children, text }: XmlElement): string => {
  const written = [...attributes].map(([key, value]) => ` ${key}="${escaped(value)}"`).join("")
  return `<${name}${written}>${escaped(text)}${children.map(print).join("")}</${name}>`
}

const word = FastCheck.constantFrom("a", "b", "__proto__", "constructor", "toString", "é", "n-1.2")
const content = FastCheck.string({
  unit: FastCheck.constantFrom("a", " ", "&", "<", '"', "'", "]", "é", "🦉")
})

const tree = FastCheck.letrec<{ readonly element: XmlElement }>((tie) => ({
  element: FastCheck.record({
    name: word,
    namespace: FastCheck.constant(""),
    attributes: FastCheck.uniqueArray(FastCheck.tuple(word, content), {
      selector: ([name]) => name,
      maxLength: 4
    }).map((entries): ReadonlyMap<string, string> => new Map(entries)),
    children: FastCheck.oneof(
      { maxDepth: 4 },
      FastCheck.constant([]),
      FastCheck.array(tie("element"), { maxLength: 3 })
    ),
    text: content
  })
})).element

const nodes = (count: number): string => `<a>${"<b/>".repeat(count - 1)}</a>`

const nested = (levels: number): string => `${"<a>".repeat(levels)}${"</a>".repeat(levels)}`

const withAttributes = (count: number): string =>
  `<a ${Array.from({ length: count }, (_, index) => `a${index}=""`).join(" ")}/>`

describe("XmlReader.parse", () => {
  it.prop("reads what was printed", { tree }, ({ tree }) => {
    assert.deepStrictEqual(XmlReader.parse(print(tree)), Either.right(tree))
  })

  it("resolves namespaces and leaves their declarations out", () => {
    const text = `\uFEFF<?xml version="1.0" encoding="UTF-8"?>
<!-- made --><b:bom xmlns:b="urn:b" xmlns="urn:d" serial="1" b:ref="2"><c>x<!-- - --><![CDATA[<&]]></c></b:bom>`
    const child = element("c", { namespace: "urn:d", text: "x<&" })
    const attributes = new Map([
      ["serial", "1"],
      ["b:ref", "2"]
    ])
    const root = element("bom", { namespace: "urn:b", attributes, children: [child] })
    assert.deepStrictEqual(XmlReader.parse(text), Either.right(root))
  })

  it("passes over an external document type", () => {
    const text = (doctype: string) => `<!DOCTYPE ${doctype}><coverage/>`
    for (const doctype of [
      'coverage SYSTEM "http://example.org/[coverage].dtd"',
      "coverage SYSTEM 'file:///etc/passwd'",
      'coverage PUBLIC "-//A//B//EN" "report.dtd"'
    ])
      assert.strictEqual(messageOf(text(doctype)), "read coverage")
  })

  it("refuses internal subsets, and with them every entity of its own", () => {
    const bomb = `<!DOCTYPE a [<!ENTITY x "lol"><!ENTITY y "&x;&x;">]><a>&y;</a>`
    const subset = "unreadable: XML with an internal subset in its document type is not read"
    assert.strictEqual(messageOf(bomb), subset)
    assert.strictEqual(messageOf(`<!DOCTYPE a SYSTEM "a.dtd" []><a/>`), subset)
    assert.strictEqual(messageOf(`<!DOCTYPE a [ <!ELEMENT a ANY> ]><a/>`), subset)
    assert.strictEqual(
      messageOf("<a>&y;</a>"),
      "unreadable: this is not well-formed XML at line 1, column 6"
    )
  })

  it("knows the five entities of XML, and none that objects inherit", () => {
    assert.deepStrictEqual(
      XmlReader.parse("<a>&lt;&gt;&amp;&quot;&apos;&#x41;&#66;</a>"),
      Either.right(element("a", { text: "<>&\"'AB" }))
    )
    for (const name of ["toString", "constructor", "__proto__", "hasOwnProperty", "nbsp"])
      assert.match(messageOf(`<a>&${name};</a>`), /^unreadable: this is not well-formed XML/)
  })

  it.each([
    ["nothing", ""],
    ["white space", " \n"],
    ["text", "a"],
    ["a comment alone", "<!-- a -->"],
    ["two roots", "<a/><b/>"],
    ["an open element", "<a><b></a>"],
    ["an unbound prefix", "<a:b/>"],
    ["an attribute twice", '<a b="1" b="2"/>'],
    ["an open document type", "<!DOCTYPE a [<a/>"],
    ["NUL", "<a>\0</a>"],
    ["a lone surrogate", "<a>\uD800</a>"]
  ])("refuses %s", (_, text) => {
    assert.match(messageOf(text), /^unreadable: this (is not well-formed XML|XML has no element)/)
  })

  it.prop(
    "is total",
    { text: FastCheck.string({ unit: FastCheck.constantFrom(..."<a/>b =\"'&;![]-?:") }) },
    ({ text }) => {
      assert.include([true, false], Either.isRight(XmlReader.parse(text)))
      assert.include([true, false], Either.isRight(XmlReader.parse(`<a ${text}</a>`)))
    }
  )
})

describe("the limits of XML", () => {
  it("reads 64 levels, and refuses one more or 100,000 at once", () => {
    const refused = "unreadable: this XML has more than 64 levels of elements"
    assert.strictEqual(messageOf(nested(XmlReader.DEPTH_MAX)), "read a")
    assert.strictEqual(messageOf(nested(XmlReader.DEPTH_MAX + 1)), refused)
    assert.strictEqual(messageOf(nested(100_000)), refused)
    assert.strictEqual(messageOf("<a>".repeat(100_000)), refused)
  })

  it("reads 256 attributes of an element, and refuses one more", () => {
    assert.strictEqual(messageOf(withAttributes(XmlReader.ATTRIBUTES_MAX)), "read a")
    assert.strictEqual(
      messageOf(withAttributes(XmlReader.ATTRIBUTES_MAX + 1)),
      "unreadable: an element of this XML has more than 256 attributes"
    )
  })

  it("reads names of 1,024 characters, and refuses longer ones", () => {
    const name = "a".repeat(XmlReader.NAME_CHARACTERS_MAX)
    const refused = "unreadable: a name of this XML has more than 1024 characters"
    assert.strictEqual(messageOf(`<${name}/>`), `read ${name}`)
    assert.strictEqual(messageOf(`<a ${name}=""/>`), "read a")
    assert.strictEqual(messageOf(`<${name}a/>`), refused)
    assert.strictEqual(messageOf(`<a ${name}a=""/>`), refused)
  })

  it("reads as many elements and attributes as it may, and refuses one more of either", () => {
    const refused = "unreadable: this XML has more than 1000 elements and attributes"
    const messageAt = (text: string) => messageOf(text, 1_000)
    assert.strictEqual(messageAt(nodes(1_000)), "read a")
    assert.strictEqual(messageAt(nodes(1_001)), refused)
    assert.strictEqual(messageAt(`<a>${'<b c=""/>'.repeat(499)}<b/></a>`), "read a")
    assert.strictEqual(messageAt(`<a>${'<b c=""/>'.repeat(500)}</a>`), refused)
    assert.strictEqual(XmlReader.NODES_MAX, 2_000_000)
  })

  it("reads a text of many entities in linear time", () => {
    const count = 300_000
    const read = XmlReader.parse(`<a>${"&amp;".repeat(count)}</a>`)
    assert.strictEqual(Either.getOrThrow(read).text.length, count)
  })
})
