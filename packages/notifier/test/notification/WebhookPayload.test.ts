/** The bodies of webhooks equal golden files, because receivers rely on their shape. */
import { assert, describe, it } from "@effect/vitest"
import { JSONSchema, Schema } from "effect"
import * as NotificationLinks from "../../src/notification/internal/NotificationLinks.js"
import * as WebhookPayload from "../../src/notification/WebhookPayload.js"
import { matchesJson } from "./Golden.js"
import { hostile, publicUrl, samples } from "./Samples.js"

describe("WebhookPayload", () => {
  for (const [name, notification] of Object.entries(samples)) {
    it(`equals the golden file for ${name}`, () => {
      const payload = WebhookPayload.make(publicUrl, notification)
      matchesJson(`webhook-${name}.json`, payload)
    })

    it(`matches its schema for ${name} without additional fields`, () => {
      const payload = WebhookPayload.make(publicUrl, notification)
      const decode = Schema.decodeUnknownSync(WebhookPayload.WebhookPayload, {
        onExcessProperty: "error"
      })
      assert.deepStrictEqual(decode(JSON.parse(JSON.stringify(payload))), payload)
    })
  }

  it("contains users' text unchanged, as JSON strings", () => {
    const payload = WebhookPayload.make(publicUrl, hostile)
    const again = JSON.parse(JSON.stringify(payload))
    assert.strictEqual(again.artifact.name, "artifact" in hostile ? hostile.artifact?.name : "")
  })

  it("escapes names in links", () => {
    const at = { org: "acme", environment: "a b/c?d#e" }
    const { api_url, html_url } = NotificationLinks.snapshot(publicUrl, at, { index: 1 })
    assert.strictEqual(html_url, `${publicUrl}/acme/environments/a%20b%2Fc%3Fd%23e/snapshots/1`)
    assert.strictEqual(api_url, `${publicUrl}/api/v2/snapshots/acme/a%20b%2Fc%3Fd%23e/1`)
  })

  it("publishes its JSON Schema", () => {
    matchesJson("webhook.schema.json", WebhookPayload.jsonSchema())
    assert.deepStrictEqual(
      WebhookPayload.jsonSchema(),
      JSONSchema.make(WebhookPayload.WebhookPayload)
    )
  })
})
