/** Artifacts by author and builder, and reports from which a name is erased. */
import type { CurrentActor } from "@attestry/core/Actor"
import { ArtifactReport } from "@attestry/core/Artifact"
import { Artifacts } from "@attestry/core/Artifacts"
import { Flows } from "@attestry/core/Flows"
import { FlowName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import * as Fixture from "@attestry/core/testing/Fixture"
import type { UseCases } from "@attestry/core/UseCases"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as PgLayer from "../shared/PgLayer.js"
import * as UseCaseLayer from "../shared/UseCaseLayer.js"

const name = FlowName.make("build")
/** WHY so long: an entry of an index holds less. */
const LONG = `https://${"ci.".repeat(2_000)}example.org/1`

const reportOf = (letter: string, trail: string, more: object) =>
  Schema.decodeUnknownSync(ArtifactReport)({
    fingerprint: letter.repeat(64),
    filename: "shop",
    build_url: "https://ci.example.org/1",
    commit_url: "https://git.example.org/1",
    trail_name: trail,
    template_reference_name: "app",
    ...more
  })

const authored = (author: string) => ({
  git_commit: "c1".repeat(20),
  git_commit_info: {
    sha1: "c1".repeat(20),
    message: "m",
    author,
    branch: "main",
    timestamp: 1,
    parents: [],
    url: "https://git.example.org/c1"
  }
})

const life = (org: Org): Effect.Effect<void, unknown, UseCases | CurrentActor> =>
  Effect.gen(function* () {
    const [flows, artifacts] = [yield* Flows, yield* Artifacts]
    yield* flows.put(org.name, { name, description: "" })
    for (const report of [
      reportOf("a", "one", authored("Jo <jo@example.org>")),
      reportOf("a", "two", authored("Jo <jo@example.org>")),
      reportOf("b", "one", { build_url: LONG }),
      reportOf("c", "one", { build_url: "no address" })
    ])
      yield* artifacts.report(org.name, name, report)
  })

const test = Effect.gen(function* () {
  const { query, url } = yield* PgLayer.TestDatabase
  const asked = query(`select kind, left(fingerprint, 1) as content,
    digest = sha256('Jo <jo@example.org>') as is_jo from attestry.artifact_trait order by 1, 2`)
  const org = yield* Effect.gen(function* () {
    const made = yield* Fixture.org
    yield* UseCaseLayer.as(Fixture.actor([made, "admin"]))(life(made))
    return made
  }).pipe(Effect.provide(UseCaseLayer.layer(PgLayer.layerOn({ url }))))
  const builders = [
    { kind: "builder", content: "a", is_jo: false },
    { kind: "builder", content: "b", is_jo: false }
  ]
  const written = [{ kind: "author", content: "a", is_jo: true }, ...builders]
  assert.deepStrictEqual(yield* asked, written)
  yield* query(`begin; set local attestry.org_id = '${org.id}';
    update attestry.artifact set report = report #- '{git_commit_info,author}'
      where fingerprint = '${"a".repeat(64)}'; commit`)
  assert.deepStrictEqual(yield* asked, builders)
})

it.live("are written with reports, and go with an erased name", () =>
  test.pipe(Effect.provide(PgLayer.layerDatabase), Effect.scoped)
)
