/** LOG-18: a log of which the store has nothing left is found by what a witness still serves, without a state file. */
import { LogAddress } from "@attestry/core/LogAddress"
import { LogCheckpoints } from "@attestry/core/LogCheckpoints"
import * as LogFinding from "@attestry/core/LogFinding"
import { LogKeys } from "@attestry/core/LogKeys"
import { LogSequencer } from "@attestry/core/LogSequencer"
import * as LogSigner from "@attestry/core/LogSigner"
import { LogVerification } from "@attestry/core/LogVerification"
import * as Fixture from "@attestry/core/testing/Fixture"
import { WitnessedCheckpoints } from "@attestry/core/WitnessedCheckpoints"
import { layerSecrets } from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import * as MemoryStore from "../../src/MemoryStore.js"

const signer = Layer.effect(
  LogSigner.LogSigner,
  LogSigner.fromKeys([{ generation: 1, seed: new Uint8Array(32).fill(3) }])
).pipe(Layer.provide(SignaturesWebCrypto.layer))

/** Verification where a witness serves a checkpoint of size 25 of the logs that it knows. */
const witnessed = (isKnown: (origin: string) => boolean) =>
  LogVerification.Default.pipe(
    Layer.provide(LogCheckpoints.Default),
    Layer.provide(LogKeys.Default),
    Layer.provide(LogSequencer.Default),
    Layer.provide(signer),
    Layer.provide(layerSecrets),
    Layer.provide(
      Layer.succeed(WitnessedCheckpoints, {
        isAsked: true,
        find: (origin) =>
          Effect.succeed(isKnown(origin) ? Option.some({ size: 25, root: "" }) : Option.none())
      })
    ),
    Layer.provide(Layer.succeed(LogAddress, Option.some("https://attestry.test"))),
    Layer.provideMerge(MemoryStore.layer)
  )

it.effect("of an org that is there", () =>
  Effect.gen(function* () {
    const { id, name } = yield* Fixture.org
    const { findings } = yield* (yield* LogVerification).verify(id, { name })
    assert.deepStrictEqual(findings.map(LogFinding.print), [
      `log attestry.test/api/v2/log/${name}: it is not there, and had 25 entries at least`
    ])
  }).pipe(Effect.provide(witnessed(() => true)))
)

it.effect("of an org that was removed, when it is asked for by its name", () =>
  Effect.gen(function* () {
    const { lost } = yield* LogVerification
    const found = yield* lost(Effect.succeed(["other"]), "gone")
    assert.deepStrictEqual(
      found.map(({ org, finding }) => [org, LogFinding.print(finding)]),
      [["gone", "log attestry.test/api/v2/log/gone: it is not there, and had 25 entries at least"]]
    )
    assert.deepStrictEqual(yield* lost(Effect.succeed(["gone"]), "gone"), [])
  }).pipe(Effect.provide(witnessed((origin) => origin.endsWith("/gone"))))
)

it.effect("is no finding where no witness knows the log", () =>
  Effect.gen(function* () {
    const { id, name } = yield* Fixture.org
    const { findings } = yield* (yield* LogVerification).verify(id, { name })
    assert.deepStrictEqual(findings, [])
  }).pipe(Effect.provide(witnessed(() => false)))
)
