/**
 * Uses each package in a project that has only the archives: `node program.mjs PACKAGE…`. Fails for an unknown
 * package.
 */
import { ok, strictEqual } from "node:assert"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Api } from "@attestry/api/Api"
import { AttestryError, attestry } from "@attestry/client/PromiseClient"
import { ApiKeys } from "@attestry/core/ApiKeys"
import { Login, OrgName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import * as EvidenceReader from "@attestry/evidence-intake/EvidenceReader"
import * as PayloadRulesWorker from "@attestry/evidence-rules/PayloadRulesWorker"
import * as Server from "@attestry/http/Server"
import * as WebHandler from "@attestry/http/WebHandler"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import { GuardedHttpClient } from "@attestry/notifier/GuardedHttpClient"
import * as GuardedHttpClientNode from "@attestry/notifier/GuardedHttpClientNode"
import * as HostResolverNode from "@attestry/notifier/HostResolverNode"
import * as PolicyComparison from "@attestry/policy-lab/PolicyComparison"
import * as PolicyLab from "@attestry/policy-lab/PolicyLab"
import * as Migrations from "@attestry/sql-store/Migrations"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import { Effect, Either, Layer, ManagedRuntime, Redacted } from "effect"

const by = { kind: "system", id: "", name: "release" }

const runtime = ManagedRuntime.make(
  PolicyLab.layer.pipe(
    Layer.provideMerge(UseCases.layer),
    Layer.provideMerge(MemoryStore.layer),
    Layer.provideMerge(SecretsWebCrypto.layer),
    Layer.provide(PayloadRulesWorker.layer())
  )
)

/** A deployment in this process, and a key for it. */
const start = Effect.gen(function* () {
  const org = yield* (yield* Orgs).create(OrgName.make("acme"), by)
  const ada = { org, login: Login.make("ada"), role: "admin", displayName: null, email: null, by }
  const user = (yield* (yield* Memberships).add(ada)).id
  const key = { org: org.id, user, by, description: "", lifetimeSeconds: null }
  const issued = yield* (yield* ApiKeys).issue(key)
  const handler = yield* WebHandler.make(yield* Server.make())
  return { apiKey: Redacted.value(issued.key), handler }
})

/** A release from flow to snapshot, with a custom type that needs both rule engines. */
const record = async (client) => {
  const org = "acme"
  const flow = { org, flow_name: "shop" }
  const trail = { ...flow, trail_name: "t1" }
  await client.flow.put({ path: { org }, payload: { name: "shop", description: "" } })
  await client.trail.begin({ path: flow, payload: { name: "t1", description: "" } })
  await client.attestationType.put({
    path: { org },
    payload: {
      name: "load",
      type_schema: { type: "object", required: ["rate"] },
      evaluator: { content_type: "jq", rules: [".rate > 10"] }
    }
  })
  const payload = { attestation_name: "load", type_name: "load", attestation_data: { rate: 20 } }
  await client.attestation.custom({ path: trail, payload })
  const listed = await client.attestation.listOnTrail({
    path: { ...trail, attestation_name: "load" }
  })
  strictEqual(listed[0].is_compliant, true)
  const wrong = client.flow.get({ path: { org, flow_name: "nothing" } })
  const refusal = await wrong.catch((error) => error)
  ok(refusal instanceof AttestryError)
  strictEqual(refusal.status, 404)
}

const inProcess = async () => {
  const { apiKey, handler } = await runtime.runPromise(start)
  const fetch = (input, init) => handler(new Request(input, init))
  await record(attestry({ baseUrl: "http://attestry.test", apiKey, fetch }))
  await runtime.dispose()
}

/** `npx` finds the executable by the name of the package. */
const named = () => {
  const args = ["--no-install", "@attestry/server", "version"]
  const said = execFileSync("npx", args, { cwd: import.meta.dirname, encoding: "utf8" })
  ok(/^attestry-server \d+\.\d+\.\d+$/m.test(said), said)
}

/** The server in a host of one's own, in five lines. */
const embedded = async () => {
  const { createAttestry } = await import("@attestry/server/Attestry")
  const own = await createAttestry({ store: "memory" })
  const request = new Request("http://attestry.test/api/v2/openapi.json")
  strictEqual((await own.fetch(request)).status, 200)
  await own.close()
}

/** The executable on its own PostgreSQL: starts, answers, stops. */
const assembled = async () => {
  named()
  await embedded()
  const folder = mkdtempSync(join(tmpdir(), "attestry-release-data-"))
  const bin = join(import.meta.dirname, "node_modules/.bin/attestry-server")
  const child = spawn(bin, ["--port", "0", "--data-dir", join(folder, "data")], {
    env: { ...process.env, ATTESTRY_STORE: "embedded", ATTESTRY_BOOTSTRAP_ORG: "acme" },
    stdio: ["ignore", "pipe", "ignore"]
  })
  try {
    let shown = ""
    for await (const text of child.stdout.setEncoding("utf8")) {
      shown += text
      if (shown.includes("ready at") && shown.endsWith("\n\n")) break
    }
    const baseUrl = /ready at (\S+)/.exec(shown)?.[1]
    const apiKey = /API key +(\S+)/.exec(shown)?.[1]
    await record(attestry({ baseUrl, apiKey }))
    strictEqual((await fetch(`${baseUrl}/api/v2/doc/`)).status, 200)
    const ended = once(child, "exit")
    child.kill("SIGTERM")
    strictEqual((await ended)[0], 0)
  } finally {
    child.kill("SIGKILL")
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The command line tells its version. */
const commanded = () => {
  const bin = join(import.meta.dirname, "node_modules/.bin/attestry")
  const { version } = JSON.parse(
    readFileSync(join(import.meta.dirname, "node_modules/@attestry/cli/package.json"), "utf8")
  )
  const said = execFileSync(bin, ["version"], { encoding: "utf8" })
  ok(said.startsWith(`attestry ${version}, `), said)
}

/** The outbound guard refuses a loopback address. */
const guarded = async () => {
  const Outbound = Layer.provide(GuardedHttpClientNode.layer({}), HostResolverNode.layer())
  const request = {
    tenant: "acme",
    url: "https://127.0.0.1/hook",
    headers: {},
    body: "{}",
    timeoutMs: 1_000
  }
  const post = Effect.flatMap(GuardedHttpClient, (client) => client.post(request))
  const refusal = await Effect.runPromise(Effect.flip(Effect.provide(post, Outbound)))
  strictEqual(refusal._tag, "DeliveryError")
}

/** The reader of evidence files recognises a bill of materials. */
const recognised = () => {
  const components = [{ type: "library", name: "a", version: "1", purl: "pkg:npm/a@1" }]
  const bom = { bomFormat: "CycloneDX", specVersion: "1.6", components }
  const { documents } = Either.getOrThrow(EvidenceReader.read(Buffer.from(JSON.stringify(bom))))
  strictEqual(documents[0].facts.kind, "sbom")
}

const uses = {
  "@attestry/transparency-log": () => strictEqual(MerkleTree.EMPTY_ROOT.length, 32),
  "@attestry/core": inProcess,
  "@attestry/policy-lab": () => {
    const nothing = Either.getOrThrow(PolicyDocument.parse("_schema: https://a.example/v1\n"))
    strictEqual(PolicyComparison.compare(nothing, nothing).relation, "equivalent")
  },
  "@attestry/memory-store": () => {},
  "@attestry/api": () => ok(Api.groups.flow),
  "@attestry/http": () => {},
  "@attestry/client": () => {},
  "@attestry/evidence-intake": recognised,
  "@attestry/evidence-rules": () => {},
  "@attestry/sql-store": () => ok(Migrations.latest() > 0),
  "@attestry/embedded-postgres": () => ok(EmbeddedPostgres.adminSocket("data").startsWith("/")),
  "@attestry/notifier": guarded,
  "@attestry/cli": commanded,
  "@attestry/web": async () => ok((await import("@attestry/web/SiteFiles")).load()),
  "@attestry/server": assembled
}

for (const name of process.argv.slice(2)) {
  if (uses[name] === undefined) throw new Error(`say how ${name} is used`)
  await uses[name]()
  process.stdout.write(`${name} works\n`)
}
process.exit(0)
