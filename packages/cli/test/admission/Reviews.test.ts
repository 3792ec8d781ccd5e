/**
 * Reviews of real clusters: each is read, all its images are found, and it is answered by a valid review.
 *
 * `ATTESTRY_ADMISSION_SAMPLES` is the path of a folder with checkouts of projects that publish such bodies as JSON: for
 * example kubewarden/policies, kubewarden/verify-image-signatures, kubewarden/user-group-psp-policy, kubewarden/kwctl,
 * sse-secure-systems/connaisseur, datreeio/admission-webhook-datree and neuvector/neuvector. Without the path the test
 * of them is skipped, and says so.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Either, FastCheck as fc } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as AdmissionReview from "../../src/admission/AdmissionReview.js"
import * as PodImages from "../../src/admission/PodImages.js"
import * as Json from "../../src/shared/Json.js"
import * as AdmissionStage from "./AdmissionStage.js"
import * as ReviewModel from "./ReviewModel.js"

const samples = process.env.ATTESTRY_ADMISSION_SAMPLES ?? ""

/** WHY no registry: a tag of a published body must not be asked for on the network. */
const FLAGS = [
  ...["--environment", "prod", "--mode", "enforce", "--fail", "closed"],
  ...["--registry", "registry.invalid", "--output", "jsonl"]
]

const read = (text: string) => Either.getOrThrowWith(AdmissionReview.parse(text), assert.fail)

const imagesOf = (text: string): ReadonlyArray<string> =>
  PodImages.ask(read(text))
    .map(({ image }) => image)
    .sort()

/** The JSON files in a folder that are no links. */
const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath, entry.name))

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // WHY: some projects publish broken files on purpose.
    return undefined
  }
}

const own = AdmissionStage.reviewNames().map((name) => {
  const text = AdmissionStage.reviewText(name)
  const request = ReviewModel.requestIn(parsed(text))
  return { name, text, request: request ?? assert.fail(`${name} has no request`) }
})

describe("a review of a cluster", () => {
  const made: { admit?: AdmissionStage.Admitting } = {}
  const admit = () => made.admit ?? assert.fail("the command has not started")
  beforeAll(async () => {
    const env = {
      ATTESTRY_URL: "http://127.0.0.1:1",
      ATTESTRY_API_KEY: "key",
      ATTESTRY_ORG: "acme",
      ATTESTRY_RETRIES: "0"
    }
    made.admit = await AdmissionStage.start({ flags: FLAGS, env })
  })
  afterAll(() => made.admit?.stop())

  /** What is wrong about the answer to a request. */
  const problems = async (request: Json.Fields): Promise<ReadonlyArray<string>> => {
    const text = ReviewModel.reviewOf(request)
    const expected = ReviewModel.images(request)
    const found = imagesOf(text)
    const { status, text: answer } = await admit().post("/admit?timeout=10s", text)
    if (status !== 200) return [`status ${status}: ${answer}`]
    const { allowed } = JSON.parse(answer).response
    const isEmergency = PodImages.breakGlassOf(read(text)) !== undefined
    return [
      ...ReviewModel.problemsOf(answer, request.uid),
      ...(JSON.stringify(found) === JSON.stringify(expected)
        ? []
        : [`has the images ${expected.join(" ")} and not ${found.join(" ")}`]),
      // Nothing is known about any image here, so each that is looked at is a reason to deny.
      ...(allowed === (expected.length === 0 || isEmergency) ? [] : [`is allowed: ${allowed}`])
    ]
  }

  it("is one of all kinds and operations, with the members that API servers fill in", () => {
    const places = own.map(({ request }) => {
      const { kind, operation, subResource } = request
      return `${operation} ${Json.object(kind).kind} ${subResource ?? ""}`.trim()
    })
    assert.includeMembers(places, [
      ...["Pod", "Deployment", "ReplicaSet", "StatefulSet", "Job", "CronJob"].map(
        (kind) => `CREATE ${kind}`
      ),
      ...["UPDATE Pod", "UPDATE Deployment", "UPDATE Pod ephemeralcontainers", "DELETE Pod"],
      "UPDATE Scale scale"
    ])
    assert.isTrue(own.some(({ request }) => request.dryRun === true))
    for (const { name, request } of own) {
      const { namespace, object, oldObject, options, requestKind, requestResource } = request
      const metadata = Json.object(Json.object(object ?? oldObject).metadata)
      for (const member of [namespace, options, requestKind, requestResource, request.resource])
        assert.isOk(member, name)
      assert.isOk(Json.object(request.userInfo).username, name)
      for (const member of ["name", "uid", "creationTimestamp"])
        assert.isString(metadata[member], `${name}: ${member}`)
      const isScale = Json.object(request.kind).kind === "Scale"
      assert.strictEqual(Array.isArray(metadata.managedFields), !isScale, name)
    }
  })

  it("is answered about all its images", async () => {
    assert.isAtLeast(own.length, 16)
    for (const { name, request } of own) assert.deepStrictEqual(await problems(request), [], name)
  })

  it("has the images that a walk through its object finds, whatever the object has", () => {
    const templates: { readonly [resource: string]: (pod: unknown) => unknown } = {
      "/pods Pod": (pod) => pod,
      "/podtemplates PodTemplate": (template) => ({ template }),
      "/replicationcontrollers ReplicationController": (template) => ({ spec: { template } }),
      "apps/deployments Deployment": (template) => ({ spec: { template } }),
      "apps/daemonsets DaemonSet": (template) => ({ spec: { template } }),
      "batch/jobs Job": (template) => ({ spec: { template } }),
      "batch/cronjobs CronJob": (template) => ({
        spec: { jobTemplate: { spec: { template } } }
      })
    }
    const image = fc.constantFrom("a", "b", "c:1", "d@sha256:0", "", null, 7)
    const containers = fc.array(fc.record({ name: fc.string(), image }), { maxLength: 4 })
    const spec = fc.record(
      {
        containers,
        initContainers: containers,
        ephemeralContainers: fc.oneof(containers, fc.constant(null)),
        volumes: fc.array(fc.record({ name: fc.string(), image: fc.record({ reference: image }) })),
        securityContext: fc.constant({})
      },
      { requiredKeys: [] }
    )
    const request = fc.record({
      place: fc.constantFrom(...Object.keys(templates)),
      operation: fc.constantFrom("CREATE", "UPDATE", "DELETE"),
      subResource: fc.constantFrom(undefined, "", "status", "ephemeralcontainers"),
      pod: spec,
      before: fc.option(spec)
    })
    fc.assert(
      fc.property(request, ({ before, operation, place, pod, subResource }) => {
        const [, group = "", plural = "", kind = ""] = /^(.*)\/(\S+) (\S+)$/.exec(place) ?? []
        // No other resource has it.
        fc.pre(
          subResource !== "ephemeralcontainers" || (plural === "pods" && operation === "UPDATE")
        )
        const objectOf = (podSpec: unknown) => templates[place]?.({ metadata: {}, spec: podSpec })
        const asked = {
          uid: "u",
          kind: { group, version: "v1", kind },
          resource: { group, version: "v1", resource: plural },
          subResource,
          operation,
          object: operation === "DELETE" ? null : objectOf(pod),
          oldObject: before === null ? null : objectOf(before)
        }
        assert.deepStrictEqual(imagesOf(ReviewModel.reviewOf(asked)), ReviewModel.images(asked))
      })
    )
  })

  if (samples === "")
    it.skip("is not one of other projects: ATTESTRY_ADMISSION_SAMPLES is not set", () => {
      assert.fail("a skipped test does not run")
    })
  const projects = (samples === "" ? [] : readdirSync(samples)).map((folder) => {
    const texts = filesIn(join(samples, folder)).map((file) => ({
      file: file.slice(samples.length + 1),
      text: readFileSync(file, "utf8")
    }))
    const published = texts.flatMap(({ file, text }) => {
      const request = ReviewModel.requestIn(parsed(text))
      return request === undefined ? [] : [{ file, request }]
    })
    return { folder, texts, published }
  })
  for (const { folder, published } of projects)
    if (published.length > 0)
      it(`is one of ${published.length} of ${folder}`, { timeout: 300_000 }, async () => {
        const wrong: Array<string> = []
        for (const { file, request } of published)
          wrong.push(...(await problems(request)).map((problem) => `${file} ${problem}`))
        assert.deepStrictEqual(wrong, [])
      })
  it.skipIf(samples === "")("is published, and no other file makes the reader throw", () => {
    assert.isNotEmpty(projects.flatMap(({ published }) => published))
    for (const { text } of projects.flatMap(({ texts }) => texts)) AdmissionReview.parse(text)
  })
})
