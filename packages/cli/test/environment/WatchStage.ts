/** What tests of repeated reports share: a cluster, a file, and a clock that tests move. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach } from "vitest"
import type { Host } from "../../src/shared/Host.js"
import { folder, type Machine, type Ran, run } from "../shared/Run.js"
import type { Deployment } from "../shared/TestDeployment.js"
import * as FakeCluster from "./FakeCluster.js"

/** A clock and a sleep that tests move: each pause is noted, and the process ends after the last. */
export const timeline = (pauses: number, reason = "SIGTERM") => {
  const controller = new AbortController()
  const slept: Array<number> = []
  const state = { now: 1_794_650_400_000 }
  const host: Partial<Host> = {
    signal: controller.signal,
    now: () => state.now,
    sleep: async (millis) => {
      slept.push(millis)
      state.now += millis
      if (slept.length >= pauses) controller.abort(reason)
    }
  }
  return { host, slept, state }
}

/** A pod with one container. */
export const pod = (namespace: string, name: string, letter = "a"): FakeCluster.FakePod => ({
  namespace,
  name,
  containers: [
    {
      image: "registry.example.org/shop/api:1.4",
      imageID: `x@sha256:${letter.repeat(64)}`
    }
  ]
})

/** The machine of repeated reports. */
export interface WatchStage {
  readonly home: string
  /** A file that is reported. */
  readonly web: string
  readonly cluster: () => FakeCluster.FakeCluster
  readonly env: (more?: { readonly [name: string]: string }) => { readonly [name: string]: string }
  readonly cli: (argv: ReadonlyArray<string>, machine?: Machine) => Promise<Ran>
  /** The words that report the file as an environment. */
  readonly paths: (name: string, ...more: ReadonlyArray<string>) => ReadonlyArray<string>
}

/** The stage for tests on one deployment; every test begins with the same pods and the same file. */
export const stageOf = (deployment: () => Deployment): WatchStage => {
  const home = folder()
  const fake: { cluster?: FakeCluster.FakeCluster } = {}
  const cluster = () => {
    if (fake.cluster === undefined) throw new Error("the cluster has not started")
    return fake.cluster
  }
  const config = join(home, "kubeconfig")
  const web = join(home, "web")
  beforeAll(async () => {
    fake.cluster = await FakeCluster.start()
    writeFileSync(config, FakeCluster.kubeconfig(cluster().url))
  })
  afterAll(() => fake.cluster?.stop())
  beforeEach(() => {
    writeFileSync(web, "web")
    cluster().state.pods = [pod("shop", "api-1"), pod("shop", "api-2"), pod("pay-eu", "pay", "b")]
    cluster().state.denied = []
    cluster().requests.length = 0
  })
  const env: WatchStage["env"] = (more = {}) => ({
    ATTESTRY_URL: deployment().url,
    ATTESTRY_API_KEY: deployment().keys.admin,
    ATTESTRY_ORG: "acme",
    ATTESTRY_RETRIES: "0",
    KUBECONFIG: config,
    ...more
  })
  return {
    home,
    web,
    cluster,
    env,
    cli: (argv, machine = {}) => run(argv, { home, ...machine, env: env(machine.env) }),
    paths: (name, ...more) => ["report", "paths", name, "--create", "--path", `web=${web}`, ...more]
  }
}
