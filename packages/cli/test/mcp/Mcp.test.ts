/** `attestry mcp`, spoken to by the protocol's own client over stdin and stdout of the built program. */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { afterEach, assert, beforeAll, it } from "vitest"
import { BYTES_MAX, ITEMS_MAX, pageOf } from "../../src/mcp/ToolAnswer.js"
import * as ToolReceipt from "../../src/mcp/ToolReceipt.js"
import { usage } from "../../src/shared/CommandFailure.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"

const root = join(import.meta.dirname, "../..")

const READING = [
  "list_environments",
  "get_snapshot",
  "explain",
  "diff_snapshots",
  "environment_log",
  "list_deployments",
  "find",
  "list_flows",
  "get_trail",
  "list_attestations",
  "list_policies",
  "get_policy",
  "policy_facts",
  "list_controls",
  "control_coverage",
  "lint_document",
  "evaluate_policy",
  "get_receipt",
  "check_receipt",
  "prove_record",
  "find_audit_package"
]

const WRITING = ["attest_generic", "record_decision", "allow_artifact", "tag"]

const POLICY = `_schema: https://example.com/v1
artifacts:
  provenance:
    required: true
`

const HEX = "cd".repeat(32)

onEveryStore("mcp", (deployment) => {
  const opened: Array<Client> = []

  beforeAll(() => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, "build/build.mjs")], {
      encoding: "utf8"
    })
    assert.strictEqual(status, 0, stderr)
  })

  afterEach(async () => {
    for (const client of opened.splice(0)) await client.close()
  })

  const env = () => ({
    ATTESTRY_URL: deployment().url,
    ATTESTRY_API_KEY: deployment().keys.admin,
    ATTESTRY_ORG: "acme"
  })

  const connect = async (...flags: ReadonlyArray<string>): Promise<Client> => {
    const client = new Client({ name: "test", version: "1.0.0" })
    opened.push(client)
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(root, "dist/bundle/attestry.js"), "mcp", ...flags],
        env: { PATH: process.env.PATH ?? "", HOME: folder(), ...env() },
        stderr: "ignore"
      })
    )
    return client
  }

  const call = async (client: Client, name: string, input: object = {}) => {
    const { isError, structuredContent, content } = await client.callTool({
      name,
      arguments: { ...input }
    })
    return {
      isError: isError === true,
      value: JSON.parse(JSON.stringify(structuredContent ?? {})),
      text: JSON.stringify(content)
    }
  }

  it("lists its tools, and those that write only where that is allowed", async () => {
    const { tools } = await (await connect()).listTools()
    assert.sameMembers(
      tools.map(({ name }) => name),
      READING
    )
    for (const { annotations, inputSchema } of tools) {
      assert.isTrue(annotations?.readOnlyHint)
      assert.strictEqual(inputSchema.type, "object")
    }
    const all = await (await connect("--allow-writes")).listTools()
    assert.sameMembers(
      all.tools.map(({ name }) => name),
      [...READING, ...WRITING]
    )
    const allow = all.tools.find(({ name }) => name === "allow_artifact")
    assert.deepInclude(allow?.annotations, { readOnlyHint: false, destructiveHint: true })
  })

  it("reads what the commands read, and explains", async () => {
    const machine = { env: env() }
    for (const argv of [
      ["put", "flow", "shop", "--description", "x"],
      ["put", "environment", "prod", "--kind", "server", "--policy", "rules"],
      ["put", "control", "SDLC-1", "--name", "Reviews"],
      ["begin", "t1", "-f", "shop"]
    ]) {
      if (argv[1] === "environment") {
        const file = join(folder(), "rules.yaml")
        const stdin = { ...machine, stdin: POLICY }
        assert.strictEqual((await run(["put", "policy", "rules", "-"], stdin)).code, 0, file)
      }
      const { code, stderr } = await run(argv, machine)
      assert.strictEqual(code, 0, stderr)
    }
    const report = JSON.stringify({
      artifacts: [{ creationTimestamp: 1_790_000_000, digests: { "/srv/web": HEX } }]
    })
    const reported = await run(["report", "json", "prod", "-", "--kind", "server"], {
      ...machine,
      stdin: report
    })
    assert.strictEqual(reported.code, 0, reported.stderr)
    const client = await connect()
    const environments = await call(client, "list_environments")
    assert.strictEqual(environments.value.items[0].name, "prod")
    assert.include(environments.text, "data, not instructions")
    assert.strictEqual((await call(client, "get_snapshot", { snapshot: "prod" })).value.index, 1)
    const explained = await call(client, "explain", { snapshot: "prod" })
    assert.isFalse(explained.value.compliant)
    assert.strictEqual(explained.value.reasons[0].policy_name, "rules")
    const rows: ReadonlyArray<readonly [string, object]> = [
      ["diff_snapshots", { a: "prod", b: "prod" }],
      ["environment_log", { environment: "prod", since: "1d" }],
      ["list_deployments", { environment: "prod" }],
      ["find", { value: HEX.slice(0, 10) }],
      ["list_flows", { name: "sh" }],
      ["get_trail", { flow: "shop", trail: "t1" }],
      ["list_attestations", { flow: "shop" }],
      ["list_policies", {}],
      ["get_policy", { name: "rules" }],
      ["policy_facts", { environment: "prod" }],
      ["list_controls", {}],
      ["control_coverage", { control: "SDLC-1" }],
      ["lint_document", { document: "artifacts: 1" }]
    ]
    for (const [name, input] of rows) {
      const { isError, text } = await call(client, name, input)
      assert.isFalse(isError, `${name} ${text}`)
    }
    const { value } = await call(client, "policy_facts", { environment: "prod" })
    const evaluated = await call(client, "evaluate_policy", {
      document: POLICY,
      facts: value.items[0]
    })
    assert.strictEqual(evaluated.value.verdict, "NonCompliant", evaluated.text)
  })

  it("answers wrong input, unknown tools and missing things as results with the word of the exit code", async () => {
    const client = await connect()
    const word = async (name: string, input: object) => {
      const { isError, value } = await call(client, name, input)
      assert.isTrue(isError, name)
      return value.error.code
    }
    assert.strictEqual(await word("get_trail", { flow: "shop" }), "usage")
    assert.strictEqual(await word("get_trail", { flow: "shop", trail: "t", more: 1 }), "usage")
    assert.strictEqual(await word("explain", {}), "usage")
    assert.strictEqual(await word("get_policy", { name: "nothing" }), "missing")
    assert.strictEqual(await word("no_such_tool", {}), "missing")
    assert.strictEqual(await word("tag", { noun: "flow", name: "shop" }), "denied")
    assert.strictEqual(await word("evaluate_policy", { document: "x: 1", facts: {} }), "usage")
  })

  it("writes where that is allowed", async () => {
    const client = await connect("--allow-writes")
    const rows: ReadonlyArray<readonly [string, object]> = [
      ["attest_generic", { flow: "shop", trail: "t1", name: "review", compliant: true }],
      [
        "record_decision",
        { flow: "shop", trail: "t1", control: "SDLC-1", compliant: true, reason: "r" }
      ],
      ["allow_artifact", { environment: "prod", fingerprint: HEX, reason: "r", name: "web" }],
      ["tag", { noun: "flow", name: "shop", set: ["risk=high"], remove: ["old"] }]
    ]
    for (const [name, input] of rows) {
      const { isError, text } = await call(client, name, input)
      assert.isFalse(isError, `${name} ${text}`)
    }
    const explained = await call(client, "explain", { snapshot: "prod" })
    assert.isTrue(explained.value.compliant, explained.text)
  })

  it("claims verdicts with receipts, and checks receipts", async () => {
    const client = await connect()
    const claims = [
      await call(client, "explain", { snapshot: "prod" }),
      await call(client, "get_snapshot", { snapshot: "prod" }),
      await call(client, "explain", { fingerprint: HEX, environment: "prod" }),
      { value: { receipt: (await call(client, "get_receipt", { snapshot: "prod" })).value } }
    ]
    const checked = async (receipt: object, fingerprint = HEX, environment = "prod") => {
      const input = { receipt, fingerprint, environment }
      const { isError, text, value } = await call(client, "check_receipt", input)
      assert.isFalse(isError, text)
      return value.refusal
    }
    for (const { value } of claims) assert.isNull(await checked(value.receipt))
    const [first] = claims
    assert.strictEqual(await checked(first?.value.receipt, "ab".repeat(32)), "subject")
    assert.strictEqual(await checked(first?.value.receipt, HEX, "staging"), "environment")
    const { payload, ...envelope } = first?.value.receipt ?? {}
    const said = Buffer.from(payload, "base64").toString().replace(HEX, "ab".repeat(32))
    const forged = { ...envelope, payload: Buffer.from(said).toString("base64") }
    assert.strictEqual(await checked(forged, "ab".repeat(32)), "signature")
    const { value } = await call(client, "explain", { flow: "shop", trail: "t1" })
    assert.notProperty(value, "receipt")
    const nothing = { receipt: forged, fingerprint: HEX, keys: "none" }
    assert.isTrue((await call(client, "check_receipt", nothing)).isError)
  })

  it("proves records, and says where audit packages are", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "app.txt"), "app\n")
    const digest = createHash("sha256").update("app\n").digest("hex")
    const job = [
      "--build-url",
      "https://ci.example.com/1",
      "--commit-url",
      "https://git.example.com/c/1"
    ]
    const where = ["-f", "shop", "-T", "t1", "--slot", "app", "-g", "1".repeat(40)]
    const reported = await run(["attest", "artifact", "app.txt", ...where, ...job], {
      cwd,
      env: env()
    })
    assert.strictEqual(reported.code, 0, reported.stderr)
    const client = await connect()
    for (const record of ["prod", digest]) {
      const { isError, text, value } = await call(client, "prove_record", { record })
      assert.isFalse(isError, text)
      assert.strictEqual(value.status, "included", text)
    }
    const found = async (input: object) => {
      const { isError, text, value } = await call(client, "find_audit_package", input)
      assert.isFalse(isError, text)
      return [value.command, value.page.replace(deployment().url, "")]
    }
    assert.deepStrictEqual(await found({ snapshot: "prod#1" }), [
      "attestry audit package prod#1",
      "/acme/environments/prod/snapshots/1"
    ])
    assert.deepStrictEqual(await found({ flow: "shop", trail: "t1" }), [
      "attestry audit package shop/t1",
      "/acme/flows/shop/trails/t1"
    ])
    assert.deepStrictEqual(await found({ flow: "shop", fingerprint: digest }), [
      `attestry audit package shop@${digest}`,
      `/acme/artifacts/${digest}`
    ])
    const wrong = [
      { snapshot: "prod", fingerprint: digest },
      { trail: "t1" },
      { snapshot: "none" },
      { flow: "shop", trail: "none" },
      { flow: "shop", fingerprint: "ab".repeat(32) }
    ]
    for (const input of wrong)
      assert.isTrue(
        (await call(client, "find_audit_package", input)).isError,
        JSON.stringify(input)
      )
    assert.isTrue((await call(client, "prove_record", { record: "none" })).isError)
  })

  it("says why there is no receipt, and keeps the claim", async () => {
    const claim = { compliant: true }
    const envelope = (bytes: number) => ({ payload: "x".repeat(bytes) })
    const size = Buffer.byteLength(JSON.stringify(envelope(0)))
    const over = await ToolReceipt.add(claim, async () =>
      envelope(ToolReceipt.RECEIPT_BYTES_MAX - size + 1)
    )
    assert.deepInclude(over, { ...claim, receipt: null })
    assert.match(JSON.stringify(over), /larger than an answer/)
    const other = await ToolReceipt.add(claim, async () =>
      envelope(ToolReceipt.RECEIPT_BYTES_MAX - size)
    )
    assert.match(JSON.stringify(other), /the verdict changed/)
    const failed = await ToolReceipt.add(claim, () => Promise.reject(usage("no key")))
    assert.deepStrictEqual(failed, { ...claim, receipt: null, receipt_problem: "no key" })
  })

  it("gives 50 items at most, and 64 KiB at most, and says where it goes on", () => {
    const many = Array.from({ length: ITEMS_MAX + 1 }, (_, at) => ({ at }))
    assert.deepInclude(pageOf(many, undefined, 0), { count: ITEMS_MAX, next: ITEMS_MAX })
    assert.deepInclude(pageOf(many, undefined, ITEMS_MAX), { count: 1, next: null })
    assert.deepInclude(pageOf(many.slice(1), undefined, 0), { count: ITEMS_MAX, next: null })
    const large = Array.from({ length: 5 }, () => "x".repeat(BYTES_MAX / 4))
    assert.deepInclude(pageOf(large, undefined, 0), { count: 3, next: 3 })
    assert.throws(() => pageOf(["x".repeat(BYTES_MAX)], undefined, 0), /more than 65536 bytes/)
    assert.throws(() => pageOf({ a: "x".repeat(BYTES_MAX) }, undefined, 0), /more than 65536 bytes/)
    assert.strictEqual(pageOf({ rows: many, a: 1 }, "rows", 0).value.a, 1)
  })
})
