/** A graph takes few statements, however many nodes it has. */
import { CurrentActor } from "@attestry/core/Actor"
import * as Graph from "@attestry/core/Graph"
import * as GraphRoot from "@attestry/core/GraphRoot"
import { Graphs } from "@attestry/core/Graphs"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert, it } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import { Explained, layer, layerDatabase } from "../plans/ExplainedStore.js"
import * as World from "../plans/World.js"

const SIZE = 300
const LIMIT = 200

const ROOTS = [
  `fingerprint:${World.fingerprintOf(7)}`,
  `commit:${World.commitOf(7)}`,
  "trail:build/run-7",
  "attestation:attestation-7",
  "control:control-7",
  "environment:wide"
].map((text) => Either.getOrThrow(GraphRoot.parse(text)))

/** How many statements each graph takes, and how many nodes it has. */
const counted = ({ org }: World.World) =>
  Effect.gen(function* () {
    const graphs = yield* Graphs
    const { reading } = yield* Explained
    return yield* Effect.forEach(ROOTS, (root) =>
      Effect.forEach([1, 2, Graph.DEPTH_MAX], (depth) => {
        const shown = { nodes: 0 }
        const graph = Effect.map(graphs.get(org.name, root, { depth, limit: LIMIT }), (view) => {
          shown.nodes = view.nodes.length
        })
        return Effect.map(reading(graph), ({ statements }) => ({
          root: GraphRoot.print(root),
          depth,
          statements,
          nodes: shown.nodes
        }))
      })
    )
  }).pipe(
    Effect.provide(
      UseCases.layer.pipe(
        Layer.provideMerge(layer("force_custom_plan")),
        Layer.provideMerge(SecretsWebCrypto.layer)
      )
    ),
    Effect.provideService(CurrentActor, Fixture.actor([org, "reader"]))
  )

it.live(
  "a graph of 200 nodes takes at most four statements for each level",
  () =>
    Effect.gen(function* () {
      const { late } = yield* World.make(SIZE, Effect.void)
      const found = (yield* counted(late)).flat()
      for (const { depth, nodes, root, statements } of found) {
        assert.isAtMost(nodes, LIMIT)
        assert.isAbove(statements, 1)
        assert.isAtMost(statements, 4 * depth, `${root} to depth ${depth}`)
      }
      assert.strictEqual(Math.max(...found.map(({ nodes }) => nodes)), LIMIT)
    }).pipe(Effect.provide(layerDatabase)),
  300_000
)
