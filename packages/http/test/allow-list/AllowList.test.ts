/** Allow-lists on the wire: a change is evaluated at once. */
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

onEveryStore("PUT /allowlists/{org}/{env_name}", ({ call, journal }) => {
  const allow = (env_name: string, artifact_fingerprint: string, description = "because") =>
    call("PUT /allowlists/{org}/{env_name}", {
      path: { env_name },
      body: { artifact_fingerprint, artifact_name: "shop", description }
    })
  const latest = async (env_name: string) =>
    (
      await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
        path: { env_name, snapshot_expression: "-1" }
      })
    ).body as {
      index: number
      compliant: boolean
      artifact_compliance_count: unknown
      artifacts: Array<{ name: string; compliant: boolean; annotation: { type: string } }>
    }
  const start = async (env_name: string) => {
    await call("PUT /environments/{org}", { body: { name: env_name, type: "server" } })
    return call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: {
        artifacts: [
          { digests: { shop: print("a"), web: print("b") }, creationTimestamp: 1 },
          { digests: { hidden: print("c") }, creationTimestamp: 1 }
        ]
      }
    })
  }

  it("makes a running artifact compliant at once, and restores its verdict when removed", async () => {
    await start("prod")
    const first = await allow("prod", print("a"))
    assert.deepStrictEqual([first.status, first.body], [201, "OK"])
    const turned = await latest("prod")
    assert.deepInclude(turned, {
      index: 2,
      compliant: false,
      artifact_compliance_count: { true: 1, false: 0, null: 2 }
    })
    assert.deepStrictEqual(
      turned.artifacts
        .filter(({ compliant }) => compliant)
        .map(({ name, annotation }) => [name, annotation.type]),
      [["shop", "became-compliant"]]
    )
    const remove = () =>
      call("DELETE /allowlists/{org}/{env_name}/{fingerprint}", {
        path: { env_name: "prod", fingerprint: print("a") }
      })
    assert.deepStrictEqual((await remove()).body, "OK")
    assert.deepInclude(await latest("prod"), {
      index: 3,
      artifact_compliance_count: { true: 0, false: 0, null: 3 }
    })
    assert.strictEqual((await remove()).status, 404)
  })

  it("is 200 for a repetition, and lists the allowed artifacts", async () => {
    await start("listed")
    await allow("listed", print("d"))
    assert.strictEqual((await latest("listed")).index, 1, "nothing that runs has turned")
    assert.strictEqual((await allow("listed", print("d"))).status, 200)
    assert.strictEqual((await allow("listed", print("d"), "for another reason")).status, 200)
    const { body } = await call("GET /allowlists/{org}/{env_name}", {
      path: { env_name: "listed" }
    })
    assert.deepStrictEqual(
      (body as Array<Record<string, unknown>>).map(({ created_at: _, ...entry }) => entry),
      [
        {
          artifact_fingerprint: print("d"),
          artifact_name: "shop",
          description: "for another reason",
          created_by: "ada"
        }
      ]
    )
    const kinds = (await journal()).map(({ kind }) => kind)
    assert.include(kinds, "artifact_allowed")
  })

  it("requires a reason, a whole fingerprint, an environment, and the role of a member", async () => {
    assert.strictEqual((await allow("listed", print("d"), "")).status, 400)
    assert.strictEqual((await allow("listed", "abc")).status, 400)
    assert.strictEqual((await allow("nowhere", print("d"))).status, 404)
    const { status } = await call("PUT /allowlists/{org}/{env_name}", {
      path: { env_name: "listed" },
      body: { artifact_fingerprint: print("e"), artifact_name: "x", description: "y" },
      as: "snapshotter"
    })
    assert.strictEqual(status, 403)
  })
})

onEveryStore("GET /allowlists/{org}", ({ call }) => {
  const list = (as: "reader" | "foreigner" = "reader") => call("GET /allowlists/{org}", { as })
  const allow = (env_name: string, letter: string) =>
    call("PUT /allowlists/{org}/{env_name}", {
      path: { env_name },
      body: {
        artifact_fingerprint: print(letter),
        artifact_name: `shop-${letter}`,
        description: "because"
      }
    })

  it("lists the entries of all active environments, newest first", async () => {
    assert.deepStrictEqual((await list()).body, [])
    for (const name of ["prod", "dev", "old"]) {
      await call("PUT /environments/{org}", { body: { name, type: "server" } })
    }
    await allow("prod", "a")
    await allow("dev", "b")
    await allow("old", "c")
    await call("PUT /environments/{org}/{env_name}/archive", { path: { env_name: "old" } })
    const { status, body } = await list()
    assert.strictEqual(status, 200)
    const entries = body as ReadonlyArray<{ timestamp: number }>
    assert.deepStrictEqual(
      entries.map(({ timestamp, ...rest }) => [typeof timestamp, rest]),
      [
        ["dev", "b"],
        ["prod", "a"]
      ].map(([environment_name, letter = ""]) => [
        "number",
        {
          artifact_name: `shop-${letter}`,
          fingerprint: print(letter),
          environment_name,
          user_name: "ada",
          description: "because"
        }
      ])
    )
    assert.strictEqual((await list("foreigner")).status, 403)
  })
})
