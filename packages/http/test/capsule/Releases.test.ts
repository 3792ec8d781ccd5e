/** The evidence of releases in capsules: the table that the operation answers is proved row by row and cell by cell. */
import * as CapsuleEntry from "@attestry/core/CapsuleEntry"
import type { ReleaseTable } from "@attestry/core/CapsuleReleases"
import type { CapsuleReport, Claim } from "@attestry/core/CapsuleReport"
import { FastCheck } from "effect"
import { assert, it } from "vitest"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import { onBothStores } from "../shared/TestServer.js"
import { fileOf, heldBy, host, reportOf } from "./CapsuleWorld.js"
import * as World from "./ReleaseWorld.js"

type Held = Awaited<ReturnType<typeof heldBy>>

/** The table as the operation answers it, without ids of entries, for which a capsule has indexes. */
const comparable = ({ releases, requirements, totals }: World.ShownTable) => ({
  requirements,
  totals,
  releases: releases.map(({ results, ...release }) => [
    release.environment,
    release.snapshot_index,
    release.fingerprint,
    release.artifact_name,
    Math.round(release.deployed_at * 1_000_000),
    release.verdict,
    results.map(({ attestations, requirement, state, waivers }) => [
      requirement,
      state,
      waivers,
      attestations.map(({ attestation_id, created_at, created_by }) => [
        attestation_id,
        created_by,
        Math.round(created_at * 1_000_000)
      ])
    ])
  ])
})

const tableIn = ({ expected }: Held): ReleaseTable =>
  expected.releases ?? assert.fail("the capsule has no table")

const ofReleases = ({ type }: Claim): boolean =>
  type === "releases" || type === "release" || type === "requirement"

/** What a capsule of a question proves, which must be everything, and what it holds. */
const proved = async (
  server: Parameters<typeof fileOf>[0],
  world: ReturnType<typeof World.make>,
  question: World.Question
) => {
  const file = await fileOf(server, { releases: question })
  const report: CapsuleReport = await reportOf(file)
  assert.deepStrictEqual(report.wrong, [])
  assert.deepStrictEqual(report.notProved, [])
  const held = await heldBy(file)
  const table = tableIn(held)
  const shown = await world.table(question)
  const { environments: _, ...rest } = question
  const given = comparable(shown)
  const inCapsule = comparable({
    totals: table.totals,
    requirements: table.requirements,
    releases: table.releases.map(({ deployed_at, results, ...release }) => ({
      ...release,
      deployed_at: deployed_at / 1_000_000,
      results: results.map(({ attestations, ...cell }) => ({
        ...cell,
        attestations: attestations.map(({ created_at, ...attestation }) => ({
          ...attestation,
          created_at: created_at / 1_000_000
        }))
      }))
    }))
  })
  assert.deepStrictEqual(inCapsule, given, JSON.stringify(rest))
  const claims = report.proved.filter(ofReleases)
  const cells = table.releases.reduce((sum, { results }) => sum + results.length, 0)
  assert.lengthOf(claims, 1 + table.releases.length + cells)
  return { file, held, table, claims }
}

/** Every table that differs from one in a row or a cell. */
const changedTables = (table: ReleaseTable): ReadonlyArray<readonly [string, ReleaseTable]> =>
  table.releases.flatMap((row, at) => {
    const withRow = (changed: ReadonlyArray<(typeof table.releases)[number]>): ReleaseTable => ({
      ...table,
      releases: [...table.releases.slice(0, at), ...changed, ...table.releases.slice(at + 1)]
    })
    const cells = row.results.flatMap((cell, place) => {
      const withCell = (changed: ReadonlyArray<typeof cell>) =>
        withRow([
          {
            ...row,
            results: [...row.results.slice(0, place), ...changed, ...row.results.slice(place + 1)]
          }
        ])
      const state = cell.state === "met" ? "failed" : "met"
      const [given] = cell.attestations
      return [
        [`${at}.${place} left out`, withCell([])] as const,
        [`${at}.${place} state`, withCell([{ ...cell, state }])] as const,
        ...(given === undefined
          ? []
          : [
              [
                `${at}.${place} giver`,
                withCell([{ ...cell, attestations: [{ ...given, created_by: "somebody" }] }])
              ] as const,
              [
                `${at}.${place} entry`,
                withCell([
                  { ...cell, attestations: [{ ...given, log_index: given.log_index - 1 }] }
                ])
              ] as const
            ])
      ]
    })
    return [
      [`${at} left out`, withRow([])] as const,
      [`${at} twice`, withRow([row, row])] as const,
      [`${at} artifact`, withRow([{ ...row, artifact_name: "other" }])] as const,
      [`${at} snapshot`, withRow([{ ...row, snapshot_index: row.snapshot_index + 1 }])] as const,
      ...cells
    ]
  })

/** A table with a row or a cell changed is wrong; one whose evidence is not shown proves nothing of it. */
const holds = (held: Held, table: ReleaseTable): void => {
  const { evaluate, expected, lines } = held
  for (const [what, releases] of changedTables(table))
    assert.isNotEmpty(evaluate(lines, { ...expected, releases }).wrong, what)
  const more = { ...table, totals: { ...table.totals, complete: table.totals.complete + 1 } }
  assert.isNotEmpty(evaluate(lines, { ...expected, releases: more }).wrong)
  const trailsOf = new Map(expected.reported.map((each) => [each.fingerprint, each.trails]))
  for (const line of lines) {
    const subject = expected.chains.find(({ index }) => index === line.index)?.subject
    for (const changed of [
      lines.filter((each) => each !== line),
      lines.map((each) => (each === line ? World.withoutFacts(each, CapsuleEntry.digestsOf) : each))
    ]) {
      const found = evaluate(changed)
      assert.deepStrictEqual(found.wrong, [], `entry ${line.index}`)
      assert.isNotEmpty(found.notProved, `entry ${line.index}`)
      if (subject?.type !== "trail") continue
      for (const claim of found.proved)
        if (claim.type === "requirement")
          assert.notInclude(trailsOf.get(claim.fingerprint) ?? [], subject.id)
    }
  }
}

const LETTERS = ["a", "b", "d"] as const

const step = FastCheck.oneof(
  {
    weight: 5,
    arbitrary: FastCheck.record({
      do: FastCheck.constant("attest" as const),
      letter: FastCheck.constantFrom(...LETTERS),
      name: FastCheck.constantFrom("review", "tests", "scan"),
      isCompliant: FastCheck.boolean()
    })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      do: FastCheck.constant("override" as const),
      letter: FastCheck.constantFrom(...LETTERS)
    })
  },
  {
    weight: 4,
    arbitrary: FastCheck.record({
      do: FastCheck.constant("report" as const),
      environment: FastCheck.nat({ max: 1 }),
      letters: FastCheck.uniqueArray(FastCheck.constantFrom(...LETTERS))
    })
  },
  {
    weight: 1,
    arbitrary: FastCheck.record({
      do: FastCheck.constant("policy" as const),
      names: FastCheck.uniqueArray(FastCheck.constantFrom("review", "tests", "scan"), {
        minLength: 1
      })
    })
  }
)
type Step = typeof step extends FastCheck.Arbitrary<infer Said> ? Said : never

onBothStores(
  "the evidence of releases in capsules",
  (server) => {
    const play = async (world: ReturnType<typeof World.make>, said: Step) => {
      const { evidence } = world
      if (said.do === "report") return world.report(said.environment, said.letters)
      if (said.do === "policy") return world.putPolicy(said.names)
      const about = { artifact_fingerprint: World.print(said.letter) }
      if (said.do === "attest")
        return evidence.generic(
          `t-${said.letter}`,
          said.name,
          said.isCompliant,
          said.name === "review" ? {} : about
        )
      // It is refused where there is nothing to override.
      return evidence.attest(`t-${said.letter}`, "override", {
        attestation_name: "scan",
        ...about,
        reason: "seen by hand",
        new_compliance_status: true,
        original_attestation_type: "generic"
      })
    }

    it("RE-8: are proved as the operation answers them, whatever was recorded", async () => {
      let run = 0
      await FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.array(step, { minLength: 6, maxLength: 14, size: "max" }),
          async (steps) => {
            const world = World.make(server, `-${run++}`)
            await world.fill(LETTERS, 2)
            for (const said of steps) await play(world, said)
            await world.report(0, LETTERS)
            const environments = [world.envOf(0), world.envOf(1)]
            const questions = [
              { environments },
              { environments, policy: world.gate },
              { environments: [world.envOf(0)], flow: world.flow }
            ]
            for (const [at, question] of questions.entries()) {
              const { held, table } = await proved(server, world, question)
              assert.isNotEmpty(table.releases)
              if (run % questions.length === at) holds(held, table)
            }
          }
        ),
        { numRuns: lengthForRun({ quick: 1, full: 4, deep: 60 }), endOnFailure: true }
      )
    }, 600_000)

    it("RE-8: have the names of the log, and environments that are archived now", async () => {
      const world = World.make(server, "-names")
      await world.fill(["f"], 2)
      await world.report(0, ["f"])
      await world.report(1, ["f"])
      const waiver = await server.call("POST /waivers/{org}", {
        body: {
          policy_name: world.gate,
          artifact_fingerprint: World.print("f"),
          reason: "known",
          owner: "max",
          expires_at: Math.floor(Date.now() / 1_000) + 86_400
        },
        as: "member"
      })
      const { number } = waiver.body as { readonly number: number }
      const path = { number: String(number) }
      await world.put("POST /waivers/{org}/{number}/approve", path, undefined)
      await world.report(0, [])
      await world.report(0, ["f"])
      await world.putPolicy(["review", "tests"])
      await world.put(
        "PUT /environments/{org}/{env_name}/archive",
        { env_name: world.envOf(1) },
        {}
      )
      const asked = { policy: world.gate, flow: world.flow }
      const { table } = await proved(server, world, asked)
      assert.lengthOf(table.releases, 3)
      const states = table.releases.flatMap(({ results }) => results.map(({ state }) => state))
      assert.includeMembers(states, ["waived", "missing"])
    }, 60_000)

    it("refuse the questions that the operation refuses, and need no other selection", async () => {
      const refused = async (releases: object) =>
        (await server.call("POST /capsules/{org}", { body: { releases }, as: "reader" })).status
      assert.strictEqual(await refused({ environments: ["absent"] }), 404)
      assert.strictEqual(await refused({ flow: "absent" }), 404)
      assert.strictEqual(await refused({ policy: "absent" }), 404)
      assert.strictEqual(await refused({ from: "2026-01-02", to: "2026-01-01" }), 400)
      assert.strictEqual(await refused({ from: "2020-01-01", to: "2021-02-04" }), 200)
      const { body, status } = await server.call("POST /capsules/{org}", {
        body: { releases: { from: "2020-01-01", to: "2021-02-05T00:00:01Z" } }
      })
      assert.strictEqual(status, 400)
      assert.hasAllKeys((body as { readonly errors: object }).errors, ["releases.from"])
    })
  },
  { services: host }
)

onBothStores(
  "the evidence of releases in capsules, with an erased name",
  (server) => {
    it("RE-9: do not prove who gave what, where that name is erased", async () => {
      const world = World.make(server, "-erased")
      await world.fill(["e"], 1)
      const about = { artifact_fingerprint: World.print("e") }
      await world.evidence.generic("t-e", "review", true)
      await world.evidence.attest(
        "t-e",
        "generic",
        { attestation_name: "scan", is_compliant: true, ...about },
        { as: "member" }
      )
      await world.report(0, ["e"])
      const question = { environments: [world.envOf(0)] }
      const { table } = await proved(server, world, question)
      const giver = table.releases[0]?.results.find(({ requirement }) =>
        requirement.includes("scan")
      )?.attestations[0]?.created_by
      const erased = await server.call("POST /erasures/{org}", {
        body: { value: giver, reason: "asked for", preview: false }
      })
      assert.strictEqual(erased.status, 200, JSON.stringify(erased.body))
      const report = await reportOf(await fileOf(server, { releases: question }))
      assert.deepStrictEqual(report.wrong, [])
      const cells = (claims: ReadonlyArray<Claim>) =>
        claims.flatMap((claim) => (claim.type === "requirement" ? [claim.requirement] : []))
      assert.sameMembers(cells(report.proved), ["review", "tests"])
      assert.deepStrictEqual(cells(report.notProved.map(({ claim }) => claim)), ["scan"])
      assert.match(JSON.stringify(report.notProved), /who gave attestation .* is not shown/)
      assert.isFalse(report.proved.some(({ type }) => type === "releases"))
    }, 60_000)
  },
  { services: host }
)
