/** Runs `attest pull-request` against a forge of a test, and gives what would be sent. */
import { assert } from "vitest"
import { type Machine, type Ran, run } from "../shared/Run.js"
import { SHA } from "../shared/TestJob.js"
import type { FakeForge } from "./FakeForge.js"

/** The token of these tests, which must be nowhere to be seen. */
export const TOKEN = "secret-token-1"

/** What is run. */
export interface Asking {
  readonly forge: string
  readonly repository: string
  readonly url: string
  readonly env: { readonly [name: string]: string }
  readonly more?: ReadonlyArray<string>
  readonly host?: Machine["host"]
}

/** Runs the command. */
export const attest = async (asking: Asking): Promise<Ran> => {
  const { forge, repository, url, env, more = [], host = {} } = asking
  const about = ["-n", "review", "-f", "shop", "-T", "t", "--commit", SHA, "--dry-run"]
  const place = ["--forge", forge, "--repository", repository, "--forge-url", url]
  const argv = ["attest", "pull-request", ...place, ...about, "-o", "json", "-v", "-v", ...more]
  const ran = await run(argv, { env, host })
  assert.notInclude(ran.stdout + ran.stderr, TOKEN)
  return ran
}

/** The payload of a run that succeeded. */
export const payloadOf = ({ code, stdout, stderr }: Ran) => {
  assert.strictEqual(code, 0, stderr)
  return JSON.parse(stdout).payload
}

/** Runs a test with a forge, and stops it. */
export const using = async <A>(
  forge: Promise<FakeForge>,
  work: (forge: FakeForge) => Promise<A>
): Promise<A> => {
  const started = await forge
  try {
    return await work(started)
  } finally {
    await started.stop()
  }
}
