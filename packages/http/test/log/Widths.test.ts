/** Tiles and entry bundles of every width that was ever published: each is the beginning of every wider one. */

import { JournalStore } from "@attestry/core/JournalStore"
import { OrgStore } from "@attestry/core/OrgStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Bytes from "@attestry/transparency-log/Bytes"
import { Effect } from "effect"
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

const ENTRIES = 300

onBothStores("tiles of every width", ({ call, org, run }) => {
  const read = async (level: string, tile_path: string) => {
    const operation =
      level === "entries"
        ? "GET /log/{org}/tile/entries/{tile_path}"
        : "GET /log/{org}/tile/{level}/{tile_path}"
    const path = level === "entries" ? { tile_path } : { level, tile_path }
    const { status, body } = await call(operation, { path })
    return status === 200 && body instanceof Uint8Array ? body : undefined
  }
  const grow = (count: number) =>
    run(
      Effect.gen(function* () {
        const orgs = yield* (yield* OrgStore).list
        const own = orgs.find(({ name }) => name === org)
        if (own === undefined) return
        yield* (yield* JournalStore).appendAll(
          Array.from({ length: count }, (_, place) => ({
            org_id: own.id,
            kind: "k",
            subject: { type: "flow", id: `s${place % 7}` },
            actor: { kind: "user" as const, id: "u", name: "anna" },
            at: Timestamp.fromMicros(1),
            content: `{"place":${place}}`,
            digest: "0".repeat(64)
          }))
        )
      })
    )
  const sizeOf = async () => ((await call("GET /log/{org}")).body as { size: number }).size

  it("LOG-6: are the beginning of every wider one, also after the log has grown", async () => {
    await grow(200)
    const before = await sizeOf()
    assert.isBelow(before, 256)
    const early = new Map<string, Uint8Array | undefined>()
    for (const level of ["0", "entries"]) {
      early.set(level, await read(level, `000.p/${before}`))
      assert.isUndefined(await read(level, `000.p/${before + 1}`))
      assert.isUndefined(await read(level, "000"))
    }
    await grow(ENTRIES)
    assert.isAbove(await sizeOf(), 256)
    for (const level of ["0", "entries"]) {
      const full = (await read(level, "000")) ?? new Uint8Array(0)
      assert.isNotEmpty([...full])
      for (const width of [1, 2, 3, 100, before, 255]) {
        const part = (await read(level, `000.p/${width}`)) ?? new Uint8Array(0)
        assert.isNotEmpty([...part])
        assert.isTrue(Bytes.equals(part, full.subarray(0, part.byteLength)), `${level} ${width}`)
        if (level === "0") assert.strictEqual(part.byteLength, 32 * width)
      }
      assert.deepStrictEqual(await read(level, `000.p/${before}`), early.get(level))
      assert.isUndefined(await read(level, "000.p/256"))
    }
    assert.strictEqual((await read("1", "000.p/1"))?.byteLength, 32)
    assert.isUndefined(await read("1", "000.p/2"))
  })
})
