/** `attestry admit` while the key that signs receipts is rotated. */
import { OrgName } from "@attestry/core/Identifier"
import { LogKeys } from "@attestry/core/LogKeys"
import { LogSequencer } from "@attestry/core/LogSequencer"
import * as LogSigner from "@attestry/core/LogSigner"
import { LogStore } from "@attestry/core/LogStore"
import { OrgStore } from "@attestry/core/OrgStore"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { Effect, Layer, Option } from "effect"
import { afterAll, assert, it } from "vitest"
import * as KnownArtifact from "../shared/KnownArtifact.js"
import { machineOf } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"
import * as AdmissionStage from "./AdmissionStage.js"
import * as Front from "./Front.js"

const GOOD = KnownArtifact.DIGEST
const IMAGES = { "IMAGE-A": `registry.example.org/shop/web@sha256:${GOOD}` }

const seed = (byte: number) => new Uint8Array(32).fill(byte)

/** A signer whose key changes, which that of a process does not. */
const changing = Effect.map(
  Effect.all({
    first: LogSigner.fromKeys([{ generation: 1, seed: seed(5) }]),
    second: LogSigner.fromKeys(
      [{ generation: 2, seed: seed(6) }],
      [{ generation: 1, seed: seed(5) }]
    )
  }),
  (signers) => {
    const state: { now: keyof typeof signers } = { now: "first" }
    const signer: LogSigner.Signer = {
      keys: (origin) => signers[state.now].keys(origin),
      known: (origin) => signers[state.now].known(origin),
      sign: (origin, message) => signers[state.now].sign(origin, message),
      verify: (signed) => signers[state.now].verify(signed)
    }
    return { signer, state }
  }
).pipe(Effect.provide(SignaturesWebCrypto.layer), Effect.runSync)

/** Records the keys of the signer, as a process does that has just started. */
const restart = Effect.gen(function* () {
  const org = Option.getOrThrow(yield* (yield* OrgStore).find({ name: OrgName.make("acme") }))
  const tree = Option.getOrThrow(yield* (yield* LogStore).find(org.id))
  yield* (yield* LogKeys).note(tree)
}).pipe(
  Effect.provide(
    LogKeys.Default.pipe(
      Layer.provide(LogSequencer.Default),
      Layer.provide(SecretsWebCrypto.layer),
      Layer.provide(Layer.succeed(LogSigner.LogSigner, changing.signer))
    )
  )
)

onEveryStore(
  "attestry admit, while keys change",
  (deployment) => {
    const running: Array<{ readonly stop: () => unknown }> = []
    afterAll(async () => {
      for (const each of running) await each.stop()
    })

    it("reads the keys again when the deployment signs with a new one, and keeps to pinned ones", async () => {
      changing.state.now = "first"
      const cwd = folder()
      const admin = machineOf({ cwd, deployment, env: JOB_OF_TRAIL })
      const done = async (...argv: ReadonlyArray<string>) => {
        const ran = await run(argv, admin())
        assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}${ran.stdout}`)
        return ran.stdout
      }
      await KnownArtifact.attest(cwd, done)
      await done("report", "paths", "prod", "--path", "app=app.txt")
      await done("log", "receipt", "prod#1")
      const { keys } = JSON.parse(await done("get", "log", "-o", "json"))
      const front = await Front.start(() => deployment().url)
      const env = {
        ATTESTRY_URL: front.url,
        ATTESTRY_API_KEY: deployment().keys.member,
        ATTESTRY_ORG: "acme",
        ATTESTRY_RETRIES: "0"
      }
      const flags = ["--environment", "prod", "--mode", "enforce", "--fail", "closed"]
      const own = await AdmissionStage.start({ flags, env })
      const pinned = await AdmissionStage.start({
        flags: [...flags, "--verifier", keys[0].vkey],
        env
      })
      running.push(own, pinned, front)
      const allowed = async (admit: AdmissionStage.Admitting) =>
        (await admit.review(AdmissionStage.reviewOf("pod-create", IMAGES))).allowed
      assert.isTrue(await allowed(own))
      assert.isTrue(await allowed(pinned))
      const asked = front.count("/keys")
      changing.state.now = "second"
      await deployment().run(restart)
      // After the end of what is known, each asks again.
      for (const { clock } of [own, pinned]) clock.now += 120_000
      assert.isTrue(await allowed(own))
      assert.isAbove(front.count("/keys"), asked)
      // A receipt by a key that is not pinned proves nothing; the last valid one holds until it ends.
      assert.isTrue(await allowed(pinned))
      const later = Date.now() + 3_600_000
      pinned.clock.now = later
      assert.isFalse(await allowed(pinned))
    })
  },
  { signer: changing.signer }
)
