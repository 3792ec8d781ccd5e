/** The provenance of running artifacts, on the wire: flows, diffs, lead times, trail events. */
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)
const commit = (letter: string) => letter.repeat(40)

interface Flow {
  readonly flow_name: string
  readonly trail_name: string
  readonly template_reference_name: string
  readonly commit_lead_time: number | null
  readonly artifact_compliance_in_flow: boolean
  readonly deployment_diff: Record<string, unknown> | null
}

interface Shown {
  readonly index: number
  readonly artifacts: ReadonlyArray<
    Flow & {
      readonly name: string
      readonly git_commit: string
      readonly html_url: string
      readonly flow_html_url: string
      readonly annotation: { readonly type: string }
      readonly flows: ReadonlyArray<Flow>
    }
  >
}

onBothStores(
  "GET /snapshots/{org}/{env_name}/{snapshot_expression}: provenance",
  ({ call, journal }) => {
    const build = (flow_name: string, letter: string, more: object = {}) =>
      call("POST /artifacts/{org}/{flow_name}", {
        path: { flow_name },
        body: {
          fingerprint: print(letter),
          filename: "shop",
          build_url: "https://ci.test/1",
          commit_url: `https://git.test/shop/commit/${letter}`,
          git_commit: commit(letter),
          git_commit_info: { sha1: commit(letter), timestamp: 1_777_547_604 },
          repo_info: { id: "1", name: "shop", url: "https://git.test/shop" },
          trail_name: `run-${letter}`,
          template_reference_name: "shop",
          ...more
        }
      })
    const report = (env_name: string, digests: object) =>
      call("PUT /environments/{org}/{env_name}/report/server", {
        path: { env_name },
        body: { artifacts: [{ digests, creationTimestamp: 1_777_550_805 }] }
      })
    const create = (name: string) =>
      call("PUT /environments/{org}", { body: { name, type: "server" } })
    const snapshot = async (env_name: string, snapshot_expression = "-1") =>
      (
        await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
          path: { env_name, snapshot_expression }
        })
      ).body as Shown

    it("shows each flow, and the fields of the first flow on the artifact itself", async () => {
      await build("shop-build", "a")
      await build("promote", "a", { trail_name: "rel-43" })
      await build("shop-build", "a", { trail_name: "rebuild" })
      await create("prod")
      await report("prod", { "shop:1": print("a"), "other:1": print("f") })
      const { artifacts } = await snapshot("prod")
      const shop = artifacts.find(({ name }) => name === "shop:1")
      assert.deepStrictEqual(
        shop?.flows.map(({ flow_name, trail_name }) => [flow_name, trail_name]),
        [
          ["shop-build", "rebuild"],
          ["promote", "rel-43"]
        ]
      )
      assert.deepInclude(shop as object, {
        flow_name: "shop-build",
        git_commit: commit("a"),
        commit_lead_time: 3201,
        deployment_diff: null,
        flow_html_url: "http://127.0.0.1:8080/acme/flows/shop-build"
      })
      assert.match(
        shop?.html_url ?? "",
        /\/acme\/flows\/shop-build\/artifacts\/a{64}\?artifact_id=/
      )
      assert.deepStrictEqual(artifacts.find(({ name }) => name === "other:1")?.flows, [])
    })

    it("evaluates an artifact by the template of its flow", async () => {
      await call("PUT /flows/{org}/template_file", {
        body: {
          name: "strict",
          description: "",
          template_file: [
            "version: 1",
            "trail:",
            "  artifacts:",
            "  - name: shop",
            "    attestations:",
            "    - name: tests",
            "      type: junit"
          ].join("\n")
        }
      })
      await build("strict", "9")
      await create("judged")
      await report("judged", { shop: print("9") })
      const [shop] = (await snapshot("judged")).artifacts
      assert.strictEqual(shop?.flows[0]?.artifact_compliance_in_flow, false)
    })

    it("evaluates new evidence at the next report, also an unchanged one", async () => {
      await report("judged", { shop: print("9") })
      assert.strictEqual((await snapshot("judged")).index, 1)
      const raw = new FormData()
      raw.append(
        "data_json",
        JSON.stringify({
          attestation_name: "tests",
          artifact_fingerprint: print("9"),
          junit_results: [
            { name: "unit", total: 1, failures: 0, errors: 0, skipped: 0, duration: 1 }
          ]
        })
      )
      const { status } = await call(
        "POST /attestations/{org}/{flow_name}/trail/{trail_name}/junit",
        { path: { flow_name: "strict", trail_name: "run-9" }, raw }
      )
      assert.strictEqual(status, 201)
      assert.strictEqual((await snapshot("judged")).index, 1)
      await report("judged", { shop: print("9") })
      const { index, artifacts } = await snapshot("judged")
      assert.strictEqual(index, 2)
      assert.strictEqual(artifacts[0]?.annotation.type, "updated-provenance")
      assert.strictEqual(artifacts[0]?.flows[0]?.artifact_compliance_in_flow, true)
    })

    it("shows the replaced artifact, and whether it still runs", async () => {
      await build("diffs", "b")
      await build("diffs", "c")
      await create("diffed")
      await report("diffed", { "shop:1": print("b") })
      await report("diffed", { "shop:1": print("b"), "shop:2": print("c") })
      const during = (await snapshot("diffed")).artifacts.find(({ name }) => name === "shop:2")
      assert.deepStrictEqual(during?.deployment_diff, {
        diff_url: `https://git.test/shop/compare/${commit("b")}...${commit("c")}`,
        previous_git_commit: commit("b"),
        previous_git_commit_url: "https://git.test/shop/commit/b",
        previous_fingerprint: print("b"),
        previous_artifact_name: "shop:1",
        previous_artifact_compliance_state: "COMPLIANT",
        previous_running: true,
        previous_trail_name: "run-b",
        previous_template_reference_name: "shop"
      })
      await report("diffed", { "shop:2": print("c") })
      const after = (await snapshot("diffed")).artifacts.find(({ name }) => name === "shop:2")
      assert.strictEqual(after?.deployment_diff?.previous_running, false)
      await report("diffed", { "shop:1": print("b"), "shop:2": print("c") })
      const back = (await snapshot("diffed")).artifacts.find(({ name }) => name === "shop:1")
      assert.strictEqual(back?.deployment_diff?.previous_fingerprint, print("c"), "DEPLOY-2")
    })

    it("evaluates the same report again when evidence has arrived", async () => {
      await create("stale")
      await report("stale", { late: print("d") })
      await report("stale", { late: print("d") })
      assert.strictEqual((await snapshot("stale")).index, 1)
      await build("late", "d")
      assert.strictEqual((await snapshot("stale")).index, 1, "not before the next report")
      await report("stale", { late: print("d") })
      const second = await snapshot("stale")
      assert.deepInclude(second, { index: 2 })
      assert.strictEqual(second.artifacts[0]?.annotation.type, "updated-provenance")
      await build("late", "d")
      await report("stale", { late: print("d") })
      assert.strictEqual(
        (await snapshot("stale")).index,
        2,
        "the same report of the artifact is none"
      )
      assert.deepStrictEqual((await snapshot("stale", "1")).artifacts[0]?.flows, [], "SNAP-34")
    })

    it("records starts and stops on the trail of each flow", async () => {
      await build("told", "e")
      await create("telling")
      await report("telling", { shop: print("e") })
      await report("telling", {})
      const told = (await journal()).filter(
        ({ kind, content }) => kind.endsWith("_running") && content.includes('"telling"')
      )
      assert.deepStrictEqual(
        told.map(({ kind, subject }) => [kind, subject.type]),
        [
          ["artifact_started_running", "trail"],
          ["artifact_stopped_running", "trail"]
        ]
      )
      assert.deepInclude(JSON.parse(told[0]?.content ?? ""), {
        environment_name: "telling",
        snapshot_index: 1,
        instances: 1
      })
    })
  }
)
