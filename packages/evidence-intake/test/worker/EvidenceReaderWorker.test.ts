/** Reads files in threads: documents and problems cross over, and limits end a thread alone. */
import { EvidenceReader } from "@attestry/core/EvidenceReader"
import { OrgId } from "@attestry/core/Identifier"
import { NONE } from "@attestry/core/TrustPolicyDocument"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import * as EvidenceReaderWorker from "../../src/EvidenceReaderWorker.js"

const SHA = "a".repeat(64)

const statement = (predicate: object = { result: "fine" }) => ({
  _type: "https://in-toto.io/Statement/v1",
  subject: [{ name: "shop", digest: { sha256: SHA } }],
  predicateType: "https://example.org/predicate/v1",
  predicate
})

const bytesOf = (content: unknown) =>
  new TextEncoder().encode(typeof content === "string" ? content : JSON.stringify(content))

const read = (content: unknown, org = "one") =>
  Effect.flatMap(EvidenceReader, (reader) =>
    reader.read({ org: OrgId.make(org), bytes: bytesOf(content), trust: NONE })
  )

const withReader = (limits: Partial<EvidenceReaderWorker.ReaderLimits> = {}) =>
  Effect.provide(EvidenceReaderWorker.layer(new Map(), limits))

const ISSUES = Array.from({ length: 20_000 }, (_, at) => JSON.stringify(statement({ at })))

describe("EvidenceReaderWorker", () => {
  it.live("returns documents with their verification", () =>
    Effect.gen(function* () {
      const { documents, ignored } = yield* read(statement())
      assert.deepStrictEqual(ignored, [])
      assert.strictEqual(documents.length, 1)
      const [document] = documents
      assert.strictEqual(document?.facts.kind, "statement")
      assert.strictEqual(document?.predicateType, "https://example.org/predicate/v1")
      assert.strictEqual(document?.verification.state, "unsigned")
      assert.deepStrictEqual(document?.subjects, [{ name: "shop", digest: { sha256: SHA } }])
    }).pipe(withReader())
  )

  it.live("returns problems by their kinds", () =>
    Effect.gen(function* () {
      const failureOf = (content: unknown) => Effect.flip(read(content))
      assert.strictEqual((yield* failureOf("no evidence"))._tag, "EvidenceUnreadable")
      assert.strictEqual((yield* failureOf("PK\u0003\u0004"))._tag, "EvidenceIsArchive")
      const long = JSON.stringify(statement({ text: "x".repeat(2_000) }))
      assert.strictEqual((yield* failureOf(long))._tag, "EvidenceTooLarge")
    }).pipe(withReader({ fileBytes: 2_000 }))
  )

  it.live("ends a thread that takes too long, and starts another for the next file", () =>
    Effect.gen(function* () {
      const slow = ISSUES.slice(0, 1_000).join("\n")
      const failure = yield* Effect.flip(read(slow))
      assert.strictEqual(failure._tag, "EvidenceTooLarge")
      const again = yield* Effect.either(read(slow))
      assert.isTrue(Either.isLeft(again) && again.left._tag === "EvidenceTooLarge")
    }).pipe(withReader({ file: "1 millis", threads: 1 }))
  )

  it.live("refuses a file when too many wait", () =>
    Effect.gen(function* () {
      const files = Array.from({ length: 6 }, (_, at) => read(statement({ at }), `org-${at}`))
      const all = yield* Effect.all(files.map(Effect.either), { concurrency: "unbounded" })
      const refused = all.filter(Either.isLeft)
      assert.strictEqual(refused.length, 3)
      for (const { left } of refused) assert.strictEqual(left._tag, "EvidenceReadersBusy")
      const { documents } = yield* read(statement())
      assert.strictEqual(documents.length, 1)
    }).pipe(withReader({ threads: 1, waitingMax: 2 }))
  )
})
