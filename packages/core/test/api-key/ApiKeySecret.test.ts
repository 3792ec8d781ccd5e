/** The text of keys: `parse` reads what `make` prints, and nothing else. */
import * as ApiKeySecret from "@attestry/core/ApiKeySecret"
import { ApiKeyId } from "@attestry/core/Identifier"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { FastCheck, Option, Redacted } from "effect"

const id = FastCheck.hexaString({ minLength: 28, maxLength: 28 }).map((hex) =>
  ApiKeyId.make(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  )
)
const kind = FastCheck.constantFrom("user" as const, "service-account" as const)
const random = FastCheck.uint8Array({
  minLength: ApiKeySecret.RANDOM_BYTES,
  maxLength: ApiKeySecret.RANDOM_BYTES,
  max: 247
})

const key = FastCheck.record({ id, kind, random }).map((made) => {
  const secret = Option.getOrThrow(ApiKeySecret.make(made, made.random))
  return { ...made, secret, text: Redacted.value(secret) }
})

describe("ApiKeySecret", () => {
  it.prop(
    "reads the id back, and names the kind of owner",
    { key },
    ({ key: { id, kind, text } }) => {
      deepStrictEqual(ApiKeySecret.parse(text), Option.some(id))
      assert.strictEqual(
        /^attestry_(user|service)_[0-9a-f]{28}_[0-9A-Za-z]{36}$/.exec(text)?.[1],
        kind === "user" ? "user" : "service"
      )
    }
  )

  it.prop(
    "refuses a key with one character changed",
    {
      key,
      place: FastCheck.nat(),
      letter: FastCheck.oneof(FastCheck.char(), FastCheck.constantFrom(..."0aZ_-é"))
    },
    ({ key: { text }, place, letter }) => {
      const at = place % text.length
      const changed = `${text.slice(0, at)}${letter}${text.slice(at + 1)}`
      if (changed !== text) deepStrictEqual(ApiKeySecret.parse(changed), Option.none())
    }
  )

  it.prop("refuses a key that was cut or extended", { key }, ({ key: { text } }) => {
    for (const wrong of [text.slice(0, -1), text.slice(1), `${text}0`, ` ${text}`, `${text}\n`]) {
      deepStrictEqual(ApiKeySecret.parse(wrong), Option.none())
    }
  })

  it.prop("accepts no other text", { text: FastCheck.fullUnicodeString() }, ({ text }) =>
    deepStrictEqual(ApiKeySecret.parse(text), Option.none())
  )

  it.prop("is redacted when it is printed", { key }, ({ key: { secret, text } }) => {
    assert.strictEqual(JSON.stringify({ secret }).includes(text.slice(-36)), false)
    assert.strictEqual(String(secret).includes(text.slice(-36)), false)
  })

  it("returns none when too few random bytes are usable", () => {
    const of = { id: ApiKeyId.make("0".repeat(28)), kind: "user" as const }
    const bytes = (fair: number, value: number) =>
      Uint8Array.from([...Array(34).fill(248), ...Array(fair).fill(value)])
    const secretOf = (made: Option.Option<Redacted.Redacted<string>>) =>
      Option.map(made, (secret) => Redacted.value(secret).slice(43, 73))
    deepStrictEqual(ApiKeySecret.make(of, bytes(29, 247)), Option.none())
    deepStrictEqual(secretOf(ApiKeySecret.make(of, bytes(30, 247))), Option.some("z".repeat(30)))
    deepStrictEqual(secretOf(ApiKeySecret.make(of, bytes(30, 62))), Option.some("0".repeat(30)))
  })
})
