/** The use cases on a store, and their actor. */
import { type Actor, CurrentActor } from "@attestry/core/Actor"
import * as FastReportReader from "@attestry/core/FastReportReader"
import type { IdGenerator } from "@attestry/core/IdGenerator"
import type { Ports } from "@attestry/core/Ports"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { Effect, Layer } from "effect"

/** Every use case and every port of a store. */
export const layer = <E>(
  store: Layer.Layer<Ports, E>,
  ids: Layer.Layer<IdGenerator> = SecretsWebCrypto.layerIds
): Layer.Layer<UseCases.UseCases | Ports, E> =>
  UseCases.layer.pipe(
    Layer.provideMerge(store),
    Layer.provide(Layer.merge(SecretsWebCrypto.layerSecrets, ids)),
    Layer.provide(FastReportReader.layer)
  )

/** Runs as an actor. */
export const as = (actor: Actor) => Effect.provideService(CurrentActor, actor)
