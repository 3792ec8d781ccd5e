/** Chat and mail messages: golden files, and escaping of users' text. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as ChatMessage from "../../src/notification/internal/ChatMessage.js"
import * as EmailMessage from "../../src/notification/internal/EmailMessage.js"
import * as NotificationSummary from "../../src/notification/internal/NotificationSummary.js"
import { matches } from "./Golden.js"
import { HOSTILE, hostile, publicUrl, samples } from "./Samples.js"

const chatOf = (notification: Parameters<typeof NotificationSummary.make>[1]) =>
  ChatMessage.make(NotificationSummary.make(publicUrl, notification)).text
const mailOf = (notification: Parameters<typeof NotificationSummary.make>[1]) =>
  EmailMessage.make(NotificationSummary.make(publicUrl, notification))

const named = (text: string) => ({
  ...samples["artifact-started"],
  description: text,
  artifact: { name: text, fingerprint: "" as const, provenance: null }
})

const withoutLinks = (text: string) => text.replaceAll(/<https?:\/\/[^\s<>|]+\|[\w ]+>/g, "")

describe("ChatMessage", () => {
  for (const [name, notification] of Object.entries(samples)) {
    it(`equals the golden file for ${name}`, () =>
      matches(`chat-${name}.txt`, `${chatOf(notification)}\n`))
  }

  it("contains neither mentions nor links from users' text", () => {
    const text = chatOf(hostile)
    matches("chat-hostile.txt", `${text}\n`)
    assert.notMatch(withoutLinks(text), /[<>]/)
    assert.notInclude(text, "javascript:")
    assert.notMatch(text, /(?<!\u2060)@here(?![^`\n]*`)/)
  })

  it.prop(
    "has no brackets and no lines from users' text",
    { text: FastCheck.fullUnicodeString() },
    ({ text }) => {
      const message = chatOf(named(text))
      assert.notMatch(withoutLinks(message), /[<>]/)
      assert.isAtMost(message.split("\n").length, 10)
      assert.isTrue(message.split("`").length % 2 === 1)
    }
  )

  it("shortens long values", () => {
    assert.isBelow(chatOf(named("🙂".repeat(100_000))).length, 6_000)
  })
})

describe("EmailMessage", () => {
  for (const [name, notification] of Object.entries(samples)) {
    it(`equals the golden file for ${name}`, () => {
      const { html, subject, text } = mailOf(notification)
      matches(`mail-${name}.txt`, `Subject: ${subject}\n\n${text}`)
      matches(`mail-${name}.html`, html)
    })
  }

  it("escapes hostile text", () => {
    const { html, subject, text } = mailOf(hostile)
    matches("mail-hostile.html", html)
    matches("mail-hostile.txt", `Subject: ${subject}\n\n${text}`)
    assert.notMatch(html, /<script|javascript:|<td><\/td>/)
    assert.notMatch(subject, /[\r\n]/)
    assert.notMatch(text, /^Bcc:/m)
  })

  const tags = (html: string) => html.match(/<[^>]*>/g)?.map((tag) => tag.replace(/ .*/, ""))

  it.prop(
    "has the same tags for every users' text",
    { text: FastCheck.fullUnicodeString() },
    ({ text }) => {
      const { html, subject } = mailOf(named(`${text}${HOSTILE}`))
      assert.deepStrictEqual(tags(html), tags(mailOf(named("x")).html))
      assert.notMatch(subject, /[\p{Cc}]/u)
    }
  )

  it("has a subject of bounded length", () => {
    const summary = NotificationSummary.make(publicUrl, samples["api-key-expiry"])
    const { subject } = EmailMessage.make({ ...summary, headline: "🙂".repeat(5_000) })
    assert.strictEqual([...subject].length, 180)
  })
})
