/** Every operation of the contract through the Effect client, against the real handlers. */
import { Api } from "@attestry/api/Api"
import { DEFAULT_SETTINGS } from "@attestry/core/Environment"
import { Fingerprint } from "@attestry/core/Fingerprint"
import {
  CommitSha,
  EnvironmentName,
  FlowName,
  SlotName,
  TrailName
} from "@attestry/core/Identifier"
import * as HttpApi from "@effect/platform/HttpApi"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import * as Client from "../src/Client.js"
import * as StubFetch from "./shared/StubFetch.js"
import * as TestDeployment from "./shared/TestDeployment.js"
import { BASE_URL, org } from "./shared/TestDeployment.js"

const flow_name = FlowName.make("shop")
const env_name = EnvironmentName.make("prod")
const fingerprint = Fingerprint.make("a".repeat(64))
const digests = { "shop:1.0": fingerprint }
const running = { digests, creationTimestamp: 1 }

const connect = Effect.gen(function* () {
  const { adminKey, fetch } = yield* TestDeployment.make
  const client = yield* Client.make({ baseUrl: BASE_URL, apiKey: adminKey }).pipe(
    Effect.provide(TestDeployment.layerFetch(fetch))
  )
  return { client, adminKey, fetch }
})

describe("Client", () => {
  it.effect("has every operation of the contract under its group's name", () =>
    Effect.gen(function* () {
      const { client } = yield* connect
      const names: Array<string> = []
      HttpApi.reflect(Api, {
        onGroup: () => {},
        onEndpoint: ({ group, endpoint }) => names.push(`${group.identifier}.${endpoint.name}`)
      })
      assert.deepStrictEqual(
        Object.entries(client).flatMap(([group, calls]) =>
          Object.keys(calls).map((name) => `${group}.${name}`)
        ),
        names
      )
    })
  )

  it.effect("answers OK whether a flow was made or was there", () =>
    Effect.gen(function* () {
      const { client } = yield* connect
      const put = () =>
        client.flow.put({
          path: { org },
          payload: { name: flow_name, description: "the shop", template: ["artifact"] },
          withResponse: true
        })
      const [made, first] = yield* put()
      const [kept, second] = yield* put()
      assert.deepStrictEqual([made, first.status], ["OK", 201])
      assert.deepStrictEqual([kept, second.status], ["OK", 200])
    })
  )

  it.effect("reads back a flow with the template it was given", () =>
    Effect.gen(function* () {
      const { client } = yield* connect
      const template_file = "version: 1\ntrail:\n  artifacts:\n    - name: backend\n"
      const put = yield* client.flow.putWithTemplate({
        path: { org },
        payload: { name: flow_name, description: "the shop", template_file }
      })
      const { id: _, ...flow } = yield* client.flow.get({ path: { org, flow_name } })
      assert.strictEqual(put, "OK")
      assert.deepStrictEqual(flow, {
        name: flow_name,
        description: "the shop",
        visibility: "private",
        org,
        template: template_file,
        repo_url: "",
        last_deployment_at: null,
        tags: {}
      })
    })
  )

  it.effect("begins a trail and reports an artifact to it", () =>
    Effect.gen(function* () {
      const { client } = yield* connect
      const trail = TrailName.make("build-1")
      const sha1 = CommitSha.make("c".repeat(40))
      const begun = yield* client.trail.begin({
        path: { org, flow_name },
        payload: { name: trail, git_commit_info: { sha1, message: "ship it" } }
      })
      const reported = yield* client.artifact.report({
        path: { org, flow_name },
        payload: {
          fingerprint,
          filename: "shop:1.0",
          build_url: "https://ci.example.com/1",
          commit_url: "https://git.example.com/1",
          git_commit: sha1,
          trail_name: trail,
          template_reference_name: SlotName.make("backend")
        }
      })
      assert.deepStrictEqual([begun, reported], ["OK", "OK"])
    })
  )

  it.effect("reads back an environment", () =>
    Effect.gen(function* () {
      const { client } = yield* connect
      const put = yield* client.environment.put({
        path: { org },
        payload: { name: env_name, type: "docker", description: "the cluster" }
      })
      const { last_modified_at: _, ...environment } = yield* client.environment.get({
        path: { org, env_name }
      })
      assert.strictEqual(put, "OK")
      assert.deepStrictEqual(environment, {
        org,
        name: env_name,
        type: "docker",
        ...DEFAULT_SETTINGS,
        description: "the cluster",
        last_reported_at: null,
        last_changed_at: null,
        due_at: null,
        state: null,
        tags: {},
        policies: [],
        policy_modes: {},
        report_every: null,
        when_silent: "warn",
        silent_since: null,
        included_environments: null
      })
    })
  )

  it.effect("reports to an environment of every kind", () =>
    Effect.gen(function* () {
      const { client } = yield* connect
      const { report } = client
      const at = (name: string) => ({ org, env_name: EnvironmentName.make(name) })
      const plain = { artifacts: [running] }
      for (const type of [
        "K8S",
        "container-tasks",
        "object-store",
        "functions",
        "server",
        "docker",
        "cloudx-apps",
        "serverless-run"
      ] as const) {
        yield* client.environment.put({
          path: { org },
          payload: { name: EnvironmentName.make(type), type }
        })
      }
      const answers = yield* Effect.all([
        report.K8S({
          path: at("K8S"),
          payload: { artifacts: [{ ...running, podName: "shop-1", namespace: "shop" }] }
        }),
        report["container-tasks"]({
          path: at("container-tasks"),
          payload: { artifacts: [{ ...running, taskArn: "arn:1" }] }
        }),
        report["object-store"]({ path: at("object-store"), payload: plain }),
        report.functions({ path: at("functions"), payload: plain }),
        report.server({ path: at("server"), payload: plain }),
        report.docker({ path: at("docker"), payload: plain }),
        report["cloudx-apps"]({
          path: at("cloudx-apps"),
          payload: {
            artifacts: [{ ...running, app_name: "shop", app_kind: "web", digests_source: "logs" }]
          }
        }),
        report["serverless-run"]({
          path: at("serverless-run"),
          payload: { artifacts: [{ ...running, kind: "service", serviceName: "shop" }] }
        })
      ])
      assert.deepStrictEqual(
        answers,
        Array.from(answers, () => "OK" as const)
      )
    })
  )

  it.effect("finds snapshots by every kind of expression", () =>
    Effect.gen(function* () {
      const { client } = yield* connect
      const path = { org, env_name }
      yield* client.environment.put({ path: { org }, payload: { name: env_name, type: "docker" } })
      yield* client.report.docker({ path, payload: { artifacts: [running] } })
      yield* client.report.docker({ path, payload: { artifacts: [] } })
      const indexOf = (snapshot_expression: string) =>
        Effect.map(
          client.snapshot.get({ path: { ...path, snapshot_expression } }),
          ({ index }) => index
        )
      assert.strictEqual(yield* indexOf("~1"), 1)
      assert.strictEqual(yield* indexOf("~0"), 2)
      assert.strictEqual(yield* indexOf("#1"), 1)
      assert.strictEqual(yield* indexOf("-1"), 2)
      assert.strictEqual(yield* indexOf("@{now}"), 2)
      const { timestamp, ...first } = yield* client.snapshot.get({
        path: { ...path, snapshot_expression: "1" }
      })
      assert.strictEqual(yield* indexOf(`@{${DateTime.formatIso(timestamp).slice(0, 19)}}`), 1)
      assert.deepStrictEqual(
        first.artifacts.map(({ name, fingerprint }) => ({ name, fingerprint })),
        [{ name: "shop:1.0", fingerprint }]
      )
      const ago = yield* Effect.flip(indexOf("@{2.days.ago}"))
      assert.strictEqual(ago._tag, "NotFound")
    })
  )

  it.effect("sends the key and a name, and no trace by default", () =>
    Effect.gen(function* () {
      const { adminKey, fetch } = yield* TestDeployment.make
      const headersWith = (options: Partial<Client.ClientOptions>) =>
        Effect.gen(function* () {
          const stub = StubFetch.make(["real"], fetch)
          const client = yield* Client.make({
            baseUrl: `${BASE_URL}/`,
            apiKey: adminKey,
            ...options
          }).pipe(Effect.provide(TestDeployment.layerFetch(stub.fetch)))
          yield* client.environment
            .put({ path: { org }, payload: { name: env_name, type: "docker" } })
            .pipe(Effect.withSpan("caller"))
          const [request] = stub.requests
          return { url: request?.url, headers: new Map(request?.headers ?? []) }
        })
      const plain = yield* headersWith({})
      const traced = yield* headersWith({ tracePropagation: true, userAgent: "deployer/7" })
      assert.strictEqual(plain.url, `${BASE_URL}/api/v2/environments/acme`)
      assert.match(plain.headers.get("authorization") ?? "", /^Bearer attestry_user_/)
      assert.strictEqual(plain.headers.get("user-agent"), "attestry-client")
      assert.deepStrictEqual(
        ["traceparent", "b3"].map((name) => [plain.headers.has(name), traced.headers.has(name)]),
        [
          [false, true],
          [false, true]
        ]
      )
      assert.strictEqual(traced.headers.get("user-agent"), "deployer/7")
    })
  )
})
