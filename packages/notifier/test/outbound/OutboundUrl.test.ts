/** The checks of URLs and of resolved addresses: tables, properties, limits. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Either, FastCheck } from "effect"
import * as AddressRange from "../../src/outbound/AddressRange.js"
import * as AllowList from "../../src/outbound/AllowList.js"
import type { BlockedDestination } from "../../src/outbound/BlockedDestination.js"
import * as OutboundUrl from "../../src/outbound/OutboundUrl.js"
import * as Model from "./AddressModel.js"
import { hostile, welcome } from "./HostileDestinations.js"

const reasonOf = (decision: Either.Either<unknown, BlockedDestination>) =>
  Either.match(decision, { onLeft: ({ reason }) => reason, onRight: () => "accepted" })

const accept = (text: string, allow?: AllowList.AllowList) =>
  Either.getOrThrow(OutboundUrl.check(text, allow))

const target = accept("https://hooks.example.com/")

describe("OutboundUrl.check", () => {
  for (const [trick, destinations] of Object.entries(hostile)) {
    it(`refuses ${trick} (${destinations.length})`, () => {
      const passed = destinations.filter((text) => Either.isRight(OutboundUrl.check(text)))
      deepStrictEqual(passed, [])
    })
  }

  it("has at least 200 different hostile destinations", () => {
    assert.isAtLeast(new Set(Object.values(hostile).flat()).size, 200)
  })

  it.each(welcome)("accepts %s", (text, host, port, path) => {
    const url = accept(text)
    deepStrictEqual([OutboundUrl.hostText(url), url.port, url.path], [host, port, path])
  })

  it("gives the reason without the URL", () => {
    const reasons: ReadonlyArray<readonly [string, string]> = [
      ["http://hooks.example.com/", "scheme"],
      [`https://hooks.example.com/${"a".repeat(2022)}`, "accepted"],
      [`https://hooks.example.com/${"a".repeat(2023)}`, "length"],
      ["https://hooks.example.com/a b", "characters"],
      ["https://secret@hooks.example.com/", "credentials"],
      ["https://hooks!example.com/", "host"],
      ["https://ⓔxample.com/", "characters"],
      ["https://еxample.com/", "host"],
      ["https://hooks.example.com:0/", "port"],
      ["https://hooks.example.com:65536/", "port"],
      ["https://secret.internal/", "name"],
      ["https://10.9.8.7/", "address"]
    ]
    for (const [text, expected] of reasons) {
      const decision = OutboundUrl.check(text)
      assert.strictEqual(reasonOf(decision), expected, text)
      if (Either.isLeft(decision)) {
        assert.match(decision.left.message, /^blocked destination: [^.]+$/)
        assert.notMatch(decision.left.message, /secret|10\.9/)
      }
    }
  })

  it.prop(
    "treats an internationalised name like the A-labels of the same name",
    {
      labels: FastCheck.array(
        FastCheck.constantFrom(
          "bücher",
          "ß",
          "почта",
          "例え",
          "hooks",
          "a_b",
          "local",
          "com",
          "рф"
        ),
        { minLength: 1, maxLength: 4 }
      )
    },
    ({ labels }) => {
      const text = `https://${labels.join(".")}/`
      const ascii = `https://${new URL(text).hostname}/`
      deepStrictEqual(OutboundUrl.check(text), OutboundUrl.check(ascii))
    }
  )

  it("has the port in the Host header unless it is 443", () => {
    assert.strictEqual(OutboundUrl.authority(accept("https://a.example.com:443/")), "a.example.com")
    assert.strictEqual(
      OutboundUrl.authority(accept("https://a.example.com:8443/")),
      "a.example.com:8443"
    )
    assert.strictEqual(
      OutboundUrl.authority(accept("https://[2606:4700::1]:1/")),
      "[2606:4700::1]:1"
    )
  })
})

const urlLike = FastCheck.oneof(
  FastCheck.fullUnicodeString().map((text) => `https://${text}`),
  FastCheck.stringOf(
    FastCheck.constantFrom(
      "https://",
      "a",
      ".",
      "com",
      "0x7f",
      "127",
      "1",
      ":",
      "@",
      "[",
      "]",
      "/",
      "\\",
      "%2e",
      "。",
      "?",
      "#",
      "\t",
      "local",
      "-"
    ),
    { maxLength: 12 }
  ).map((text) => `https://${text}`),
  FastCheck.webUrl({ validSchemes: ["https"], withQueryParameters: true })
)

const byte = FastCheck.nat(255)
const quad = FastCheck.tuple(byte, byte, byte, byte)
const spell = (value: number, base: number) =>
  base === 16 ? `0x${value.toString(16)}` : base === 8 ? `0${value.toString(8)}` : String(value)
const base = FastCheck.constantFrom(8, 10, 16)

describe("OutboundUrl.check, properties", () => {
  it.prop(
    "accepts only URLs that the platform parses the same way",
    { text: urlLike },
    ({ text }) => {
      const decision = OutboundUrl.check(text)
      if (Either.isLeft(decision)) return
      const other = new URL(text)
      assert.strictEqual(other.hostname, OutboundUrl.hostText(decision.right))
      assert.strictEqual(other.username + other.password, "")
      assert.strictEqual(other.protocol, "https:")
    },
    { fastCheck: { numRuns: 3_000 } }
  )

  it.prop(
    "accepts an address literal exactly when it is public in the model",
    { bytes: quad },
    ({ bytes }) => {
      assert.strictEqual(
        Either.isRight(OutboundUrl.check(`https://${bytes.join(".")}/`)),
        Model.isPublic(bytes)
      )
    },
    { fastCheck: { numRuns: 1_000 } }
  )

  it.prop("refuses every address that is one number", { bytes: quad, base }, ({ base, bytes }) => {
    const value = bytes.reduce((sum, part) => sum * 256 + part, 0)
    assert.strictEqual(Either.isRight(OutboundUrl.check(`https://${spell(value, base)}/`)), false)
  })

  it.prop(
    "refuses every address with an octal or hexadecimal part",
    { bytes: quad, at: FastCheck.nat(3), base: FastCheck.constantFrom(8, 16) },
    ({ at, base, bytes }) => {
      const text = bytes
        .map((part, index) => (index === at ? spell(part, base) : String(part)))
        .join(".")
      assert.strictEqual(Either.isRight(OutboundUrl.check(`https://${text}/`)), false)
    }
  )

  it.prop(
    "refuses every address in two or three parts",
    { bytes: quad, base },
    ({ base, bytes: [a, b, c, d] }) => {
      for (const parts of [
        [a, b * 65536 + c * 256 + d],
        [a, b, c * 256 + d]
      ]) {
        const text = parts.map((part) => spell(part, base)).join(".")
        assert.strictEqual(Either.isRight(OutboundUrl.check(`https://${text}/`)), false)
      }
    }
  )
})

const publicText = quad.filter((bytes) => Model.isPublic(bytes)).map((bytes) => bytes.join("."))
const otherText = FastCheck.oneof(
  quad.filter((bytes) => !Model.isPublic(bytes)).map((bytes) => bytes.join(".")),
  FastCheck.constantFrom("127.0.0.1", "::1", "fe80::1", "::ffff:10.0.0.1", "fe80::1%eth0", "", "x")
)

describe("OutboundUrl.checkAddresses", () => {
  it.prop(
    "gives public addresses in their order",
    { answers: FastCheck.array(publicText, { minLength: 1 }) },
    ({ answers }) => {
      deepStrictEqual(
        Either.map(OutboundUrl.checkAddresses(target, answers), (all) =>
          all.map(AddressRange.print)
        ),
        Either.right(answers)
      )
    }
  )

  it.prop(
    "refuses when any address is not public, at any position",
    { before: FastCheck.array(publicText), bad: otherText, after: FastCheck.array(publicText) },
    ({ after, bad, before }) => {
      assert.strictEqual(
        reasonOf(OutboundUrl.checkAddresses(target, [...before, bad, ...after])),
        "address"
      )
    }
  )

  it("refuses when there is no address", () => {
    assert.strictEqual(reasonOf(OutboundUrl.checkAddresses(target, [])), "unresolved")
  })

  it("refuses public names with private addresses", () => {
    const rebound = accept("https://127.0.0.1.nip.io/")
    assert.strictEqual(reasonOf(OutboundUrl.checkAddresses(rebound, ["127.0.0.1"])), "address")
  })
})

describe("OutboundUrl with an allow-list", () => {
  const allow = Either.getOrThrow(
    AllowList.parse(["127.0.0.0/8", "Receiver", "hooks.corp.internal"])
  )

  it("accepts a permitted block, also mapped to IPv6, and nothing else", () => {
    accept("https://127.0.0.1:8443/", allow)
    accept("https://[::ffff:127.0.0.1]/", allow)
    assert.strictEqual(reasonOf(OutboundUrl.check("https://[::1]/", allow)), "address")
    assert.strictEqual(reasonOf(OutboundUrl.check("https://10.0.0.1/", allow)), "address")
    assert.strictEqual(reasonOf(OutboundUrl.check("https://localhost/", allow)), "name")
    assert.strictEqual(reasonOf(OutboundUrl.check("https://127.1/", allow)), "name")
    assert.strictEqual(
      reasonOf(OutboundUrl.checkAddresses(target, ["127.0.0.1"], allow)),
      "accepted"
    )
    assert.strictEqual(
      reasonOf(OutboundUrl.checkAddresses(target, ["127.0.0.1", "10.0.0.1"], allow)),
      "address"
    )
  })

  it("accepts a permitted name with any address, and no subdomain of it", () => {
    const inside = accept("https://hooks.corp.internal/", allow)
    accept("https://receiver/", allow)
    assert.strictEqual(
      reasonOf(OutboundUrl.checkAddresses(inside, ["10.0.0.1"], allow)),
      "accepted"
    )
    assert.strictEqual(reasonOf(OutboundUrl.checkAddresses(inside, ["nonsense"], allow)), "address")
    assert.strictEqual(reasonOf(OutboundUrl.checkAddresses(inside, [], allow)), "unresolved")
    assert.strictEqual(reasonOf(OutboundUrl.check("https://a.hooks.corp.internal/", allow)), "name")
  })

  it("still refuses URLs that are invalid for other reasons", () => {
    assert.strictEqual(reasonOf(OutboundUrl.check("http://receiver/", allow)), "scheme")
    assert.strictEqual(reasonOf(OutboundUrl.check("https://a@receiver/", allow)), "credentials")
    assert.strictEqual(reasonOf(OutboundUrl.check("https://receiver./", allow)), "host")
  })
})
