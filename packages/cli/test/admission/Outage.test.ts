/** `attestry admit` while the deployment is gone for an hour, on its own clock, and when it is back. */
import { afterAll, afterEach, assert, beforeAll, beforeEach, it } from "vitest"
import * as KnownArtifact from "../shared/KnownArtifact.js"
import { machineOf } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"
import * as AdmissionStage from "./AdmissionStage.js"
import * as Front from "./Front.js"

const REPOSITORY = "registry.example.org/shop/web"
const GOOD = KnownArtifact.DIGEST
const BAD = "b".repeat(64)
const MINUTE_MS = 60_000

const RULES = `version: 1
namespaces:
  - { namespace: shop, environment: prod, fail: closed }
  - { namespace: lax, environment: prod, fail: open }
`

/** A review of a pod with an image, in a namespace. */
const podOf = (digest: string, namespace = "shop", name = "pod-create"): string =>
  AdmissionStage.reviewOf(name, {
    "IMAGE-A": `${REPOSITORY}@sha256:${digest}`,
    "IMAGE-B": `${REPOSITORY}@sha256:${digest}`
  }).replaceAll('"namespace": "shop"', `"namespace": "${namespace}"`)

onEveryStore("attestry admit, while the deployment is gone", (deployment) => {
  const cwd = folder()
  const made: { front?: Front.Front; admit?: AdmissionStage.Admitting } = {}
  const front = () => made.front ?? assert.fail("the front has not started")
  const admit = () => made.admit ?? assert.fail("the command has not started")

  beforeAll(async () => {
    const admin = machineOf({ cwd, deployment, env: JOB_OF_TRAIL })
    await KnownArtifact.attest(cwd, async (...argv) => {
      const ran = await run(argv, admin())
      assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}${ran.stdout}`)
    })
    made.front = await Front.start(() => deployment().url)
  })
  beforeEach(async () => {
    front().state.isGone = false
    made.admit = await AdmissionStage.start({
      flags: ["--rules", "rules.yaml", "--mode", "enforce", "--valid-for", "1h", "-o", "jsonl"],
      rules: RULES,
      env: {
        ATTESTRY_URL: front().url,
        ATTESTRY_API_KEY: deployment().keys.member,
        ATTESTRY_ORG: "acme",
        ATTESTRY_RETRIES: "0"
      }
    })
  })
  afterEach(async () => {
    await admit().stop()
  })
  afterAll(() => front().stop())

  it("decides for an hour by what is known, asks now and then, and then by the rule of the namespace", async () => {
    const { clock, review } = admit()
    const isWarned = (response: AdmissionStage.Response, words: string) => {
      assert.isTrue(response.allowed)
      assert.include(response.warnings?.join(), words)
    }
    const isDenied = ({ allowed, status }: AdmissionStage.Response, words: string) => {
      assert.isFalse(allowed)
      assert.include(status?.message, words)
    }
    assert.isTrue((await review(podOf(GOOD))).allowed)
    isDenied(await review(podOf(BAD)), "not compliant by known")
    const began = clock.now
    front().state.isGone = true
    front().state.refused = 0
    for (let minute = 1; minute < 59; minute += 4) {
      clock.now = began + minute * MINUTE_MS
      const pods = await Promise.all(Array.from({ length: 5 }, () => review(podOf(GOOD))))
      for (const pod of pods) isWarned(pod, "by its last valid receipt")
      isDenied(await review(podOf(BAD)), "by its last valid receipt")
      const unknown = minute.toString(16).padStart(64, "e")
      isDenied(await review(podOf(unknown)), "did not answer")
      isWarned(await review(podOf(unknown, "lax")), "admitted without an answer")
    }
    // Each time three digests were asked about, and each once.
    assert.isAtMost(front().state.refused, 3 * 15)
    assert.isAtLeast(front().state.refused, 15)

    front().state.isGone = false
    clock.now = began + 59 * MINUTE_MS
    assert.isUndefined((await review(podOf(GOOD))).warnings)
    isDenied(await review(podOf("e".repeat(64))), "not compliant by known")

    front().state.isGone = true
    clock.now = began + 62 * MINUTE_MS
    isDenied(await review(podOf(GOOD)), "did not answer")
    isWarned(await review(podOf(GOOD, "lax")), "admitted without an answer")
  })

  it("asks for the waiver of an emergency after an hour, and says in its log what it could not ask for", async () => {
    const { clock, get, review } = admit()
    const metricsHave = async (line: string) => (await get("/metrics")).text.includes(line)
    front().state.isGone = true
    front().state.refused = 0
    assert.isTrue((await review(podOf(BAD, "shop", "pod-break-glass"))).allowed)
    // A real wait is up to five minutes; here it is a few milliseconds.
    for (let tries = 0; tries < 500 && front().state.refused < 20; tries++) {
      clock.now += 3 * MINUTE_MS
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    assert.isAtLeast(front().state.refused, 20)
    assert.isTrue(await metricsHave("waiver_requests_waiting 1"))
    front().state.isGone = false
    for (let tries = 0; tries < 500; tries++) {
      if (await metricsHave('waiver_requests_total{result="requested"} 1')) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const machine = machineOf({ cwd, deployment })
    const { stdout } = await run(["waiver", "list", "-o", "json"], machine())
    assert.include(stdout, "INC-4711")

    front().state.isGone = true
    const later = podOf("f".repeat(64), "shop", "pod-break-glass").replace("INC-4711", "INC-4712")
    assert.isTrue((await review(later)).allowed)
    await admit().stop()
    const { stderr } = admit().printed()
    assert.include(stderr, `no waiver was requested for ${"f".repeat(64)}: this process ends`)
  })
})
