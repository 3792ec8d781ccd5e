/** A stand-in for a cloud that takes a bearer token, and for its registry, on real sockets. */
import { afterAll, assert, beforeAll, beforeEach } from "vitest"
import { run } from "../../shared/Run.js"
import * as FakeCloud from "./FakeCloud.js"

/** What the clouds answer sign-ins with; it must be in no output. */
export const TOKEN = "token-canary-of-the-cloud"
/** A digest. */
export const digest = (letter: string) => letter.repeat(64)

const fake: { cloud?: FakeCloud.FakeCloud } = {}
/** The stand-in, once it has started. */
export const cloud = (): FakeCloud.FakeCloud => {
  if (fake.cloud === undefined) throw new Error("the cloud has not started")
  return fake.cloud
}
/** Manifests of the registry that the stand-in is too. */
export const registry = ({ url }: FakeCloud.CloudRequest): FakeCloud.CloudAnswer | undefined => {
  if (!url.pathname.startsWith("/v2/shop/") || !url.pathname.includes("/manifests/"))
    return undefined
  return url.pathname.includes("known")
    ? { headers: { "docker-content-digest": `sha256:${digest("a")}` }, body: "" }
    : { status: 404, body: "" }
}

/** Reports what a stand-in says, without sending it. */
export const report = async (
  kind: string,
  more: ReadonlyArray<string>,
  machine: { readonly env?: { readonly [name: string]: string }; readonly home?: string }
) => {
  const argv = [
    "report",
    kind,
    "prod",
    "--dry-run",
    "-o",
    "json",
    "--endpoint",
    cloud().url,
    ...more
  ]
  const ran = await run(argv, machine)
  assert.notInclude(ran.stdout + ran.stderr, TOKEN)
  return { ...ran, units: ran.code === 0 ? JSON.parse(ran.stdout).payload.artifacts : [] }
}

/** Starts the stand-in for the tests of a file. */
export const serveCloud = (): void => {
  beforeAll(async () => {
    fake.cloud = await FakeCloud.start()
  })
  beforeEach(() => {
    cloud().requests.length = 0
  })
  afterAll(() => fake.cloud?.stop())
}
