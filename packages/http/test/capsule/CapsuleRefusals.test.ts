/** When no capsule is made: limits of bytes and files, one at a time, a log that is behind, and partial readers. */
import { LIMITS } from "@attestry/core/CapsuleHost"
import * as CapsuleMembers from "@attestry/core/CapsuleMembers"
import { Effect, Either, Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { fill, GOOD, report } from "../receipt/ReceiptWorld.js"
import { onBothStores, onEveryStore } from "../shared/TestServer.js"
import { partialWorld, text } from "../space/PartialWorld.js"
import { fileOf, host, hostWith, inflate, reportOf } from "./CapsuleWorld.js"

const CREATE = "POST /capsules/{org}"
const TRAIL = { trails: [{ flow_name: "shop", trail_name: "t1" }] }
const FILES = ["the first report", "and the second one"]

const limits = { ...LIMITS }

onBothStores(
  "the size of audit capsules",
  (server) => {
    const { call } = server

    beforeAll(async () => {
      await fill(server)
      for (const [at, content] of FILES.entries()) {
        const form = new FormData()
        form.append(
          "data_json",
          JSON.stringify({ attestation_name: `report-${at}`, is_compliant: true })
        )
        form.append("attachment_file", new Blob([content]), "report.txt")
        const { status } = await call(
          "POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic",
          { path: { flow_name: "shop", trail_name: "t1" }, raw: form }
        )
        assert.strictEqual(status, 201)
      }
    }, 60_000)

    /** What a request is refused for; undefined if a capsule is made. */
    const refusalOf = async (body: object, own: Partial<typeof limits>) => {
      Object.assign(limits, LIMITS, own)
      const { body: answer, status } = await call(CREATE, { body, as: "reader" })
      Object.assign(limits, LIMITS)
      if (status === 200) return undefined
      assert.strictEqual(status, 400)
      return JSON.stringify(answer)
    }

    it("has at most so many bytes of entries", async () => {
      const refused = (await refusalOf(TRAIL, { bytes: 1 })) ?? ""
      const bytes = Number(/has (\d+) bytes, and a capsule has at most 1:/.exec(refused)?.[1])
      assert.match((await refusalOf(TRAIL, { bytes: bytes - 1 })) ?? "", /bytes/)
      assert.isUndefined(await refusalOf(TRAIL, { bytes }))
    })

    it("has at most so many bytes with its files", async () => {
      const asked = { ...TRAIL, evidence: "files" }
      const [entries = 0] = [
        Number(/has (\d+) bytes/.exec((await refusalOf(TRAIL, { bytes: 1 })) ?? "")?.[1])
      ]
      const form = new FormData()
      form.append("data_json", JSON.stringify({ attestation_name: "large", is_compliant: true }))
      form.append("attachment_file", new Blob(["x".repeat(entries * 2)]), "large.txt")
      await call("PUT /trails/{org}/{flow_name}", {
        path: { flow_name: "shop" },
        body: { name: "large", description: "x" }
      })
      const { status } = await call(
        "POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic",
        { path: { flow_name: "shop", trail_name: "large" }, raw: form }
      )
      assert.strictEqual(status, 201)
      const large = { trails: [{ flow_name: "shop", trail_name: "large" }], evidence: "files" }
      const refused = (await refusalOf(large, { bytes: entries * 2 })) ?? ""
      const bytes = Number(/has (\d+) bytes/.exec(refused)?.[1])
      assert.isAbove(bytes, entries * 2)
      assert.match((await refusalOf(large, { bytes: bytes - 1 })) ?? "", /bytes/)
      assert.isUndefined(await refusalOf(large, { bytes }))
      assert.isUndefined(await refusalOf({ ...large, evidence: "bodies" }, { bytes: bytes - 1 }))
      assert.isUndefined(await refusalOf(asked, {}))
    })

    it("has at most so many files, and proves each", async () => {
      const asked = { ...TRAIL, evidence: "files" }
      assert.match(
        (await refusalOf(asked, { files: FILES.length - 1 })) ?? "",
        /has 2 files, and a capsule has at most 1:/
      )
      assert.isUndefined(await refusalOf(asked, { files: FILES.length }))
      const file = await fileOf(server, asked)
      const { contents, manifest } = Either.getOrThrow(await CapsuleMembers.open(file, { inflate }))
      assert.strictEqual(manifest.counts.files, FILES.length)
      const { outcome, proved } = await reportOf(file)
      assert.strictEqual(outcome, "proved")
      const named = proved.flatMap((claim) => (claim.type === "file" ? [claim.sha256] : []))
      const texts = named.map((sha256) =>
        new TextDecoder().decode(contents.get(`blobs/sha256/${sha256}`))
      )
      assert.deepStrictEqual([...texts].sort(), [...FILES].sort())
      const without = Either.getOrThrow(
        await CapsuleMembers.open(await fileOf(server, TRAIL), { inflate })
      )
      assert.strictEqual(without.manifest.counts.files, 0)
    })
  },
  { services: hostWith({ limits }) }
)

/** A packer that waits before its first piece, once. */
const gate = () => {
  let [isOpen, reached, open] = [false, () => {}, () => {}]
  const isReached = new Promise<void>((resolve) => {
    reached = resolve
  })
  const opened = new Promise<void>((resolve) => {
    open = () => {
      isOpen = true
      resolve()
    }
  })
  const pass = Effect.promise(async () => {
    if (isOpen) return
    reached()
    await opened
  })
  return { isReached, open, pass }
}

const busy = gate()
const asIs = Effect.as(busy.pass, {
  add: (bytes: Uint8Array) => Effect.succeed(bytes),
  end: Effect.succeed(new Uint8Array())
})

onEveryStore(
  "the making of audit capsules",
  (server) => {
    it("is done for an org once at a time", async () => {
      await fill(server)
      const first = server.call(CREATE, { body: TRAIL, as: "reader" })
      await busy.isReached
      const second = await server.call(CREATE, { body: TRAIL, as: "reader" })
      assert.strictEqual(second.status, 503)
      assert.match(JSON.stringify(second.body), /Another capsule of 'acme' is being made/)
      busy.open()
      assert.strictEqual((await first).status, 200)
      assert.strictEqual((await server.call(CREATE, { body: TRAIL, as: "reader" })).status, 200)
    })
  },
  { services: hostWith({ deflate: Option.some(asIs) }) }
)

const lines: Array<string> = []

onBothStores(
  "audit capsules of a log that is behind",
  (server) => {
    it("are not made before every selected snapshot has its entry", async () => {
      await fill(server)
      const asked = { environments: [{ name: "prod", at: "-1" }] }
      const { size } = await reportOf(await fileOf(server, asked))
      await report(server, "prod", [])
      const behind = await server.call(CREATE, { body: { ...asked, size }, as: "reader" })
      assert.strictEqual(behind.status, 503)
      assert.match(JSON.stringify(behind.body), /does not have every selected snapshot yet/)
      const logged = lines.splice(0).filter((line) => line.includes("answered 503"))
      assert.lengthOf(logged, 1)
      assert.match(logged[0] ?? "", /level=WARN .*does not have every selected snapshot yet/)
      assert.notMatch(logged[0] ?? "", /cause=/)
      const first = { environments: [{ name: "prod", at: "1" }], size }
      assert.strictEqual((await reportOf(await fileOf(server, first))).size, size)
      assert.strictEqual((await reportOf(await fileOf(server, asked))).outcome, "proved")
    })
  },
  { services: host, logs: lines }
)

onEveryStore(
  "audit capsules for readers of a part of an org",
  (server) => {
    const world = partialWorld(server)
    beforeAll(world.prepare)

    it("are refused, whether the selection is readable or not", async () => {
      for (const name of ["mine", "absent"]) {
        const body = { environments: [{ name }] }
        const answer = await server.call(CREATE, { body, ...world.as("sam") })
        assert.strictEqual(answer.status, 403, text(answer))
      }
      const body = { fingerprints: [GOOD] }
      const answer = await server.call(CREATE, { body, ...world.as("pat") })
      assert.strictEqual(answer.status, 403, text(answer))
    })
  },
  { services: host }
)
