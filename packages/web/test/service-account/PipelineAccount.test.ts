/** The account of a pipeline is made in three writes; an attempt after a refusal makes what is missing. */
import { assert, describe, it } from "vitest"
import * as PipelineAccount from "../../app/service-account/PipelineAccount.js"
import * as ApiProblem from "../../app/shared/ApiProblem.js"
import type { Written } from "../../app/shared/Mutation.js"

const PIPELINE: PipelineAccount.Pipeline = {
  name: "ci-shop",
  space: "retail/shops",
  description: "",
  expiresAt: 1_800_000_000
}

const done = <A>(value: A): Written<A> => ({ _tag: "Done", value })

/** Writes that say their names; each in `refused` is refused once. */
const recorded = (refused: ReadonlyArray<string>) => {
  const sent: Array<string> = []
  const left = new Set(refused)
  const write = (name: string) => async (): Promise<Written<string>> => {
    sent.push(name)
    return left.delete(name) ? { _tag: "Refused", problem: ApiProblem.offline } : done(name)
  }
  return { sent, writes: { account: write("account"), grant: write("grant"), key: write("key") } }
}

describe("the account of a pipeline", () => {
  it("is made in order", async () => {
    const { sent, writes } = recorded([])
    const written = await PipelineAccount.make(PIPELINE, writes, new Set())
    assert.deepStrictEqual([written, sent], [done("key"), ["account", "grant", "key"]])
  })

  it("says what was made where a write is refused, and goes on there", async () => {
    const texts = {
      account: undefined,
      grant:
        "The account ci-shop was made, but without a role and a key. Press again to make the rest.",
      key:
        "The account ci-shop was made, with the role member in retail/shops, but without a key. " +
        "Press again to make the rest."
    }
    for (const [name, text] of Object.entries(texts)) {
      const { sent, writes } = recorded([name])
      const made = new Set<string>()
      const first = await PipelineAccount.make(PIPELINE, writes, made)
      assert.strictEqual(first._tag, "Refused")
      assert.strictEqual(PipelineAccount.madeText(PIPELINE, made), text)
      const second = await PipelineAccount.make(PIPELINE, writes, made)
      assert.deepStrictEqual(second, done("key"))
      const all = ["account", "grant", "key"]
      assert.deepStrictEqual(
        sent,
        all.flatMap((each) => (each === name ? [each, each] : [each]))
      )
    }
  })

  it("of another name is made anew", async () => {
    const { sent, writes } = recorded(["grant"])
    const made = new Set<string>()
    await PipelineAccount.make(PIPELINE, writes, made)
    const other = { ...PIPELINE, name: "ci-desk" }
    assert.isUndefined(PipelineAccount.madeText(other, made))
    await PipelineAccount.make(other, writes, made)
    assert.deepStrictEqual(sent, ["account", "grant", "account", "grant", "key"])
  })
})
