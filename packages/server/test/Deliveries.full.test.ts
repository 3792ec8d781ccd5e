/** Notifications from the API of the assembled server to a receiver. */
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { fixture, idsOf, type Receiver, withReceiver } from "./shared/Receiver.js"
import { runToEnd, type ServerProcess, start, withFolder } from "./shared/ServerProcess.js"

const permitting = (folder: string) => ({
  ATTESTRY_STORE: "memory",
  ATTESTRY_ADMIN_SOCKET: join(folder, "admin.sock"),
  ATTESTRY_OUTBOUND_ALLOW: "127.0.0.1",
  ATTESTRY_OUTBOUND_CA: fixture("cert"),
  ATTESTRY_DELIVERY_ATTEMPTS: "1",
  ATTESTRY_EXPIRY_SCAN_INTERVAL: "1s"
})

const api = (server: ServerProcess) => async (operation: string, body?: object) => {
  const [method = "GET", path = ""] = operation.split(" ")
  const answer = await fetch(`${server.url}/api/v2${path.replace("{org}", server.org ?? "")}`, {
    method,
    headers: {
      authorization: `Bearer ${server.key}`,
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const entries = answer.headers.get("attestry-entries") ?? ""
  return { status: answer.status, body: (await answer.json()) as never, entries }
}

const withServer = <A>(
  use: (context: {
    readonly server: ServerProcess
    readonly call: ReturnType<typeof api>
    readonly receiver: Receiver
    readonly env: ReturnType<typeof permitting>
  }) => Promise<A>,
  settings: Readonly<Record<string, string>> = {}
) =>
  withReceiver((receiver) =>
    withFolder(async (folder) => {
      const env = { ...permitting(folder), ...settings }
      const server = await start(env)
      try {
        return await use({ server, call: api(server), receiver, env })
      } finally {
        await server.stop("SIGTERM")
      }
    })
  )

const watch = async (call: ReturnType<typeof api>, receiver: Receiver) => {
  await call("PUT /environments/{org}", { name: "prod", type: "docker" })
  await call("PUT /organizations/{org}/environments_notifications", {
    name: "releases",
    environments: ["prod"],
    triggers: ["ON_STARTED_ARTIFACT"],
    targets: [{ type: "WEBHOOK", webhook: receiver.url }]
  })
}

const report = (call: ReturnType<typeof api>, image: string) =>
  call("PUT /environments/{org}/prod/report/docker", {
    artifacts: [{ digests: { [image]: "a".repeat(64) }, creationTimestamp: 1 }]
  })

describe("deliveries", () => {
  it("reach a webhook with a signature, and their success is listed", async () => {
    await withServer(async ({ server, call, receiver }) => {
      assert.match(server.shown, /WARNING +deliveries may go to 127\.0\.0\.1/)
      await watch(call, receiver)
      const { status, entries } = await report(call, "shop:1")
      assert.strictEqual(status, 200)
      await receiver.until(({ length }) => length === 1)
      const [{ headers, body } = assert.fail("no delivery arrived")] = receiver.received
      const { log_entry } = body as { log_entry: string }
      assert.include(entries.split(", "), log_entry)
      const receipt = await call(`GET /log/{org}/entries/${log_entry}?wait=10`)
      assert.deepInclude(receipt.body, { status: "included", entry_id: log_entry })
      assert.match(String(headers["webhook-signature"]), /^v1,/)
      assert.deepInclude(body, {
        version: "1.0",
        org: server.org,
        environment: "prod",
        event_type: "ARTIFACT_STARTED",
        description: "1 instance started running (from 0 to 1)"
      })
      const shown = async () => {
        const { body: listed } = await call("GET /organizations/{org}/environments_notifications")
        const [first] = listed as ReadonlyArray<{
          last_success_timestamp: number
          is_failing: boolean
        }>
        return first ?? assert.fail("nothing is listed")
      }
      let record = await shown()
      while (record.last_success_timestamp === 0) record = await shown()
      assert.strictEqual(record.is_failing, false)
    })
  }, 120_000)

  it("tell a webhook and a chat service what happens in a flow", async () => {
    await withServer(async ({ server, call, receiver }) => {
      await call("PUT /flows/{org}", { name: "shop", description: "" })
      const { status } = await call("PUT /actions/{org}/flows", {
        name: "builds",
        type: "flow",
        flows: ["shop"],
        triggers: ["ON_STARTED_TRAIL", "ON_ATTESTATION"],
        targets: [
          { type: "WEBHOOK", webhook: receiver.url },
          { type: "CHAT", webhook: `${receiver.url}/chat` }
        ]
      })
      assert.strictEqual(status, 200)
      await call("PUT /trails/{org}/shop", { name: "build-1" })
      await call("PUT /trails/{org}/shop", { name: "build-1" })
      await receiver.until(({ length }) => length === 2)
      await call("POST /attestations/{org}/shop/trail/build-1/generic", {
        attestation_name: "review",
        is_compliant: true
      })
      await receiver.until(({ length }) => length === 4)
      const bodies = receiver.received.map(({ body }) => body as Record<string, unknown>)
      const events = bodies.filter((body) => body.version === "1.0")
      assert.deepStrictEqual(
        events.map(({ event_type, org, flow }) => [event_type, org, flow]),
        ["TRAIL_STARTED", "ATTESTATION_REPORTED"].map((type) => [type, server.org, "shop"])
      )
      assert.deepInclude(events[1]?.trail, { name: "build-1", status: "COMPLIANT" })
      assert.deepInclude(events[1]?.attestation, { name: "review", type: "generic" })
      const texts = bodies.flatMap(({ text }) => (typeof text === "string" ? [text] : []))
      assert.match(texts[0] ?? "", /\*Trail begun in shop\*/)
      assert.match(texts[1] ?? "", /\*Attestation reported in shop\*/)
      const shown = async () => {
        const { body } = await call("GET /actions/{org}")
        const [first] = body as ReadonlyArray<{
          targets: ReadonlyArray<{ last_success_at: number | null }>
        }>
        return first?.targets.map(({ last_success_at }) => last_success_at) ?? []
      }
      let times = await shown()
      while (times.includes(null)) times = await shown()
      assert.lengthOf(times, 2)
    })
  }, 120_000)

  it("become dead letters that an administrator lists and replays", async () => {
    await withServer(async ({ call, receiver, env }) => {
      receiver.status = 500
      await watch(call, receiver)
      await report(call, "shop:1")
      await receiver.until(({ length }) => length === 1)
      const failed = async () => {
        const { output } = await runToEnd(["notifications", "failed", "list", "--json"], env)
        return JSON.parse(output) as ReadonlyArray<Record<string, unknown>>
      }
      let letters = await failed()
      while (letters.length === 0) letters = await failed()
      const [id] = idsOf(receiver.received)
      assert.deepInclude(letters[0], {
        id,
        target: "WEBHOOK",
        event_type: "ARTIFACT_STARTED",
        attempts: 1,
        error: "status 500"
      })
      assert.notInclude(JSON.stringify(letters), "127.0.0.1")
      receiver.status = 204
      const replayed = await runToEnd(["notifications", "failed", "replay", "--json"], env)
      assert.deepStrictEqual(JSON.parse(replayed.output), { replayed: [id] })
      await receiver.until(({ length }) => length === 2)
      assert.deepStrictEqual(idsOf(receiver.received), [id, id])
    })
  }, 120_000)

  it("are counted, and dead letters are deleted after the retention", async () => {
    await withServer(
      async ({ server, call, receiver, env }) => {
        receiver.status = 500
        await watch(call, receiver)
        await report(call, "shop:1")
        await receiver.until(({ length }) => length === 1)
        const metrics = async () => (await fetch(`${server.url}/metrics`)).text()
        const until = async (line: RegExp) => {
          while (!line.test(await metrics())) await new Promise((next) => setTimeout(next, 100))
        }
        await until(/^attestry_deliveries_total\{outcome="dead"\} 1$/m)
        await until(/^attestry_dead_letters_pruned_total 1$/m)
        const text = await metrics()
        for (const line of [
          /^attestry_delivery_attempts_total\{channel="webhook",result="status 5xx"\} 1$/m,
          /^attestry_delivery_attempt_seconds_count\{channel="webhook"\} 1$/m,
          /^attestry_expiry_scans_total\{result="done"\} \d+$/m,
          /^attestry_outbox_due \d+$/m,
          /^attestry_outbox_oldest_due_seconds \d/m,
          /^attestry_outbox_dead_letters \d+$/m,
          /^attestry_deliveries_in_flight\{lane="slow"\} 0$/m
        ]) {
          assert.match(text, line)
        }
        const { output } = await runToEnd(["notifications", "failed", "list", "--json"], env)
        assert.deepStrictEqual(JSON.parse(output), [])
      },
      { ATTESTRY_DEAD_LETTER_RETENTION: "1s" }
    )
  }, 120_000)

  it("announce each expiring key once, also after many scans", async () => {
    await withServer(async ({ call, receiver }) => {
      await call("PUT /notification-config/{org}/api_key_expiry", {
        targets: [{ type: "WEBHOOK", webhook: receiver.url }]
      })
      await call("POST /service-accounts/{org}", { name: "ci", privilege: "reader" })
      const newKey = async (description: string, days: number) => {
        const expires_at = Math.floor(Date.now() / 1000) + days * 86_400
        const { body } = await call("POST /service-accounts/{org}/ci/api-keys", {
          description,
          expires_at
        })
        return body as { readonly id: string; readonly key: string }
      }
      const keys = [await newKey("first", 0.5)]
      await receiver.until(({ length }) => length === 1)
      keys.push(await newKey("second", 12.5))
      await receiver.until(({ length }) => length === 2)
      assert.deepStrictEqual(
        receiver.received.map(({ body }) => {
          const { id, description, days_left } = body.api_key as Record<string, unknown>
          return [body.event_type, id, description, days_left]
        }),
        keys.map(({ id }, at) => ["API_KEY_EXPIRY", id, ["first", "second"][at], [1, 13][at]])
      )
      for (const { key } of keys) assert.notInclude(JSON.stringify(receiver.received), key)
    })
  }, 120_000)

  it("announce a waiver that ends and an environment that decays once, also after many scans", async () => {
    await withServer(
      async ({ call, receiver }) => {
        const targets = [{ type: "WEBHOOK", webhook: receiver.url }]
        await call("PUT /environments/{org}", { name: "prod", type: "docker" })
        await call("PUT /actions/{org}/environments", {
          name: "decays",
          type: "env",
          environments: ["prod"],
          triggers: ["ON_DECAYING_ENV"],
          targets
        })
        await call("PUT /flows/{org}", { name: "shop", description: "" })
        await call("POST /artifacts/{org}/shop", {
          fingerprint: "a".repeat(64),
          filename: "shop",
          build_url: "https://ci.example.org/1",
          commit_url: "https://git.example.org/1",
          git_commit: "1".repeat(40),
          trail_name: "build-1",
          template_reference_name: "shop"
        })
        await call("POST /attestations/{org}/shop/trail/build-1/generic", {
          attestation_name: "scan",
          artifact_fingerprint: "a".repeat(64),
          is_compliant: true
        })
        const saved = await call("PUT /policies/{org}/rules", {
          policy_yaml:
            "_schema: https://example.org/schemas/environment-policy/v2\n" +
            "artifacts:\n  attestations:\n    - { type: generic, name: scan, max_age: 6h }\n"
        })
        assert.isBelow(saved.status, 300, JSON.stringify(saved.body))
        await call("POST /environments/{org}/prod/policies", { policy_names: ["rules"] })
        await report(call, "shop:1")
        await receiver.until(({ length }) => length === 1)
        await call("PUT /notification-config/{org}/waiver_expiry", { targets })
        await call("PUT /waiver-settings/{org}", {
          max_days: 90,
          approvals_required: 0,
          approver_role: "admin",
          self_approval: false
        })
        const waived = await call("POST /waivers/{org}", {
          policy_name: "rules",
          reason: "the scanner is down",
          owner: "mia",
          expires_at: Math.floor(Date.now() / 1000) + 3 * 86_400
        })
        assert.strictEqual(waived.status, 201, JSON.stringify(waived.body))
        await receiver.until(({ length }) => length === 2)
        // WHY: several scans pass, none of which may announce either again.
        await new Promise((next) => setTimeout(next, 5_000))
        assert.deepStrictEqual(
          receiver.received.map(({ body }) => [
            body.event_type,
            body.rows,
            body.waiver !== undefined
          ]),
          [
            ["ENVIRONMENT_DECAYING", 1, false],
            ["WAIVER_EXPIRY", undefined, true]
          ]
        )
      },
      { ATTESTRY_BOOTSTRAP_USER: "mia" }
    )
  }, 120_000)

  it("are refused to destinations that are not public, by default", async () => {
    const server = await start({ ATTESTRY_STORE: "memory" })
    assert.notInclude(server.shown, "WARNING")
    const { status, body } = await api(server)("PUT /notification-config/{org}/api_key_expiry", {
      targets: [{ type: "WEBHOOK", webhook: "https://127.0.0.1/hook" }]
    })
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(body, {
      message: "Input payload validation failed",
      errors: {
        "targets[0].webhook":
          "blocked destination: the address is not a public one [input: **REDACTED**]"
      }
    })
    assert.strictEqual(await server.stop("SIGTERM"), 0)
  }, 120_000)

  it("refuse invalid settings at the start", async () => {
    const cases = [
      [{ ATTESTRY_OUTBOUND_RESOLVER: "nowhere" }, /not an address with an optional port/],
      [{ ATTESTRY_OUTBOUND_CA: "/nowhere.pem" }, /ATTESTRY_OUTBOUND_CA: cannot read/]
    ] as const
    for (const [env, expected] of cases) {
      const { code, output } = await runToEnd(["--port", "0"], { ATTESTRY_STORE: "memory", ...env })
      assert.strictEqual(code, 1, output)
      assert.match(output, expected)
    }
  }, 120_000)
})
