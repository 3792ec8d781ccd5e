/** Laws of evidence files with generated files, targets and orders: V-8 to V-10 on the wire. */
import { randomUUID } from "node:crypto"
import { EvidenceReader } from "@attestry/core/EvidenceReader"
import { Effect, FastCheck, Layer } from "effect"
import { assert, beforeAll, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"
import {
  COMMIT,
  check,
  documentsOf,
  RUNS,
  requests,
  type Submitted,
  sha256,
  TIMEOUT
} from "./EvidenceRequests.js"
import * as PlainReader from "./PlainReader.js"

const PRINTS = ["a", "b", "c", "d"].map((name) => sha256(`laws of evidence ${name}`))

const subject = FastCheck.oneof(
  FastCheck.constantFrom(...PRINTS).map((print) => ({ sha256: print })),
  FastCheck.constantFrom(...PRINTS).map((print) => ({ sha256: print.toUpperCase() })),
  FastCheck.constantFrom({ gitCommit: COMMIT }, { sha512: "e".repeat(128) })
)

onEveryStore("subjects of evidence", (server) => {
  const { accepted, report, send } = requests(server)

  /** The links of each document, without what differs between two files. */
  const placesOf = (documents: Submitted["documents"]) =>
    documents.map(({ links, waiting }) => ({
      waiting: [...waiting].sort(),
      links: links
        .map((link) => `${link.flow_name}/${link.trail_name}/${link.artifact_fingerprint}`)
        .sort()
    }))

  beforeAll(async () => {
    // The first three artifacts are on trails, one of them in two flows; the last one is reported to none.
    const [one = "", two = "", three = ""] = PRINTS
    await report("v8-shop", "run", one)
    await report("v8-shop", "run", two)
    await report("v8-pay", "run", two)
    await report("v8-pay", "later", three)
  })

  it(
    "V-8: attestations are about subjects, or what the caller named, in every order of subjects",
    () =>
      check(
        FastCheck.record({
          orders: FastCheck.array(subject, { maxLength: 5 }).chain((all) =>
            FastCheck.tuple(
              FastCheck.constant(all),
              FastCheck.shuffledSubarray(all, { minLength: all.length })
            )
          ),
          trail: FastCheck.constantFrom(
            "",
            "",
            "&flow_name=v8-shop&trail_name=run",
            "&flow_name=v8-pay&trail_name=later"
          ),
          fingerprint: FastCheck.option(FastCheck.constantFrom(...PRINTS))
        }),
        async ({ fingerprint, orders: [subjects, shuffled], trail }) => {
          const query = `?description=d${trail}${fingerprint === null ? "" : `&fingerprint=${fingerprint}`}`
          const salt = randomUUID()
          const first = await send(PlainReader.fileOf({ salt, subjects }), query)
          const second = await send(
            PlainReader.fileOf({ salt: `${salt}-2`, subjects: shuffled }),
            query
          )
          assert.strictEqual(second.status, first.status)
          const own = subjects.flatMap((each) =>
            "sha256" in each ? each.sha256.toLowerCase() : []
          )
          if (first.status >= 400) {
            assert.oneOf(first.status, [400, 404], JSON.stringify(first.body))
            return
          }
          const [places] = [placesOf(documentsOf(first.body)), placesOf(documentsOf(second.body))]
          assert.deepStrictEqual(placesOf(documentsOf(second.body)), places)
          for (const { links, waiting } of documentsOf(first.body)) {
            for (const { artifact_fingerprint: about } of links) {
              if (fingerprint !== null) assert.strictEqual(about, fingerprint)
              if (about === null) assert.deepStrictEqual(own, [])
              else if (subjects.length > 0) assert.include(own, about)
              else assert.strictEqual(about, fingerprint)
            }
            for (const print of waiting) assert.include(own, print)
          }
        },
        RUNS * 3
      ),
    TIMEOUT
  )

  it(
    "V-8: a file of which every line is about a subject reaches each artifact once",
    () =>
      check(
        FastCheck.uniqueArray(FastCheck.constantFrom(...PRINTS), { minLength: 1 }),
        async (prints) => {
          const lines = prints.map((print) => ({
            salt: randomUUID(),
            subjects: [{ sha256: print }]
          }))
          const { documents } = await accepted(PlainReader.fileOf(...lines))
          const together = await accepted(
            PlainReader.fileOf({
              salt: randomUUID(),
              subjects: prints.map((sha) => ({ sha256: sha }))
            })
          )
          const apart = placesOf(documents)
          assert.deepStrictEqual(placesOf(together.documents), [
            {
              waiting: apart.flatMap(({ waiting }) => waiting).sort(),
              links: apart.flatMap(({ links }) => links).sort()
            }
          ])
        }
      ),
    TIMEOUT
  )
})

const scan = FastCheck.subarray(["low", "high"] as const).map(
  (severities): PlainReader.PlainLine => ({
    kind: "scan",
    findings: severities.map((severity) => ({ id: `CVE-${severity}`, severity, purl: null }))
  })
)

/** What a file says about an artifact, compliant or not, verified or not. */
const line: FastCheck.Arbitrary<PlainReader.PlainLine> = FastCheck.oneof(
  FastCheck.constantFrom<PlainReader.PlainLine>(
    { kind: "sbom", components: 1 },
    { kind: "sbom", components: 0 },
    { kind: "sbom", components: 1, state: "failed" },
    { kind: "provenance", rule: "base" },
    { kind: "provenance", rule: "nobody" },
    { kind: "provenance" }
  ),
  scan
)

onEveryStore("the order of evidence and artifacts", (server) => {
  const { accepted, attestations, report, status, template, trust } = requests(server)
  beforeAll(() => trust("high", []))

  /** A status or attestation without what differs between two runs of one history. */
  const compared = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, member: unknown) =>
        /(?:_id|_at|fingerprint|url|_by)$/.test(key) ? undefined : member
      )
    )

  const outcomesOf = async (flow: string) =>
    (await attestations(flow)).map(
      ({ attestation_name, attestation_type, is_compliant, trail_name, verification }) => ({
        attestation_name,
        attestation_type,
        is_compliant,
        trail_name,
        verification
      })
    )

  /** Files about an artifact that is reported after some of them; each file is sent so many times. */
  const play = async (
    lines: ReadonlyArray<PlainReader.PlainLine>,
    { reportedAfter, times }: { readonly reportedAfter: number; readonly times: number }
  ) => {
    const flow = `v9-${randomUUID()}`
    const fingerprint = sha256(flow)
    await template(flow)
    const digests: Array<string> = []
    for (const [at, each] of [...lines, null].entries()) {
      if (at === reportedAfter) await report(flow, "run", fingerprint)
      if (each === null) continue
      const file = PlainReader.fileOf({ ...each, salt: flow, subjects: [{ sha256: fingerprint }] })
      digests.push(sha256(file))
      for (let time = 0; time < times; time++) {
        const answer = await accepted(file)
        const isNew = time === 0 && digests.indexOf(sha256(file)) === digests.length - 1
        assert.strictEqual(answer.status, isNew ? 201 : 200)
      }
    }
    return {
      flow,
      digests,
      status: compared(await status(flow, "run")),
      all: await outcomesOf(flow)
    }
  }

  it(
    "V-9: a file that is accepted again records nothing, and one before the artifact leads where one after it does",
    () =>
      check(
        FastCheck.record({
          lines: FastCheck.array(line, { minLength: 1, maxLength: 4 }),
          reportedAfter: FastCheck.nat(4),
          times: FastCheck.integer({ min: 1, max: 2 })
        }),
        async ({ lines, reportedAfter, times }) => {
          const first = await play(lines, { reportedAfter: 0, times: 1 })
          const later = await play(lines, {
            reportedAfter: Math.min(reportedAfter, lines.length),
            times
          })
          assert.deepStrictEqual(later.all, first.all)
          assert.deepStrictEqual(later.status, first.status)
          const entries = (await server.journal()).length
          for (const digest of new Set(later.digests)) {
            const { body } = await server.call("GET /evidence/{org}/{digest}/raw", {
              path: { digest }
            })
            const text = new TextDecoder().decode(body as Uint8Array)
            assert.strictEqual((await accepted(text)).status, 200)
          }
          assert.strictEqual((await server.journal()).length, entries)
        }
      ),
    TIMEOUT
  )
})

/** The reader of these tests as of a version; a later one finds more in the same bytes. */
const reader = { version: 1 }

const versioned = Layer.effect(
  EvidenceReader,
  Effect.gen(function* () {
    const plain = yield* EvidenceReader
    return {
      get version() {
        return `plain-${reader.version}`
      },
      read: (request) =>
        Effect.map(plain.read(request), ({ documents, ignored }) => ({
          ignored,
          documents: documents.map((document) => ({
            ...document,
            facts: {
              ...document.facts,
              tool: { name: "reader", version: String(reader.version) }
            }
          }))
        }))
    }
  })
).pipe(Layer.provide(PlainReader.layer))

const changes = FastCheck.array(
  FastCheck.oneof(
    FastCheck.record({
      do: FastCheck.constant("trust" as const),
      failOn: FastCheck.constantFrom("any", "low", "high", "critical"),
      rules: FastCheck.subarray(["one", "two"])
    }),
    FastCheck.record({
      do: FastCheck.constant("vex" as const),
      id: FastCheck.constantFrom("CVE-low", "CVE-high"),
      status: FastCheck.constantFrom("fixed" as const, "affected" as const),
      rule: FastCheck.constantFrom("base", "one")
    }),
    FastCheck.record({ do: FastCheck.constantFrom("reader", "repeat", "report", "judge") })
  ),
  { minLength: 2, maxLength: 6 }
)

onEveryStore(
  "recorded outcomes",
  (server) => {
    const { accepted, attestations, judge, report, trust } = requests(server)

    const shown = async (digest: string) => {
      const { body, status } = await server.call("GET /evidence/{org}/{digest}", {
        path: { digest }
      })
      assert.strictEqual(status, 200)
      const { links: _, ...document } = body as { readonly links: unknown }
      return document
    }

    it(
      "V-10: later trust policies, VEX and reader versions change no recorded attestation or document",
      () =>
        check(
          FastCheck.record({
            lines: FastCheck.array(
              FastCheck.oneof(
                line,
                FastCheck.constantFrom<PlainReader.PlainLine>(
                  { kind: "provenance", rule: "one" },
                  { kind: "sbom", rule: "two" }
                )
              ),
              { minLength: 1, maxLength: 3 }
            ),
            changes
          }),
          async ({ changes: all, lines }) => {
            reader.version = 1
            await trust("high", ["one"])
            const flow = `v10-${randomUUID()}`
            const fingerprint = sha256(flow)
            const files = lines.map((each, at) =>
              PlainReader.fileOf({
                ...each,
                salt: `${flow} ${at}`,
                subjects: [{ sha256: fingerprint }]
              })
            )
            await report(flow, "run", fingerprint)
            for (const file of files) await accepted(file)
            let recorded = await attestations(flow)
            assert.strictEqual(recorded.length, files.length)
            const documents = await Promise.all(files.map((file) => shown(sha256(file))))
            for (const change of all) {
              if ("failOn" in change) await trust(change.failOn, change.rules)
              else if ("id" in change) {
                const statements = [
                  { vulnerability: change.id, product: fingerprint, status: change.status, at: 1 }
                ]
                const { rule } = change
                const file = PlainReader.fileOf({
                  kind: "vex",
                  salt: randomUUID(),
                  statements,
                  rule
                })
                await accepted(file, `?flow_name=${flow}&trail_name=vex`)
              } else if (change.do === "reader") reader.version += 1
              else if (change.do === "repeat") for (const file of files) await accepted(file)
              else if (change.do === "report") await report(flow, "run", fingerprint)
              else for (const file of files) await judge(sha256(file))
              const now = await attestations(flow)
              assert.deepStrictEqual(
                now.slice(0, recorded.length),
                recorded,
                JSON.stringify(change)
              )
              const added = now.slice(recorded.length)
              if (!("id" in change) && change.do !== "judge") assert.deepStrictEqual(added, [])
              recorded = now
            }
            assert.deepStrictEqual(
              await Promise.all(files.map((file) => shown(sha256(file)))),
              documents
            )
          }
        ),
      TIMEOUT
    )
  },
  { services: versioned }
)
