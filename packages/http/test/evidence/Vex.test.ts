/** VEX decides outcomes: verified statements take findings of scans away, and what was recorded stays. */
import { createHash } from "node:crypto"
import type { VexStatement } from "@attestry/core/EvidenceFacts"
import { FastCheck } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"
import { fileOf, type PlainLine } from "./PlainReader.js"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** The reader of these tests says itself what is verified, so that the key signs nothing. */
const trust = (failOn: string) => `_schema: https://example.org/schemas/trust-policy/v1
scan: { fail_on: ${failOn} }
keys:
  - id: k
    public_key: |
      -----BEGIN PUBLIC KEY-----
      MCowBQYDK2VwAyEA/f4ifDG5rCDGJzrnOS5kJeSvU2zq7MwTTVt+Nu3LgXg=
      -----END PUBLIC KEY-----
rules:
  - name: any
    kinds: [vex]
    signer: { keys: [k] }
  - name: shop
    kinds: [vex]
    signer: { keys: [k] }
    flows: [shop]
`

interface Link {
  readonly is_compliant: boolean
  readonly created: boolean
  readonly flow_name: string
}

interface Submitted {
  readonly documents: ReadonlyArray<{
    readonly digest: string
    readonly links: ReadonlyArray<Link>
  }>
}

interface Shown {
  readonly trail_name: string
  readonly is_compliant: boolean
  readonly attestation_data: {
    readonly counts: object
    readonly after_vex?: {
      readonly counts: object
      readonly denied_count: number
      readonly denied: ReadonlyArray<object>
    }
  }
}

onEveryStore("VEX", ({ call }) => {
  let count = 0
  const next = (word: string) => {
    count += 1
    return `${word}-${count}`
  }
  const trusting = async (failOn: string) => {
    const { body, status } = await call("PUT /trust-policy/{org}", {
      body: { trust_yaml: trust(failOn) }
    })
    assert.include([200, 201], status, JSON.stringify(body))
  }
  beforeAll(() => trusting("high"))

  /** Sends a file to a trail of its own. */
  const send = async (
    { fingerprint, flow = "vex" }: { readonly fingerprint?: string; readonly flow?: string },
    ...lines: ReadonlyArray<PlainLine>
  ) => {
    const trail = next("run")
    const place = `flow_name=${flow}&trail_name=${trail}`
    const query = fingerprint === undefined ? place : `${place}&fingerprint=${fingerprint}`
    const file = fileOf(...lines.map((line) => ({ salt: next("salt"), ...line })))
    const { body, status } = await call("POST /evidence/{org}", { query: `?${query}`, raw: file })
    assert.strictEqual(status, 201, JSON.stringify(body))
    const { documents } = body as Submitted
    const last = documents.at(-1)
    const compliant = last?.links.map(({ is_compliant }) => is_compliant)
    return { flow, trail, file, digest: last?.digest ?? "", compliant, documents }
  }
  const vex = (statement: PlainLine["statements"], rule = "any") =>
    send({}, { kind: "vex", rule, statements: statement ?? [] })
  /** The attestations of a trail, newest first. */
  const shown = async ({ flow, trail }: { readonly flow: string; readonly trail: string }) => {
    const { body } = await call("GET /attestations/{org}/{flow_name}", {
      path: { flow_name: flow },
      query: "?per_page=100"
    })
    const { data } = body as { readonly data: ReadonlyArray<Shown> }
    return data.filter(({ trail_name }) => trail_name === trail)
  }
  const judge = async (digest: string) => {
    const { body, status } = await call("POST /evidence/{org}/{digest}/judge", { path: { digest } })
    assert.include([200, 201], status, JSON.stringify(body))
    return (body as { readonly links: ReadonlyArray<Link> }).links
  }
  /** A scan with one finding of its own. */
  const scanOf = (...ids: ReadonlyArray<string>): PlainLine => ({
    kind: "scan",
    findings: ids.map((id) => ({ id, severity: "high", purl: "pkg:npm/x@1" }))
  })
  const counts = (high: number, suppressed: number) => ({
    critical: 0,
    high,
    medium: 0,
    low: 0,
    negligible: 0,
    unknown: 0,
    total: high,
    suppressed
  })

  describe("a verified statement", () => {
    it("takes a finding away, and the attestation says which one", async () => {
      const [id, other] = [next("CVE"), next("CVE")]
      const { digest } = await vex([{ vulnerability: id }])
      const scan = await send({}, scanOf(id, other))
      assert.deepStrictEqual(scan.compliant, [false])
      assert.deepStrictEqual((await send({}, scanOf(id))).compliant, [true])
      const [attestation] = await shown(scan)
      assert.deepStrictEqual(attestation?.attestation_data.counts, counts(2, 0))
      assert.deepStrictEqual(attestation?.attestation_data.after_vex, {
        counts: counts(1, 1),
        denied_count: 1,
        denied: [
          {
            id,
            severity: "high",
            purl: "pkg:npm/x@1",
            product: "pkg:npm/x@1",
            status: "fixed",
            digest,
            position: 1
          }
        ]
      })
    })

    it("decides only with a reason where it says `not_affected`", async () => {
      const id = next("CVE")
      await vex([{ vulnerability: id, status: "not_affected", at: 1 }])
      assert.deepStrictEqual((await send({}, scanOf(id))).compliant, [false])
      const reason = { justification: "component_not_present" }
      await vex([{ vulnerability: id, status: "not_affected", at: 2, ...reason }])
      assert.deepStrictEqual((await send({}, scanOf(id))).compliant, [true])
      await vex([{ vulnerability: id, status: "affected", at: 3 }])
      assert.deepStrictEqual((await send({}, scanOf(id))).compliant, [false])
    })

    it("is about the image that the caller names", async () => {
      const [id, image] = [next("CVE"), sha256(next("image"))]
      await vex([{ vulnerability: id, product: image }])
      assert.deepStrictEqual((await send({}, scanOf(id))).compliant, [false])
      const subjects = [{ sha256: image }, { sha256: sha256("other") }]
      const flow = "images"
      await call("POST /artifacts/{org}/{flow_name}", {
        path: { flow_name: flow },
        body: {
          fingerprint: image,
          filename: "shop.tar",
          build_url: "https://ci.example.org/1",
          commit_url: "https://git.example.org/1",
          git_commit: "1".repeat(40),
          trail_name: "one",
          template_reference_name: "app"
        }
      })
      const sent = async (query: string) => {
        const raw = fileOf({ ...scanOf(id), subjects, salt: next("salt") })
        const { body } = await call("POST /evidence/{org}", { query, raw })
        return (body as Submitted).documents[0]
      }
      assert.isTrue((await sent(`?fingerprint=${image}`))?.links[0]?.is_compliant)
      // A scan of two images names them itself, and the statement is about one of them.
      const both = await sent("")
      assert.isFalse(both?.links[0]?.is_compliant)
      // The attestation is about one of them.
      assert.isTrue((await judge(both?.digest ?? ""))[0]?.is_compliant)
    })

    it("decides in the flows of its rule alone", async () => {
      const id = next("CVE")
      await vex([{ vulnerability: id }], "shop")
      assert.deepStrictEqual((await send({}, scanOf(id))).compliant, [false])
      assert.deepStrictEqual((await send({ flow: "shop" }, scanOf(id))).compliant, [true])
    })

    it("of the same file decides too", async () => {
      const id = next("CVE")
      const statements = [{ vulnerability: id }]
      const sent = await send({}, { kind: "vex", rule: "any", statements }, scanOf(id))
      assert.deepStrictEqual(sent.compliant, [true])
    })

    it("takes away findings that the facts do not list, also of a known file", async () => {
      const [one, two] = [next("CVE"), next("CVE")]
      const scan = await send({}, { ...scanOf(one, two), listed: 1 })
      assert.deepStrictEqual(scan.compliant, [false])
      await vex([{ vulnerability: one }, { vulnerability: two }])
      const again = await call("POST /evidence/{org}", {
        query: `?flow_name=vex&trail_name=${next("run")}`,
        raw: scan.file
      })
      assert.isTrue((again.body as Submitted).documents[0]?.links[0]?.is_compliant)
    })
  })

  it("changes no recorded attestation, and judging again does (V-10)", async () => {
    const id = next("CVE")
    const scan = await send({}, scanOf(id))
    const before = await shown(scan)
    assert.deepStrictEqual(
      (await judge(scan.digest)).map(({ created }) => created),
      [false]
    )
    await vex([{ vulnerability: id }])
    assert.deepStrictEqual(await shown(scan), before)
    const [judged] = await judge(scan.digest)
    assert.deepInclude(judged, { created: true, is_compliant: true })
    const after = await shown(scan)
    assert.deepStrictEqual(after.slice(1), before)
    assert.strictEqual(after[0]?.attestation_data.after_vex?.denied_count, 1)
    await vex([{ vulnerability: id, status: "affected", at: 1 }])
    const [back] = await judge(scan.digest)
    assert.deepInclude(back, { created: true, is_compliant: false })
  })

  describe("laws of VEX", () => {
    const said = FastCheck.record({
      status: FastCheck.constantFrom<VexStatement["status"]>("fixed", "affected", "not_affected"),
      justification: FastCheck.constantFrom(null, "not there"),
      at: FastCheck.constantFrom(1, 2, 3),
      isVerified: FastCheck.boolean()
    })
    const lists = FastCheck.sample(FastCheck.array(said, { minLength: 1, maxLength: 4 }), {
      numRuns: 6,
      seed: 13
    })
    const outcomeAfter = async (list: (typeof lists)[number]) => {
      const id = next("CVE")
      for (const { isVerified, ...statement } of list) {
        const line = { kind: "vex" as const, statements: [{ vulnerability: id, ...statement }] }
        await send({}, isVerified ? { ...line, rule: "any" } : line)
      }
      return (await send({}, scanOf(id))).compliant
    }

    it("V-13: unverified statements change nothing, and the newest verified one decides", async () => {
      for (const list of lists) {
        const verified = list.filter(({ isVerified }) => isVerified)
        const outcome = await outcomeAfter(list)
        assert.deepStrictEqual(await outcomeAfter(verified), outcome)
        // Statements of one time have the order of their arrival, which the reversed list changes.
        const times = new Set(verified.map(({ at }) => at))
        if (times.size === verified.length)
          assert.deepStrictEqual(await outcomeAfter([...list].reverse()), outcome)
        const newest = [...verified].sort((left, right) => left.at - right.at).at(-1)
        const isTaken =
          newest?.status === "fixed" ||
          (newest?.status === "not_affected" && newest.justification !== null)
        assert.deepStrictEqual(outcome, [isTaken])
      }
    }, 60_000)

    it("V-14: a lower threshold never turns non-compliant into compliant", async () => {
      const severities = ["critical", "high", "medium", "low", "negligible", "unknown"] as const
      const ids = severities.map(() => next("CVE"))
      await vex(ids.slice(1, 3).map((vulnerability) => ({ vulnerability })))
      const scans = FastCheck.sample(FastCheck.subarray([...severities], { minLength: 1 }), {
        numRuns: 5,
        seed: 14
      })
      const outcomes: Array<ReadonlyArray<boolean>> = []
      for (const failOn of ["any", "low", "medium", "high", "critical"]) {
        await trusting(failOn)
        const row: Array<boolean> = []
        for (const chosen of scans) {
          const findings = chosen.map((severity) => {
            const id = ids[severities.indexOf(severity)] ?? ""
            return { id, severity, purl: "pkg:npm/x@1" }
          })
          row.push((await send({}, { kind: "scan", findings })).compliant?.[0] ?? false)
        }
        outcomes.push(row)
      }
      await trusting("high")
      outcomes.slice(1).forEach((row, index) => {
        const lower = outcomes[index] ?? []
        lower.forEach((isCompliant, at) => {
          if (isCompliant) assert.isTrue(row[at], `${scans[at]} at threshold ${index + 1}`)
        })
      })
      assert.includeMembers(outcomes.flat(), [true, false])
    }, 60_000)
  })
})
