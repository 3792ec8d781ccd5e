/** The images of objects, by kind and by place, and what of them a request asks about. */
import { Either } from "effect"
import { assert, describe, it } from "vitest"
import * as Admission from "../../src/admission/Admission.js"
import * as AdmissionReview from "../../src/admission/AdmissionReview.js"
import * as ImageDigests from "../../src/admission/ImageDigests.js"
import * as PodImages from "../../src/admission/PodImages.js"
import * as ReceiptCache from "../../src/admission/ReceiptCache.js"
import * as AdmissionStage from "./AdmissionStage.js"

const read = (text: string) => Either.getOrThrowWith(AdmissionReview.parse(text), assert.fail)

const requestOf = (apiVersion: string, kind: string, object: unknown, more: object = {}) => {
  const [group = "", version = ""] = apiVersion.includes("/")
    ? apiVersion.split("/")
    : ["", apiVersion]
  return read(
    JSON.stringify({
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      request: {
        uid: "u",
        kind: { group, version, kind },
        namespace: "shop",
        operation: "CREATE",
        object,
        ...more
      }
    })
  )
}

const SPEC = {
  initContainers: [{ name: "a", image: "init" }],
  containers: [
    { name: "b", image: "main" },
    { name: "c", image: "main" }
  ],
  ephemeralContainers: [{ name: "d", image: "debug" }],
  volumes: [
    { name: "e", image: { reference: "model" } },
    { name: "f", emptyDir: {} }
  ]
}

const template = {
  metadata: { annotations: { "attestry.dev/break-glass": " why " } },
  spec: SPEC
}

const KINDS: ReadonlyArray<readonly [string, string, unknown]> = [
  ["v1", "Pod", template],
  ["v1", "PodTemplate", { template }],
  ["v1", "ReplicationController", { spec: { template } }],
  ["apps/v1", "Deployment", { spec: { template } }],
  ["apps/v1", "ReplicaSet", { spec: { template } }],
  ["apps/v1", "StatefulSet", { spec: { template } }],
  ["apps/v1", "DaemonSet", { spec: { template } }],
  ["batch/v1", "Job", { spec: { template } }],
  ["batch/v1", "CronJob", { spec: { jobTemplate: { spec: { template } } } }]
]

describe("the images of an object", () => {
  it("are those of all its containers and volumes, each once, with the reason of its pods", () => {
    for (const [apiVersion, kind, object] of KINDS) {
      const request = requestOf(apiVersion, kind, object)
      assert.deepStrictEqual(
        PodImages.ask(request),
        [
          { image: "init", place: "init container a" },
          { image: "main", place: "container b" },
          { image: "debug", place: "ephemeral container d" },
          { image: "model", place: "volume e" }
        ],
        kind
      )
      assert.strictEqual(PodImages.breakGlassOf(request), "why", kind)
    }
  })

  it("are none for other kinds and groups, deletions, connections and subresources", () => {
    assert.isEmpty(PodImages.ask(requestOf("v1", "ConfigMap", template)))
    assert.isEmpty(PodImages.ask(requestOf("example.org/v1", "Pod", template)))
    for (const operation of ["DELETE", "CONNECT"])
      assert.isEmpty(PodImages.ask(requestOf("v1", "Pod", template, { operation })))
    for (const subResource of ["status", "eviction", "binding", "resize", "scale"])
      assert.isEmpty(PodImages.ask(requestOf("v1", "Pod", template, { subResource })))
    for (const subResource of ["", null, "ephemeralcontainers"])
      assert.isNotEmpty(PodImages.ask(requestOf("v1", "Pod", template, { subResource })))
  })

  it("of an update are those that were not there before, wherever they were", () => {
    const before = {
      spec: {
        containers: [
          { name: "x", image: "init" },
          { name: "y", image: "main" }
        ]
      }
    }
    const update = { operation: "UPDATE", oldObject: before }
    assert.deepStrictEqual(
      PodImages.ask(requestOf("v1", "Pod", template, update)).map(({ image }) => image),
      ["debug", "model"]
    )
    const unknown = { operation: "UPDATE", oldObject: null }
    assert.lengthOf(PodImages.ask(requestOf("v1", "Pod", template, unknown)), 4)
  })

  it("are read from every review of a file", () => {
    const counts = [
      "pod-create",
      "pod-init",
      "pod-ephemeral",
      "deployment-create",
      "deployment-scaled"
    ].map((name) => PodImages.ask(read(AdmissionStage.reviewText(name))).length)
    assert.deepStrictEqual(counts, [1, 2, 1, 2, 0])
  })
})

describe("a review", () => {
  const DIGEST = "a".repeat(64)
  const asked: Array<string> = []
  const words = { wordsOf: String, now: Date.now, silenceMs: 0 }
  const times = { freshMs: 600_000, refusedFreshMs: 600_000, sizeMax: 10_000 }
  const admission = Admission.make({
    ruleOf: () => ({
      scope: { type: "environment", environment: "prod" },
      mode: "enforce",
      fail: "closed",
      allowsBreakGlass: true
    }),
    digests: ImageDigests.make({
      ...words,
      ...times,
      registries: [],
      ask: async (image) => {
        asked.push(image)
        return DIGEST
      }
    }),
    receipts: ReceiptCache.make({
      ...words,
      ...times,
      ask: async (key) => {
        asked.push(key)
        return { isCompliant: true, why: "", reasons: [], endsMs: Date.now() + 600_000 }
      }
    }),
    emergency: () => assert.fail("there is no emergency")
  })

  it("is about 256 images at most", async () => {
    const withImages = (count: number) =>
      requestOf("v1", "Pod", {
        spec: { containers: Array.from({ length: count }, (_, at) => ({ image: `i${at}` })) }
      })
    const most = await admission.review(withImages(Admission.IMAGES_MAX), 1_000)
    assert.strictEqual(most.decision?.outcome, "allowed")
    const above = await admission.review(withImages(Admission.IMAGES_MAX + 1), 1_000)
    assert.strictEqual(above.decision?.outcome, "denied")
  })

  it("is read, decided and printed in less than a millisecond when its images are known", async () => {
    const images = {
      "IMAGE-A": "registry.example.org/shop/web:1",
      "IMAGE-B": `proxy@sha256:${DIGEST}`
    }
    const text = AdmissionStage.reviewOf("deployment-create", images)
    const answer = async () => {
      const began = performance.now()
      const request = read(text)
      const { decision } = await admission.review(request, 1_000)
      AdmissionReview.print(request.uid, decision ?? assert.fail("it is not looked at"))
      return performance.now() - began
    }
    for (let at = 0; at < 1_000; at++) await answer()
    const before = asked.length
    const millis: Array<number> = []
    for (let at = 0; at < 1_000; at++) millis.push(await answer())
    assert.strictEqual(asked.length, before)
    const [median = 0] = millis.sort((left, right) => left - right).slice(500)
    assert.isBelow(median, 1)
  })
})
