/** The changes of entries that the digests of the journal show, without its log. */
import { Journals } from "@attestry/core/Journals"
import type { Org } from "@attestry/core/Org"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

const layer = Journals.Default.pipe(
  Layer.provideMerge(PgLayer.layer),
  Layer.provideMerge(SecretsWebCrypto.layer)
)

const CONTENT = `content = convert_to('{"n":99}', 'UTF8')`
const DIGEST = `digest = sha256(convert_to('{"n":99}', 'UTF8'))`

interface Target {
  readonly org: string
  readonly other: string
  readonly sequence: number
  readonly next: number
}

const only = ({ org, sequence }: Target) => `where org_id = '${org}' and sequence = ${sequence}`

/** What the digest of the entry itself shows. The rest is found by the log: see `docs/OPERATING.md`. */
const FOUND = ["the content of an entry, or its digest, one without the other"]

/** Statements that make each change, to the third of five entries of an org. */
const CHANGES: Record<string, (target: Target) => ReadonlyArray<string>> = {
  "the content of an entry, or its digest, one without the other": (target) => [
    `update journal set ${CONTENT} ${only(target)}`,
    `update journal set ${DIGEST} ${only(target)}`
  ],
  "the content of an entry together with its digest": (target) => [
    `update journal set ${CONTENT}, ${DIGEST} ${only(target)}`
  ],
  "the kind, the subject, the actor or the time of an entry": (target) => [
    `update journal set kind = 'x' ${only(target)}`,
    `update journal set subject_type = 'x', subject_id = 'x' ${only(target)}`,
    `update journal set actor_kind = 'user', actor_id = 'x', actor_name = 'x' ${only(target)}`,
    `update journal set at = at - 1 ${only(target)}`
  ],
  "an entry removed": (target) => [
    `delete from journal ${only(target)}`,
    `delete from journal where org_id = '${target.org}'`
  ],
  "an entry added, with a digest that fits": ({ org }) => [
    `insert into journal (org_id, kind, subject_type, subject_id, actor_kind, actor_id, actor_name,
        at, content, digest)
      select org_id, kind, subject_type, subject_id, actor_kind, actor_id, actor_name, at, content,
        digest from journal where org_id = '${org}' limit 1`
  ],
  "the numbers of two entries exchanged": ({ org, sequence, next }) => [
    `update journal set sequence = -sequence where org_id = '${org}'
        and sequence in (${sequence}, ${next});
      update journal set sequence = case sequence when -${sequence} then ${next} else ${sequence} end
        where org_id = '${org}' and sequence < 0`
  ],
  "an entry moved to another org": (target) => [
    `update journal set org_id = '${target.other}' ${only(target)}`
  ],
  "a row of any other table changed, added or removed: evidence, files, verdicts, snapshots, policies, members, keys":
    ({ org }) => [
      `update flow set description = 'x' where org_id = '${org}'`,
      `insert into flow_former_name select org_id, 'x', flow_id from flow where org_id = '${org}'`,
      `delete from flow where org_id = '${org}'`
    ]
}

/** An org with a flow and five entries. */
const recorded = Effect.gen(function* () {
  const journals = yield* Journals
  const org = yield* Fixture.org
  yield* Fixture.flow(org)
  const record = (n: number) =>
    journals.record({
      org: org.id,
      kind: "test",
      subject: { type: "test", id: "1" },
      actor: { kind: "system", id: "s", name: "s" },
      at: Fixture.AT,
      content: { n }
    })
  const entries = yield* Effect.forEach([0, 1, 2, 3, 4], record)
  return { org, sequences: entries.map(({ sequence }) => sequence) }
})

/** The entry that is named after a change; nothing where the change is not found. */
const namedAfter = (statement: (target: Target) => string | undefined, other: Org) =>
  Effect.gen(function* () {
    const journals = yield* Journals
    const { query } = yield* PgLayer.TestDatabase
    const { org, sequences } = yield* recorded
    const [, , sequence = 0, next = 0] = sequences
    assert.deepStrictEqual(yield* journals.verify(org.id), { entries: 5, damaged: [] })
    const target = { org: org.id, other: other.id, sequence, next }
    yield* query(statement(target) ?? "")
    const both = [yield* journals.verify(org.id), yield* journals.verify(other.id)]
    const named = both.flatMap(({ damaged }) =>
      damaged.map(({ table, key, column }) => `${table} ${key} ${column}`)
    )
    if (named.length === 0) return "nothing"
    return named.join() === `journal ${sequence} content` ? "the entry" : named.join()
  })

it.live("finds content that does not fit its digest, and nothing else", () =>
  Effect.gen(function* () {
    const other = yield* Fixture.org
    const nowhere: Target = { org: "", other: "", sequence: 0, next: 0 }
    for (const [change, statements] of Object.entries(CHANGES)) {
      for (const index of statements(nowhere).keys()) {
        const named = yield* namedAfter((target) => statements(target)[index], other)
        assert.deepStrictEqual(
          [change, index, named],
          [change, index, FOUND.includes(change) ? "the entry" : "nothing"]
        )
      }
    }
  }).pipe(Effect.provide(layer))
)
