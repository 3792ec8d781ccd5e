/** The files of the table of hostile files in docs/guides/signed-evidence.md, and what each gets. */
import { gzipSync } from "node:zlib"
import * as Files from "../../../evidence-intake/test/shared/EvidenceFiles.js"
import * as SigstoreMint from "../../../evidence-intake/test/verification/SigstoreMint.js"
import { BOM, PEM, signed, statementOf, trustOf } from "./EvidenceHost.js"

/** A hostile file. */
export interface HostileFile {
  readonly what: string
  readonly content: string | Uint8Array
  /** The content of a later try, where the server is done sooner with what it has. */
  readonly anew?: (count: number) => string
  /** The status, and the message or the state of verification; `…` stands for any text. */
  readonly gets: string
  /** Whether the file says itself what it is about, so that the caller names nothing. */
  readonly hasSubjects?: true
}

const fill = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index))

const json = (value: unknown): string => JSON.stringify(value)

const component = (index: number) => ({ name: "a", purl: `pkg:npm/a@${index}` })

const bomOf = (components: ReadonlyArray<unknown>, rest: object = {}) =>
  json({ ...BOM, components, ...rest })

const nested = (levels: number): string =>
  `{"bomFormat":"CycloneDX","specVersion":"1.6","components":${'[{"name":"a","components":'.repeat(
    levels
  )}[]${"}]".repeat(levels)}}`

const sarif = (results: ReadonlyArray<object>) =>
  json({ version: "2.1.0", runs: [{ tool: { driver: { name: "x" } }, results }] })

const subject = (index: number) => ({ digest: { sha256: index.toString(16).padStart(64, "0") } })

const digests = (count: number) =>
  Object.fromEntries(fill(count, (index) => [`a${index.toString(36)}`, "00"]))

const COBERTURA = '<coverage line-rate="1" lines-covered="1" lines-valid="1"/>'

const tar = new Uint8Array(512)
tar.set(Files.bytesOf("ustar"), 257)

/** Zeros in gzip: as many pieces of 64 MiB as asked for, one after the other. */
const zeros = (pieces: number): Uint8Array => {
  const piece = gzipSync(new Uint8Array(64 * 1_024 * 1_024))
  return Buffer.concat(fill(pieces, () => piece))
}

const statement = json(statementOf("a".repeat(64)))
const envelope = signed(statement)

/** A signed statement whose payload has both characters in which the alphabets of base64 differ. */
const inUrlAlphabet = (): string => {
  const sample = signed(json({ ...statementOf("b".repeat(64)), padding: "~~~???>>>ÿÿÿ" }))
  const url = (text: string) => text.replaceAll("+", "-").replaceAll("/", "_")
  const [signature] = sample.signatures
  return json({
    ...sample,
    payload: url(sample.payload),
    signatures: [{ keyid: "release", sig: url(signature?.sig ?? "") }]
  })
}

const FORM: ReadonlyArray<HostileFile> = [
  {
    what: "a million levels of `[`",
    content: "[".repeat(1_000_000),
    gets: "400 `JSON nests more than 64 levels deep`"
  },
  {
    what: "a hundred thousand levels of XML",
    content: "<a>".repeat(100_000),
    gets: "400 `this XML has more than 64 levels of elements`"
  },
  {
    what: "gzip of 10 GiB of zeros",
    content: zeros(160),
    gets: "413 `The file unpacks to more than 33554432 bytes`"
  },
  {
    what: "gzip of 256 MiB of zeros, which is more than 100 times its size",
    content: zeros(4),
    gets: "413 `The file unpacks to more than …`"
  },
  {
    what: "gzip in gzip",
    content: gzipSync(gzipSync(json(BOM))),
    gets: "400 `the file is gzip in gzip; only the outer one is unpacked`"
  },
  {
    what: "gzip that ends early",
    content: gzipSync(json(BOM)).subarray(0, 40),
    gets: "400 `the file begins like gzip and does not unpack`"
  },
  {
    what: "an entity that holds itself",
    content: `<!DOCTYPE a [<!ENTITY a "&a;&a;">]>${COBERTURA}`,
    gets: "400 `XML with an internal subset in its document type is not read`"
  },
  {
    what: "an internal subset without entities",
    content: `<!DOCTYPE a [<!ELEMENT a ANY>]>${COBERTURA}`,
    gets: "400 `XML with an internal subset in its document type is not read`"
  },
  {
    what: "an external document type at an `http:` address, as Cobertura has it",
    content: `<!DOCTYPE coverage SYSTEM "http://127.0.0.1:9/a.dtd">${COBERTURA}`,
    gets: "201 `unsigned`"
  },
  {
    what: "an external document type that is a file of the server",
    content: `<!DOCTYPE coverage SYSTEM "file:///etc/passwd">${COBERTURA}`,
    gets: "201 `unsigned`"
  },
  {
    what: "`__proto__` and `constructor` as members, names and the type of a purl",
    content: `{"bomFormat":"CycloneDX","specVersion":"1.5","__proto__":{"components":[{}]},"components":[
      {"__proto__":{"purl":"pkg:npm/a@1"},"name":"__proto__","purl":"pkg:constructor/__proto__@1"},
      {"constructor":{},"name":"constructor"}]}`,
    gets: "201 `unsigned`"
  },
  {
    what: "one subject a hundred thousand times",
    content: json(Files.statement({ subject: fill(100_000, () => subject(1)) })),
    gets: "201 `unsigned`",
    hasSubjects: true
  },
  {
    what: "three hundred thousand subjects",
    content: json(Files.statement({ subject: fill(300_000, subject) })),
    gets: "400 `the document has more than 1024 subjects`",
    hasSubjects: true
  },
  {
    what: "a subject with a million digests",
    content: json(Files.statement({ subject: [{ digest: digests(1_000_000) }] })),
    gets: "400 `subject[0].digest has more than 32 digests`",
    hasSubjects: true
  }
]

const SIGNED: ReadonlyArray<HostileFile> = [
  {
    what: "an envelope with a valid signature over another payload type of in-toto",
    content: json({ ...envelope, payloadType: "application/vnd.in-toto.bom+json" }),
    gets: "201 `failed`",
    hasSubjects: true
  },
  {
    what: "an envelope whose payload type is not the one of its content",
    content: json({ ...envelope, payloadType: "application/json" }),
    gets: "400 `payload: payloadType is not one of in-toto, and the content is none that may be signed bare`",
    hasSubjects: true
  },
  {
    what: "a payload with bytes after its end",
    content: json(signed(`${statement}{}`)),
    gets: "400 `payload: this is not valid JSON`",
    hasSubjects: true
  },
  {
    what: "base64 with a line break",
    content: json({ ...envelope, payload: `${envelope.payload}\n` }),
    gets: "400 `payload is not base64`",
    hasSubjects: true
  },
  {
    what: "base64 in the alphabet of URLs, signed by a trusted key",
    content: inUrlAlphabet(),
    gets: "201 `verified`",
    hasSubjects: true
  },
  {
    what: "a hundred thousand signatures",
    content: json({ ...envelope, signatures: fill(100_000, () => ({ sig: "AAAA" })) }),
    gets: "400 `signatures has more than 16 items`",
    hasSubjects: true
  },
  {
    what: "a member that a signed statement has twice",
    content: json(signed(statement.replace("{", '{"predicateType":"a",'))),
    gets: "400 `payload: member 'predicateType' occurs twice`",
    hasSubjects: true
  }
]

const UNSTORABLE =
  "400 `texts have NUL or unpaired surrogates, or numbers are out of range, or many members occur twice`"

const MANY_VALUES = "413 `its JSON has more values than are read`"

const CONTENT: ReadonlyArray<HostileFile> = [
  {
    what: "three million members of one object",
    content: json({
      ...BOM,
      x: Object.fromEntries(fill(3_000_000, (index) => [index.toString(36), 0]))
    }),
    gets: MANY_VALUES
  },
  {
    what: "ten million empty objects",
    content: json({ ...BOM, x: [] }).replace('"x":[]', `"x":[${"{},".repeat(10_000_000)}{}]`),
    gets: MANY_VALUES
  },
  {
    what: "one component a hundred thousand times",
    content: bomOf(fill(100_000, () => component(1))),
    gets: "201 `unsigned`"
  },
  {
    what: "200,000 components, as many as are read",
    content: bomOf(fill(200_000, component)),
    anew: (count) => bomOf(fill(200_000, (index) => component(count * 200_000 + index))),
    gets: "201 `unsigned`"
  },
  {
    what: "more than 200,000 components",
    content: bomOf(fill(200_001, component)),
    gets: "400 `a bill of materials with more than 200000 components is not read`"
  },
  {
    what: "components ten thousand deep",
    content: nested(10_000),
    gets: "400 `JSON nests more than 64 levels deep`"
  },
  {
    what: "dependencies in a circle",
    content: bomOf(
      [
        { ...component(1), "bom-ref": "a" },
        { ...component(2), "bom-ref": "b" }
      ],
      {
        dependencies: [
          { ref: "a", dependsOn: ["b", "a"] },
          { ref: "b", dependsOn: ["a"] }
        ]
      }
    ),
    gets: "201 `unsigned`"
  },
  {
    what: "a million results of an analysis",
    content: sarif(fill(1_000_000, () => ({ ruleId: "r" }))),
    gets: "201 `unsigned`"
  },
  {
    what: "fifty thousand results of different rules",
    content: sarif(fill(50_000, (index) => ({ ruleId: `r${index}` }))),
    gets: "201 `unsigned`"
  },
  {
    what: "results at addresses outside of the sources",
    content: json({
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "x" } },
          originalUriBaseIds: { R: { uri: "http://127.0.0.1:9/" } },
          results: [
            {
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: "../../etc/passwd", uriBaseId: "R" }
                  }
                }
              ]
            }
          ]
        }
      ]
    }),
    gets: "201 `unsigned`"
  },
  {
    what: "a purl of fifty thousand segments",
    content: bomOf([{ name: "a", purl: `pkg:npm/${"a/".repeat(5e4)}b` }]),
    gets: "400 `the purl of a component has more than 4096 characters`"
  },
  {
    what: "UTF-16",
    content: Buffer.from(`\ufeff${json(BOM)}`, "utf16le"),
    gets: "400 `there are NUL bytes; only texts in UTF-8 are read`"
  },
  {
    what: "bytes that are not UTF-8, such as half of a surrogate pair",
    content: Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22),
    gets: "400 `this is not UTF-8`"
  },
  {
    what: "half of a surrogate pair that is escaped",
    content: json({ ...BOM, x: "?" }).replace("?", "\\ud800"),
    gets: UNSTORABLE
  },
  {
    what: "a NUL character that is escaped",
    content: json({ ...BOM, x: "?" }).replace("?", "\\u0000"),
    gets: UNSTORABLE
  },
  {
    what: "a file that claims two kinds",
    content: json({ ...BOM, spdxVersion: "SPDX-2.3", _type: "a" }),
    gets: "201 `unsigned`"
  },
  { what: "a tar", content: tar, gets: "415 `Archives are not read; send the files one by one`" },
  {
    what: "a zip",
    content: Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0),
    gets: "415 `Archives are not read; send the files one by one`"
  },
  {
    what: "an empty file, or one of another format",
    content: "",
    gets: "400 `This is none of the evidence formats that are read: …`"
  }
]

const CLOCK = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 60_000)
const MAIN = "https://github.com/acme/shop/.github/workflows/release.yml@refs/heads/main"

/** Bundles of an instance of Sigstore that the trust policy names. */
const bundles = async () => {
  const main = await SigstoreMint.instance(CLOCK)
  const late = await SigstoreMint.instance(CLOCK, {
    stampedAt: new Date(CLOCK.getTime() + 20 * 60_000)
  })
  let count = 0
  const mint = (options: SigstoreMint.MintOptions = {}, by = main) => {
    count += 1
    const sha256 = count.toString(16).padStart(64, "f")
    const payload = { ...JSON.parse(SigstoreMint.PAYLOAD.toString()), subject: [subjectOf(sha256)] }
    return by.bundle({ san: MAIN, payload: Buffer.from(json(payload)), ...options })
  }
  const [good, other] = [await mint(), await mint()]
  const changed = (material: object) =>
    json({ ...good, verificationMaterial: { ...good.verificationMaterial, ...material } })
  const [entry] = good.verificationMaterial.tlogEntries
  const { checkpoint: _, ...unchecked } = entry?.inclusionProof ?? {}
  const rows: ReadonlyArray<readonly [what: string, content: string, state: string]> = [
    ["a bundle of the expected identity", json(good), "verified"],
    [
      "a bundle with the proof of another entry",
      changed({ tlogEntries: other.verificationMaterial.tlogEntries }),
      "failed"
    ],
    [
      "a bundle with another certificate of the same authority",
      changed({ certificate: other.verificationMaterial.certificate }),
      "failed"
    ],
    [
      "a bundle whose proof has no checkpoint",
      changed({ tlogEntries: [{ ...entry, inclusionProof: unchecked }] }),
      "failed"
    ],
    ["a bundle with one log entry twice", changed({ tlogEntries: [entry, entry] }), "failed"],
    [
      "a bundle with a timestamp outside of the time of its certificate",
      json(await mint({ isStamped: true }, late)),
      "failed"
    ],
    ["a bundle without certificate, log entry and timestamp", json(Files.bundle()), "failed"],
    [
      "a certificate for the expected identity with `.evil` after it",
      json(await mint({ san: `${MAIN}.evil` })),
      "untrusted"
    ],
    [
      "a certificate for an identity that contains the expected one",
      json(await mint({ san: `https://evil.example/?${MAIN}` })),
      "untrusted"
    ]
  ]
  return {
    roots: { "main.json": main.root, "late.json": late.root },
    files: rows.map(
      ([what, content, state]): HostileFile => ({
        what,
        content,
        gets: `201 \`${state}\``,
        hasSubjects: true
      })
    )
  }
}

const subjectOf = (sha256: string) => ({ name: "shop", digest: { sha256 } })

/** A trust policy that names the key of signed files, and the instances of bundles. */
const TRUST = `${trustOf(PEM)}${[
  "  - name: workflow",
  "    kinds: [provenance, statement]",
  "    signer:",
  "      sigstore:",
  "        roots: [main, late]",
  `        issuer: ${SigstoreMint.ISSUER}`,
  `        san: ${MAIN}`,
  ""
].join("\n")}`

/** The files, the trust roots of their bundles by file name, and the trust policy. */
export const hostileFiles = async () => {
  const { files, roots } = await bundles()
  return { roots, trust: TRUST, files: [...FORM, ...SIGNED, ...files, ...CONTENT] }
}
