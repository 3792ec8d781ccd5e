/** Where an artifact runs and ran, from snapshots, on the wire. */
import { assert, it } from "vitest"
import { c1, c2, evidenceOf } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

interface Shown {
  readonly running: ReadonlyArray<{ environment_name: string; snapshot_index: number }>
  readonly exited: ReadonlyArray<{ environment_name: string; snapshot_index: number }>
  readonly history: ReadonlyArray<{ event: string; timestamp: number }>
}

/** A name and the letter of a fingerprint. */
type Row = readonly [name: string, letter: string]

onEveryStore("running and exited of an artifact", (server) => {
  const { call } = server
  const put = (name: string) => call("PUT /environments/{org}", { body: { name, type: "server" } })
  const report = async (env_name: string, ...rows: ReadonlyArray<Row>) => {
    const { status } = await call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: {
        artifacts: rows.map(([name, letter]) => ({
          digests: { [name]: print(letter) },
          creationTimestamp: 1
        }))
      }
    })
    assert.strictEqual(status, 200)
  }
  const get = async (flow_name: string, letter: string, query = "") => {
    const { status, body } = await call(
      "GET /artifacts/{org}/{flow_name}/fingerprint/{fingerprint}",
      { path: { flow_name, fingerprint: print(letter) }, query }
    )
    assert.strictEqual(status, 200)
    return body as Shown
  }
  const places = ({ running, exited }: Shown) => ({
    running: running.map((one) => `${one.environment_name}#${one.snapshot_index}`),
    exited: exited.map((one) => `${one.environment_name}#${one.snapshot_index}`)
  })
  const runLines = ({ history }: Shown) =>
    history.map(({ event }) => event).filter((event) => event.includes("unning in"))

  it("is running under its new name when a snapshot renames it", async () => {
    await put("retag")
    await evidenceOf(server, "retag").artifact("t", "app", print("1"), c1)
    await report("retag", ["old", "1"])
    await report("retag", ["new", "1"])
    const shown = await get("retag", "1")
    assert.deepStrictEqual(places(shown), { running: ["retag#2"], exited: [] })
    assert.deepStrictEqual(runLines(shown), ["Started running in retag#1 environment"])
  })

  it("is running while one of its two names is running", async () => {
    await put("twins")
    await evidenceOf(server, "twins").artifact("t", "app", print("2"), c1)
    await report("twins", ["one", "2"], ["two", "2"])
    await report("twins", ["two", "2"])
    assert.deepStrictEqual(places(await get("twins", "2")), { running: ["twins#2"], exited: [] })
    await report("twins")
    const shown = await get("twins", "2")
    assert.deepStrictEqual(places(shown), { running: [], exited: ["twins#3"] })
    assert.deepStrictEqual(runLines(shown), [
      "Started running in twins#1 environment",
      "No longer running in twins#3 environment"
    ])
  })

  it("is running where it ran before it was reported", async () => {
    await put("early")
    await put("before")
    await report("early", ["app", "3"])
    await report("before", ["app", "3"])
    await report("before")
    await evidenceOf(server, "early").artifact("t", "app", print("3"), c1)
    assert.deepStrictEqual(places(await get("early", "3")), {
      running: ["early#1"],
      exited: ["before#2"]
    })
  })

  it("is running regardless of the trail in which it was reported last", async () => {
    await put("again")
    const { artifact } = evidenceOf(server, "again")
    await artifact("first", "app", print("4"), c1)
    await report("again", ["app", "4"])
    await artifact("second", "app", print("4"), c2)
    for (const query of ["", "?trail=first", "?trail=second"]) {
      assert.deepStrictEqual(places(await get("again", "4", query)), {
        running: ["again#1"],
        exited: []
      })
    }
  })

  it("shows the current name of an environment, and its current snapshot", async () => {
    await put("before-rename")
    await evidenceOf(server, "renamed").artifact("t", "app", print("5"), c1)
    await report("before-rename", ["app", "5"])
    await report("before-rename", ["app", "5"], ["other", "6"])
    await call("PUT /environments/{org}/{env_name}/rename", {
      path: { env_name: "before-rename" },
      body: { new_name: "renamed" }
    })
    assert.deepStrictEqual(places(await get("renamed", "5")), {
      running: ["renamed#2"],
      exited: []
    })
    await report("renamed", ["other", "6"])
    await report("renamed", ["other", "6"], ["third", "7"])
    assert.deepStrictEqual(places(await get("renamed", "5")), {
      running: [],
      exited: ["renamed#4"]
    })
  })

  it("is not running in an archived environment, nor in a new one of that name", async () => {
    await put("gone")
    await evidenceOf(server, "gone").artifact("t", "app", print("8"), c1)
    await report("gone", ["app", "8"])
    await call("PUT /environments/{org}/{env_name}/archive", { path: { env_name: "gone" } })
    assert.deepStrictEqual(places(await get("gone", "8")), { running: [], exited: [] })
    await put("gone")
    await report("gone", ["other", "9"])
    assert.deepStrictEqual(places(await get("gone", "8")), { running: [], exited: [] })
    await report("gone", ["app", "8"])
    assert.deepStrictEqual(places(await get("gone", "8")), { running: ["gone#2"], exited: [] })
  })

  it("is the same in the list and in search", async () => {
    await put("alike")
    const { artifact } = evidenceOf(server, "alike")
    await report("alike", ["app", "a"], ["web", "b"])
    await artifact("t", "app", print("a"), c1)
    await artifact("t", "web", print("b"), c1)
    await report("alike", ["app", "a"])
    const { body } = await call("GET /artifacts/{org}", { query: "?flow_name=alike" })
    assert.deepStrictEqual((body as ReadonlyArray<Shown>).map(places), [
      { running: [], exited: ["alike#2"] },
      { running: ["alike#2"], exited: [] }
    ])
    const found = async (value: string) => {
      const answer = await call("GET /search/{org}/sha/{value}", { path: { value } })
      const { artifacts } = answer.body as {
        artifacts: ReadonlyArray<{ running_in: object; exited_from: object }>
      }
      return artifacts.map(({ running_in, exited_from }) => ({ running_in, exited_from }))
    }
    assert.deepStrictEqual(await found("aaaaa"), [{ running_in: ["alike"], exited_from: [] }])
    assert.deepStrictEqual(await found("bbbbb"), [{ running_in: [], exited_from: ["alike"] }])
  })
})
