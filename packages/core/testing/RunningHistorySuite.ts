/**
 * Histories of environments through the use cases, on any store: reads about artifacts and logical environments
 * equal a fold over all snapshots, for any reports, renames and archivals.
 */
import { CurrentActor } from "@attestry/core/Actor"
import { ArtifactReport } from "@attestry/core/Artifact"
import { Artifacts } from "@attestry/core/Artifacts"
import { ArtifactViews } from "@attestry/core/ArtifactViews"
import { Environments } from "@attestry/core/Environments"
import { Fingerprint, FingerprintPrefix } from "@attestry/core/Fingerprint"
import { EnvironmentName, FlowName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import type { Sighting } from "@attestry/core/Placement"
import type { Ports } from "@attestry/core/Ports"
import { Reports } from "@attestry/core/Reports"
import { SnapshotEvents } from "@attestry/core/SnapshotEvents"
import { Snapshots } from "@attestry/core/Snapshots"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Fixture from "./Fixture.js"
import * as Model from "./internal/model/PlacementModel.js"
import * as ReportFixture from "./ReportFixture.js"
import { type SuiteOptions, suite } from "./Suite.js"

const services = UseCases.layer.pipe(Layer.provide(SecretsWebCrypto.layer))

const CONTENTS = ["a", "b"].map((digit) => Fingerprint.make(digit.repeat(64)))
const NAMES = ["east", "west", "north"].map((name) => EnvironmentName.make(name))
const LOGICAL = EnvironmentName.make("all")
const FLOW = FlowName.make("build")

type Command =
  | {
      readonly _tag: "Report"
      readonly place: EnvironmentName
      readonly rows: ReadonlyArray<{ readonly name: string; readonly fingerprint: Fingerprint }>
    }
  | { readonly _tag: "Rename"; readonly place: EnvironmentName; readonly to: EnvironmentName }
  | { readonly _tag: "Archive"; readonly place: EnvironmentName }
  | { readonly _tag: "Include"; readonly places: ReadonlyArray<EnvironmentName> }
  | { readonly _tag: "Build"; readonly trail: string; readonly fingerprint: Fingerprint }

const place = FastCheck.constantFrom(...NAMES)
const content = FastCheck.constantFrom(...CONTENTS)

const command: FastCheck.Arbitrary<Command> = FastCheck.oneof(
  {
    weight: 10,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Report" as const),
      place,
      rows: FastCheck.uniqueArray(
        FastCheck.record({ name: FastCheck.constantFrom("shop", "web"), fingerprint: content }),
        { maxLength: 3, selector: ({ fingerprint, name }) => `${name} ${fingerprint}` }
      )
    })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({ _tag: FastCheck.constant("Rename" as const), place, to: place })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({ _tag: FastCheck.constant("Archive" as const), place })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Include" as const),
      places: FastCheck.subarray(NAMES)
    })
  },
  {
    weight: 3,
    arbitrary: FastCheck.record({
      _tag: FastCheck.constant("Build" as const),
      trail: FastCheck.constantFrom("one", "two"),
      fingerprint: content
    })
  }
)

const build = (org: Org, trail_name: string, fingerprint: Fingerprint) =>
  Effect.flatMap(Artifacts, (artifacts) =>
    artifacts.report(
      org.name,
      FLOW,
      Schema.decodeSync(ArtifactReport)({
        fingerprint,
        filename: "shop",
        build_url: "ci",
        commit_url: "git",
        trail_name,
        template_reference_name: "app"
      })
    )
  )

/** WHY failures are ignored: commands name environments that may be absent, and names that may be taken. */
const happen = (org: Org, said: Command, count: number) =>
  Effect.gen(function* () {
    const environments = yield* Environments
    switch (said._tag) {
      case "Report":
        yield* environments.put(org.name, { name: said.place, type: "server" })
        return yield* (yield* Reports).accept(
          org.name,
          said.place,
          ReportFixture.submitted("server", `body ${count}`, said.rows)
        )
      case "Rename":
        return yield* Effect.ignore(environments.rename(org.name, said.place, said.to))
      case "Archive":
        return yield* Effect.ignore(environments.archive(org.name, said.place))
      case "Include":
        return yield* Effect.ignore(
          environments.patch(org.name, LOGICAL, { included_environments: said.places })
        )
      case "Build":
        return yield* build(org, said.trail, said.fingerprint)
    }
  })

const length = (org: Org, name: EnvironmentName) =>
  Effect.map(
    Effect.flatMap(Snapshots, (snapshots) =>
      Effect.either(snapshots.get(org.name, name, { _tag: "Index", n: -1 }))
    ),
    (latest) => (latest._tag === "Right" ? latest.right.snapshot.index : 0)
  )

const read = (org: Org, name: EnvironmentName) =>
  Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const count = yield* length(org, name)
    return yield* Effect.forEach(
      Array.from({ length: count }, (_, at) => at + 1),
      (n) => snapshots.get(org.name, name, { _tag: "Index", n })
    )
  })

/** Every environment with all its snapshots. */
const modelOf = (org: Org) =>
  Effect.gen(function* () {
    const { items: found } = yield* (yield* Environments).list(org.name, {}, Option.none())
    const physical = found.filter(({ environment }) => environment.type !== "logical")
    return yield* Effect.forEach(physical, ({ environment: { name } }) =>
      Effect.map(read(org, name), (all) => ({
        name,
        isArchived: false,
        snapshots: all.map(({ rows, snapshot }) => ({
          index: snapshot.index,
          at: snapshot.timestamp,
          fingerprints: rows
            .filter(({ annotation }) => annotation.type !== "exited")
            .map(({ fingerprint }) => fingerprint)
        }))
      }))
    )
  })

const shown = (sightings: ReadonlyArray<Sighting>) =>
  sightings.map(({ environment_name, snapshot_index }) => `${environment_name}#${snapshot_index}`)

const checkArtifacts = (org: Org, built: ReadonlySet<Fingerprint>) =>
  Effect.gen(function* () {
    const views = yield* ArtifactViews
    const model = yield* modelOf(org)
    const listed = yield* views.list(org.name, {}, { page: 1, perPage: 50 })
    for (const fingerprint of CONTENTS) {
      const expected = Model.sightings(model, fingerprint)
      const found = yield* Effect.either(views.search(org.name, fingerprint))
      const searched =
        found._tag === "Left" ? [] : [...found.right.artifacts, ...found.right.unreported]
      const isFound = built.has(fingerprint) || expected.running.length + expected.exited.length > 0
      assert.strictEqual(searched.length > 0, isFound)
      const prefix = FingerprintPrefix.make(fingerprint)
      const got = built.has(fingerprint)
        ? [yield* views.get({ org: org.name, flow: FLOW }, { prefix })]
        : []
      const seen = listed.filter(({ artifact }) => artifact.fingerprint === fingerprint)
      for (const { exited, running } of [...searched, ...got, ...seen])
        assert.deepStrictEqual({ running: shown(running), exited: shown(exited) }, expected)
    }
  })

/** The events of the logical environment, and the changed rows of its snapshots. */
const checkEvents = (org: Org) =>
  Effect.gen(function* () {
    const { events: listed } = yield* (yield* SnapshotEvents).list(org.name, LOGICAL, {
      page: 1,
      perPage: 10_000,
      reverse: true
    })
    const rows = (yield* read(org, LOGICAL)).flatMap(({ rows: of, snapshot }) =>
      of.flatMap(({ annotation: { now, type, was }, fingerprint, name }) =>
        type === "unchanged"
          ? []
          : [`${snapshot.index} ${type} ${name} ${fingerprint} ${was} ${now}`]
      )
    )
    assert.deepStrictEqual(
      listed
        .map(
          (one) =>
            `${one.snapshotIndex} ${one.kind} ${one.name} ${one.fingerprint} ${one.was} ${one.now}`
        )
        .sort(),
      rows.sort()
    )
  })

const play = (commands: ReadonlyArray<Command>) =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    const built = new Set<Fingerprint>()
    const life = Effect.gen(function* () {
      yield* (yield* Environments).put(org.name, { name: LOGICAL, type: "logical" })
      for (const [count, said] of commands.entries()) {
        yield* happen(org, said, count)
        if (said._tag === "Build") built.add(said.fingerprint)
        if (count % 3 === 0 || count === commands.length - 1) yield* checkArtifacts(org, built)
      }
      yield* checkEvents(org)
    })
    yield* Effect.provideService(life, CurrentActor, Fixture.actor([org, "admin"]))
  }).pipe(Effect.provide(services))

/** Runs histories of environments on a store. */
export const runningHistorySuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { lives, ...options }: SuiteOptions & { readonly lives: number }
): void =>
  suite(`what runs where (${name})`, ports, options, (it) => {
    it.effect.prop(
      "is the result of a fold over all snapshots, for artifacts and for logical environments",
      { commands: FastCheck.array(command, { minLength: 5, maxLength: 30, size: "max" }) },
      ({ commands }) => play(commands),
      { fastCheck: { numRuns: lives }, timeout: 600_000 }
    )
  })
