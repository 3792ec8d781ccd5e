/** Targets: their identity, and the effect of saving them again. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Either, FastCheck, Schema } from "effect"
import * as NotificationConfig from "../../src/notification/NotificationConfig.js"
import * as NotificationTarget from "../../src/notification/NotificationTarget.js"
import * as SigningSecret from "../../src/notification/SigningSecret.js"
import * as TargetInput from "../../src/notification/TargetInput.js"
import { NotificationTargetId, OrgId } from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"

const AT = Timestamp.fromSeconds(1_790_000_000)
const LATER = Timestamp.plusSeconds(AT, 1)

const stored = (
  id: string,
  target: NotificationTarget.NotificationTarget
): NotificationTarget.StoredTarget => ({
  id: NotificationTargetId.make(id),
  target,
  context: null,
  last_success_at: AT,
  last_failure_at: LATER,
  last_error: "timeout",
  disabled_at: LATER
})

const chat = (webhook: string) => ({ type: "CHAT", webhook }) as const
const email = (...emails: ReadonlyArray<string>) => ({ type: "EMAIL", emails }) as const
const wanted = (target: NotificationTarget.NotificationTarget) => ({ target, context: null })
const ids = (...names: ReadonlyArray<string>) =>
  names.map((name) => NotificationTargetId.make(name))

describe("NotificationTarget.reconcile", () => {
  it("keeps id and times of equal targets, and enables them again", () => {
    const before = [
      stored("a", chat("https://x.example.org")),
      stored("b", email("A@x.org", "b@x.org"))
    ]
    const after = NotificationTarget.reconcile(
      before,
      [wanted(email("B@x.org", "a@x.org")), wanted(chat("https://y.example.org"))],
      ids("c", "d")
    )
    deepStrictEqual(after, [
      { ...stored("b", email("B@x.org", "a@x.org")), disabled_at: null },
      {
        ...stored("d", chat("https://y.example.org")),
        last_success_at: null,
        last_failure_at: null,
        last_error: null,
        disabled_at: null
      }
    ])
  })

  it("keeps the first of equal targets, and distinguishes types", () => {
    const url = "https://x.example.org"
    const webhook = { type: "WEBHOOK", webhook: url, payload_version: "1.0" } as const
    const after = NotificationTarget.reconcile(
      [],
      [wanted(chat(url)), wanted(webhook), wanted(chat(url))],
      ids("a", "b", "c")
    )
    assert.deepStrictEqual(
      after.map(({ id }) => id),
      ids("a", "b")
    )
  })
})

describe("results of deliveries", () => {
  const instant = FastCheck.constantFrom(null, AT, LATER)

  it.prop(
    "NOTIFY-4: a failure is shown exactly while it is newer",
    { a: instant, b: instant },
    (given) => {
      const failure = given.b === null ? null : { failed_at: given.b, error: "timeout" }
      const shown = NotificationConfig.visibleFailure({ last_notified_at: given.a, failure })
      const isNewer = given.b !== null && (given.a === null || given.b > given.a)
      deepStrictEqual(shown, isNewer ? failure : null)
    }
  )

  it.prop("a target fails while its failure is newer", { a: instant, b: instant }, (given) => {
    const times = { last_success_at: given.a, last_failure_at: given.b }
    const isNewer = given.b !== null && (given.a === null || given.b > given.a)
    assert.strictEqual(NotificationTarget.isFailing(times), isNewer)
  })

  it("finds the latest success over all targets", () => {
    const success = (...times: ReadonlyArray<Timestamp.Timestamp | null>) =>
      NotificationTarget.lastSuccess(times.map((last_success_at) => ({ last_success_at })))
    assert.strictEqual(success(), null)
    assert.strictEqual(success(null, null), null)
    assert.strictEqual(success(null, AT, null), AT)
    assert.strictEqual(success(AT, LATER, AT), LATER)
  })
})

describe("TargetInput", () => {
  const decode = Schema.decodeUnknownEither(TargetInput.TargetInput)
  const typeOf = (input: unknown) =>
    Either.match(decode(input), { onLeft: () => "refused", onRight: ({ type }) => type })

  it("without a type is the first variant that has all its fields", () => {
    const webhook = "https://x.example.org"
    assert.strictEqual(typeOf({ webhook }), "CHAT")
    assert.strictEqual(typeOf({ webhook, context: null }), "CHAT")
    assert.strictEqual(typeOf({ webhook, payload_version: "1.0" }), "WEBHOOK")
    assert.strictEqual(typeOf({ emails: ["a@example.org"] }), "EMAIL")
    assert.strictEqual(typeOf({ emails: ["a@example.org"], webhook }), "refused")
    assert.strictEqual(typeOf({}), "refused")
  })

  it.prop(
    "never throws, for any input",
    { input: FastCheck.anything({ withNullPrototype: true }) },
    ({ input }) => {
      decode(input)
    }
  )

  const isEmail = Schema.is(NotificationTarget.EmailAddress)

  it("refuses addresses that could end a mail header", () => {
    for (const good of ["a@b.co", "a.b+c@mail.example.org", `${"a".repeat(64)}@x-1.example.org`]) {
      assert.strictEqual(isEmail(good), true, good)
    }
    for (const bad of [
      "",
      "a",
      "@example.org",
      "a@localhost",
      "a@-x.org",
      "a b@example.org",
      "a@example.org\r\nBcc: b@example.org",
      "a@example.org, b@example.org",
      "<a@example.org>",
      '"a b"@example.org',
      "a@[127.0.0.1]",
      "a@exämple.org",
      `${"a".repeat(65)}@example.org`,
      `a@${"x".repeat(63)}.${"y".repeat(63)}.${"z".repeat(63)}.${"w".repeat(63)}.org`
    ]) {
      assert.strictEqual(isEmail(bad), false, bad)
    }
  })
})

describe("SigningSecret", () => {
  const minted = (fill: number, at = AT) => ({
    bytes: new Uint8Array(SigningSecret.SECRET_BYTES).fill(fill),
    at
  })
  const first = SigningSecret.make(OrgId.make("o"), minted(1))
  const second = SigningSecret.rotate(first, minted(2, LATER))

  it("signs alone until a rotation, then also with its predecessor for a day", () => {
    assert.deepStrictEqual(SigningSecret.signingAt(first, LATER), [first.secret])
    const end = Timestamp.plusSeconds(LATER, SigningSecret.OVERLAP_HOURS * 3600)
    assert.deepStrictEqual(SigningSecret.signingAt(second, LATER), [second.secret, first.secret])
    const justBefore = Timestamp.fromMicros(end - 1)
    assert.strictEqual(SigningSecret.signingAt(second, justBefore).length, 2)
    assert.deepStrictEqual(SigningSecret.signingAt(second, end), [second.secret])
  })

  it("drops the secret before the previous one at once", () => {
    const third = SigningSecret.rotate(second, minted(3, LATER))
    assert.deepStrictEqual(SigningSecret.signingAt(third, LATER), [third.secret, second.secret])
    assert.match(third.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  })
})
