/** AC-16: content that is written after a move is never seen by readers of the space before it. */
import { assert, beforeAll, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"
import { partialWorld } from "./PartialWorld.js"

const TURNS = 40
const SECRET = "secret"

onEveryStore("a thing that is moved while it is read", (server) => {
  const { call, move, pat, prepare } = partialWorld(server)

  beforeAll(prepare, 90_000)

  const describeAs = async (description: string) => {
    const flow = call("PUT /flows/{org}/template_file", { body: { name: "mine", description } })
    const body = { name: "mine", type: "docker", description }
    const environment = call("PUT /environments/{org}", { body })
    for (const { status } of [await flow, await environment]) assert.isBelow(status, 300)
  }

  const moveTo = async (to: string) => {
    const things = ["flow", "environment"].map((type) => ({ type, name: "mine" }))
    const moved = await move({ things, to })
    assert.strictEqual(moved.status, 200, JSON.stringify(moved.body))
  }

  /** The reads that were not answered yet. */
  const underWay = new Set<Promise<unknown>>()

  /** Moves the things away, writes in them what is not for the person, and brings them back. */
  const write = async () => {
    for (let turn = 0; turn < TURNS; turn++) {
      await moveTo("platform")
      await describeAs(`${SECRET} ${turn}`)
      await describeAs(`for all ${turn}`)
      // WHY: a read that lasts from before one move until after the other is not what the law is about.
      await Promise.all([...underWay])
      await moveTo("retail")
    }
  }

  it("shows nothing that was written elsewhere: AC-16", async () => {
    let isOver = false
    const seen = new Map<number, number>()
    const read = async (operation: string, path: { readonly [name: string]: string }) => {
      while (!isOver) {
        const answer = pat(operation, { path })
        underWay.add(answer)
        const { body, status } = await answer
        underWay.delete(answer)
        assert.notInclude(JSON.stringify(body), SECRET, operation)
        seen.set(status, (seen.get(status) ?? 0) + 1)
      }
    }
    const readers = [
      read("GET /flows/{org}/{flow_name}", { flow_name: "mine" }),
      read("GET /flows/{org}", {}),
      read("GET /environments/{org}/{env_name}", { env_name: "mine" }),
      read("GET /environments/{org}", {})
    ]
    const writer = write().finally(() => {
      isOver = true
    })
    await Promise.all([writer, ...readers])
    assert.sameMembers([...seen.keys()], [200, 404])
  }, 240_000)
})
