/** Targets as lines and back, and the part of an address that is shown. */
import { assert, describe, it } from "vitest"
import {
  eventText,
  linesOf,
  shortAddress,
  targetsOf,
  targetText,
  triggerText
} from "../../app/notification/NotificationText.js"

describe("addresses", () => {
  it("show their host and their last six characters", () => {
    assert.strictEqual(
      shortAddress("https://hooks.example.org/services/T0/abcdef123456"),
      "hooks.example.org/…123456"
    )
    assert.strictEqual(shortAddress("https://hooks.example.org/a"), "hooks.example.org/a")
    assert.strictEqual(shortAddress("nonsense"), "…")
  })

  it("are lines of a form, and targets again", () => {
    const text = "https://hooks.example.org/a\nslack https://chat.example.org/b\njo@example.org"
    const targets = targetsOf(`\n ${text} \n\n`)
    assert.deepStrictEqual(targets, [
      { type: "WEBHOOK", webhook: "https://hooks.example.org/a" },
      { type: "CHAT", webhook: "https://chat.example.org/b" },
      { type: "EMAIL", emails: ["jo@example.org"] }
    ])
    assert.strictEqual(
      linesOf([
        { type: "WEBHOOK", webhook: "https://hooks.example.org/a", payload_version: "1.0" },
        { type: "CHAT", webhook: "https://chat.example.org/b" },
        { type: "EMAIL", emails: ["jo@example.org"] }
      ]),
      text
    )
    assert.deepStrictEqual(targetsOf("https://user@hooks.example.org/a"), [
      { type: "WEBHOOK", webhook: "https://user@hooks.example.org/a" }
    ])
  })
})

describe("words", () => {
  it("stand for targets, triggers and events", () => {
    assert.strictEqual(
      targetText({ type: "EMAIL", emails: ["a@x.org", "b@x.org", "c@x.org"] }),
      "mail a@x.org and 2 more"
    )
    assert.strictEqual(triggerText("ON_NON_COMPLIANT_ENV"), "becomes non-compliant")
    assert.strictEqual(triggerText("ON_SILENT_ENV"), "misses its reports")
    assert.strictEqual(eventText("ENVIRONMENT_DECAYING"), "becomes non-compliant within a day")
    assert.strictEqual(triggerText("ON_SOMETHING"), "ON_SOMETHING")
    assert.strictEqual(eventText("ARTIFACT_STARTED"), "artifact started")
    assert.strictEqual(eventText("API_KEY_EXPIRY"), "key ends")
  })
})
