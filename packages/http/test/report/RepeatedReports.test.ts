/** A report that differs little from the previous one has the result of a first report. */
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

const SERVICES = 24

const fingerprint = (service: number, version: number) =>
  (service * 100 + version).toString(16).padStart(64, "0")

interface Pod {
  readonly service: number
  readonly version?: number
  readonly replica?: number
}

const unit = ({ service, version = 0, replica = 0 }: Pod) => ({
  digests: { [`registry.example.org/service-${service}`]: fingerprint(service, version) },
  creationTimestamp: 1_790_000_000 + service * 10 + replica,
  podName: `service-${service}-${version}-${replica}`,
  namespace: "production",
  owners: null
})

const first: ReadonlyArray<Pod> = Array.from({ length: SERVICES }, (_, service) => ({ service }))

/** The running artifacts of each report. */
const history: ReadonlyArray<ReadonlyArray<Pod>> = [
  first,
  first.map((pod) => (pod.service % 9 === 4 ? { ...pod, version: 1 } : pod)),
  first.flatMap((pod) =>
    pod.service === 7 ? [pod, { ...pod, replica: 1 }, { ...pod, version: 2 }] : pod
  ),
  first.flatMap((pod) =>
    pod.service === 7
      ? [
          { ...pod, replica: 1 },
          { ...pod, version: 2 }
        ]
      : pod
  ),
  [...first].reverse().map((pod) => (pod.service === 3 ? { ...pod, version: 3 } : pod)),
  first.slice(2),
  [...first.slice(2), { service: 40 }],
  []
]

onBothStores("reports that differ a little", ({ call }) => {
  const report = async (env_name: string, pods: ReadonlyArray<Pod>) => {
    const { status } = await call("PUT /environments/{org}/{env_name}/report/K8S", {
      path: { env_name },
      body: { artifacts: pods.map(unit) }
    })
    assert.strictEqual(status, 200)
  }
  const create = (name: string) =>
    call("PUT /environments/{org}", { body: { name, type: "K8S", include_scaling: true } })
  /** The running artifacts of the latest snapshot, without fields that depend on the history. */
  const running = async (env_name: string) => {
    const { body } = await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
      path: { env_name, snapshot_expression: "-1" }
    })
    const { artifacts } = body as {
      artifacts: Array<{ annotation: { type: string; now: number } } & Record<string, unknown>>
    }
    return artifacts
      .filter(({ annotation }) => annotation.type !== "exited")
      .map(({ name, fingerprint: of, creationTimestamp, pods, annotation }) => ({
        name,
        of,
        creationTimestamp,
        pods,
        instances: annotation.now
      }))
  }

  it("has the rows of a first report", async () => {
    await create("long")
    for (const [at, pods] of history.entries()) {
      await report("long", pods)
      await create(`fresh-${at}`)
      await report(`fresh-${at}`, pods)
      assert.deepStrictEqual(await running("long"), await running(`fresh-${at}`))
    }
    const { body } = await call("GET /snapshots/{org}/{env_name}", { path: { env_name: "long" } })
    assert.strictEqual((body as Array<unknown>).length, history.length)
  })
})
