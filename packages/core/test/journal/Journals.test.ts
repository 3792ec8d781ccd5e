/** Journalling: the canonical text is stored, and the digest is of it. */
import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, Layer } from "effect"
import type { JournalDraft } from "../../src/journal/JournalEntry.js"
import { JournalStore } from "../../src/journal/JournalStore.js"
import { Journals } from "../../src/journal/Journals.js"
import * as CanonicalJson from "../../src/shared/CanonicalJson.js"
import { OrgId } from "../../src/shared/Identifier.js"
import { StoreError } from "../../src/shared/StoreError.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import { json } from "../../testing/arbitrary/Text.js"
import { layerSecrets } from "../../webcrypto/SecretsWebCrypto.js"

const change = {
  org: OrgId.make("org-1"),
  kind: "flow_created",
  subject: { type: "flow", id: "flow-1" },
  actor: { kind: "user" as const, id: "user-1", name: "anna" },
  at: Timestamp.fromSeconds(1_790_000_000)
}

const recordWith = (append: (draft: JournalDraft) => Effect.Effect<number, StoreError>) =>
  Layer.provide(
    Journals.Default,
    Layer.merge(
      layerSecrets,
      Layer.mock(JournalStore, {
        append: (draft) => Effect.map(append(draft), (sequence) => ({ ...draft, sequence }))
      })
    )
  )

const record = (content: unknown) =>
  Effect.flatMap(Journals, (journals) => journals.record({ ...change, content }))

describe("Journals", () => {
  it.effect.prop(
    "stores the canonical text of the content, and its digest",
    { content: json },
    ({ content }) =>
      Effect.gen(function* () {
        const text = CanonicalJson.print(content)
        const entry = yield* record(content)
        deepStrictEqual(entry, {
          org_id: change.org,
          kind: change.kind,
          subject: change.subject,
          actor: change.actor,
          at: change.at,
          content: text,
          digest: createHash("sha256").update(text, "utf8").digest("hex"),
          sequence: 7
        })
      }).pipe(Effect.provide(recordWith(() => Effect.succeed(7))))
  )

  it.effect("stores the same text and digest for the same content in another order", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* record({ a: 1, b: 2 }), yield* record({ b: 2, a: 1 })]
      deepStrictEqual([one.content, one.digest], [other.content, other.digest])
    }).pipe(Effect.provide(recordWith(() => Effect.succeed(1))))
  )

  it.effect("fails as the store does", () => {
    const error = new StoreError({ operation: "JournalStore.append", cause: "away" })
    return Effect.gen(function* () {
      assert.strictEqual(yield* Effect.flip(record({})), error)
    }).pipe(Effect.provide(recordWith(() => Effect.fail(error))))
  })
})
