/** Notification configurations and signing secrets on the wire. */

import { OrgName } from "@attestry/core/Identifier"
import { NotificationStore } from "@attestry/core/NotificationStore"
import { OrgStore } from "@attestry/core/OrgStore"
import { OutboundUrlCheck } from "@attestry/core/OutboundUrlCheck"
import * as Timestamp from "@attestry/core/Timestamp"
import { Effect, Layer } from "effect"
import { assert, it } from "vitest"
import { type CallOptions, onEveryStore, type TestServer } from "../shared/TestServer.js"

const TYPE = { notification_type: "api_key_expiry" }
const REDACTED = "[input: **REDACTED**]"

const WEBHOOK = { type: "WEBHOOK", webhook: "https://hooks.example.org/a", payload_version: "1.0" }
const CHAT = { type: "CHAT", webhook: "https://chat.example.org/b" }
const EMAIL = { type: "EMAIL", emails: ["ops@example.org", "Anna.B+x@mail.example.org"] }

const EMPTY = {
  notification_type: "api_key_expiry",
  scope: null,
  targets: [],
  detection: { thresholds_days: [30, 7, 1, 0] },
  last_notified_at: null,
  last_failure: null
}

const calls = ({ call }: TestServer) => ({
  put: (targets: unknown, options: CallOptions = {}) =>
    call("PUT /notification-config/{org}/{notification_type}", {
      path: TYPE,
      body: { targets },
      ...options
    }),
  get: (options: CallOptions = {}) =>
    call("GET /notification-config/{org}/{notification_type}", { path: TYPE, ...options }),
  remove: () => call("DELETE /notification-config/{org}/{notification_type}", { path: TYPE })
})

const errorsOf = ({ body }: { readonly body: unknown }): Record<string, string> =>
  (body as { readonly errors: Record<string, string> }).errors

onEveryStore("PUT /notification-config/{org}/{notification_type}", (server) => {
  const { put, get, remove } = calls(server)

  it("is 201 with the configuration, when it creates and when it replaces", async () => {
    assert.deepStrictEqual((await get()).body, EMPTY)
    const created = await put([WEBHOOK, CHAT, EMAIL])
    assert.deepStrictEqual(
      [created.status, created.body],
      [201, { ...EMPTY, targets: [WEBHOOK, CHAT, EMAIL] }]
    )
    const replaced = await put([EMAIL])
    assert.deepStrictEqual([replaced.status, replaced.body], [201, { ...EMPTY, targets: [EMAIL] }])
    assert.deepStrictEqual((await get({ as: "reader" })).body, replaced.body)
  })

  it("records each change once, and no repetition", async () => {
    await remove()
    const countOf = async (kind: string) =>
      (await server.journal()).filter((entry) => entry.kind === kind).length
    const before = await countOf("notification_config_set")
    for (let turn = 0; turn < 3; turn += 1) assert.strictEqual((await put([CHAT])).status, 201)
    assert.strictEqual(await countOf("notification_config_set"), before + 1)
    const deleted = await countOf("notification_config_deleted")
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await remove()
      assert.deepStrictEqual([answer.status, answer.body], [200, EMPTY])
    }
    assert.strictEqual(await countOf("notification_config_deleted"), deleted + 1)
  })

  it("fills in absent fields: the type by the other fields, and the version of the payload", async () => {
    const bare = (await put([
      { webhook: CHAT.webhook },
      { webhook: WEBHOOK.webhook, payload_version: "1.0" },
      { type: "WEBHOOK", webhook: "https://hooks.example.org/c" },
      { emails: EMAIL.emails }
    ])) as { readonly status: number; readonly body: { readonly targets: unknown } }
    assert.strictEqual(bare.status, 201)
    assert.deepStrictEqual(bare.body.targets, [
      CHAT,
      WEBHOOK,
      { ...WEBHOOK, webhook: "https://hooks.example.org/c" },
      EMAIL
    ])
  })

  it("accepts and ignores times and chat channels", async () => {
    const times = { last_success_at: 12.5, last_failure_at: null }
    const context = { channel_id: "C", channel_name: "ops", team_id: "T" }
    const answer = await put([
      { ...CHAT, ...times, context },
      { ...WEBHOOK, ...times },
      { ...EMAIL, ...times }
    ])
    assert.deepStrictEqual(
      [answer.status, answer.body],
      [201, { ...EMPTY, targets: [CHAT, WEBHOOK, EMAIL] }]
    )
    assert.strictEqual((await put([{ ...CHAT, context: null }])).status, 201)
    assert.strictEqual((await put([CHAT, CHAT])).status, 201)
    assert.deepStrictEqual((await get()).body, { ...EMPTY, targets: [CHAT] })
  })

  it("reports every invalid field, and repeats nothing of a target", async () => {
    const secret = "http://hooks.example.org/very-secret"
    const wrong = await put([
      { type: "CHAT", webhook: secret },
      { type: "WEBHOOK", webhook: WEBHOOK.webhook, payload_version: "2.0", colour: secret },
      { type: "EMAIL", emails: ["ops@example.org", "not an address"] },
      { type: "CHAT", webhook: CHAT.webhook, context: { channel_id: "C", extra: secret } },
      { type: "EMAIL", webhook: secret },
      secret
    ])
    assert.strictEqual(wrong.status, 400)
    assert.notInclude(JSON.stringify(wrong.body), "very-secret")
    assert.deepStrictEqual(errorsOf(wrong), {
      "targets[0].webhook": `String should match pattern '^https://' ${REDACTED}`,
      "targets[1].colour": `Extra inputs are not permitted ${REDACTED}`,
      "targets[1].payload_version": `Input should be '1.0' ${REDACTED}`,
      "targets[2].emails[1]": `Input should be a valid email address ${REDACTED}`,
      "targets[3].context.extra": `Extra inputs are not permitted ${REDACTED}`,
      "targets[3].context.channel_name": `Field required ${REDACTED}`,
      "targets[3].context.team_id": `Field required ${REDACTED}`,
      "targets[4].webhook": `Extra inputs are not permitted ${REDACTED}`,
      "targets[4].emails": `Field required ${REDACTED}`,
      "targets[5]": `Input should be a valid dictionary or object to extract fields from ${REDACTED}`
    })
  })

  it("refuses other spellings of a type, and other types", async () => {
    const sms = await put([{ type: "SMS", webhook: CHAT.webhook }])
    assert.strictEqual(sms.status, 400)
    assert.hasAllKeys(errorsOf(sms), ["targets[0].type"])
    const path = { notification_type: "key_rotation" }
    for (const options of [{ path }, { path, as: "reader" as const }]) {
      const answer = await get(options)
      assert.strictEqual(answer.status, 400)
      assert.hasAllKeys(errorsOf(answer), ["notification_type"])
    }
  })

  it("refuses an empty list, a missing list, and unknown properties", async () => {
    assert.deepStrictEqual(errorsOf(await put([])), {
      targets: "List should have at least 1 item after validation [input: []]"
    })
    assert.deepStrictEqual(errorsOf(await put(undefined, { body: {} })), {
      targets: "Field required [input: None]"
    })
    const extra = await put([], { body: { targets: [CHAT], scope: "x" } })
    assert.deepStrictEqual(errorsOf(extra), {
      scope: "Extra inputs are not permitted [input: x]"
    })
    assert.strictEqual((await put(null)).status, 400)
  })

  it("checks its limits on both sides", async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...CHAT, webhook: `${CHAT.webhook}${index}` }))
    const mails = (count: number) =>
      Array.from({ length: count }, (_, index) => `m${index}@example.org`)
    const url = (length: number) => `https://h.example.org/${"x".repeat(length - 22)}`
    const local = (length: number) => `${"a".repeat(length)}@example.org`
    const statusOf = async (targets: unknown) => (await put(targets)).status
    assert.strictEqual(await statusOf(many(200)), 201)
    assert.strictEqual(await statusOf(many(201)), 400)
    assert.strictEqual(await statusOf([{ ...EMAIL, emails: mails(50) }]), 201)
    assert.strictEqual(await statusOf([{ ...EMAIL, emails: mails(51) }]), 400)
    assert.strictEqual(await statusOf([{ ...EMAIL, emails: [] }]), 400)
    assert.strictEqual(await statusOf([{ ...CHAT, webhook: url(2048) }]), 201)
    assert.strictEqual(await statusOf([{ ...CHAT, webhook: url(2049) }]), 400)
    assert.strictEqual(await statusOf([{ ...EMAIL, emails: [local(64)] }]), 201)
    assert.strictEqual(await statusOf([{ ...EMAIL, emails: [local(65)] }]), 400)
  })

  it("accepts HTTP Basic with the key as user name, from admins only", async () => {
    const basic = (caller: "admin" | "member") => ({
      as: "nobody" as const,
      headers: { authorization: `Basic ${btoa(`${server.keyOf(caller)}:`)}` }
    })
    assert.strictEqual((await put([CHAT], basic("admin"))).status, 201)
    assert.strictEqual((await put([CHAT], basic("member"))).status, 403)
    assert.strictEqual((await get(basic("admin"))).status, 401)
  })
})

onEveryStore("GET /notification-config/{org}/{notification_type}", (server) => {
  const { get } = calls(server)

  it("shows a failure until a later delivery (law NOTIFY-4)", async () => {
    const fail = (seconds: number) =>
      server.run(
        Effect.gen(function* () {
          const org = yield* Effect.flatten((yield* OrgStore).find({ name: OrgName.make("acme") }))
          const store = yield* NotificationStore
          const key = { org: org.id, type: "api_key_expiry" } as const
          yield* store.findConfig(key, { lock: true })
          yield* store.failConfig(key, {
            failed_at: Timestamp.fromSeconds(seconds),
            error: "no recipients"
          })
        })
      )
    await fail(1_790_000_000.5)
    assert.deepStrictEqual((await get()).body, {
      ...EMPTY,
      last_failure: { failed_at: 1_790_000_000.5, error: "no recipients" }
    })
  })
})

onEveryStore(
  "a destination that its text rules out",
  (server) => {
    const { put } = calls(server)

    it("is refused with its position and without its value", async () => {
      const answer = await put([CHAT, { ...WEBHOOK, webhook: "https://10.0.0.1/secret" }])
      assert.strictEqual(answer.status, 400)
      assert.deepStrictEqual(errorsOf(answer), {
        "targets[1].webhook": `blocked destination ${REDACTED}`
      })
      const subscribed = await server.call("PUT /organizations/{org}/environments_notifications", {
        body: {
          name: "n",
          environments: ["prod"],
          triggers: ["ON_COMPLIANT_ENV"],
          targets: [{ ...CHAT, webhook: "https://10.0.0.1/secret" }]
        }
      })
      assert.deepStrictEqual(errorsOf(subscribed), {
        "targets[0].webhook": `blocked destination ${REDACTED}`
      })
    })
  },
  {
    override: Layer.succeed(OutboundUrlCheck, (url) =>
      url.startsWith("https://10.") ? "blocked destination" : null
    )
  }
)

onEveryStore("GET /notification-config/{org}/signing-secret", ({ call, journal }) => {
  const get = () => call("GET /notification-config/{org}/signing-secret")
  const rotate = () => call("POST /notification-config/{org}/signing-secret/rotate")
  const secretOf = ({ body }: { readonly body: unknown }) =>
    (body as { readonly secret: string }).secret

  it("creates a secret once, and a new one on request while the old one still signs", async () => {
    const first = await get()
    assert.strictEqual(first.status, 200)
    assert.match(secretOf(first), /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepInclude(first.body, { previous_secret_expires_at: null })
    assert.deepStrictEqual((await get()).body, first.body)
    const rotated = await rotate()
    assert.strictEqual(rotated.status, 201)
    assert.notStrictEqual(secretOf(rotated), secretOf(first))
    const { previous_secret_expires_at: until } = rotated.body as Record<string, number>
    assert.isAbove(until ?? 0, 0)
    assert.deepStrictEqual((await get()).body, rotated.body)
    const entries = (await journal()).filter(({ kind }) => kind.startsWith("signing_secret"))
    assert.deepStrictEqual(
      entries.map(({ kind }) => kind),
      ["signing_secret_created", "signing_secret_rotated"]
    )
    assert.notInclude(JSON.stringify(entries), "whsec_")
  })

  it("gives concurrent callers one secret", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, get))
    assert.strictEqual(new Set(answers.map(secretOf)).size, 1)
  })
})
