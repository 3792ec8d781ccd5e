/** The address of the client of a request that passed proxies. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import * as RemoteAddress from "../../src/node/RemoteAddress.js"

const of = RemoteAddress.make(["10.0.0.0/8", "2001:db8::/32", "127.0.0.1"])

describe("RemoteAddress", () => {
  it("is the address of the peer unless the peer is a trusted proxy", () => {
    assert.strictEqual(of("192.0.2.1", ["198.51.100.7"]), "192.0.2.1")
    assert.strictEqual(of("10.1.2.3", ["198.51.100.7"]), "198.51.100.7")
    assert.strictEqual(of("::ffff:10.1.2.3", ["198.51.100.7"]), "198.51.100.7")
    assert.strictEqual(of("2001:db8::1", ["2001:db9::1"]), "2001:db9::1")
    assert.strictEqual(of("10.1.2.3", []), "10.1.2.3")
  })

  it("trusts hops from the end, and none that an untrusted hop reported", () => {
    assert.strictEqual(of("10.0.0.1", ["1.1.1.1, 192.0.2.9, 10.0.0.2"]), "192.0.2.9")
    assert.strictEqual(of("10.0.0.1", ["1.1.1.1", "192.0.2.9"]), "192.0.2.9")
    assert.strictEqual(of("10.0.0.1", ["192.0.2.9, nonsense"]), "10.0.0.1")
    assert.strictEqual(of("10.0.0.1", ["10.0.0.3, 10.0.0.2"]), "10.0.0.3")
  })

  it("parses addresses and networks, and nothing else", () => {
    for (const right of ["10.0.0.0/8", "10.0.0.1", "::1", "fd00::/8", "0.0.0.0/0"]) {
      assert.isTrue(Option.isSome(RemoteAddress.parseNetwork(right)), right)
    }
    for (const wrong of [
      "",
      "10.0.0.0/33",
      "::/129",
      "10.0.0.0/",
      "a/8",
      "10.0.0.0/8/8",
      "1.2.3"
    ]) {
      assert.isTrue(Option.isNone(RemoteAddress.parseNetwork(wrong)), wrong)
    }
  })

  it.prop(
    "never throws",
    { peer: FastCheck.string(), hop: FastCheck.string() },
    ({ peer, hop }) => {
      assert.strictEqual(typeof of(peer, [hop]), "string")
    }
  )
})
