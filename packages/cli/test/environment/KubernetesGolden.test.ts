/** The answer of `report kubernetes`, for people and for programs, on each store. */
import { assert, it } from "vitest"
import { golden } from "../shared/Golden.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { pod, stageOf } from "./WatchStage.js"

onEveryStore("what a report prints", (deployment) => {
  const { cluster, cli } = stageOf(deployment)

  it("shows what a cluster runs, for people and for programs", async () => {
    const forms = [
      ["json", ["-o", "json"], false],
      ["pipe", [], false],
      ["tty", [], true]
    ] as const
    const argv = ["report", "kubernetes", "golden", "--create", "--namespace", "shop"]
    const hidden = { image: "hidden:1", imageID: "none" }
    for (const [form, flags, tty] of forms) {
      cluster().state.denied = []
      cluster().state.pods = [pod("shop", "api-1"), pod("shop", "api-2")]
      assert.strictEqual((await cli(argv)).code, 0)
      cluster().state.pods = [
        pod("shop", "api-1", "c"),
        pod("shop", "api-2", "c"),
        { ...pod("shop", "old"), containers: [hidden] }
      ]
      const changed = await cli([...argv, ...flags], { tty })
      golden(
        `report-kubernetes.${form}`,
        form === "json" ? changed.stdout : changed.stdout + changed.stderr
      )
      const same = await cli([...argv, ...flags], { tty })
      golden(`report-kubernetes-again.${form}`, same.stdout)
      cluster().state.denied = ["shop"]
      const denied = await cli([...argv, ...flags], { tty })
      assert.deepStrictEqual([changed.code, same.code, denied.code], [0, 0, 7])
      const last = denied.stderr.trim().split("\n").at(-1) ?? ""
      golden(`report-kubernetes-denied.${form}`, form === "json" ? last : denied.stderr)
    }
  })
})
