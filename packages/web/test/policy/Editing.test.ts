/** Drafts, targets, rules in words, and the client of the policy worker, without a browser. */
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as Either from "effect/Either"
import { assert, describe, it, vi } from "vitest"
import * as PolicyDraft from "../../app/policy/PolicyDraft.js"
import { rulesOf } from "../../app/policy/PolicyRuleText.js"
import * as PolicyWorkerClient from "../../app/policy/PolicyWorkerClient.js"
import type { Reply } from "../../app/policy/PolicyWorkerMessages.js"
import * as TryTarget from "../../app/policy/TryTarget.js"

const storage = (isFull = false) => {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new Error("full")
      kept.set(key, value)
    },
    removeItem: (key: string) => void kept.delete(key)
  }
}

describe("a draft", () => {
  it("is kept by org and policy until it is forgotten", () => {
    const drafts = storage()
    PolicyDraft.keep(drafts, { org: "acme", policy: "p" }, { text: "t", base: 2 })
    assert.deepStrictEqual(PolicyDraft.load(drafts, "acme", "p"), { text: "t", base: 2 })
    assert.isUndefined(PolicyDraft.load(drafts, "acme", "q"))
    const named = { text: "t", base: 0, name: "fresh" }
    PolicyDraft.keep(drafts, { org: "acme", policy: "_new" }, named)
    assert.deepStrictEqual(PolicyDraft.load(drafts, "acme", "_new"), named)
    PolicyDraft.forget(drafts, "acme", "p")
    assert.isUndefined(PolicyDraft.load(drafts, "acme", "p"))
  })

  it("is none where the store is full or has something else", () => {
    const full = storage(true)
    PolicyDraft.keep(full, { org: "acme", policy: "p" }, { text: "t", base: 2 })
    assert.strictEqual(full.kept.size, 0)
    for (const stored of ["{", "null", "[]", '{"text":1,"base":1}', '{"text":"a"}']) {
      const drafts = storage()
      drafts.kept.set("attestry-draft:acme/p", stored)
      assert.isUndefined(PolicyDraft.load(drafts, "acme", "p"), stored)
    }
  })

  it("begins with a text that core accepts", () => {
    const text = PolicyDraft.starter("https://attestry.example.com")
    assert.isTrue(Either.isRight(PolicyDocument.parse(text)))
  })
})

describe("what a draft is tried on", () => {
  it("is a snapshot or an artifact, and prints as it was read", () => {
    const print = "a".repeat(64)
    for (const text of ["prod@~0", "prod@12", "prod@@{now}", print]) {
      const target = TryTarget.parse(text)
      assert.isDefined(target)
      if (target !== undefined) assert.strictEqual(TryTarget.print(target), text)
    }
    assert.deepStrictEqual(TryTarget.parse("prod"), TryTarget.parse("prod@~0"))
    assert.deepStrictEqual(TryTarget.parse("prod@"), TryTarget.parse("prod@~0"))
    for (const text of [undefined, "", "@3"]) assert.isUndefined(TryTarget.parse(text))
  })
})

describe("rules", () => {
  it("are said in the order in which core evaluates them", () => {
    const text = [
      "_schema: https://attestry.example.com/schemas/environment-policy/v1",
      "artifacts:",
      "  provenance: {required: true, exceptions: [{if: {text: 'flow.name == \"a\"'}}]}",
      "  attestations:",
      "    - {type: junit, name: unit}",
      "    - {type: snyk, must_be_compliant: false}",
      "    - {type: decision, for_control: C-1, if: {text: 'exists(flow)'}}",
      "    - {type: '*', name: any}"
    ].join("\n")
    const document = Either.getOrThrow(PolicyDocument.parse(text))
    assert.deepStrictEqual(
      rulesOf(document).map((rule) => [rule.text, rule.isDemanded, rule.control]),
      [
        ['provenance, except if flow.name == "a"', true, null],
        ["a compliant trail is not required", false, null],
        ["unit (junit)", true, null],
        ["any snyk, compliant or not", true, null],
        ["decision for C-1 if exists(flow)", true, "C-1"],
        ["any", true, null]
      ]
    )
  })
})

describe("the client of the policy worker", () => {
  const started = () => {
    const posts: Array<{ id: number; kind: string; facts?: unknown }> = []
    const on: { message?: (reply: Reply) => void; failure?: (why: string) => void } = {}
    let ended = 0
    let starts = 0
    const policyWorker = PolicyWorkerClient.make((given) => {
      starts += 1
      Object.assign(on, given)
      return {
        // WHY: the client posts this value.
        post: (message) => void posts.push(message as (typeof posts)[number]),
        end: () => {
          ended += 1
        }
      }
    })
    return { policyWorker, posts, on, counts: () => [starts, ended] }
  }

  it("gives each answer to its question, in any order", async () => {
    const { policyWorker, on, posts } = started()
    const answers = Promise.all([
      policyWorker.ask("template", { text: "a" }),
      policyWorker.ask("schema", {})
    ])
    on.message?.({ id: posts[1]?.id ?? 0, answer: "second" })
    on.message?.({ id: posts[0]?.id ?? 0, answer: [] })
    assert.deepStrictEqual(await answers, [[], "second"])
  })

  it("sends facts once to each worker", async () => {
    const { policyWorker, on, posts } = started()
    const asked = { name: "p", draft: "", before: null, key: "k" }
    const first = policyWorker.evaluate(asked, [])
    const second = policyWorker.evaluate(asked, [])
    assert.deepStrictEqual(
      posts.map((post) => "facts" in post),
      [true, false]
    )
    on.failure?.("gone")
    const failures = await Promise.allSettled([first, second])
    assert.isTrue(failures.every(({ status }) => status === "rejected"))
    void policyWorker.evaluate(asked, []).catch(() => undefined)
    assert.isTrue("facts" in (posts[2] ?? {}))
    policyWorker.end()
  })

  it("ends a worker that does not answer in time, and starts another", async () => {
    vi.useFakeTimers()
    const { policyWorker, on, counts, posts } = started()
    const late = policyWorker.ask("read", { text: "hostile" })
    const failed = late.catch((error: unknown) => String(error))
    vi.advanceTimersByTime(PolicyWorkerClient.PATIENCE_MS)
    assert.include(await failed, "took too long")
    const next = policyWorker.ask("read", { text: "" })
    on.message?.({ id: posts[1]?.id ?? 0, answer: { problems: [], rules: [] } })
    assert.deepStrictEqual(await next, { problems: [], rules: [] })
    assert.deepStrictEqual(counts(), [2, 1])
    vi.useRealTimers()
  })
})
