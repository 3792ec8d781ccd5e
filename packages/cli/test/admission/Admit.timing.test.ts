/** How long reviews take whose images are known, by the histogram of a server that answers them over TLS. */
import { afterAll, assert, beforeAll, it } from "vitest"
import * as KnownArtifact from "../shared/KnownArtifact.js"
import { machineOf } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onMemoryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"
import * as AdmissionStage from "./AdmissionStage.js"

const REVIEWS = 3_000

onMemoryStore("attestry admit, with images that it knows", (deployment) => {
  const made: { admit?: AdmissionStage.Admitting } = {}
  const admit = () => made.admit ?? assert.fail("the command has not started")

  beforeAll(async () => {
    const cwd = folder()
    const admin = machineOf({ cwd, deployment, env: JOB_OF_TRAIL })
    await KnownArtifact.attest(cwd, async (...argv) => {
      const ran = await run(argv, admin())
      assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}${ran.stdout}`)
    })
    made.admit = await AdmissionStage.start({
      flags: ["--environment", "prod", "--mode", "enforce"],
      env: {
        ATTESTRY_URL: deployment().url,
        ATTESTRY_API_KEY: deployment().keys.member,
        ATTESTRY_ORG: "acme"
      }
    })
  })
  afterAll(() => admit().stop())

  /** The number of reviews that took at most so many seconds. */
  const within = async (seconds: string): Promise<number> => {
    const name = `attestry_admission_review_seconds_bucket{le="${seconds}"} `
    const lines = (await admit().get("/metrics")).text.split("\n")
    const [count] = lines.flatMap((line) =>
      line.startsWith(name) ? [line.slice(name.length)] : []
    )
    return Number(count)
  }

  it("answers three of four in less than a millisecond, also on a machine that has more to do", async () => {
    const image = `registry.example.org/shop/web@sha256:${KnownArtifact.DIGEST}`
    const text = AdmissionStage.reviewOf("pod-create", { "IMAGE-A": image })
    for (let at = 0; at < 500; at++) assert.isTrue((await admit().review(text)).allowed)
    const [fast, all] = [await within("0.001"), await within("+Inf")]
    for (let at = 0; at < REVIEWS; at++) await admit().review(text)
    assert.strictEqual((await within("+Inf")) - all, REVIEWS)
    assert.isAtLeast((await within("0.001")) - fast, REVIEWS * 0.75)
  })
})
