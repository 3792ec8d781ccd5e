/**
 * The deployment, the machine and the services that examples are run on: what they name is there, and every name of
 * another host leads to a stand-in on loopback.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import type { Server } from "node:http"
import { join } from "node:path"
import { assert } from "vitest"
import * as CloudAnswers from "../environment/cloud/CloudAnswers.js"
import * as FakeCloud from "../environment/cloud/FakeCloud.js"
import * as FakeCluster from "../environment/FakeCluster.js"
import { pod } from "../environment/WatchStage.js"
import * as FakeForge from "../forge/FakeForge.js"
import { CREDENTIALS, ROUTES } from "../forge/ForgeRoutes.js"
import { folder, type Machine, run } from "../shared/Run.js"
import * as StubServer from "../shared/StubServer.js"
import type { Deployment } from "../shared/TestDeployment.js"
import { JOB, SHA } from "../shared/TestJob.js"
import * as ExampleFiles from "./ExampleFiles.js"

/** What examples are run on. */
export interface ExampleWorld {
  readonly cwd: string
  readonly deployment: Deployment
  /** The variables of the machine. */
  readonly env: { readonly [name: string]: string }
  /** Flags by which a runtime without a variable of its own is found. */
  readonly cloudUrl: string
  /** What words of examples stand for. */
  readonly meanings: ReadonlyArray<readonly [RegExp, string]>
  /** Runs a command line that must succeed, and gives what it printed. */
  readonly done: (...argv: ReadonlyArray<string>) => Promise<string>
  readonly stop: () => Promise<void>
}

const WRITES: ReadonlyArray<ReadonlyArray<string>> = [
  ["put", "flow", "shop", "--description", "the shop"],
  ["put", "environment", "prod", "--kind", "server"],
  ["put", "environment", "prod-eu", "--kind", "server"],
  ["put", "environment", "staging", "--kind", "server"],
  ["put", "environment", "srv", "--kind", "server"],
  ["put", "environment", "edge", "--kind", "server"],
  ["put", "environment", "site", "--kind", "s3"],
  ["put", "environment", "all-of-prod", "--kind", "logical"],
  ["put", "policy", "prod-rules", "policies/prod-rules.yaml"],
  ["put", "policy", "new-rules", "policies/prod-rules.yaml"],
  ["attach", "prod-rules", "prod"],
  ["put", "control", "SDLC-1", "--name", "Every change is reviewed"],
  ["put", "account", "ci-shop", "--privilege", "member"],
  ["key", "create", "ci-shop", "--description", "CI", "--to-file", "first-key"],
  ["put", "type", "load-test", "--jq", ".p99 < 300"],
  ["put", "notification", "oncall", "--environment", "prod", "--on", "compliant-env"].concat([
    "--to",
    "ops@example.com"
  ]),
  ["begin"],
  ["begin", "release-7"],
  ["attest", "artifact", "dist/web", "--slot", "web"],
  ["attest", "junit", "reports/unit.xml", "-n", "unit"],
  ["attest", "sarif", "scan.sarif", "-n", "lint"],
  ["attest", "generic", "-n", "web.sbom", "-a", "dist/web"],
  ["attest", "generic", "-n", "review", "--attach", "minutes.pdf"],
  ["attest", "generic", "-n", "load", "--compliant=false"],
  ["attest", "artifact", "dist/web", "--slot", "web", "-T", "release-7"],
  ["attest", "generic", "-n", "review", "-T", "release-7"],
  ["attest", "decision", "--control", "SDLC-1", "--compliant", "-n", "release"],
  ["report", "paths", "staging", "--path", "web=dist/web"],
  ["report", "paths", "prod", "--path", "web=dist/web"],
  ["report", "paths", "prod", "--path", "web=dist/web", "--path", "docs=minutes.pdf"]
]

/** The services outside of the deployment. */
const services = async (socket: string) => {
  const cloud = await FakeCloud.start()
  cloud.answer = CloudAnswers.answer
  const cluster = await FakeCluster.start()
  cluster.state.pods = [pod("shop", "api-1"), pod("pay-eu", "pay", "b")]
  const forge = await FakeForge.start(ROUTES, { isAllowed: () => true })
  const engine: Server = CloudAnswers.engineOf()
  await new Promise<void>((resolve) => engine.listen(socket, resolve))
  const digest = { current: "" }
  const images = await StubServer.start(() => ({
    headers: { "docker-content-digest": `sha256:${digest.current}` }
  }))
  const stop = async () => {
    engine.close()
    for (const each of [cloud, cluster, forge, images]) await each.stop()
  }
  return { cloud, cluster, forge, images, digest, stop }
}

/** An approval, which no command makes. */
const approve = async ({ url, keys }: Deployment, fingerprint: string): Promise<void> => {
  const payload = {
    artifact_fingerprint: fingerprint,
    description: "release",
    reviews: [
      {
        state: "APPROVED",
        comment: "yes",
        approved_by: "ada",
        approval_url: "https://git.example.org/7"
      }
    ]
  }
  const answer = await fetch(`${url}/api/v2/approvals/acme/shop`, {
    method: "POST",
    headers: { authorization: `Bearer ${keys.admin}`, "content-type": "application/json" },
    body: JSON.stringify(payload)
  })
  assert.strictEqual(answer.status, 201, await answer.text())
}

/** Makes everything that examples need. */
export const make = async (deployment: Deployment): Promise<ExampleWorld> => {
  const cwd = folder()
  ExampleFiles.write(cwd)
  const socket = join(folder(), "docker.sock")
  const { cloud, cluster, forge, images, digest, stop } = await services(socket)
  const sonar = `${forge.url}/sonar`
  writeFileSync(join(cwd, "kubeconfig"), FakeCluster.kubeconfig(cluster.url))
  mkdirSync(join(cwd, ".scannerwork"))
  const task = `serverUrl=${sonar}\nceTaskId=task-1\nceTaskUrl=${sonar}/api/ce/task?id=task-1\n`
  writeFileSync(join(cwd, ".scannerwork/report-task.txt"), task)
  const { signed, apps, serverless } = CloudAnswers.variablesOf(cloud)
  const env = {
    ...JOB,
    ...CREDENTIALS,
    ...signed,
    ...apps,
    ...serverless,
    GITHUB_REF_NAME: "SHOP-12-coupons",
    GITHUB_API_URL: forge.url,
    GITHUB_ENV: join(cwd, "github-env"),
    SONAR_HOST_URL: sonar,
    DOCKER_HOST: `unix://${socket}`,
    KUBECONFIG: join(cwd, "kubeconfig"),
    ATTESTRY_SPOOL_DIR: join(cwd, "spool"),
    CHAT_WEBHOOK: "https://hooks.example.com/T000/secret-path",
    PATH: `${join(cwd, "bin")}:${process.env.PATH}`,
    ATTESTRY_URL: deployment.url,
    ATTESTRY_API_KEY: deployment.keys.admin,
    ATTESTRY_ORG: "acme"
  }
  const machine: Machine = { cwd, env }
  const done = async (...argv: ReadonlyArray<string>) => {
    const ran = await run(argv, machine)
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}`)
    return ran.stdout
  }
  digest.current = (await done("fingerprint", "dist/web")).trim()
  writeFileSync(join(cwd, "provenance.json"), ExampleFiles.provenance(digest.current))
  for (const argv of WRITES) await done(...argv)
  await approve(deployment, digest.current)
  writeFileSync(
    join(cwd, "facts.json"),
    await done("policy", "facts", digest.current, "-o", "json")
  )
  await done("log", "pull", "acme-log")
  writeFileSync(join(cwd, "receipt.json"), await done("log", "receipt", "prod#1", "-o", "json"))
  const verdict = ["receipt", "get", digest.current, "--environment", "prod"]
  await done(...verdict, "--to-file", "decision.json")
  const listed = await fetch(`${deployment.url}/api/v2/keys?org=acme`, {
    headers: { authorization: `Bearer ${deployment.keys.admin}` }
  })
  writeFileSync(join(cwd, "keys.json"), await listed.text())
  return {
    cwd,
    deployment,
    env,
    cloudUrl: cloud.url,
    meanings: [
      [/\bHEX\b/, digest.current],
      [/\bSHA\b/, SHA],
      [/\bVKEY\b/, readFileSync(join(cwd, "acme-log/keys"), "utf8").trim()],
      [/https:\/\/attestry\.example\.com/, deployment.url],
      [/https:\/\/sonar\.example\.org/, sonar],
      [/https:\/\/jira\.example\.org/, forge.url],
      [/^registry\.example\.org/, images.url.replace("http://", "")],
      [/\/srv\/www/, join(cwd, "dist/web")],
      [/^8081$/, String(20_000 + Math.floor(Math.random() * 20_000))]
    ],
    done,
    stop
  }
}
