/** The text of a session's cookie: `parse` reads what `print` writes. */
import { SessionId } from "@attestry/core/Identifier"
import * as Session from "@attestry/core/Session"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { FastCheck, Option, Redacted } from "effect"

const id = SessionId.make("01a1dd4b-785a-4e5f-4f9c-6f524a2e")
const secret = FastCheck.uint8Array({
  minLength: Session.SECRET_BYTES,
  maxLength: Session.SECRET_BYTES
})

describe("Session", () => {
  it.prop("reads the id back", { secret }, ({ secret }) => {
    const text = Redacted.value(Session.print(id, secret))
    deepStrictEqual(Session.parse(text), Option.some(id))
    assert.match(text, /^[0-9a-f.-]+$/)
  })

  it.prop("never throws", { text: FastCheck.fullUnicodeString() }, ({ text }) => {
    deepStrictEqual(Session.parse(text), Option.none())
  })
})
