/**
 * Audit capsules of 10,000 attestations: how long a server makes one, how big it is, and how long its verification
 * takes, on Node, with the code that browsers run, and on the page in a browser, against unpacking, hashing and parsing
 * the same bytes.
 *
 * `BENCH_ATTESTATIONS` is the number of attestations; `BENCH_CAPSULE_FILE` keeps the capsule in a file.
 */
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { inflateRawSync } from "node:zlib"
import * as CapsuleArchive from "@attestry/core/CapsuleArchive"
import { build } from "esbuild"
import { verifyInBrowser } from "./lib/browser.mjs"
import { familyCpuSeconds } from "./lib/cpu.mjs"
import { startDeployment } from "./lib/deployment.mjs"
import { line, median } from "./lib/http.mjs"
import { drive } from "./lib/load.mjs"
import { caughtUp, connect } from "./lib/log.mjs"

const ATTESTATIONS = Number(process.env.BENCH_ATTESTATIONS ?? 10_000)
const ARTIFACTS = 100
const ROUNDS = 5
const GOALS = { make: 5, size: 8, verify: 3 }

const POLICY = `_schema: https://attestry.dev/schemas/policy/v1
artifacts:
  provenance:
    required: true
  attestations:
    - name: check-0
      type: generic
`

const fingerprintOf = (at) => at.toString(16).padStart(64, "c")

const artifactOf = (at) => ({
  fingerprint: fingerprintOf(at),
  filename: `shop:${at}`,
  trail_name: `build-${at}`,
  template_reference_name: "shop",
  git_commit: "c".repeat(40),
  build_url: `https://ci.example.org/${at}`,
  commit_url: `https://git.example.org/${at}`
})

const attestationOf = (at) => ({
  attestation_name: `check-${Math.floor(at / ARTIFACTS)}`,
  is_compliant: true,
  description: `run ${at} on a hosted runner`,
  user_data: { job: `job ${at}`, duration: at }
})

/** Reports artifacts with attestations, and lets all of them run in `prod`. */
const fill = async ({ headers, port, put, send }) => {
  const post = (path, body) => ({ ...put(path, body), method: "POST", headers })
  await send(put("/flows/bench", { name: "shop", description: "" }))
  await send(put("/environments/bench", { name: "prod", type: "docker", description: "" }))
  await send(put("/policies/bench/checked", { policy_yaml: POLICY }))
  await send(post("/environments/bench/prod/policies", { policy_names: ["checked"] }))
  for (let at = 0; at < ARTIFACTS; at++) {
    await send(put("/trails/bench/shop", { name: `build-${at}`, description: "" }))
    await send(post("/artifacts/bench/shop", artifactOf(at)))
  }
  await drive(port, {
    count: ATTESTATIONS,
    connections: 8,
    next: (at) =>
      post(`/attestations/bench/shop/trail/build-${at % ARTIFACTS}/generic`, attestationOf(at))
  })
  const artifacts = Array.from({ length: ARTIFACTS }, (_, at) => ({
    digests: { [`shop:${at}`]: fingerprintOf(at) },
    creationTimestamp: 1
  }))
  await send(put("/environments/bench/prod/report/docker", { type: "docker", artifacts }))
}

/** Makes a capsule, as soon as there is a checkpoint of everything. */
const make = async ({ headers, port }) => {
  const response = await fetch(`http://127.0.0.1:${port}/api/v2/capsules/bench`, {
    method: "POST",
    headers,
    body: JSON.stringify({ environments: [{ name: "prod", from: "1", to: "-1" }] })
  })
  if (response.status === 503) {
    await sleep(200)
    return make({ headers, port })
  }
  if (!response.ok) throw new Error(`capsule: ${response.status} ${await response.text()}`)
  return new Uint8Array(await response.arrayBuffer())
}

/** What a piece of work takes by the clock and in CPU time, in seconds: the medians of some rounds. */
const measured = async (work, cpu) => {
  await work()
  const [clock, spent] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    const [began, before] = [performance.now(), cpu()]
    await work()
    clock.push((performance.now() - began) / 1_000)
    spent.push(cpu() - before)
  }
  return { clock: median(clock), cpu: median(spent) }
}

const ownCpu = () => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000_000
}

const show = ({ clock, cpu }) => `${clock.toFixed(2)} s, ${cpu.toFixed(2)} s CPU`

const MODULES = {
  CapsuleVerifier: "@attestry/core/CapsuleVerifier",
  SignaturesWebCrypto: "@attestry/transparency-log/webcrypto/SignaturesWebCrypto",
  Effect: "effect/Effect",
  Layer: "effect/Layer"
}

const importAll = async () =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(MODULES).map(async ([name, path]) => [name, await import(path)])
    )
  )

/** The same modules as browsers get them, with other code for digests and Base64. */
const bundle = async (folder) => {
  const outfile = join(folder, "verifier.mjs")
  await build({
    stdin: {
      contents: Object.entries(MODULES)
        .map(([name, path]) => `export * as ${name} from "${path}"`)
        .join("\n"),
      resolveDir: import.meta.dirname
    },
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    outfile
  })
  return import(pathToFileURL(outfile).href)
}

/** WHY the platform's: the page digests members with it. */
const digest = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))

const inflate = async (packed, size) =>
  new Uint8Array(inflateRawSync(packed, { maxOutputLength: size }))

const verify = async (modules, file) => {
  const { CapsuleVerifier, Effect, Layer, SignaturesWebCrypto } = {
    ...modules,
    ...modules.CapsuleVerifier
  }
  const layer = Layer.provide(CapsuleVerifier.Default, SignaturesWebCrypto.layer)
  const verified = await Effect.runPromise(
    Effect.provide(
      Effect.flatMap(CapsuleVerifier, (verifier) =>
        verifier.verify(file, { inflate, digest }, { keys: [] })
      ),
      layer
    )
  )
  const outcome = verified._tag === "Right" ? verified.right.outcome : verified.left
  if (outcome !== "proved") throw new Error(`the capsule is ${outcome}`)
}

/** Unpacks and hashes everything, and parses the entries: less than any verification must do. */
const readRaw = (file) => {
  const members = CapsuleArchive.read(file).value
  for (const { isDeflated, name, packed } of members) {
    const content = isDeflated ? inflateRawSync(packed) : packed
    createHash("sha256").update(content).digest()
    if (name === "entries.jsonl")
      for (const text of new TextDecoder().decode(content).trimEnd().split("\n")) JSON.parse(text)
  }
}

/** Runs the benchmark. */
export const run = async () => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-capsule-"))
  const deployment = await startDeployment({ isSigned: true })
  try {
    await fill(deployment)
    const database = await connect(deployment)
    await caughtUp(database)
    await database.end()
    let file = await make(deployment)
    const pids = [deployment.server.pid, deployment.databasePid]
    const made = await measured(
      async () => {
        file = await make(deployment)
      },
      () => familyCpuSeconds(pids)
    )
    if (process.env.BENCH_CAPSULE_FILE !== undefined)
      writeFileSync(process.env.BENCH_CAPSULE_FILE, file)
    const name = `capsule of ${ATTESTATIONS} attestations`
    const isFast = { goal: `${GOALS.make} s`, isReached: made.clock <= GOALS.make }
    line(`${name}, make`, show(made), isFast)
    const size = file.byteLength / 1_000_000
    line(`${name}, size`, `${size.toFixed(2)} MB`, {
      goal: `${GOALS.size} MB`,
      isReached: size <= GOALS.size
    })
    for (const [platform, modules] of [
      ["Node", await importAll()],
      ["browsers", await bundle(folder)]
    ]) {
      const raw = await measured(async () => readRaw(file), ownCpu)
      const verified = await measured(() => verify(modules, file), ownCpu)
      line(
        `${name}, verify with the code of ${platform}`,
        `${show(verified)}; ${(verified.cpu / raw.cpu).toFixed(1)} times the raw ${show(raw)}`,
        { goal: `${GOALS.verify} s`, isReached: verified.clock <= GOALS.verify }
      )
    }
    const capsule = join(folder, "bench.capsule.zip")
    writeFileSync(capsule, file)
    const seconds = await verifyInBrowser(
      `http://127.0.0.1:${deployment.port}/verify`,
      capsule,
      ROUNDS
    )
    if (seconds === undefined)
      process.stdout.write(`${name}, verify on the page: skipped, there is no chromium\n`)
    else
      line(
        `${name}, verify on the page`,
        `${seconds.first.toFixed(2)} s at first, ${seconds.median.toFixed(2)} s later`,
        { goal: `${GOALS.verify} s`, isReached: seconds.first <= GOALS.verify }
      )
  } finally {
    await deployment.stop()
    rmSync(folder, { recursive: true })
  }
}
