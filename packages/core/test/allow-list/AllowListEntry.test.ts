/** The entries in force and the next end, against a plain model; the accepted ends; the content of the journal. */
import * as AllowListEntry from "@attestry/core/AllowListEntry"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { EnvironmentId, Login, OrgId } from "@attestry/core/Identifier"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"

const instant = fc.integer({ min: 0, max: 30 }).map(Timestamp.fromMicros)
const entries = fc.array(
  fc.record({ name: fc.string(), expires_at: fc.option(instant, { nil: null }) }),
  { maxLength: 12 }
)

const entry: AllowListEntry.AllowListEntry = {
  org_id: OrgId.make("acme"),
  environment_id: EnvironmentId.make("prod"),
  fingerprint: Fingerprint.make("a".repeat(64)),
  name: "shop",
  reason: "because",
  created_by: "ada",
  created_at: Timestamp.fromSeconds(100),
  expires_at: null,
  owner: null
}

describe("entries of allow-lists", () => {
  it("are in force before their end", () =>
    fc.assert(
      fc.property(entries, instant, (list, now) => {
        const model: Array<(typeof list)[number]> = []
        for (const one of list)
          if (one.expires_at === null || one.expires_at - now > 0) model.push(one)
        assert.deepStrictEqual(AllowListEntry.inForce(list, now), model)
      })
    ))

  it("are the same up to the next end, and others from it on", () =>
    fc.assert(
      fc.property(entries, instant, (list, now) => {
        const next = AllowListEntry.nextEnd(list, now)
        const ends = list.flatMap(({ expires_at }) => (expires_at === null ? [] : [expires_at]))
        const later = ends.filter((end) => end > now)
        assert.strictEqual(next, later.length === 0 ? null : Math.min(...later))
        const at = (micros: number) => AllowListEntry.inForce(list, Timestamp.fromMicros(micros))
        for (let micros: number = now; micros <= 31; micros++)
          if (next === null || micros < next) assert.deepStrictEqual(at(micros), at(now))
        if (next !== null) assert.isBelow(at(next).length, at(now).length)
      })
    ))

  it("keep an artifact compliant until they end and policies fail it", () => {
    const at = Timestamp.fromSeconds
    const until = AllowListEntry.compliantUntil
    assert.strictEqual(until(at(5), undefined), at(5))
    assert.isNull(until(null, undefined))
    assert.isNull(until(null, { expires_at: at(3) }))
    assert.isNull(until(at(5), { expires_at: null }))
    assert.strictEqual(until(at(5), { expires_at: at(3) }), at(5))
    assert.strictEqual(until(at(5), { expires_at: at(7) }), at(7))
  })

  it("may end after now and within 3,650 days", () => {
    const now = Timestamp.fromSeconds(1_790_000_000)
    const last = Timestamp.plusSeconds(now, 3_650 * 86_400)
    const accepted = (micros: number) =>
      AllowListEntry.isEndAccepted(Timestamp.fromMicros(micros), now)
    assert.deepStrictEqual([now - 1, now, now + 1, last, last + 1].map(accepted), [
      false,
      false,
      true,
      true,
      false
    ])
  })

  it("are owned by their creator unless an owner is given", () => {
    assert.strictEqual(AllowListEntry.ownerOf(entry), "ada")
    assert.strictEqual(AllowListEntry.ownerOf({ ...entry, owner: "mia" }), "mia")
  })

  it("are equal to a draft with the same name, reason, end and owner", () => {
    const { fingerprint, name, reason } = entry
    const draft = { fingerprint, name, reason }
    const end = Timestamp.fromSeconds(200)
    assert.isTrue(AllowListEntry.hasContent(entry, draft))
    assert.isTrue(AllowListEntry.hasContent(entry, { ...draft, expires_at: null, owner: null }))
    assert.isFalse(AllowListEntry.hasContent(entry, { ...draft, expires_at: end }))
    assert.isFalse(AllowListEntry.hasContent({ ...entry, expires_at: end }, draft))
    assert.isFalse(AllowListEntry.hasContent(entry, { ...draft, owner: Login.make("mia") }))
    assert.isFalse(AllowListEntry.hasContent(entry, { ...draft, reason: "other" }))
  })

  it("have an end and an owner in the journal only if they were given", () => {
    const { expires_at: _end, owner: _owner, ...rest } = entry
    assert.deepStrictEqual(AllowListEntry.contentOf(entry), rest)
    const whole = { ...entry, expires_at: Timestamp.fromSeconds(200), owner: "mia" }
    assert.deepStrictEqual(AllowListEntry.contentOf(whole), whole)
  })
})
