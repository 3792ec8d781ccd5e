/** The entries of an allow-list, and what each permits. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Either, Option } from "effect"
import * as AddressRange from "../../src/outbound/AddressRange.js"
import * as AllowList from "../../src/outbound/AllowList.js"

describe("AllowList", () => {
  it("parses blocks, addresses and names", () => {
    const list = Either.getOrThrow(
      AllowList.parse(["10.0.0.0/8", "192.168.1.7", "fd00::/8", "::1", "0.0.0.0/0", " Receiver "])
    )
    deepStrictEqual(
      list.ranges.map(({ bits }) => bits),
      [8, 32, 8, 128, 0]
    )
    deepStrictEqual([...list.names], ["receiver"])
    assert.isFalse(AllowList.isEmpty(list))
    assert.isTrue(AllowList.isEmpty(AllowList.empty))
  })

  it("respects the edge of a block", () => {
    const list = Either.getOrThrow(AllowList.parse(["10.64.0.0/10"]))
    const allows = (text: string) =>
      AllowList.allowsAddress(list, Option.getOrThrow(AddressRange.parse(text)))
    deepStrictEqual(
      ["10.63.255.255", "10.64.0.0", "10.127.255.255", "10.128.0.0", "::10.64.0.0"].map(allows),
      [false, true, true, false, false]
    )
  })

  it("applies a block of IPv6 also to mapped IPv4 addresses", () => {
    const list = Either.getOrThrow(AllowList.parse(["::ffff:10.0.0.0/104", "fd00::/8"]))
    const allows = (text: string) =>
      AllowList.allowsAddress(list, Option.getOrThrow(AddressRange.parse(text)))
    deepStrictEqual(
      ["::ffff:10.0.0.1", "10.0.0.1", "fd00::1", "fc00::1", "::ffff:11.0.0.1"].map(allows),
      [true, false, true, false, false]
    )
  })

  it("reports every invalid entry", () => {
    const bad = [
      "",
      "10.0.0.0/33",
      "10.0.0.0/8/8",
      "::/129",
      "10.0.0.0/08",
      "127.1",
      "0x7f.1",
      "*.corp",
      "a b",
      "https://x"
    ]
    const decision = AllowList.parse([...bad, "10.0.0.0/8"])
    assert.isTrue(Either.isLeft(decision))
    if (Either.isLeft(decision)) {
      deepStrictEqual(decision.left.entries, bad)
      assert.match(
        decision.left.message,
        /^not a block, an address or a host name: ``, `10\.0\.0\.0\/33`/
      )
    }
  })
})
