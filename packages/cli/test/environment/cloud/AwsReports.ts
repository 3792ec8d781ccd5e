/** Reports of what runs on AWS, from a stand-in for it on a real socket. */
import { afterAll, assert, beforeAll, beforeEach, vi } from "vitest"
import { folder, run } from "../../shared/Run.js"
import * as FakeCloud from "./FakeCloud.js"

/** The secret of every key; no output shows it. */
export const SECRET = "secret-canary-of-the-cloud"
/** Variables with a key. */
export const KEYS = {
  AWS_ACCESS_KEY_ID: "AKIA1",
  AWS_SECRET_ACCESS_KEY: SECRET,
  AWS_REGION: "eu-west-1"
}

/** Starts the stand-in for the tests of a file, and reports from it without sending. */
export const awsReports = () => {
  const fake: { cloud?: FakeCloud.FakeCloud } = {}
  const cloud = (): FakeCloud.FakeCloud => {
    if (fake.cloud === undefined) throw new Error("the cloud has not started")
    return fake.cloud
  }
  beforeAll(async () => {
    fake.cloud = await FakeCloud.start()
  })
  beforeEach(() => {
    cloud().requests.length = 0
  })
  afterAll(() => fake.cloud?.stop())

  const report = async (
    kind: string,
    more: ReadonlyArray<string> = [],
    env: { readonly [name: string]: string } = KEYS,
    home = folder()
  ) => {
    const argv = ["report", kind, "prod", "--dry-run", "-o", "json", ...more]
    const variables = {
      HOME: home,
      AWS_ENDPOINT_URL: cloud().url,
      AWS_EC2_METADATA_DISABLED: "true",
      ...env
    }
    // WHY: AWS's library reads the variables of the process.
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    const ran = await run(argv, { home, env: variables }).finally(() => vi.unstubAllEnvs())
    assert.notInclude(ran.stdout + ran.stderr, SECRET)
    return { ...ran, units: ran.code === 0 ? JSON.parse(ran.stdout).payload.artifacts : [] }
  }

  return { cloud, report }
}
