/** The problems of trust policies, all at once, with their places and corrections. */
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as TrustPolicyDocument from "../../src/trust-policy/TrustPolicyDocument.js"
import { HEAD, KEYED, key, problems, RULE, sigstore, withRules } from "./TrustPolicyTexts.js"

const rule = (members: string): string => withRules(`{ name: a, ${members} }`)
const BY_KEY = "signer: { keys: [release] }"

describe("TrustPolicyDocument.parse: rejects", () => {
  const rejects: ReadonlyArray<
    readonly [what: string, text: string, problems: ReadonlyArray<string>]
  > = [
    [
      "an empty document",
      "",
      [
        "trust_yaml (1): expected a mapping with the keys `_schema`, `scan`, `coverage`, " +
          "`keys`, `rules`, `must_be_verified`, not `null`"
      ]
    ],
    [
      "text that is not YAML",
      "_schema: [",
      [
        "trust_yaml (1): flow sequence in block collection must be sufficiently indented " +
          "and end with a ]: indent it like the lines around it, and close every bracket"
      ]
    ],
    [
      "a missing schema",
      "keys: []",
      [
        "trust_yaml (1): `_schema` is missing: add `_schema:` with an address such as " +
          "`https://HOST/schemas/trust-policy/v1`"
      ]
    ],
    [
      "another version",
      "_schema: https://h/v2",
      [
        "_schema (1): expected an absolute address that ends with `/v1`, such as " +
          "`https://HOST/schemas/trust-policy/v1`, not `https://h/v2`"
      ]
    ],
    [
      "a misspelt key, and what is wrong below it",
      `${HEAD}scans: { failOn: hihg }`,
      [
        "scans (2): unknown key `scans`: write `scan`",
        "scans.failOn (2): unknown key `failOn`: write `fail_on`",
        "scans.failOn (2): unknown severity `hihg`: write `high`"
      ]
    ],
    [
      "coverage out of bounds",
      `${HEAD}coverage: { min_lines: 101 }`,
      ["coverage.min_lines (2): expected a number from 0 to 100, not `101`"]
    ],
    [
      "keys without members, and twice",
      `${HEAD}keys:\n  - {}\n  - ${key("a")}\n  - ${key("a", "BBBB")}\n  - ${key("b")}\n`,
      [
        "keys.0 (3): `id` is missing: add a name that rules have for the key",
        "keys.0 (3): `public_key` is missing: add the key in PEM",
        "keys.2.id (5): another key has the id `a`: give each key its own",
        "keys.3.public_key (6): this is the same key as `a`: keep one of them"
      ]
    ],
    [
      "keys that are no PEM",
      `${HEAD}keys:\n  - { id: a, public_key: 1 }\n  - { id: b, public_key: "A-=" }\n` +
        '  - { id: c, public_key: "-----BEGIN PUBLIC KEY-----\\nA-=\\n-----END PUBLIC KEY-----" }\n',
      [
        "keys.0.public_key (3): expected a public key in PEM, from `-----BEGIN PUBLIC " +
          "KEY-----` to `-----END PUBLIC KEY-----`, as a text after `|`",
        "keys.1.public_key (4): expected a public key in PEM, from `-----BEGIN PUBLIC " +
          "KEY-----` to `-----END PUBLIC KEY-----`, each on a line of its own",
        "keys.2.public_key (5): the text between the first and the last line is not base64: copy the key again"
      ]
    ],
    [
      "an end that is no day",
      `${HEAD}keys: [${key("a").replace(" }", ", valid_until: 2027-02-30 }")}]`,
      [
        "keys.0.valid_until (2): expected a day such as `2027-12-31`, or a second such as " +
          "`2027-12-31T12:00:00Z`, not `2027-02-30`"
      ]
    ],
    [
      "rules of one name",
      withRules(RULE, RULE),
      ["rules.1.name (6): another rule has the name `a`: give each rule its own"]
    ],
    [
      "a rule without members",
      withRules("{}"),
      [
        "rules.0 (5): the rule says nothing about evidence: add `kinds` or `predicates`",
        "rules.0 (5): `name` is missing: add a sentence that says what the rule trusts",
        "rules.0 (5): `signer` is missing: add `signer:` with `keys` or `sigstore`"
      ]
    ],
    [
      "kinds and predicates",
      rule(`kinds: [sbom], predicates: ["a"], ${BY_KEY}`),
      ["rules.0 (5): `kinds` and `predicates` exclude each other: remove one of them"]
    ],
    [
      "kinds that do not exist, and no kinds",
      `${rule(`kinds: [sbom, provenence, zzz, sbom], ${BY_KEY}`)}must_be_verified: []`,
      [
        "rules.0.kinds.1 (5): unknown kind `provenence`: write `provenance`",
        "rules.0.kinds.2 (5): unknown kind `zzz`: the kinds are `provenance`, " +
          "`verification`, `sbom`, `scan`, `analysis`, `tests`, `junit`, `snyk`, " +
          "`coverage`, `vex`, `signature`, `statement`",
        "rules.0.kinds.3 (5): `sbom` occurs twice: keep one of them",
        "must_be_verified (6): the list is empty: name at least one kind, or remove the key"
      ]
    ],
    [
      "keys that the policy does not have",
      rule("kinds: [sbom], signer: { keys: [relaese] }"),
      ["rules.0.signer.keys.0 (5): there is no key `relaese`: write `release`"]
    ],
    [
      "keys in a policy without keys",
      `${HEAD}rules: [${RULE}]`,
      ["rules.0.signer.keys.0 (2): there is no key `release`: add it below `keys:`"]
    ],
    [
      "a threshold beyond the keys, and one that is none",
      withRules(
        RULE.replace("[release]", "[release], threshold: 2"),
        RULE.replace("a,", "b,").replace("[release]", "[release], threshold: 0.5")
      ),
      [
        "rules.0.signer.threshold (5): the rule has fewer keys, so nothing could satisfy " +
          "it: name more keys, or lower the threshold",
        "rules.1.signer.threshold (6): expected a whole number from 1 to 100, not `0.5`"
      ]
    ],
    [
      "both signers, and none",
      withRules(
        RULE.replace("[release]", "[release], sigstore: {}"),
        "{ name: b, kinds: [sbom], signer: {} }"
      ),
      [
        "rules.0.signer (5): `keys` and `sigstore` exclude each other: write a rule for each",
        "rules.1.signer (6): `keys` is missing: name keys of the policy, or add `sigstore`"
      ]
    ],
    [
      "an identity without members",
      withRules("{ name: b, kinds: [sbom], signer: { sigstore: {}, threshold: 1 } }"),
      [
        "rules.0.signer.sigstore (5): `roots` is missing: name at least one trust root, such as `public-good`",
        "rules.0.signer.sigstore (5): `issuer` is missing: add the address of the issuer of identities",
        "rules.0.signer.sigstore (5): `san` is missing: add a pattern of the identity, " +
          "such as the address of a workflow",
        "rules.0.signer.threshold (5): `threshold` only goes with `keys`: remove it"
      ]
    ],
    ...["*", "**", "***/*", "*@*.*"].map(
      (san): readonly [string, string, ReadonlyArray<string>] => [
        `the SAN ${san}`,
        withRules(sigstore(san)),
        [
          "rules.0.signer.sigstore.san (5): only wildcards would trust every identity of the issuer: " +
            `name the workflow or the person, not \`${san}\``
        ]
      ]
    ),
    ...[
      "*",
      "https://*",
      "https://*.example",
      "http://issuer.example",
      "https://",
      "https://a?b"
    ].map((issuer): readonly [string, string, ReadonlyArray<string>] => [
      `the issuer ${issuer}`,
      withRules(sigstore("a", issuer)),
      [
        "rules.0.signer.sigstore.issuer (5): expected an exact `https` address without wildcards " +
          `and without a query, not \`${issuer}\``
      ]
    ]),
    [
      "the id of a repository as a number",
      withRules(sigstore("a", "https://h", ", source_repository_id: 4711")),
      [
        "rules.0.signer.sigstore.source_repository_id (5): expected text, not `4711`: put it in quotes"
      ]
    ],
    [
      "lists and sections without content, which would be no restriction",
      rule(`kinds: [sbom], ${BY_KEY}, flows: , verifiers: [], source: {}, builder: ""`),
      [
        "rules.0.flows (5): expected a list: begin each item with `- `, not `null`",
        "rules.0.verifiers (5): the list is empty: expected a pattern, or remove the key",
        "rules.0.source (5): the source is empty: add `repository` or `ref`, or remove it",
        "rules.0.builder (5): expected a pattern, not ``"
      ]
    ],
    [
      "members of other types",
      `${KEYED}rules:\n  - 3\n  - { name: 3, kinds: 3, signer: 3, build_level: 4, ` +
        "parameters: 3, strict_parameters: 3, flows: [a/b] }",
      [
        "rules.0 (5): expected a mapping with the keys `name`, `kinds`, `predicates`, " +
          "`signer`, `builder`, `build_level`, `build_type`, `source`, `parameters`, " +
          "`strict_parameters`, `flows`, `verifiers`, `properties`, not `3`",
        "rules.1.name (6): expected text, not `3`: put it in quotes",
        "rules.1.kinds (6): expected a list: begin each item with `- `, not `3`",
        "rules.1.signer (6): expected a mapping with the keys `keys`, `threshold`, `sigstore`, not `3`",
        "rules.1.build_level (6): expected a whole number from 1 to 3, not `4`",
        "rules.1.parameters (6): expected a mapping of names to texts, not `3`",
        "rules.1.strict_parameters (6): expected `true` or `false`, not `3`",
        "rules.1.flows.0 (6): expected the name of a flow, not `a/b`"
      ]
    ]
  ]
  for (const [what, text, expected] of rejects)
    it(what, () => assert.deepStrictEqual(problems(text), expected))

  it("says the position of each, in the order of the text", () => {
    const text = `${HEAD}rules:\n  - signer: { keys: [zzz] }\n    name: a\nscan: { fail_on: all }\nkeys: 1\n`
    assert.deepStrictEqual(
      Either.getOrThrow(Either.flip(TrustPolicyDocument.parse(text))).problems.map(
        ({ column, line, path }) => [path, line, column]
      ),
      [
        ["rules.0", 3, 5],
        ["rules.0.signer.keys.0", 3, 22],
        ["scan.fail_on", 5, 9],
        ["keys", 6, 1]
      ]
    )
  })

  it("accepts what the others change", () => {
    assert.deepStrictEqual(problems(withRules(RULE, sigstore("*@acme.example"))), [])
  })
})
