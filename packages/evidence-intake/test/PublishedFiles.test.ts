/**
 * Published files of other projects are recognised as what they are, and none makes the reader throw.
 *
 * `ATTESTRY_EVIDENCE_SAMPLES` is the path of a folder with checkouts of these projects, named as their repositories:
 * CycloneDX/specification, spdx/spdx-examples, openvex/go-vex, microsoft/sarif-tutorials, anchore/grype,
 * aquasecurity/trivy, slsa-framework/slsa-verifier. Projects that are not there are left out. Without the path the test
 * is skipped, and says so.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as EvidenceReader from "../src/EvidenceReader.js"

const samples = process.env.ATTESTRY_EVIDENCE_SAMPLES ?? ""

/** The files of a project that it publishes as samples, and the kinds of those whose names tell it. */
interface Project {
  readonly folder: string
  readonly kinds: ReadonlyArray<readonly [path: RegExp, kinds: ReadonlyArray<string>]>
}

const PROJECTS: ReadonlyArray<Project> = [
  {
    folder: "specification/tools/src/test/resources",
    kinds: [[/^1\.[2-7]\/valid-.*\.(?:json|xml)$/, ["sbom", "vex"]]]
  },
  { folder: "spdx-examples", kinds: [[/\.spdx3?\.json$/, ["sbom"]]] },
  { folder: "go-vex/pkg", kinds: [[/v0\.?2.*\.json$/, ["vex"]]] },
  // WHY not all: a run that has failed says nothing about what it looked at, and is refused.
  {
    folder: "sarif-tutorials/samples",
    kinds: [[/^(?!ExceptionalConditions).*\.sarif$/, ["analysis"]]]
  },
  {
    folder: "grype/grype/presenter",
    kinds: [
      [/^json\/.*Presenter\.golden$/, ["scan"]],
      [/^sarif\/.*\.golden$/, ["analysis"]],
      [/^cyclonedx\/.*\.golden$/, ["sbom"]]
    ]
  },
  {
    folder: "trivy/integration/testdata",
    kinds: [
      [/^(?!license-).*(?:cyclonedx|spdx|cdx)\.json\.golden$/, ["sbom"]],
      [/sarif\.golden$/, ["analysis"]],
      [/junit\.golden$/, ["junit"]],
      [/^(?!.*(?:cyclonedx|spdx|cdx|kbom|k8s)).*\.json\.golden$/, ["scan"]]
    ]
  },
  {
    folder: "slsa-verifier/cli/slsa-verifier/testdata",
    kinds: [[/\.intoto\.(?:jsonl|sigstore)$/, ["provenance"]]]
  }
]

const pathsOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** The kinds of a file, or why it is not read. */
const readAs = (path: string): ReadonlyArray<string> =>
  Either.match(EvidenceReader.read(readFileSync(path)), {
    onLeft: ({ kind, message }) => {
      assert.isNotEmpty(message)
      return [`${kind}: ${message}`]
    },
    onRight: ({ documents }) => documents.map(({ facts }) => facts.kind)
  })

describe("published files", () => {
  if (samples === "")
    it.skip("are skipped: ATTESTRY_EVIDENCE_SAMPLES is not set", () => {
      assert.fail("a skipped test does not run")
    })
  for (const { folder, kinds } of PROJECTS) {
    const path = join(samples, folder)
    if (samples !== "" && existsSync(path))
      it(`of ${folder} are what their names say`, { timeout: 300_000 }, () => {
        const wrong: Array<string> = []
        for (const file of pathsOf(path)) {
          const name = file.slice(path.length + 1)
          const found = readAs(file)
          const [, expected] = kinds.find(([pattern]) => pattern.test(name)) ?? []
          if (expected !== undefined && !found.every((kind) => expected.includes(kind)))
            wrong.push(`${name}: ${found.slice(0, 3).join(", ")}`)
        }
        assert.deepStrictEqual(wrong, [])
      })
  }
})
