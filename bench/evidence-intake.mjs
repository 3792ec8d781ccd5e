/**
 * Taking evidence files in: a signed statement of 10 kB within 1.5 times an attestation with a file of the same size, and
 * small reads beside bills of materials of 5 MB, of which two come each second, within 2 times the same reads alone.
 *
 * The cost of a file is CPU time of the thread that serves, which is what other requests wait for; files are read in
 * threads of their own. Small reads are measured by the clock, at the 99th of 100.
 */
import { readdirSync, readFileSync } from "node:fs"
import { Agent } from "node:http"
import { compare } from "./lib/compare.mjs"
import { startDeployment } from "./lib/deployment.mjs"
import { get, line, percentile99, timed } from "./lib/http.mjs"
import { drive, once } from "./lib/load.mjs"

const WARM_UP = Number(process.env.BENCH_WARM_UP ?? 1_000)
const COUNT = Number(process.env.BENCH_POSTS ?? 500)
const READS = Number(process.env.BENCH_READS ?? 1_000)
const FILES_PER_SECOND = 2

const fingerprint = "a".repeat(64)
const padding = "p".repeat(9_500)
let made = 0

/** A statement of 10 kB that no other equals. */
const statement = () =>
  Buffer.from(
    JSON.stringify({
      _type: "https://in-toto.io/Statement/v1",
      subject: [{ name: "shop", digest: { sha256: fingerprint } }],
      predicateType: "https://example.org/review/v1",
      predicate: { number: made++, padding }
    })
  )

const NUMBER = "0".repeat(32)

/** A bill of materials of 5 MB. */
const BOM = Buffer.from(
  JSON.stringify({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${NUMBER}`,
    components: Array.from({ length: 8_800 }, (_, index) => ({
      type: "library",
      name: `component-${index}`,
      version: `${index % 20}.${index % 7}.${index % 11}`,
      purl: `pkg:npm/component-${index}@${index % 20}.${index % 7}.${index % 11}`,
      description: "a component of a bill of materials, as generators describe them ".repeat(6)
    }))
  })
)

/** The bill of materials with a number that no other has. WHY a copy: making one anew would delay the timed reads. */
const bom = () => {
  const copy = Buffer.from(BOM)
  copy.write(String(made++).padStart(NUMBER.length, "0"), BOM.indexOf(NUMBER))
  return copy
}

const BOUNDARY = "bench"

const attestation = () => {
  const data = JSON.stringify({
    attestation_name: "review",
    is_compliant: true,
    artifact_fingerprint: fingerprint
  })
  const part = (name, rest, content) =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${rest}\r\n\r\n${content}\r\n`
  return Buffer.from(
    part("data_json", "", data) +
      part("attachment_file", '; filename="review.json"', statement()) +
      `--${BOUNDARY}--\r\n`
  )
}

/** CPU time of the thread of a process that runs its program, in seconds. */
const mainThreadSeconds = (pid) => {
  const threads = readdirSync(`/proc/${pid}/task`)
  if (!threads.includes(String(pid))) throw new Error("the process has no main thread")
  const text = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8")
  return Number(text.split(" ")[0]) / 1e9
}

const trail = "flow_name=build&trail_name=run"

const requestOf = ({ headers: { authorization } }) => ({
  file: () => ({
    method: "POST",
    path: `/api/v2/evidence/bench?${trail}&fingerprint=${fingerprint}`,
    headers: { authorization, "content-type": "application/json" },
    body: statement()
  }),
  attestation: () => ({
    method: "POST",
    path: "/api/v2/attestations/bench/build/trail/run/generic",
    headers: { authorization, "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
    body: attestation()
  }),
  bom: () => ({
    method: "POST",
    path: "/api/v2/evidence/bench?flow_name=build&trail_name=boms",
    headers: { authorization, "content-type": "application/json" },
    body: bom()
  })
})

const side = ({ port, server }, next) => {
  const post = (count) => drive(port, { count, connections: 1, next })
  return {
    warmUp: () => post(WARM_UP),
    cost: async () => {
      const before = mainThreadSeconds(server.pid)
      await post(COUNT)
      return ((mainThreadSeconds(server.pid) - before) / COUNT) * 1e6
    }
  }
}

const reads = async ({ port, headers }) => {
  const all = []
  for (let count = 0; count < READS; count++)
    all.push(await timed(() => get(port, { path: "/flows/bench", headers })))
  return percentile99(all)
}

/** The reads while files come in. */
const readsBeside = async (deployment, next) => {
  const agent = new Agent({ keepAlive: true })
  const sent = []
  const send = () => sent.push(once(agent, deployment.port, next()))
  const timer = setInterval(send, 1_000 / FILES_PER_SECOND)
  send()
  const found = await reads(deployment)
  clearInterval(timer)
  await Promise.all(sent)
  agent.destroy()
  return found
}

/** Runs the benchmark and gives its lines. */
export const run = async () => {
  const deployment = await startDeployment()
  try {
    const { put, send } = deployment
    const requests = requestOf(deployment)
    await send(put("/flows/bench", { name: "build", description: "" }))
    for (const name of ["run", "boms"]) await send(put("/trails/bench/build", { name }))
    await send({
      ...put("/artifacts/bench/build", {
        fingerprint,
        filename: "shop",
        build_url: "https://ci.example.org/1",
        commit_url: "https://git.example.org/1",
        trail_name: "run",
        template_reference_name: "app"
      }),
      method: "POST"
    })
    await compare({
      name: "intake of a statement of 10 kB",
      goal: 0.67,
      unit: "µs CPU of the serving thread/file",
      subject: side(deployment, requests.file),
      baseline: side(deployment, requests.attestation)
    })
    await reads(deployment)
    const alone = await reads(deployment)
    const beside = await readsBeside(deployment, requests.bom)
    line(
      `small reads beside ${FILES_PER_SECOND} files of 5 MB a second, p99`,
      `${beside.toFixed(1)} ms; alone ${alone.toFixed(1)} ms; ratio ${(beside / alone).toFixed(1)}`,
      { goal: 2, isReached: beside <= 2 * alone }
    )
  } finally {
    await deployment.stop()
  }
}
