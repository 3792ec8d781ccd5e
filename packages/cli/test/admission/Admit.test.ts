/** `attestry admit` as an API server sees it: reviews over TLS, with the verdicts of a real deployment. */
import { createHash, generateKeyPairSync } from "node:crypto"
import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { connect } from "node:tls"
import { afterAll, assert, beforeAll, beforeEach, it } from "vitest"
import * as KnownArtifact from "../shared/KnownArtifact.js"
import { machineOf } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import * as StubServer from "../shared/StubServer.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"
import * as AdmissionStage from "./AdmissionStage.js"
import * as Front from "./Front.js"

const GOOD = KnownArtifact.DIGEST
const BAD = "b".repeat(64)
const REPOSITORY = "registry.example.org/shop/web"
const IMAGES = {
  "IMAGE-A": `${REPOSITORY}@sha256:${GOOD}`,
  "IMAGE-B": `${REPOSITORY}@sha256:${BAD}`
}

/** A key of the same log that is not its own: NAME+ID+BASE64. */
const otherKeyOf = (vkey: string): string => {
  const name = vkey.slice(0, vkey.indexOf("+"))
  const { x = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" })
  const bytes = Buffer.concat([Buffer.from([1]), Buffer.from(x, "base64url")])
  const id = createHash("sha256").update(`${name}\n`).update(bytes).digest("hex").slice(0, 8)
  return `${name}+${id}+${bytes.toString("base64")}`
}

const review = (name: string, images: Readonly<Record<string, string>> = IMAGES): string =>
  AdmissionStage.reviewOf(name, images)

onEveryStore("attestry admit", (deployment) => {
  const cwd = folder()
  const made: { front?: Front.Front; running: Array<AdmissionStage.Admitting> } = { running: [] }
  const front = () => made.front ?? assert.fail("the front has not started")
  const env = () => ({
    ATTESTRY_URL: front().url,
    ATTESTRY_API_KEY: deployment().keys.member,
    ATTESTRY_ORG: "acme",
    ATTESTRY_RETRIES: "0"
  })
  const start = async (
    flags: ReadonlyArray<string>,
    more: Partial<AdmissionStage.AdmitOptions> = {}
  ) => {
    const started = await AdmissionStage.start({ flags, env: env(), ...more })
    made.running.push(started)
    return started
  }
  const enforcing = (...flags: ReadonlyArray<string>) =>
    start(["--environment", "prod", "--mode", "enforce", ...flags, "-o", "jsonl"])

  beforeAll(async () => {
    const admin = machineOf({ cwd, deployment, env: JOB_OF_TRAIL })
    const done = async (...argv: ReadonlyArray<string>) => {
      const ran = await run(argv, admin())
      assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}${ran.stdout}`)
    }
    await KnownArtifact.attest(cwd, done)
    await done("report", "paths", "prod", "--path", "app=app.txt")
    // The first checkpoint records the keys.
    await done("log", "receipt", "prod#1")
    made.front = await Front.start(() => deployment().url)
  })
  beforeEach(async () => {
    await Promise.all(made.running.splice(0).map((each) => each.stop()))
    front().state.isGone = false
    front().state.waitMs = 0
    front().paths.length = 0
  })
  afterAll(async () => {
    await Promise.all(made.running.map((each) => each.stop()))
    front().stop()
  })

  it("admits what is compliant, and denies what is not with the reason, the remedy and the way out", async () => {
    const admit = await enforcing()
    const names = ["pod-create", "job-create", "cronjob-create"]
    for (const name of names) {
      const answer = await admit.review(review(name))
      assert.isTrue(answer.allowed, JSON.stringify(answer))
      assert.strictEqual(answer.uid, JSON.parse(review(name)).request.uid)
      assert.isUndefined(answer.warnings)
    }
    const denied = await admit.review(review("deployment-create"))
    assert.isFalse(denied.allowed)
    assert.strictEqual(denied.status?.code, 403)
    const message = denied.status?.message ?? ""
    assert.match(
      message,
      /^attestry: 1 of 2 images may not run in the namespace shop \(environment prod\)\n/
    )
    assert.include(message, `${IMAGES["IMAGE-B"]} (container proxy): not compliant by known`)
    assert.include(message, "\n    no flow knows the artifact: report it to a flow")
    assert.include(message, `see: attestry assert artifact --fingerprint ${BAD} --environment prod`)
    assert.include(message, "attestry.dev/break-glass")
    const [line = ""] = admit.printed().stdout.split("\n")
    const { outcome, kind, namespace, name, images } = JSON.parse(line)
    assert.deepStrictEqual(
      [outcome, kind, namespace, name],
      ["denied", "Deployment", "shop", "web"]
    )
    assert.lengthOf(images, 2)
    assert.strictEqual(await admit.stop(), 143)
  })

  it("looks at every kind of container, and at an update for what it changes", async () => {
    const admit = await enforcing()
    const allowed = async (name: string) => (await admit.review(review(name))).allowed
    const places: ReadonlyArray<readonly [string, string]> = [
      ["pod-init", "(init container migrate)"],
      ["pod-ephemeral", "(ephemeral container debugger-4xq7w)"],
      ["deployment-update", "(container web)"]
    ]
    for (const [name, place] of places) {
      const { allowed: isAllowed, status } = await admit.review(review(name))
      assert.isFalse(isAllowed, name)
      assert.include(status?.message, place)
    }
    const asked = front().count("/receipts/")
    const swapped = { "IMAGE-A": IMAGES["IMAGE-B"], "IMAGE-B": IMAGES["IMAGE-A"] }
    assert.isTrue((await admit.review(review("deployment-scaled", swapped))).allowed)
    assert.isTrue((await admit.review(review("deployment-update", swapped))).allowed)
    assert.isTrue(await allowed("pod-delete"))
    assert.isTrue(await allowed("deployment-scale"))
    assert.isAtMost(front().count("/receipts/"), asked + 1)
  })

  it("only warns in the mode warn, which is the default", async () => {
    const admit = await start(["--environment", "prod"])
    const { allowed, warnings = [] } = await admit.review(review("deployment-create"))
    assert.isTrue(allowed)
    assert.lengthOf(warnings, 1)
    assert.include(warnings[0], "would be denied")
    assert.isAtMost(warnings[0]?.length ?? 0, 256)
    assert.include(admit.printed().stdout, "warned Deployment shop/web by kubernetes-admin")
  })

  it("asks once about a digest, however many pods have it, and then answers from the cache", async () => {
    const admit = await enforcing()
    front().state.waitMs = 200
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => admit.review(review("pod-create")))
    )
    assert.isTrue(answers.every(({ allowed }) => allowed))
    assert.strictEqual(front().count("/receipts/"), 1)
    front().state.isGone = true
    assert.isTrue((await admit.review(review("pod-create"))).allowed)
    const { text } = await admit.get("/metrics")
    assert.include(text, 'attestry_admission_reviews_total{outcome="allowed"} 201')
    assert.include(text, 'attestry_admission_receipts_total{result="asked"} 1')
  })

  it("asks once about each digest, however many pods of several kinds and namespaces have it", async () => {
    const admit = await enforcing("--fail", "closed")
    front().state.waitMs = 100
    const digests = Array.from({ length: 6 }, (_, at) => at.toString(16).padStart(64, "c"))
    const names = ["pod-create", "job-create", "replicaset-create"]
    const texts = digests.flatMap((digest) =>
      names.flatMap((name) =>
        ["shop", "pay"].map((namespace) =>
          review(name, {
            "IMAGE-A": `${REPOSITORY}@sha256:${digest}`,
            "IMAGE-B": IMAGES["IMAGE-A"]
          }).replaceAll('"namespace": "shop"', `"namespace": "${namespace}"`)
        )
      )
    )
    const answers = await Promise.all(texts.map((text) => admit.review(text)))
    assert.isTrue(answers.every(({ allowed }) => !allowed))
    // The compliant digest of the others is one more.
    assert.strictEqual(front().count("/receipts/"), digests.length + 1)
    assert.strictEqual(front().count("/asserts/acme/"), digests.length)
    const asked = front().paths.length
    await Promise.all(texts.map((text) => admit.review(text)))
    assert.strictEqual(front().paths.length, asked)
  })

  it("uses the last valid receipt while the deployment is gone, and then the rule of the namespace", async () => {
    const rules = [
      "version: 1",
      "namespaces:",
      "  - namespace: shop",
      "    environment: prod",
      "    fail: closed",
      "  - namespace: /^lax-/",
      "    environment: prod",
      "    fail: open",
      "  - namespace: kube-system",
      "    ignore: true",
      ""
    ].join("\n")
    const flags = ["--rules", "rules.yaml", "--mode", "enforce", "--valid-for", "30m"]
    const admit = await start(flags, { rules })
    const inNamespace = (name: string) =>
      admit.review(
        review("pod-create").replace(
          '"namespace": "shop",\n    "operation"',
          `"namespace": "${name}",\n    "operation"`
        )
      )
    assert.isTrue((await admit.review(review("pod-create"))).allowed)
    front().state.isGone = true
    admit.clock.now += 10 * 60_000
    const later = await admit.review(review("pod-create"))
    assert.isTrue(later.allowed)
    assert.include(later.warnings?.[0], "by its last valid receipt")
    admit.clock.now += 50 * 60_000
    const closed = await admit.review(review("pod-create"))
    assert.isFalse(closed.allowed)
    assert.include(closed.status?.message, "did not answer")
    const open = await inNamespace("lax-dev")
    assert.isTrue(open.allowed)
    assert.include(open.warnings?.[0], "admitted without an answer")
    for (const name of ["kube-system", "unknown"]) {
      const { allowed, warnings } = await inNamespace(name)
      assert.deepStrictEqual([allowed, warnings], [true, undefined])
    }
    front().state.isGone = false
    admit.clock.now = Date.now()
  })

  it("admits in an emergency, asks for one waiver, and for none in a dry run", async () => {
    const admit = await enforcing()
    const list = async () => {
      const machine = machineOf({ cwd, deployment })
      const { stdout } = await run(["waiver", "list", "-o", "json"], machine())
      return JSON.parse(stdout)
    }
    const dry = await admit.review(review("deployment-dry-run"))
    assert.isTrue(dry.allowed)
    assert.include(dry.warnings?.[0], "admitted by break-glass")
    assert.lengthOf(await list(), 0)
    const pods = await Promise.all(
      Array.from({ length: 20 }, () => admit.review(review("pod-break-glass")))
    )
    assert.isTrue(pods.every(({ allowed }) => allowed))
    for (let tries = 0; tries < 100 && front().count("/waivers/") === 0; tries++)
      await new Promise((resolve) => setTimeout(resolve, 20))
    const again = await enforcing()
    assert.isTrue((await again.review(review("pod-break-glass"))).allowed)
    assert.strictEqual(await again.stop(), 143)
    const waivers = await list()
    assert.lengthOf(waivers, 1)
    const [{ environment, policy_name, reason, state }] = waivers
    assert.deepStrictEqual([environment, policy_name, state], ["prod", "known", "requested"])
    assert.include(reason, "INC-4711: the shop is down")
    const silent = review("pod-break-glass").replace("INC-4711: the shop is down", " ")
    const denied = await admit.review(silent)
    assert.isFalse(denied.allowed)
    assert.include(denied.status?.message, "has no reason")
  })

  it("asks for the waiver of an emergency when the deployment is back", async () => {
    const admit = await enforcing("--fail", "closed")
    front().state.isGone = true
    const later = review("pod-break-glass").replace("INC-4711", "INC-4712")
    const { allowed, warnings } = await admit.review(later)
    assert.isTrue(allowed)
    assert.include(warnings?.[0], "did not answer")
    assert.include((await admit.get("/metrics")).text, "waiver_requests_waiting 1")
    front().state.isGone = false
    const machine = machineOf({ cwd, deployment })
    for (let tries = 0; tries < 200; tries++) {
      const { stdout } = await run(["waiver", "list", "-o", "json"], machine())
      if (stdout.includes("INC-4712")) break
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    assert.include((await admit.get("/metrics")).text, 'requests_total{result="requested"} 1')
  })

  it("believes only receipts that a key signed which it was given", async () => {
    const ran = await run(["get", "log", "-o", "json"], machineOf({ cwd, deployment })())
    const [{ vkey }] = JSON.parse(ran.stdout).keys
    const right = await enforcing("--fail", "closed", "--verifier", vkey)
    assert.isTrue((await right.review(review("pod-create"))).allowed)
    assert.strictEqual(front().count("/keys"), 0)
    const wrong = await enforcing("--fail", "closed", "--verifier", otherKeyOf(vkey))
    const { allowed, status } = await wrong.review(review("pod-create"))
    assert.isFalse(allowed)
    assert.include(status?.message, "the receipt proves nothing: none of the keys signed it")
  })

  it("resolves a tag once at a registry of the list, and no tag of another", async () => {
    const images = await StubServer.start(() => ({
      headers: { "docker-content-digest": `sha256:${GOOD}` }
    }))
    try {
      const host = images.url.replace("http://", "")
      const admit = await enforcing("--registry", host)
      const tagged = review("pod-create", { "IMAGE-A": `${host}/shop/web:1` })
      const answers = await Promise.all(Array.from({ length: 50 }, () => admit.review(tagged)))
      assert.isTrue(answers.every(({ allowed }) => allowed))
      // One lookup is the question whether credentials are needed, and the question itself.
      assert.lengthOf(images.requests, 2)
      const other = review("pod-create", { "IMAGE-A": "registry.example.org/shop/web:1" })
      const { allowed, status } = await admit.review(other)
      assert.isFalse(allowed)
      assert.include(status?.message, "name the image by its digest")
    } finally {
      await images.stop()
    }
  })

  it("answers policy engines about images, by the rule of a namespace", async () => {
    const admit = await enforcing()
    const keys = [IMAGES["IMAGE-A"], IMAGES["IMAGE-B"]]
    const ask = async (request: unknown) => {
      const body = { apiVersion: "externaldata.gatekeeper.sh/v1beta1", kind: "ProviderRequest" }
      return admit.post("/external-data?namespace=shop", JSON.stringify({ ...body, request }))
    }
    const { kind, response } = JSON.parse((await ask({ keys })).text)
    assert.strictEqual(kind, "ProviderResponse")
    assert.strictEqual(response.systemError, "")
    const found = response.items.map(
      ({
        key,
        value
      }: {
        readonly key: string
        readonly value: { readonly compliant: boolean }
      }) => [key, value.compliant]
    )
    assert.deepStrictEqual(found, [
      [keys[0], true],
      [keys[1], false]
    ])
    const many = (count: number) => Array.from({ length: count }, () => keys[0])
    assert.strictEqual((await ask({ keys: many(256) })).status, 200)
    assert.strictEqual((await ask({ keys: many(257) })).status, 400)
    assert.strictEqual((await ask({ keys: "x" })).status, 400)
    front().state.waitMs = 3_000
    const late = `${REPOSITORY}@sha256:${"d".repeat(64)}`
    const body = { apiVersion: "externaldata.gatekeeper.sh/v1beta1", kind: "ProviderRequest" }
    const answer = await admit.post(
      "/external-data?namespace=shop&timeout=1500ms",
      JSON.stringify({ ...body, request: { keys: [late] } })
    )
    const [item] = JSON.parse(answer.text).response.items
    assert.deepStrictEqual(item, { key: late, error: "there was no answer within 0.5 s" })
  })

  it("answers a review in progress when it is asked to stop", async () => {
    const admit = await enforcing()
    front().state.waitMs = 300
    const answer = admit.review(review("pod-create"))
    for (let tries = 0; tries < 1_000 && front().count("/receipts/") === 0; tries++)
      await new Promise((resolve) => setTimeout(resolve, 10))
    assert.strictEqual(front().count("/receipts/"), 1)
    const ended = admit.stop()
    assert.isTrue((await answer).allowed)
    assert.strictEqual(await ended, 143)
  })

  it("takes a new certificate without a restart, and keeps the old one while files do not fit", async () => {
    const admit = await enforcing()
    const serial = () =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(
          { host: "127.0.0.1", port: admit.port, rejectUnauthorized: false },
          () => {
            resolve(socket.getPeerCertificate().serialNumber)
            socket.end()
          }
        )
        socket.on("error", reject)
      })
    const until = async (holds: () => Promise<boolean>) => {
      for (let tries = 0; tries < 100; tries++) {
        if (await holds()) return true
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return false
    }
    const first = await serial()
    const next = admit.authority.sign("IP:127.0.0.1")
    writeFileSync(admit.files.cert, next.cert)
    assert.isTrue(
      await until(async () => admit.printed().stderr.includes("no certificate and its key"))
    )
    assert.strictEqual(await serial(), first)
    assert.isTrue((await admit.review(review("pod-create"))).allowed)
    writeFileSync(admit.files.key, next.key)
    assert.isTrue(await until(async () => (await serial()) !== first))
    assert.isTrue((await admit.review(review("pod-create"))).allowed)
  })

  it("takes new rules without a restart, and keeps the old ones while the file is wrong", async () => {
    const rules = (mode: string) =>
      `version: 1\nnamespaces: [{ namespace: shop, environment: prod, mode: ${mode} }]\n`
    const admit = await start(["--rules", "rules.yaml"], { rules: rules("enforce") })
    const allowed = async () => (await admit.review(review("deployment-create"))).allowed
    const until = async (words: string) => {
      for (let tries = 0; tries < 100 && !admit.printed().stderr.includes(words); tries++)
        await new Promise((resolve) => setTimeout(resolve, 20))
      assert.include(admit.printed().stderr, words)
    }
    const file = join(dirname(admit.files.cert), "rules.yaml")
    assert.isFalse(await allowed())
    writeFileSync(file, rules("never"))
    await until("expected one of warn, enforce")
    assert.isFalse(await allowed())
    writeFileSync(file, rules("warn"))
    await until("the rules were changed")
    assert.isTrue(await allowed())
  })
})
