/** Documents of every format from one list of components, in the spelling of usual tools. */
import { createHash } from "node:crypto"
import { FastCheck } from "effect"
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../src/EvidenceProblem.js"
import * as BomFormats from "../../src/internal/bom/BomFormats.js"
import type { ReadContent } from "../../src/internal/ReadContent.js"
import * as XmlReader from "../../src/internal/xml/XmlReader.js"

/** A component as a test lists it. */
export interface Listed {
  readonly purl: string | null
  readonly license: string | null
}

/** A list, its root, and how it is written down. */
export interface List {
  readonly root: Listed | null
  readonly components: ReadonlyArray<Listed>
}

export const DIGEST = "3a".repeat(32)

const PURLS = [
  "pkg:npm/left-pad@1.3.0",
  "pkg:npm/Left-Pad@1.3.0",
  "pkg:npm/%40babel/core@7.1.0",
  "pkg:npm/@babel/core@7.1.0",
  "pkg:pypi/Flask_Login@0.6",
  "pkg:pypi/flask-login@0.6?extension=whl",
  "pkg:maven/org.apache.logging.log4j/log4j-core@2.17.1?type=jar",
  "pkg:golang/github.com/acme/x@v1.0.0#sub",
  "pkg:deb/debian/libc6@2.36-9+deb12u4?arch=amd64",
  "pkg:constructor/__proto__@1",
  "pkg:npm/__proto__",
  "pkg:maven/no-namespace@1",
  "no purl"
] as const

const listed: FastCheck.Arbitrary<Listed> = FastCheck.record({
  purl: FastCheck.option(FastCheck.constantFrom(...PURLS)),
  license: FastCheck.option(FastCheck.constantFrom("MIT", "Apache-2.0 OR MIT", "a <&> b"))
})

/** Lists with purls in several spellings, without any, and with texts that are none. */
export const list: FastCheck.Arbitrary<List> = FastCheck.record({
  root: FastCheck.option(listed),
  components: FastCheck.array(listed, { maxLength: 12 })
})

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** Puts every third component below the one before it. */
const nested = <Component>(
  components: ReadonlyArray<Component>,
  below: (parent: Component, child: Component) => Component
): ReadonlyArray<Component> => {
  const top: Array<Component> = []
  for (const [index, component] of components.entries()) {
    const parent = index % 3 === 2 ? top.pop() : undefined
    top.push(parent === undefined ? component : below(parent, component))
  }
  return top
}

const jsonComponent = ({ purl, license }: Listed, index: number) => ({
  type: "library",
  "bom-ref": `ref-${index}`,
  name: "a",
  ...(purl === null ? {} : { purl }),
  ...(license === null ? {} : { licenses: [{ license: { name: license } }] })
})

export const cycloneDxJson = ({ root, components }: List, specVersion = "1.5") => ({
  bomFormat: "CycloneDX",
  specVersion,
  version: 1,
  metadata: {
    timestamp: "2026-01-02T03:04:05Z",
    tools: [{ vendor: "v", name: "maker", version: "1.0" }],
    ...(root === null
      ? {}
      : {
          component: {
            ...jsonComponent(root, -1),
            hashes: [
              { alg: "SHA-1", content: "00".repeat(20) },
              { alg: "SHA-256", content: DIGEST.toUpperCase() }
            ]
          }
        })
  },
  components: nested<object>(components.map(jsonComponent), (parent, child) => ({
    ...parent,
    components: [child]
  }))
})

const xmlComponent = ({ purl, license }: Listed, inner: string): string =>
  `<component type="library"><name>a</name>${inner}${
    license === null
      ? ""
      : `<licenses><license><name>${escaped(license)}</name></license></licenses>`
  }${purl === null ? "" : `<purl>${escaped(purl)}</purl>`}</component>`

export const cycloneDxXml = ({ root, components }: List, version = "1.5"): string => {
  const hashes = `<hashes><hash alg="SHA-1">${"00".repeat(20)}</hash><hash alg="SHA-256">\n${DIGEST}\n</hash></hashes>`
  const below = nested(
    components.map((component) => xmlComponent(component, "")),
    (parent, child) =>
      parent.replace(/<\/component>$/, `<components>${child}</components></component>`)
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<bom xmlns="http://cyclonedx.org/schema/bom/${version}" version="1">
  <metadata>
    <timestamp>2026-01-02T03:04:05Z</timestamp>
    <tools><tool><vendor>v</vendor><name>maker</name><version>1.0</version></tool></tools>
    ${root === null ? "" : xmlComponent(root, hashes)}
  </metadata>
  <components>${below.join("\n")}</components>
</bom>`
}

const spdxPackage = ({ purl, license }: Listed, id: string) => ({
  SPDXID: id,
  name: "a",
  licenseConcluded: "NOASSERTION",
  licenseDeclared: license ?? "NOASSERTION",
  externalRefs: [
    { referenceCategory: "SECURITY", referenceType: "cpe23Type", referenceLocator: "cpe:2.3:a" },
    ...(purl === null
      ? []
      : [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl }])
  ]
})

export const spdx2 = ({ root, components }: List, version = "2.3") => ({
  spdxVersion: `SPDX-${version}`,
  SPDXID: "SPDXRef-DOCUMENT",
  creationInfo: {
    created: "2026-01-02T03:04:05Z",
    creators: ["Organization: o", "Tool: maker-1.0"]
  },
  packages: [
    ...components.map((component, index) => spdxPackage(component, `SPDXRef-${index}`)),
    ...(root === null
      ? []
      : [
          {
            ...spdxPackage(root, "SPDXRef-root"),
            checksums: [
              { algorithm: "SHA1", checksumValue: "00".repeat(20) },
              { algorithm: "SHA256", checksumValue: DIGEST }
            ]
          }
        ])
  ],
  relationships: [
    {
      spdxElementId: "SPDXRef-DOCUMENT",
      relationshipType: "DESCRIBES",
      relatedSpdxElement: "SPDXRef-root"
    }
  ]
})

const spdx3Package = ({ purl }: Listed, spdxId: string) => ({
  type: "software_Package",
  spdxId,
  creationInfo: "_:creation",
  name: "a",
  ...(purl === null ? {} : { software_packageUrl: purl })
})

const spdx3License = ({ license }: Listed, from: string) =>
  license === null
    ? []
    : [
        {
          type: "simplelicensing_LicenseExpression",
          spdxId: `${from}-license`,
          simplelicensing_licenseExpression: license
        },
        {
          type: "Relationship",
          spdxId: `${from}-relation`,
          from,
          relationshipType: "hasDeclaredLicense",
          to: [`${from}-license`]
        }
      ]

export const spdx3 = ({ root, components }: List, version = "3.0.1") => ({
  "@context": `https://spdx.org/rdf/${version}/spdx-context.jsonld`,
  "@graph": [
    {
      type: "CreationInfo",
      "@id": "_:creation",
      specVersion: version,
      created: "2026-01-02T03:04:05Z",
      createdUsing: ["urn:tool"]
    },
    { type: "Tool", spdxId: "urn:tool", name: "maker-1.0" },
    {
      type: "SpdxDocument",
      spdxId: "urn:document",
      creationInfo: "_:creation",
      rootElement: ["urn:bom"]
    },
    { type: "software_Sbom", spdxId: "urn:bom", rootElement: ["urn:root", "urn:bom"] },
    ...components.flatMap((component, index) => [
      spdx3Package(component, `urn:${index}`),
      ...spdx3License(component, `urn:${index}`)
    ]),
    ...(root === null
      ? []
      : [
          {
            ...spdx3Package(root, "urn:root"),
            verifiedUsing: [
              { type: "Hash", algorithm: "sha1", hashValue: "00".repeat(20) },
              { type: "Hash", algorithm: "sha256", hashValue: DIGEST }
            ]
          }
        ])
  ]
})

type Read = Either.Either<ReadContent, EvidenceProblem>

/** Reads a parsed document as the first format that fits; null if none does. */
export const readParsed = (parsed: { readonly [member: string]: unknown }): Read | null =>
  BomFormats.JSON.find((format) => format.isFormat(parsed))?.read(parsed) ?? null

/** Reads a value as JSON would have it. */
export const readJson = (value: object): Read | null =>
  readParsed(JSON.parse(JSON.stringify(value)))

/** Reads XML as the first format that fits. */
export const readXml = (text: string): Read | null =>
  Either.match(XmlReader.parse(text), {
    onLeft: (problem) => Either.left(problem),
    onRight: (root) => BomFormats.XML.find((format) => format.isFormat(root))?.read(root) ?? null
  })

/** The facts of a bill of materials; fails for every other result. */
export const sbomOf = (read: Read | null) => {
  if (read === null) throw new Error("no format fits")
  const content = Either.getOrThrow(read)
  if (content.facts.kind !== "sbom") throw new Error(`the kind is ${content.facts.kind}`)
  return { ...content, facts: content.facts, components: content.components ?? [] }
}

/** The message of a document that is not read. */
export const messageOf = (read: Read | null): string | null =>
  read !== null && Either.isLeft(read) ? read.left.message : null

/** The digest of a set of purls, made by hand. */
export const setDigest = (purls: Iterable<string>): string =>
  createHash("sha256")
    .update([...new Set(purls)].sort().join("\n"))
    .digest("hex")
