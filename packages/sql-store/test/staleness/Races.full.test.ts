/**
 * Whatever many callers change and report at once, on two servers and with forced waits: when all is quiet, one
 * identical report of each environment gives what fresh assertions say.
 *
 * In each burst one change of what verdicts depend on waits just before it commits, while callers change who reads
 * it, change it once more, and report.
 */
import type { Org } from "@attestry/core/Org"
import * as Fixture from "@attestry/core/testing/Fixture"
import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck, Fiber } from "effect"
import { effort } from "../../../core/test/shared/Effort.js"
import * as UseCaseLayer from "../shared/UseCaseLayer.js"
import * as Changes from "./Changes.js"
import * as Servers from "./Servers.js"
import * as Settled from "./Settled.js"

const ORGS = effort(4, 250)
const WIDE_ORGS = effort(4, 100)
const BURSTS = 10
const CALLERS = 4
const REQUESTS_EACH = 4

/** So long a change waits at most: some of what happens meanwhile waits for it. */
const HELD_AT_MOST = "200 millis"

const of = <const A>(...values: ReadonlyArray<A>): FastCheck.Arbitrary<A> =>
  FastCheck.constantFrom(...values)

const flow = of<Changes.FlowKey>("build", "deploy")
const physical = of<Changes.EnvironmentKey>("first", "second")
const any = of<string>("first", "second", Changes.GROUP)
const content = of<Changes.Content>("a", "b")
const policy = of(...Changes.POLICIES)
const contents = of<ReadonlyArray<Changes.Content>>([], ["a"], ["b"], ["a", "b"])
const included = of<ReadonlyArray<Changes.EnvironmentKey>>([], ["first"], ["first", "second"])

/** A request by name, so that a failure can be read. */
interface Named {
  readonly name: string
  readonly request: Changes.Request
}

/** Requests of a kind, and the journal entry at which a test can block those that write. */
interface Kind {
  readonly entry: string
  readonly requests: FastCheck.Arbitrary<Named>
}

const kind = <A extends Array<unknown>>(
  entry: string,
  make: (org: Org, ...drawn: A) => ReturnType<Changes.Request>,
  ...drawn: { readonly [K in keyof A]: FastCheck.Arbitrary<A[K]> }
): Kind => ({
  entry,
  requests: FastCheck.tuple<A>(...drawn).map((said) => ({
    name: `${entry}(${said.join(" ")})`,
    request: (org) => make(org, ...said)
  }))
})

const REPORTS = kind("snapshot_created", Changes.report, physical, contents)

const INPUTS = [
  kind("flow_tagged", Changes.tag, flow, of("low", "high")),
  kind("flow_renamed", Changes.rename, flow, of("build", "release")),
  kind("flow_archived", Changes.archiveFlow, flow),
  kind("trail_evaluated", Changes.template, flow, of("none", "strict")),
  kind("artifact_creation_reported", Changes.build, flow, content),
  kind("artifact_attestation_reported", Changes.attest, flow, content, FastCheck.boolean()),
  kind("policy_version_created", Changes.save, policy, of("none", ...Changes.POLICIES)),
  kind("artifact_allowed", Changes.allow, physical, content),
  kind("artifact_disallowed", Changes.disallow, physical, content)
]

const READERS = [
  kind("environment_updated", Changes.policies, any, of([], ["tags"], ["name"], Changes.POLICIES)),
  kind("policy_attached", Changes.attach, any, policy),
  kind("policy_detached", Changes.detach, any, policy),
  kind("policy_version_created", Changes.save, policy, of("none", ...Changes.POLICIES)),
  kind("environment_updated", Changes.members, included),
  kind("environment_updated", Changes.requireProvenance, any, FastCheck.boolean())
]

/** What happens in one burst. */
interface Burst {
  readonly held: Named
  readonly entry: string
  readonly callers: ReadonlyArray<ReadonlyArray<Named>>
}

const exactly = (length: number) => ({ minLength: length, maxLength: length })

const burst: FastCheck.Arbitrary<Burst> = FastCheck.tuple(of(...INPUTS), of(...READERS)).chain(
  ([input, reader]) => {
    const request = FastCheck.oneof(
      { weight: 3, arbitrary: REPORTS.requests },
      { weight: 3, arbitrary: reader.requests },
      { weight: 1, arbitrary: input.requests }
    )
    const calls = FastCheck.array(request, exactly(REQUESTS_EACH))
    return FastCheck.record({
      held: input.requests,
      entry: FastCheck.constant(input.entry),
      callers: FastCheck.array(calls, exactly(CALLERS))
    })
  }
)

const print = ({ held, callers }: Burst): string =>
  [[held], ...callers].map((calls) => calls.map(({ name }) => name).join(", ")).join("\n")

/** Lets the callers of a burst go at once, while its change waits. */
const happen = (org: Org, { held, entry, callers }: Burst) =>
  Effect.gen(function* () {
    const { on, holding } = yield* Servers.Servers
    const asAdmin = UseCaseLayer.as(Fixture.actor([org, "admin"]))
    const ask = (server: 0 | 1, { request }: Named) =>
      // WHY: a request that is refused, or given up after three conflicts, has changed nothing.
      Effect.ignore(on(server)(asAdmin(request(org))))
    const calling = Effect.forEach(
      callers,
      (calls, caller) => Effect.forEach(calls, (call) => ask(caller % 2 === 0 ? 0 : 1, call)),
      { concurrency: "unbounded", discard: true }
    )
    const [changing, happening] = yield* holding(
      entry,
      Effect.gen(function* () {
        const change = yield* Effect.fork(ask(0, held))
        yield* Servers.untilDoneOrWaiting(change, 1)
        const others = yield* Effect.fork(calling)
        yield* Effect.race(Fiber.await(others), Effect.sleep(HELD_AT_MOST))
        return [change, others] as const
      })
    )
    yield* Fiber.join(changing)
    yield* Fiber.join(happening)
    return yield* on(1)(asAdmin(Settled.compare(org)))
  })

const life = (bursts: ReadonlyArray<Burst>) =>
  Effect.gen(function* () {
    const { on } = yield* Servers.Servers
    const org = yield* on(0)(Fixture.org)
    yield* on(0)(UseCaseLayer.as(Fixture.actor([org, "admin"]))(Changes.prepare(org)))
    yield* Effect.forEach(bursts, (each) =>
      Effect.map(happen(org, each), ({ shown, asserted }) =>
        assert.deepStrictEqual(shown, asserted, print(each))
      )
    )
  })

const lives = (count: number) =>
  Effect.forEach(FastCheck.sample(FastCheck.array(burst, exactly(BURSTS)), count), life, {
    discard: true
  })

const NAME = "leave no environment with a verdict that is out of date"

layer(Servers.layer, { excludeTestServices: true })("many callers at once", (it) => {
  it.effect(NAME, () => lives(ORGS), { timeout: 600_000 })
})

layer(Servers.layerWide, { excludeTestServices: true })(
  "G-15: the same with wide evidence",
  (it) => {
    it.effect(NAME, () => lives(WIDE_ORGS), { timeout: 600_000 })
  }
)
