/** Signatures, verified by the library of Standard Webhooks and by `WebhookVerification`. */
import { createHmac, randomBytes } from "node:crypto"
import * as SigningSecret from "@attestry/core/SigningSecret"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, Either, FastCheck, TestClock } from "effect"
import { Webhook } from "standardwebhooks"
import * as WebhookPayload from "../../src/notification/WebhookPayload.js"
import * as WebhookSignature from "../../src/notification/WebhookSignature.js"
import * as WebhookVerification from "../../src/notification/WebhookVerification.js"
import { publicUrl, samples } from "./Samples.js"

const NOW = 1_767_225_600
const secret = SigningSecret.print(new Uint8Array(32).fill(7))
const other = SigningSecret.print(new Uint8Array(32).fill(9))
const payload = WebhookPayload.make(publicUrl, samples["artifact-started"])
const body = JSON.stringify(payload)

const sign = (
  secrets: ReadonlyArray<string>,
  head: WebhookSignature.SignedHead = { id: "msg_1", timestamp: NOW },
  text = body
) =>
  WebhookSignature.headers(
    head,
    secrets.map((each) =>
      createHmac("sha256", Either.getOrThrow(WebhookSignature.keyOf(each)))
        .update(WebhookSignature.content(head, text))
        .digest("base64")
    )
  )

const verify = (received: Partial<WebhookVerification.Received>) =>
  Effect.zipRight(
    TestClock.setTime(NOW * 1000 + 500),
    Effect.either(
      WebhookVerification.verify({ headers: sign([secret]), body, secret, ...received })
    )
  )

const reasonOf = (received: Partial<WebhookVerification.Received>) =>
  Effect.map(verify(received), (outcome) =>
    Either.isRight(outcome)
      ? "valid"
      : outcome.left._tag === "InvalidWebhook"
        ? outcome.left.reason
        : outcome.left._tag
  )

describe("WebhookSignature", () => {
  it("equals the example of the Standard Webhooks specification", () => {
    const example = {
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      head: { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330 },
      text: '{"test": 2432232314}'
    }
    assert.strictEqual(
      sign([example.secret], example.head, example.text)["webhook-signature"],
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    )
  })

  it("verifies with the library of Standard Webhooks, with either secret of a rotation", () => {
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = sign([secret, other], { id: "msg_1", timestamp })
    for (const each of [secret, other]) {
      assert.deepStrictEqual(new Webhook(each).verify(body, headers), JSON.parse(body))
    }
    assert.throws(() => new Webhook(SigningSecret.print(randomBytes(32))).verify(body, headers))
  })

  it.prop(
    "verifies with the library for any text",
    { text: FastCheck.fullUnicodeString() },
    ({ text }) => {
      const json = JSON.stringify({ text })
      const timestamp = Math.floor(Date.now() / 1000)
      new Webhook(secret).verify(json, sign([secret], { id: "msg_1", timestamp }, json))
    }
  )

  it.prop(
    "decodes a key from the secret's text",
    { bytes: FastCheck.uint8Array({ minLength: 1 }) },
    ({ bytes }) => {
      const text = SigningSecret.print(bytes)
      assert.deepStrictEqual(Either.getOrThrow(WebhookSignature.keyOf(text)), bytes)
      assert.deepStrictEqual(Either.getOrThrow(WebhookSignature.keyOf(text.slice(6))), bytes)
    }
  )

  it("refuses secrets that are not Base64, without repeating them", () => {
    for (const text of ["", "whsec_", "whsec_?", "whsec_abc"]) {
      const outcome = WebhookSignature.keyOf(text)
      assert.isTrue(Either.isLeft(outcome), text)
      assert.notInclude(JSON.stringify(outcome), "?")
    }
  })
})

describe("WebhookVerification", () => {
  it.effect("accepts a recent signature and decodes the payload", () =>
    Effect.gen(function* () {
      const outcome = yield* verify({})
      deepStrictEqual(outcome, Either.right({ id: "msg_1", timestamp: NOW, payload }))
    })
  )

  it.effect("accepts headers in any form and case", () =>
    Effect.gen(function* () {
      const plain = sign([secret])
      const upper = Object.fromEntries(
        Object.entries(plain).map(([name, value]) => [name.toUpperCase(), value])
      )
      for (const headers of [plain, upper, new Headers(plain)]) {
        assert.strictEqual(yield* reasonOf({ headers }), "valid")
      }
    })
  )

  it.effect("accepts any of several secrets and any of several signatures", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reasonOf({ secret: [other, secret] }), "valid")
      assert.strictEqual(yield* reasonOf({ headers: sign([other, secret]) }), "valid")
      assert.strictEqual(yield* reasonOf({ secret: other }), "signature")
      assert.strictEqual(yield* reasonOf({ secret: [] }), "signature")
    })
  )

  it.effect("refuses a request with any change", () =>
    Effect.gen(function* () {
      const headers = sign([secret])
      assert.strictEqual(yield* reasonOf({ body: `${body} ` }), "signature")
      for (const changed of [
        { ...headers, "webhook-id": "msg_2" },
        { ...headers, "webhook-timestamp": String(NOW + 1) },
        { ...headers, "webhook-signature": "v1,AAAA" },
        { ...headers, "webhook-signature": "v1,?" },
        { ...headers, "webhook-signature": headers["webhook-signature"]?.replace("v1,", "v2,") },
        { ...headers, "webhook-signature": "" }
      ]) {
        assert.strictEqual(yield* reasonOf({ headers: changed }), "signature")
      }
    })
  )

  it.effect("refuses requests without the headers", () =>
    Effect.gen(function* () {
      for (const name of Object.keys(sign([secret]))) {
        const headers = { ...sign([secret]), [name]: undefined }
        assert.strictEqual(yield* reasonOf({ headers }), "headers")
      }
      for (const timestamp of ["", "now", "1e9", "-1", "1.5", "9".repeat(13)]) {
        const headers = { ...sign([secret]), "webhook-timestamp": timestamp }
        assert.strictEqual(yield* reasonOf({ headers }), "headers")
      }
      assert.strictEqual(yield* reasonOf({ headers: {} }), "headers")
    })
  )

  it.effect("refuses timestamps more than five minutes in the past or future", () =>
    Effect.gen(function* () {
      for (const [off, expected] of [
        [-300, "valid"],
        [-301, "timestamp"],
        [300, "valid"],
        [301, "timestamp"]
      ] as const) {
        const headers = sign([secret], { id: "msg_1", timestamp: NOW + off })
        assert.strictEqual(yield* reasonOf({ headers }), expected, String(off))
      }
    })
  )

  it.effect("refuses a signed body that is not a payload", () =>
    Effect.gen(function* () {
      for (const text of ["", "{}", "[]", '{"version":"2.0"}']) {
        const headers = sign([secret], { id: "msg_1", timestamp: NOW }, text)
        assert.strictEqual(yield* reasonOf({ headers, body: text }), "body")
      }
    })
  )

  it.effect("ignores additional fields", () =>
    Effect.gen(function* () {
      const text = JSON.stringify({ ...payload, more: 1 })
      const headers = sign([secret], { id: "msg_1", timestamp: NOW }, text)
      assert.strictEqual(yield* reasonOf({ headers, body: text }), "valid")
    })
  )

  it.effect("reports an invalid secret", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reasonOf({ secret: "whsec_?" }), "InvalidSecret")
    })
  )

  it("rejects the promise of `verifyPromise`", async () => {
    const received = { headers: sign([secret], { id: "a", timestamp: 0 }), body, secret }
    const reason = await WebhookVerification.verifyPromise(received).then(
      () => "valid",
      (error: WebhookVerification.InvalidWebhook) => error.message
    )
    assert.strictEqual(reason, "not a valid webhook: timestamp")
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = sign([secret], { id: "a", timestamp })
    assert.strictEqual((await WebhookVerification.verifyPromise({ headers, body, secret })).id, "a")
  })
})
