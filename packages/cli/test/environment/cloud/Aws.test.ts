/**
 * Reports of container tasks, functions and buckets, from a stand-in for the cloud on a real socket.
 *
 * The answers are handwritten from the vendor's API reference.
 */
import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, beforeEach, describe, it } from "vitest"
import * as DirectoryFingerprint from "../../../src/artifact/DirectoryFingerprint.js"
import { OBJECTS_MAX } from "../../../src/environment/cloud/S3Listing.js"
import { folder } from "../../shared/Run.js"
import { awsReports } from "./AwsReports.js"
import type * as FakeCloud from "./FakeCloud.js"

const { cloud, report } = awsReports()
const digest = (letter: string) => letter.repeat(64)
const sha = (text: string) => createHash("sha256").update(text).digest("hex")

const task = (name: string, more: object = {}) => ({
  taskArn: `arn:aws:ecs:eu-west-1:1:task/shop/${name}`,
  clusterArn: "arn:aws:ecs:eu-west-1:1:cluster/shop",
  group: "service:web",
  lastStatus: "RUNNING",
  startedAt: 1_790_000_000.25,
  containers: [
    { name: "main", image: "r/api:1", imageDigest: `sha256:${digest("a")}`, lastStatus: "RUNNING" }
  ],
  ...more
})

describe("attestry report ecs", () => {
  const state = { clusters: ["shop"], tasks: [task("t1")] as ReadonlyArray<object>, denied: "" }
  const answer = ({ headers, body }: FakeCloud.CloudRequest): FakeCloud.CloudAnswer => {
    const operation = String(headers["x-amz-target"]).split(".")[1]
    const asked = JSON.parse(body)
    if (operation === "ListClusters")
      return asked.nextToken === undefined
        ? { body: { clusterArns: state.clusters.slice(0, 1).map(arn), nextToken: "more" } }
        : { body: { clusterArns: state.clusters.slice(1).map(arn) } }
    if (asked.cluster.endsWith(`/${state.denied}`) && state.denied !== "")
      return { status: 400, body: { __type: "AccessDeniedException", message: "not authorized" } }
    if (operation === "ListTasks")
      return { body: { taskArns: state.tasks.map((_, at) => `arn:task/${at}`) } }
    return { body: { tasks: state.tasks, failures: [{ arn: "arn:task/gone", reason: "MISSING" }] } }
  }
  const arn = (name: string) => `arn:aws:ecs:eu-west-1:1:cluster/${name}`
  beforeEach(() => {
    Object.assign(state, { clusters: ["shop"], tasks: [task("t1")], denied: "" })
    cloud().answer = answer
  })

  it("reports running tasks with cluster and service, by signed requests", async () => {
    const { units, stderr } = await report("ecs")
    assert.deepStrictEqual(units, [
      {
        digests: { "r/api:1": digest("a") },
        creationTimestamp: 1_790_000_000,
        taskArn: "arn:aws:ecs:eu-west-1:1:task/shop/t1",
        cluster_name: "shop",
        service_name: "web"
      }
    ])
    assert.strictEqual(stderr, "")
    assert.match(
      String(cloud().requests[0]?.headers.authorization),
      /^AWS4-HMAC-SHA256 Credential=AKIA1\/\d{8}\/eu-west-1\/ecs\/aws4_request/
    )
  })

  it("also reports tasks of no service, pinned images, containers without an image, and unknown digests", async () => {
    state.tasks = [
      task("alone", {
        group: "family:batch",
        containers: [
          { name: "pinned", image: `r/b@sha256:${digest("b")}` },
          { name: "hidden", image: "r/c:1" },
          { name: "bare" },
          { name: "stopped", image: "r/d:1", lastStatus: "STOPPED" }
        ]
      }),
      task("stopping", { lastStatus: "STOPPING" })
    ]
    const { units, stderr } = await report("ecs")
    assert.lengthOf(units, 1)
    assert.notProperty(units[0], "service_name")
    assert.deepStrictEqual(units[0].digests, {
      [`r/b@sha256:${digest("b")}`]: digest("b"),
      "r/c:1": "",
      bare: ""
    })
    assert.include(stderr, "r/c:1: its digest is unknown")
  })

  it("reads every page of clusters, describes 100 tasks at a time, and filters", async () => {
    state.clusters = ["shop", "infra"]
    state.tasks = Array.from({ length: 101 }, (_, at) => task(`t${at}`))
    await report("ecs")
    const described = cloud().requests.filter(({ headers }) =>
      String(headers["x-amz-target"]).endsWith("DescribeTasks")
    )
    assert.deepStrictEqual(
      described.map(({ body }) => JSON.parse(body).tasks.length).sort(),
      [1, 1, 100, 100]
    )
    state.tasks = [task("a"), task("b", { group: "service:db" })]
    const named = await report("ecs", ["--cluster", "shop", "--service", "/^w/"])
    assert.deepStrictEqual(
      named.units.map(({ taskArn }: { taskArn: string }) => taskArn.split("/").at(-1)),
      ["a"]
    )
    const none = await report("ecs", ["--exclude-cluster", "/./"])
    assert.deepStrictEqual(none.units, [])
  })

  it("leaves out a cluster that is denied, and sends nothing where all are", async () => {
    state.clusters = ["shop", "secret"]
    state.denied = "secret"
    const part = await report("ecs")
    assert.lengthOf(part.units, 1)
    assert.include(part.stderr, "cluster secret")
    assert.include(part.stderr, "not authorized")
    assert.strictEqual((await report("ecs", ["--strict"])).code, 8)
    state.clusters = ["secret"]
    assert.strictEqual((await report("ecs")).code, 7)
  })

  it("waits when it is throttled, and gives up after 4 repetitions", async () => {
    const counted = { left: 3 }
    cloud().answer = (request) =>
      counted.left-- > 0
        ? { status: 400, body: { __type: "ThrottlingException", message: "Rate exceeded" } }
        : answer(request)
    assert.lengthOf((await report("ecs")).units, 1)
    counted.left = 99
    cloud().requests.length = 0
    assert.strictEqual((await report("ecs")).code, 7)
    assert.lengthOf(cloud().requests, 5)
  })
})

describe("attestry report lambda", () => {
  it("reports archives and images by the digest of their code, page by page, and filters", async () => {
    const hex = digest("c")
    const functions = [
      {
        FunctionName: "shop-api",
        PackageType: "Zip",
        CodeSha256: Buffer.from(hex, "hex").toString("base64"),
        LastModified: "2026-11-14T10:00:00.000+0000"
      },
      {
        FunctionName: "shop-img",
        PackageType: "Image",
        CodeSha256: digest("d"),
        LastModified: "x"
      },
      { FunctionName: "other", CodeSha256: "short" }
    ]
    cloud().answer = ({ url }) =>
      url.searchParams.get("Marker") === null
        ? { body: { Functions: functions.slice(0, 1), NextMarker: "m" } }
        : { body: { Functions: functions.slice(1), NextMarker: null } }
    const all = await report("lambda")
    assert.deepStrictEqual(all.units, [
      { digests: { "shop-api": hex }, creationTimestamp: 1_794_650_400 },
      { digests: { "shop-img": digest("d") }, creationTimestamp: 0 },
      { digests: { other: "" }, creationTimestamp: 0 }
    ])
    assert.include(all.stderr, "other: the digest of its code is unknown")
    assert.lengthOf((await report("lambda", ["--function", "/^shop-/"])).units, 2)
  })
})

describe("attestry report s3", () => {
  const objects = new Map<string, string>()
  const state = { listed: 0, denied: "", pageSize: 2 }
  const xmlOf = (entries: ReadonlyArray<readonly [string, string]>, next: string) =>
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>${next !== ""}</IsTruncated>` +
    entries
      .map(
        ([key, content]) =>
          `<Contents><Key>${encodeURIComponent(key)}</Key>` +
          `<LastModified>2026-11-14T10:00:00.000Z</LastModified>` +
          `<Size>${Buffer.byteLength(content) + state.listed}</Size></Contents>`
      )
      .join("") +
    `${next === "" ? "" : `<NextContinuationToken>${next}</NextContinuationToken>`}</ListBucketResult>`
  beforeEach(() => {
    Object.assign(state, { listed: 0, denied: "", pageSize: 2 })
    objects.clear()
    for (const [key, content] of [
      ["a/b.txt", "one"],
      ["a/ü &.txt", "two"],
      ["a/", ""],
      ["c.txt", "three"]
    ] as const)
      objects.set(key, content)
    cloud().answer = ({ url }) => {
      if (url.pathname === `/${state.denied}`)
        return { status: 403, body: "<Error><Message>Access Denied</Message></Error>" }
      if (url.searchParams.get("list-type") === "2") {
        const prefix = url.searchParams.get("prefix") ?? ""
        const found = [...objects].filter(([key]) => key.startsWith(prefix))
        const start = Number(url.searchParams.get("continuation-token") ?? 0)
        const next = start + state.pageSize
        return { body: xmlOf(found.slice(start, next), next < found.length ? String(next) : "") }
      }
      const key = decodeURIComponent(url.pathname).replace(/^\/[^/]+\//, "")
      const content = objects.get(key)
      return content === undefined ? { status: 404, body: "" } : { body: content }
    }
  })

  it("has the digest of the same files in a folder", async () => {
    const root = folder()
    mkdirSync(join(root, "a"))
    for (const [key, content] of objects)
      if (!key.endsWith("/")) writeFileSync(join(root, key), content)
    const { fingerprint } = DirectoryFingerprint.of(root, { exclude: [], ignoreFiles: [] })
    const { units } = await report("s3", ["--bucket", "www"])
    assert.deepStrictEqual(units, [
      { digests: { www: fingerprint }, creationTimestamp: 1_794_650_400 }
    ])
  })

  it("takes one object by its own digest, and prefixes each by its own", async () => {
    const one = await report("s3", ["--bucket", "www", "--prefix", "c"])
    assert.deepStrictEqual(one.units[0].digests, { "c.txt": sha("three") })
    const each = await report("s3", ["--bucket", "www", "--each-prefix"])
    assert.deepStrictEqual(Object.keys(each.units[0].digests), ["www/a"])
    const root = folder()
    writeFileSync(join(root, "b.txt"), "one")
    writeFileSync(join(root, "ü &.txt"), "two")
    const { fingerprint } = DirectoryFingerprint.of(root, { exclude: [], ignoreFiles: [] })
    assert.strictEqual(each.units[0].digests["www/a"], fingerprint)
  })

  describe("with --include and --exclude", () => {
    beforeEach(() => {
      objects.clear()
      for (const key of ["app/index.html", "app/js/app.js", "app/js/app.js.map", "apple.txt", "x"])
        objects.set(key, key)
    })

    /** The digest of a folder that has these keys alone. */
    const digestOf = (...keys: ReadonlyArray<string>): string => {
      const root = folder()
      for (const key of keys) {
        mkdirSync(dirname(join(root, key)), { recursive: true })
        writeFileSync(join(root, key), key)
      }
      return DirectoryFingerprint.of(root, { exclude: [], ignoreFiles: [] }).fingerprint
    }

    const ROWS: ReadonlyArray<readonly [ReadonlyArray<string>, ReadonlyArray<string>]> = [
      [
        ["--include", "app"],
        ["app/index.html", "app/js/app.js", "app/js/app.js.map", "apple.txt"]
      ],
      [
        ["--include", "app/"],
        ["app/index.html", "app/js/app.js", "app/js/app.js.map"]
      ],
      [
        ["--include", "app/index.html,apple"],
        ["app/index.html", "apple.txt"]
      ],
      [
        ["--exclude", "**/*.map"],
        ["app/index.html", "app/js/app.js", "apple.txt", "x"]
      ],
      [
        ["-x", "/\\.map$/", "-x", "x"],
        ["app/index.html", "app/js/app.js", "apple.txt"]
      ],
      [
        ["--include", "app/", "--exclude", "app/j?/*.map"],
        ["app/index.html", "app/js/app.js"]
      ],
      [
        ["--include", "/^app\\/js\\//"],
        ["app/js/app.js", "app/js/app.js.map"]
      ]
    ]
    for (const [flags, keys] of ROWS)
      it(`has the digest of ${keys.join(", ")} for ${flags.join(" ")}`, async () => {
        const { units } = await report("s3", ["--bucket", "www", ...flags])
        assert.deepStrictEqual(units[0].digests, { www: digestOf(...keys) })
      })

    it("takes a pattern of a folder with everything below it", async () => {
      const { units } = await report("s3", ["--bucket", "www", "--exclude", "a*"])
      assert.deepStrictEqual(units[0].digests, { x: sha("x") })
    })

    it("warns if nothing is left, and refuses a pattern that is none", async () => {
      const none = await report("s3", ["--bucket", "www", "--include", "none/"])
      assert.deepStrictEqual(none.units, [])
      assert.include(none.stderr, "--include and --exclude leave none of the 5 objects of www")
      const wrong = await report("s3", ["--bucket", "www", "--exclude", "[a"])
      assert.strictEqual(wrong.code, 2)
      assert.include(wrong.stderr, "a bracket is open")
    })
  })

  it("reports what is too large, or changes meanwhile, with an unknown digest", async () => {
    const total = [...objects.values()].join("").length
    const limited = (bytes: number) =>
      report("s3", ["--bucket", "www", "--max-bytes", String(bytes)])
    assert.notStrictEqual((await limited(total)).units[0].digests.www, "")
    const { units, stderr } = await limited(total - 1)
    assert.strictEqual(units[0].digests.www, "")
    assert.include(stderr, "--max-bytes")
    state.listed = 1
    const changing = await report("s3", ["--bucket", "www"])
    assert.strictEqual(changing.units[0].digests.www, "")
    assert.include(changing.stderr, "changed while it was read")
    assert.strictEqual((await report("s3", ["--bucket", "www", "--max-bytes", "many"])).code, 2)
  })

  it("does not read a bucket of more than 100,000 objects", async () => {
    state.pageSize = 200_000
    objects.clear()
    for (let at = 0; at <= OBJECTS_MAX; at++) objects.set(`k${at}`, "")
    const { units, stderr } = await report("s3", ["--bucket", "www"])
    assert.strictEqual(units[0].digests.www, "")
    assert.include(stderr, "more than 100000 objects")
  })

  it("leaves out a denied bucket, and asks for one", async () => {
    state.denied = "secret"
    const part = await report("s3", ["--bucket", "www", "--bucket", "secret"])
    assert.strictEqual(part.code, 0, part.stderr)
    assert.lengthOf(part.units, 1)
    assert.include(part.stderr, "Access Denied")
    assert.strictEqual((await report("s3")).code, 2)
  })
})
