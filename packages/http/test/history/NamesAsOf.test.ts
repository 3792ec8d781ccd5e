/**
 * HIST-35: an answer as of an instant stays the same whatever is archived, renamed or made under an old name later, for
 * every read that takes `as_of`.
 */
import { FastCheck, Predicate } from "effect"
import { assert, it } from "vitest"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import { c1, evidenceOf } from "../shared/Evidence.js"
import { onEveryStore, type TestServer } from "../shared/TestServer.js"

const PRINTS = ["a", "b"].map((letter) => letter.repeat(64))
const ENVIRONMENTS = ["e1", "e2", "e3"]
const FLOWS = ["f1", "f2", "f3"]
const GROUP = "all"
/** The snapshot of the group that has rows of both of its first members; its first one has none. */
const MEMBERS_REPORTED = "3"

const POLICY = `_schema: https://example.org/policy/v1
artifacts:
  attestations: [{type: generic, name: scan}]
`

const environment = FastCheck.constantFrom(...ENVIRONMENTS)
const flow = FastCheck.constantFrom(...FLOWS)

/** Something that happens; names are those of a life. */
const Command = FastCheck.oneof(
  FastCheck.record({ what: FastCheck.constant("put"), name: environment }),
  FastCheck.record({ what: FastCheck.constant("put flow"), name: flow }),
  FastCheck.record({ what: FastCheck.constant("archive"), name: environment }),
  FastCheck.record({ what: FastCheck.constant("archive flow"), name: flow }),
  FastCheck.record({ what: FastCheck.constant("rename"), name: environment, to: environment }),
  FastCheck.record({ what: FastCheck.constant("rename flow"), name: flow, to: flow }),
  FastCheck.record({
    what: FastCheck.constant("report"),
    name: environment,
    prints: FastCheck.subarray(PRINTS)
  }),
  FastCheck.record({
    what: FastCheck.constant("evidence"),
    name: flow,
    print: FastCheck.constantFrom(...PRINTS),
    compliant: FastCheck.boolean()
  }),
  FastCheck.record({
    what: FastCheck.constant("members"),
    members: FastCheck.subarray(ENVIRONMENTS)
  })
)

type Command =
  typeof Command extends FastCheck.Arbitrary<infer A>
    ? A & {
        readonly name?: string
        readonly to?: string
        readonly print?: string
        readonly prints?: ReadonlyArray<string>
        readonly members?: ReadonlyArray<string>
        readonly compliant?: boolean
      }
    : never

/** A life with names of its own, so that lives do not meet. */
const lifeOf = (server: TestServer, life: number) => {
  const { call } = server
  const own = (name: string) => `${name}-${life}`
  const at = (name: string) => ({ env_name: own(name) })
  const put = (name: string) =>
    call("PUT /environments/{org}", {
      body: { name: own(name), type: "server", policies: ["gate"] }
    })
  const putMembers = (members: ReadonlyArray<string>) =>
    call("PUT /environments/{org}", {
      body: { name: own(GROUP), type: "logical", included_environments: members.map(own) }
    })
  const report = (name: string, prints: ReadonlyArray<string>) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: at(name),
      body: {
        artifacts: prints.map((each) => ({
          digests: { [`app-${each.slice(0, 1)}`]: each },
          creationTimestamp: 1
        }))
      }
    })
  const evidence = async (name: string, print: string, isCompliant: boolean) => {
    const { artifact, begin, generic } = evidenceOf(server, own(name))
    await begin("run")
    await artifact("run", "app", print, c1)
    await generic("run", "scan", isCompliant, { artifact_fingerprint: print })
  }
  const putFlow = (name: string) => evidenceOf(server, own(name)).putFlow("version: 1\n")

  /** Runs a command; one that is refused changes nothing. */
  const happen = async (said: Command): Promise<void> => {
    const { compliant = true, members = [], name = "", print = "", prints = [], to = "" } = said
    switch (said.what) {
      case "put":
        await put(name)
        return
      case "put flow":
        await putFlow(name)
        return
      case "archive":
        await call("PUT /environments/{org}/{env_name}/archive", { path: at(name) })
        return
      case "archive flow":
        await call("PUT /flows/{org}/{flow_name}/archive", { path: { flow_name: own(name) } })
        return
      case "rename":
        await call("PUT /environments/{org}/{env_name}/rename", {
          path: at(name),
          body: { new_name: own(to) }
        })
        return
      case "rename flow":
        await call("PUT /flows/{org}/{flow_name}/rename", {
          path: { flow_name: own(name) },
          body: { new_name: own(to) }
        })
        return
      case "report":
        await report(name, prints)
        return
      case "evidence":
        await evidence(name, print, compliant)
        return
      default:
        await putMembers(members)
    }
  }

  const begin = async () => {
    for (const name of ["e1", "e2"]) await put(name)
    for (const name of ["f1", "f2"]) await putFlow(name)
    await putMembers(["e1", "e2"])
    for (const [index, print] of PRINTS.entries()) await evidence(`f${index + 1}`, print, true)
    await report("e1", PRINTS)
    await report("e2", PRINTS.slice(1))
  }

  const [print = ""] = PRINTS

  /** The present of the server, whose clock may be behind the one of this test. */
  const now = async (): Promise<string> => {
    const { body } = await call("GET /environments/{org}/{env_name}", {
      path: at(GROUP),
      query: "?as_of=now"
    })
    return String(Predicate.hasProperty(body, "as_of") ? body.as_of : assert.fail("no instant"))
  }

  /** Every read that takes `as_of`, of every name. */
  const reads = (asOf: string): ReadonlyArray<readonly [string, () => ReturnType<typeof call>]> => {
    const get = (
      operation: string,
      path: Record<string, string>,
      query = ""
    ): readonly [string, () => ReturnType<typeof call>] => [
      `${operation} ${JSON.stringify(path)} ${query}`,
      () => call(`GET ${operation}`, { path, query: `?${query}as_of=${asOf}` })
    ]
    const ofFlow = (name: string) => {
      const flow_name = own(name)
      const scan = { flow_name, attestation_name: "scan" }
      return [
        get("/flows/{org}/{flow_name}", { flow_name }),
        get("/trails/{org}/{flow_name}/{trail_name}", { flow_name, trail_name: "run" }),
        ...PRINTS.map((fingerprint) =>
          get("/artifacts/{org}/{flow_name}/fingerprint/{fingerprint}", { flow_name, fingerprint })
        ),
        get("/attestations/{org}", {}, `flow_name=${flow_name}&`),
        get("/attestations/{org}/{flow_name}/trail/{trail_name}/{attestation_name}", {
          ...scan,
          trail_name: "run"
        }),
        get("/attestations/{org}/{flow_name}/artifact/{fingerprint}/{attestation_name}", {
          ...scan,
          fingerprint: print
        }),
        get(
          "/asserts/{org}/fingerprint/{fingerprint}",
          { fingerprint: print },
          `flow_name=${flow_name}&`
        )
      ]
    }
    const ofSnapshot = (name: string, snapshot: string) => {
      const path = { env_name: own(name), snapshot_expression: snapshot }
      const dryRun = () =>
        call("POST /policies/{org}/dry-run", {
          body: {
            candidate: { policy_name: "gate" },
            on: { environment: own(name), snapshot },
            as_of: Number(asOf),
            show: "all"
          }
        })
      return [
        get("/snapshots/{org}/{env_name}/{snapshot_expression}", path),
        get("/snapshots/{org}/{env_name}/{snapshot_expression}/facts", path),
        [`dry run ${own(name)}#${snapshot}`, dryRun] as const
      ]
    }
    const ofEnvironment = (name: string) => [
      get("/environments/{org}/{env_name}", { env_name: own(name) }),
      ...ofSnapshot(name, name === GROUP ? MEMBERS_REPORTED : "1"),
      get(
        "/asserts/{org}/fingerprint/{fingerprint}",
        { fingerprint: print },
        `environment_name=${own(name)}&`
      )
    ]
    return [...FLOWS.flatMap(ofFlow), ...[...ENVIRONMENTS, GROUP].flatMap(ofEnvironment)]
  }

  return { begin, happen, now, reads }
}

/** The parts of an answer that history determines: of unchanged reports, only the last one is stored. */
const told = (body: unknown): unknown => {
  if (Array.isArray(body)) return body.map(told)
  if (typeof body !== "object" || body === null) return body
  return Object.fromEntries(
    Object.entries(body)
      .filter(([field]) => field !== "last_reported_at")
      .map(([field, value]) => [field, told(value)])
  )
}

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

onEveryStore("reads as of an instant (law HIST-35)", (server) => {
  let lives = 0

  /** Runs a history, records answers on the way, and asks again at the end. */
  const play = async (commands: ReadonlyArray<Command>): Promise<number> => {
    lives += 1
    const { begin, happen, now, reads } = lifeOf(server, lives)
    await server.call("PUT /policies/{org}", { body: { name: "gate", policy_file: POLICY } })
    await begin()
    const answers: Array<readonly [string, () => ReturnType<TestServer["call"]>, unknown]> = []
    const remember = async () => {
      await pause(3)
      const asOf = await now()
      await pause(3)
      for (const [what, ask] of reads(asOf)) {
        const { body, status } = await ask()
        assert.include([200, 404], status, `${what}: ${JSON.stringify(body)}`)
        if (status === 200) answers.push([`${what} as of ${asOf}`, ask, told(body)])
      }
    }
    await remember()
    for (const [count, said] of commands.entries()) {
      await happen(said)
      if (count % 4 === 3) await remember()
    }
    for (const [what, ask, before] of answers) {
      const { body, status } = await ask()
      assert.deepStrictEqual([status, told(body)], [200, before], what)
    }
    return answers.length
  }

  it("archiving, renaming and using a name again changes no earlier answer", async () => {
    const answers = await play([
      { what: "archive", name: "e2" },
      { what: "rename", name: "e1", to: "e3" },
      { what: "rename flow", name: "f1", to: "f3" },
      { what: "archive flow", name: "f2" },
      { what: "put", name: "e1" },
      { what: "put", name: "e2" },
      { what: "put flow", name: "f1" },
      { what: "put flow", name: "f2" },
      { what: "report", name: "e1", prints: [] },
      { what: "archive", name: "e3" }
    ])
    assert.isAbove(answers, 50)
  }, 600_000)

  it("no order of names changes an earlier answer", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.array(Command, { minLength: 6, maxLength: 14, size: "max" }),
        async (commands) => {
          await play(commands)
        }
      ),
      { numRuns: lengthForRun({ quick: 1, full: 2, deep: 40 }), endOnFailure: true }
    )
  }, 600_000)
})
