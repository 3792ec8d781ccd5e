/** Dockerfiles keep the rules of images: fixed bases, no network, no root, labels. */
import { assert, describe, it } from "vitest"
import * as ImageFile from "./images/ImageFile.js"
import * as Repository from "./shared/Repository.js"

const FILES = ["deploy/Dockerfile", "deploy/cli.Dockerfile"]

describe("images", () => {
  it("are built on fixed versions and without a network, and run as a user without rights", () => {
    const found = FILES.flatMap((path) =>
      ImageFile.problemsOf(ImageFile.parse(Repository.read(path))).map(
        (problem) => `${path} ${problem}`
      )
    )
    assert.deepStrictEqual(found, [])
  })

  it("have the version of the packages, as every file that names it", () => {
    const { version } = JSON.parse(Repository.read("packages/core/package.json"))
    for (const path of FILES) {
      const { defaults } = ImageFile.parse(Repository.read(path))
      assert.strictEqual(defaults.get("VERSION"), version)
      assert.include(Repository.read(path), `:${version} dist/release`)
    }
    assert.include(Repository.read("deploy/compose.yaml"), `image: attestry:${version}\n`)
    assert.include(
      Repository.read("docs/INSTALLING.md"),
      `tar -xzf attestry-${version}-linux-x64.tar.gz`
    )
    assert.match(Repository.read("CHANGELOG.md"), new RegExp(`\\n## ${version}\\n`))
  })

  it("run as the user that the manifests of Kubernetes name", () => {
    for (const path of FILES) {
      const [user] = ImageFile.lastWords(ImageFile.parse(Repository.read(path)), "USER")
      assert.strictEqual(user, "1000:1000")
    }
    for (const name of ["attestry", "reporter", "admission"]) {
      const path = `deploy/kubernetes/${name}.yaml`
      for (const setting of ["runAsUser: 1000\n", "runAsGroup: 1000\n"])
        assert.include(Repository.read(path), setting, path)
    }
  })
})

describe("the rules notice", () => {
  const problems = (text: string) => ImageFile.problemsOf(ImageFile.parse(text))

  it("moving bases, networks, root and missing labels", () => {
    const found = problems(
      [
        "ARG BASE=debian:latest",
        "FROM node AS build",
        "RUN npm install",
        "ADD https://example.org/a.tar.gz /",
        "FROM $BASE",
        "COPY --from=build a b",
        "COPY --chown=root:root a b",
        "USER root",
        "ENTRYPOINT a",
        ""
      ].join("\n")
    )
    assert.deepStrictEqual(found.slice(0, 6), [
      "is built on node, which is no fixed version",
      "is built on debian:latest, which is no fixed version",
      "uses a network in RUN npm",
      "adds https://example.org/a.tar.gz, which is no archive of the bundle",
      "copies a without a numeric --chown",
      "copies a without a numeric --chown"
    ])
    assert.lengthOf(found.slice(6), 7 + 3)
  })

  it("no problem in stages by platform and bases with a digest", () => {
    const digest = `debian@sha256:${"0".repeat(64)}`
    const text = `FROM scratch AS b-amd64\nFROM b-\${TARGETARCH} AS b\nFROM ${digest}\nUSER 1:1\n`
    assert.deepStrictEqual(
      problems(text).filter((problem) => !problem.startsWith("has no")),
      []
    )
  })
})
