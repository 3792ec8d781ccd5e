/** The receipts in audit packages, checked as their reader does: with the files of the package alone. */
import * as ReceiptKeySet from "@attestry/core/ReceiptKeySet"
import { Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { fill, GOOD, readerOf, report } from "../receipt/ReceiptWorld.js"
import { onBothStores } from "../shared/TestServer.js"
import { unpack } from "./Unpacked.js"

onBothStores("the receipts of audit packages", (server) => {
  const { verify } = readerOf(server)
  const filesOf = async (operation: string, path: { readonly [name: string]: string }) => {
    const answer = await server.call(operation, { path, as: "reader" })
    assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
    const files = await unpack(answer.body as Uint8Array)
    return new Map(files.map(({ bytes, name }) => [name, new TextDecoder().decode(bytes)]))
  }
  const ofTrail = () =>
    filesOf("GET /trails/{org}/{flow_name}/{trail_name}/audit_package", {
      flow_name: "shop",
      trail_name: "t1"
    })

  beforeAll(async () => {
    await fill(server)
    await report(server, "open", [])
  })

  it("are of the newest snapshot with the artifact, also where it runs no more", async () => {
    for (const files of [
      await ofTrail(),
      await filesOf("GET /artifacts/{org}/{flow_name}/{fingerprint}/audit_package", {
        flow_name: "shop",
        fingerprint: GOOD
      })
    ]) {
      const names = [...files.keys()].filter((name) => name.startsWith("receipts/"))
      assert.sameMembers(names, [
        `receipts/open/1-${GOOD}.vsa.json`,
        `receipts/prod/1-${GOOD}.vsa.json`,
        "receipts/keys.json"
      ])
      const keys = Option.getOrThrow(ReceiptKeySet.parse(files.get("receipts/keys.json") ?? ""))
      const text = (name: string) => files.get(`receipts/${name}/1-${GOOD}.vsa.json`) ?? ""
      const found = await verify(text("prod"), { keys, environment: "prod", subject: GOOD })
      assert.strictEqual(found._tag, "Right", JSON.stringify(found))
      // An environment without a policy has no verdict, which is no proof of one.
      assert.strictEqual((await verify(text("open"), { keys }))._tag, "Left")
      const changed = text("prod").replace(/"sig":"./, (sig) => `${sig.slice(0, -1)}-`)
      assert.strictEqual((await verify(changed, { keys }))._tag, "Left")
      const page = files.get("index.html") ?? ""
      for (const name of names.filter((each) => each.endsWith(".vsa.json")))
        assert.include(page, `href="${name}"`)
      assert.include(page, "open#1")
      assert.include(page, "not evaluated")
    }
  })

  it("are the same bytes for the same state", async () => {
    assert.deepStrictEqual(await ofTrail(), await ofTrail())
  })
})
