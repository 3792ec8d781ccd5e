/** Hostile policies are refused with 400 in little time (P-YAML, P-RE). */
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"
import { policyYaml } from "./Policies.js"

const rule = (condition: string): string =>
  policyYaml(`  attestations:\n    - type: junit\n      if: ${JSON.stringify(condition)}\n`)

const matching = (pattern: string): string =>
  rule(`\${{ matches(artifact.name, ${JSON.stringify(pattern)}) }}`)

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`

const rules = (count: number): string =>
  policyYaml(`  attestations:\n${"    - type: junit\n      name: n\n".repeat(count)}`)

const patterns = (count: number): string =>
  policyYaml(
    `  attestations:\n${Array.from(
      { length: count },
      (_, index) => `    - type: junit\n      if: \${{ matches(artifact.name, "^p${index}") }}\n`
    ).join("")}`
  )

const doubling = Array.from({ length: 30 }, (_, index) =>
  index === 0 ? "a0: &a0 [x, x]" : `a${index}: &a${index} [*a${index - 1}, *a${index - 1}]`
).join("\n")

const padded = (bytes: number): string => {
  const text = policyYaml("  provenance:\n    required: true\n#")
  return `${text}${"x".repeat(bytes - text.length)}`
}

/** Refused policies, by their problem. */
const hostile: { readonly [title: string]: string } = {
  "an alias bomb": `${doubling}\n`,
  "an anchor": "_schema: &a https://example.org/v1\n",
  "a merge key": "_schema: https://example.org/v1\n<<: {artifacts: {}}\n",
  "33 levels": policyYaml(`  attestations: ${nested(33)}\n`),
  "ten thousand levels": nested(10_000),
  "two documents": "_schema: https://example.org/v1\n---\n_schema: https://example.org/v1\n",
  "a duplicate key": "_schema: https://example.org/v1\n_schema: https://example.org/v1\n",
  "a foreign tag": "_schema: !!js/function 'x'\n",
  "a byte more than 64 KiB": padded(65_537),
  "no text at all": "",
  "a bare word": "policy",
  "the key __proto__": `${policyYaml("  provenance:\n    required: true\n")}__proto__: {}\n`,
  "the key constructor": policyYaml("  constructor:\n    required: true\n"),
  "a control character": "_schema: \u0001\n",
  "a lone surrogate as an escape": '_schema: "\\ud800"\n',
  "101 rules": rules(101),
  "21 patterns": patterns(21),
  "a pattern of 257 characters": matching("a".repeat(257)),
  "a counted repeat of 101": matching("a{101}"),
  "nested repeats": matching("((a{100}){100}){100}"),
  "a backreference": matching("(a)\\1"),
  "a lookahead": matching("(?=a)"),
  "a condition of 4,097 characters": rule(`\${{ ${`flow.name == "${"x".repeat(4_097)}"`} }}`),
  "a condition of 33 levels": rule(`\${{ ${"(".repeat(33)}exists(flow)${")".repeat(33)} }}`),
  "a condition that is no boolean": rule(`\${{ flow.name }}`),
  "an unknown root": rule(`\${{ process.env == 1 }}`),
  "a condition without its wrapper": rule("exists(flow)")
}

/** The last accepted policy of each limit. */
const harmless: { readonly [title: string]: string } = {
  "64 KiB": padded(65_536),
  "100 rules": rules(100),
  "20 patterns": patterns(20),
  "a pattern of 256 characters": matching("a".repeat(256)),
  "a counted repeat of 100": matching("a{100}"),
  "a condition of 31 levels": rule(`\${{ ${"(".repeat(31)}exists(flow)${")".repeat(31)} }}`)
}

/** WHY: a refusal takes far less; an expanded policy takes minutes or all memory. */
const QUICK_MS = 2_000

onEveryStore("PUT /policies/{org}/{name} with a hostile text", ({ call }) => {
  const put = (policy_yaml: string) =>
    call("PUT /policies/{org}/{name}", { path: { name: "hostile" }, body: { policy_yaml } })

  for (const [title, text] of Object.entries(hostile)) {
    it(`refuses ${title}`, async () => {
      const before = performance.now()
      const { status, body } = await put(text)
      assert.isBelow(performance.now() - before, QUICK_MS)
      assert.strictEqual(status, 400, JSON.stringify(body))
      const { errors, message } = body as { message: string; errors: Record<string, string> }
      assert.match(message, /validation errors for Policy$/)
      assert.isNotEmpty(errors)
      for (const text of Object.values(errors)) assert.match(text, /^line \d+, column \d+: /)
    })
  }

  for (const [title, text] of Object.entries(harmless)) {
    it(`accepts ${title}`, async () => {
      const { status, body } = await put(text)
      assert.include([200, 201], status, JSON.stringify(body))
    })
  }
})
