/**
 * Reading evidence files: a bill of materials of 5 MB within 4 times `JSON.parse`, and a DSSE envelope around it within 6
 * times.
 *
 * The baseline parses the same bytes and does nothing else, so the goals are a quarter and a sixth of it. Cost is CPU
 * time per file.
 */
import * as EvidenceReader from "@attestry/evidence-intake/EvidenceReader"
import { Either } from "effect"
import { compare } from "./lib/compare.mjs"

const COMPONENTS = 8_800
const FILES = 5

const component = (_, index) => ({
  type: "library",
  "bom-ref": `ref-${index}`,
  group: index % 3 === 0 ? `@scope-${index % 50}` : "",
  name: `component-${index}`,
  version: `${index % 20}.${index % 7}.${index % 11}`,
  purl: `pkg:npm/component-${index}@${index % 20}.${index % 7}.${index % 11}`,
  licenses: [{ license: { id: index % 5 === 0 ? "Apache-2.0" : "MIT" } }],
  description: "a component of a bill of materials, as generators describe them ".repeat(6)
})

const bom = Buffer.from(
  JSON.stringify({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    metadata: { timestamp: "2026-11-01T00:00:00Z" },
    components: Array.from({ length: COMPONENTS }, component)
  })
)

const envelope = Buffer.from(
  JSON.stringify({
    payloadType: "application/vnd.in-toto+json",
    payload: Buffer.from(
      JSON.stringify({
        _type: "https://in-toto.io/Statement/v1",
        subject: [{ name: "shop", digest: { sha256: "a".repeat(64) } }],
        predicateType: "https://cyclonedx.org/bom",
        predicate: JSON.parse(bom.toString())
      })
    ).toString("base64"),
    signatures: [{ sig: Buffer.alloc(64).toString("base64") }]
  })
)

const micros = (work) => {
  const before = process.cpuUsage()
  for (let count = 0; count < FILES; count++) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / FILES
}

const side = (work) => ({ warmUp: async () => micros(work), cost: async () => micros(work) })

const read = (bytes, components) => () => {
  const { documents } = Either.getOrThrow(EvidenceReader.read(bytes))
  if (documents[0].components.length !== components) throw new Error("components are missing")
}

/** Runs the benchmark and gives its lines. */
export const run = async () => {
  const baseline = side(() => JSON.parse(bom.toString()))
  const unit = "µs CPU/file"
  const name = `evidence reading, ${(bom.length / 1e6).toFixed(1)} MB of CycloneDX`
  return [
    await compare({
      name,
      goal: 0.25,
      unit,
      subject: side(read(bom, COMPONENTS)),
      baseline
    }),
    await compare({
      name: `${name} in an envelope`,
      goal: 0.16,
      unit,
      subject: side(read(envelope, COMPONENTS)),
      baseline
    })
  ]
}
