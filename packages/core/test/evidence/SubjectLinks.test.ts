/** V-8: attestations are about subjects of the document, or what the caller named and the document did not deny. */
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import type { Subject } from "../../src/evidence/EvidenceFacts.js"
import * as SubjectLinks from "../../src/evidence/SubjectLinks.js"
import * as Model from "../../testing/internal/model/SubjectLinksModel.js"

const PRINTS = ["a", "b", "c"].map((letter) => letter.repeat(64))
const [A = "", B = ""] = PRINTS
const COMMIT = "1".repeat(40)
const TRAILS = ["t1", "t2", "t3"]

const digest: FastCheck.Arbitrary<Subject["digest"]> = FastCheck.oneof(
  FastCheck.constantFrom(...PRINTS).map((sha256) => ({ sha256 })),
  FastCheck.constantFrom(...PRINTS).map((sha256) => ({
    sha256: sha256.toUpperCase(),
    sha1: COMMIT
  })),
  FastCheck.constant({ gitCommit: COMMIT }),
  FastCheck.constant({ sha1: COMMIT }),
  FastCheck.constant({ sha512: "d".repeat(128) })
)
const subjects = FastCheck.array(
  digest.map((of): Subject => ({ name: null, digest: of })),
  { maxLength: 4 }
)
const orders = subjects.chain((all) =>
  FastCheck.tuple(
    FastCheck.constant(all),
    FastCheck.shuffledSubarray(all, { minLength: all.length })
  )
)
const named = FastCheck.record({
  trail: FastCheck.option(FastCheck.constantFrom(...TRAILS)),
  fingerprint: FastCheck.option(FastCheck.constantFrom(...PRINTS))
})
const targets = FastCheck.record({
  artifacts: FastCheck.array(
    FastCheck.record({
      fingerprint: FastCheck.constantFrom(...PRINTS),
      trail: FastCheck.constantFrom(...TRAILS)
    }),
    { maxLength: 6 }
  ),
  commitTrails: FastCheck.array(FastCheck.constantFrom(...TRAILS), { maxLength: 4 })
})

/** Targets as a caller looks them up: the records of the named trail alone. */
const lookedUp = (by: SubjectLinks.Named, all: SubjectLinks.LinkTargets) => ({
  ...all,
  artifacts: all.artifacts.filter(({ trail }) => by.trail === null || by.trail === trail)
})

const printed = (decided: Either.Either<SubjectLinks.Links, unknown>) =>
  Either.isLeft(decided) ? undefined : decided.right.links.map(Model.printed).sort()

const subject = (of: Subject["digest"]): Subject => ({ name: null, digest: of })
const NOTHING = { artifacts: [], commitTrails: [] }

describe("SubjectLinks", () => {
  it("agrees with its model, whatever the order of subjects", () => {
    FastCheck.assert(
      FastCheck.property(orders, named, targets, ([all, shuffled], by, known) => {
        const found = lookedUp(by, known)
        const links = printed(SubjectLinks.decide(all, by, found))
        assert.deepStrictEqual(links, Model.links(all, by, found))
        assert.deepStrictEqual(printed(SubjectLinks.decide(shuffled, by, found)), links)
      }),
      { numRuns: 2_000 }
    )
  })

  it("reaches no artifact but by a digest of a subject, or of the caller that no subject denies", () => {
    FastCheck.assert(
      FastCheck.property(subjects, named, targets, (all, by, known) => {
        const decided = SubjectLinks.decide(all, by, lookedUp(by, known))
        if (Either.isLeft(decided)) return
        const own = new Set(all.map(({ digest }) => digest.sha256?.toLowerCase()))
        for (const { fingerprint, trail } of decided.right.links) {
          if (by.trail !== null) assert.strictEqual(trail, by.trail)
          if (by.fingerprint !== null) assert.strictEqual(fingerprint, by.fingerprint)
          if (fingerprint === null || all.length === 0) continue
          assert.isTrue(own.has(fingerprint))
        }
      }),
      { numRuns: 2_000 }
    )
  })

  it("names what waits: subjects of a file that no artifact has", () => {
    FastCheck.assert(
      FastCheck.property(subjects, targets, (all, known) => {
        const decided = SubjectLinks.decide(all, { trail: null, fingerprint: null }, known)
        if (Either.isLeft(decided)) return
        const { links, waiting } = decided.right
        const linked = links.flatMap(({ fingerprint }) => fingerprint ?? [])
        const own = SubjectLinks.fingerprintsOf(all)
        assert.sameMembers([...new Set([...waiting, ...linked])], [...own])
        assert.isTrue(waiting.every((each) => !linked.includes(each)))
      })
    )
  })

  it("refuses by its reason", () => {
    const decide = (all: ReadonlyArray<Subject>, by: Partial<SubjectLinks.Named>) =>
      Either.flip(
        SubjectLinks.decide(all, { trail: null, fingerprint: null, ...by }, NOTHING)
      ).pipe(Either.getOrUndefined)
    assert.strictEqual(decide([], {}), "no_subject")
    assert.strictEqual(decide([subject({ sha512: "d".repeat(128) })], {}), "no_subject")
    assert.strictEqual(decide([subject({ sha256: A })], { fingerprint: B }), "other_fingerprint")
    assert.strictEqual(decide([subject({ sha256: A })], { trail: "t1" }), "not_on_trail")
    assert.strictEqual(decide([], { fingerprint: A }), "unknown_fingerprint")
  })

  it("reaches 50 trails of a commit, and not one more", () => {
    const commitTrails = Array.from({ length: 51 }, (_, at) => `t${at}`)
    const by = { trail: null, fingerprint: null }
    const all = [subject({ gitCommit: COMMIT })]
    const count = (trails: ReadonlyArray<string>) =>
      Either.getOrThrow(SubjectLinks.decide(all, by, { artifacts: [], commitTrails: trails })).links
        .length
    assert.strictEqual(count(commitTrails.slice(1)), 50)
    assert.strictEqual(count(commitTrails), SubjectLinks.COMMIT_TRAILS_MAX)
  })
})
