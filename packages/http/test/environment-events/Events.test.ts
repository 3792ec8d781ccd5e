/** The event log and the audit log on the wire. */
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

interface Event {
  readonly snapshot_index: number
  readonly artifact_name: string
  readonly type: string
  readonly description: string
  readonly pipeline: string
  readonly reported_at: number
  readonly _links: { readonly snapshot: { readonly self: string } }
}

onBothStores("GET /environments/{org}/{env_name}/events", ({ call }) => {
  const report = (letters: ReadonlyArray<string>) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name: "prod" },
      body: {
        artifacts: letters.map((letter) => ({
          digests: { [letter === "c" ? "=cmd()" : `app-${letter}`]: print(letter) },
          creationTimestamp: 7
        }))
      }
    })
  const events = (query = "", env_name = "prod") =>
    call("GET /environments/{org}/{env_name}/events", { path: { env_name }, query })
  const words = async (query: string) =>
    ((await events(query)).body as Array<Event>).map(
      ({ snapshot_index, type, artifact_name }) => `${snapshot_index} ${type} ${artifact_name}`
    )
  const audit = (query = "", env_name = "prod") =>
    call("GET /environments/{org}/{env_name}/auditlog", { path: { env_name }, query })

  it("shows events, newest first, with texts and links", async () => {
    await call("POST /artifacts/{org}/{flow_name}", {
      path: { flow_name: "build" },
      body: {
        fingerprint: print("b"),
        filename: "b",
        build_url: "ci",
        commit_url: "git",
        repo_info: { id: "1", name: "shop", url: "https://git.test/shop" }
      }
    })
    await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
    assert.deepStrictEqual((await events()).body, [])
    await report(["a"])
    await report(["a", "b"])
    await report(["b", "c"])
    assert.deepStrictEqual(await words(""), [
      "3 started-unknown =cmd()",
      "3 exited app-a",
      "2 started-unknown app-b",
      "1 started-unknown app-a"
    ])
    const [, , started] = (await events()).body as Array<Event>
    assert.deepInclude(started as object, {
      environment_name: "prod",
      sha256: print("b"),
      description: "1 instance started running (from 0 to 1)",
      pipeline: "build",
      flows: [{ flow_name: "build", deployments: null }],
      deployments: [],
      artifact_compliance: false,
      snapshot_compliance: false,
      code_diff: ""
    })
    assert.strictEqual(
      started?._links.snapshot.self,
      "http://127.0.0.1:8080/api/v2/snapshots/acme/prod/2"
    )
  })

  it("accepts bounds as instants, indexes, ranges and durations, and pages", async () => {
    const all = (await events("?reverse=true")).body as Array<Event>
    const second = all[1]?.reported_at ?? 0
    assert.deepStrictEqual(await words(`?from=${second}&to=${second}`), ["2 started-unknown app-b"])
    assert.deepStrictEqual(await words(`?start_ts=${second}&end_ts=${second}`), [
      "2 started-unknown app-b"
    ])
    assert.deepStrictEqual(await words("?start=2&end=2"), ["2 started-unknown app-b"])
    assert.deepStrictEqual(await words("?interval=1..2&reverse=true"), [
      "1 started-unknown app-a",
      "2 started-unknown app-b"
    ])
    assert.lengthOf(await words("?start=1hour&end=NOW"), 4)
    assert.lengthOf(await words("?from=-9007199254.740991&to=9007199254.740991"), 4)
    assert.deepStrictEqual(await words("?page=2&per_page=3"), ["1 started-unknown app-a"])
    assert.deepStrictEqual(await words("?repo_name=shop"), ["2 started-unknown app-b"])
  })

  it("filters by type and flow like the audit log", async () => {
    assert.deepStrictEqual(await words("?event_types=started&reverse=true"), [
      "1 started-unknown app-a",
      "2 started-unknown app-b",
      "3 started-unknown =cmd()"
    ])
    assert.deepStrictEqual(await words("?event_types=exited,changed"), ["3 exited app-a"])
    assert.deepStrictEqual(await words("?event_types=started&per_page=1&page=2"), [
      "2 started-unknown app-b"
    ])
    assert.deepStrictEqual(await words("?flow_names=nothing"), [])
    const all = await words("")
    const known = await words("?flow_names=build")
    const others = await words("?flow_names=no provenance")
    assert.deepStrictEqual([...known, ...others].sort(), [...all].sort())
    assert.strictEqual((await events("?event_types=stopped")).status, 400)
    assert.isNull((await events("?event_types=started")).headers.get("x-total-count"))
  })

  it("counts in headers, and links the other pages", async () => {
    const counted = async (query: string) => {
      const { headers } = await events(query)
      const names = ["x-total-count", "x-per-page", "x-current-page", "x-total-pages"]
      const links = headers.get("link")?.split(", ") ?? []
      return [
        names.map((name) => headers.get(name) ?? "none").join(" "),
        links.map((link) => link.replace(/^<http.*?\/events(.*)>; rel="(.*)"$/, "$2 $1"))
      ]
    }
    assert.deepStrictEqual(await counted(""), ["4 15 1 1", []])
    assert.deepStrictEqual(await counted("?per_page=2&reverse=true"), [
      "4 2 1 2",
      [
        "first ?per_page=2&reverse=true&page=1",
        "next ?per_page=2&reverse=true&page=2",
        "last ?per_page=2&reverse=true&page=2"
      ]
    ])
    assert.deepStrictEqual(await counted("?per_page=2&page=2"), [
      "4 2 2 2",
      ["first ?per_page=2&page=1", "prev ?per_page=2&page=1", "last ?per_page=2&page=2"]
    ])
    assert.deepStrictEqual(await counted("?interval=2..3&per_page=3"), ["3 3 1 1", []])
    assert.deepStrictEqual(await counted("?from=4000000000"), ["0 15 1 0", []])
    assert.deepStrictEqual(await counted("?repo_name=shop"), ["none 15 1 none", []])
    assert.deepStrictEqual(await counted("?repo_name=shop&page=2&per_page=1"), [
      "none 1 2 none",
      ["first ?repo_name=shop&page=1&per_page=1", "prev ?repo_name=shop&page=1&per_page=1"]
    ])
  })

  it("reports an invalid bound, and an unknown repository", async () => {
    const { status, body } = await events("?start=")
    assert.strictEqual(status, 400)
    assert.strictEqual((body as { message: string }).message, "Invalid interval value: ")
    assert.strictEqual((await events("?from=noon")).status, 400)
    assert.strictEqual((await events("?repo_name=unknown")).status, 404)
    assert.strictEqual((await events("", "nowhere")).status, 404)
  })

  it("streams the same as CSV, oldest first, safe to open in a spreadsheet", async () => {
    const { status, body, headers } = await audit()
    assert.strictEqual(status, 200)
    assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
    assert.match(headers.get("content-disposition") ?? "", /^attachment/)
    const lines = String(body).trimEnd().split("\r\n")
    assert.match(lines[0] ?? "", /^timestamp,datetime_utc,environment,snapshot_index,event_type,/)
    assert.deepStrictEqual(
      lines.slice(1).map((line) => line.split(",").slice(3, 7).join(" ")),
      [
        "1 started started-unknown app-a",
        "2 started started-unknown app-b",
        "3 exited exited app-a",
        "3 started started-unknown '=cmd()"
      ]
    )
  })

  it("filters the CSV by kinds, flows, repositories and instants", async () => {
    const names = async (query: string) =>
      String((await audit(query)).body)
        .trimEnd()
        .split("\r\n")
        .slice(1)
        .map((line) => line.split(",")[6])
    assert.deepStrictEqual(await names("?event_types=exited"), ["app-a"])
    assert.deepStrictEqual(await names("?flow_names=build"), ["app-b"])
    assert.deepStrictEqual(await names("?flow_names=no%20provenance&event_types=started"), [
      "app-a",
      "'=cmd()"
    ])
    assert.deepStrictEqual(await names("?repo_names=shop,other"), ["app-b"])
    assert.deepStrictEqual(await names("?from_timestamp=4000000000"), [])
    assert.strictEqual((await audit("?event_types=paused")).status, 400)
    assert.strictEqual((await audit("", "nowhere")).status, 404)
  })
})
