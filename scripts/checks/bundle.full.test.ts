/**
 * The offline bundle installs and runs without a network, is what its bill and its statement describe, and can be made
 * again; `pnpm build` must have run. Needs the npm registry once, for Node and for PostgreSQL on arm64.
 */
import { generateKeyPairSync } from "node:crypto"
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { Spec, Validation } from "@cyclonedx/cyclonedx-library"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as OfflineBundle from "./bundle/OfflineBundle.js"
import * as ImageFile from "./images/ImageFile.js"
import * as ImageRun from "./images/ImageRun.js"
import { startServer } from "./packaging/Installed.js"
import * as Repository from "./shared/Repository.js"

/** ELF's numbers of machines. */
const MACHINES = { x64: 62, arm64: 183 }

/** Long enough for a build on a busy machine. */
const BUILD_MS_MAX = 600_000

let folder = ""
const at = (...names: ReadonlyArray<string>): string => join(folder, ...names)
const file = (name: string): string => readFileSync(at("release", name), "utf8")

let version = ""
const archive = (platform: string): string => `attestry-${version}-linux-${platform}.tar.gz`

beforeAll(() => {
  // WHY not in the usual place: a test mounts another /tmp.
  folder = mkdtempSync("/var/tmp/attestry-bundle-")
  // WHY: as root, PostgreSQL runs as another user, who must reach its files.
  chmodSync(folder, 0o755)
  const { privateKey, publicKey } = generateKeyPairSync("ed25519", {
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" }
  })
  writeFileSync(at("key"), privateKey)
  writeFileSync(at("key.pub"), publicKey)
  OfflineBundle.pack(at("packed"))
  const env = { ATTESTRY_RELEASE_KEY_FILE: at("key") }
  OfflineBundle.make(at("release"), at("packed"), { env })
  version = /attestry-(\S+)-linux-x64\.tar\.gz/.exec(file("SHA256SUMS"))?.[1] ?? ""
  for (const platform of Object.keys(MACHINES)) {
    mkdirSync(at(platform))
    OfflineBundle.succeed(["tar", "-xzf", at("release", archive(platform)), "-C", at(platform)])
  }
}, BUILD_MS_MAX)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** The part of "Install Attestry" about the bundle, as its blocks. */
const blocks = (): ReadonlyArray<string> => {
  const text = Repository.read("docs/INSTALLING.md")
  const from = text.indexOf("## From the offline bundle")
  const part = text.slice(from, text.indexOf("\n## ", from + 1))
  const { version: named } = JSON.parse(Repository.read("packages/core/package.json"))
  return [...part.matchAll(/```(?:bash|text)\n([\s\S]*?)```/g)].map(([, block = ""]) =>
    block.replaceAll(String(named), version)
  )
}

describe("the bundle", () => {
  it("goes from the archive to a green gate as the document says, with no network and no Node", () => {
    const [unpack = "", start = "", settings = "", gate = "", green = "", link = ""] = blocks()
    assert.match(start, /^\.\/attestry-[\d.]+\/bin\/attestry-server\n$/)
    assert.include(settings, "ATTESTRY_ORG=org-dd7241 ATTESTRY_API_KEY=attestry_user_…")
    const page = "./attestry-$version/node/bin/node -e"
    const session = [
      "set -eu",
      `version=${version}`,
      "cd",
      "echo networks: $(sed -n 's/^ *\\([^ :]*\\):.*/\\1/p' /proc/net/dev)",
      "if command -v node; then exit 9; fi",
      unpack,
      // Without it the first look may come before the server has its file.
      ": > server.log",
      `${start.trim()} > server.log 2>&1 &`,
      "server=$!",
      'shown() { sed -n "s/^ *$1 *//p" server.log; }',
      'until [ -n "$(shown "API key")" ]; do',
      '  kill -0 "$server" || { cat server.log; exit 8; }',
      "  sleep 0.1",
      "done",
      'org="$(shown Org)" key="$(shown "API key")"',
      settings.replace("org-dd7241", '"$org"').replace("attestry_user_…", '"$key"'),
      gate,
      link,
      '"$HOME/.local/bin/attestry" version',
      '"$HOME/.local/bin/attestry-server" version',
      `${page} 'fetch(process.env.ATTESTRY_URL).then(({ status }) => console.log("page", status))'`,
      `${page} 'fetch("https://registry.example.org").catch(() => console.log("no network"))'`,
      './attestry-$version/install.sh --prefix "$HOME/.local" --uninstall',
      'kill "$server"',
      'wait "$server" && echo "the server has stopped"'
    ]
    mkdirSync(at("home"))
    for (const name of ["SHA256SUMS", archive("x64")]) cpSync(at("release", name), at("home", name))
    writeFileSync(at("session.sh"), `${session.join("\n")}\n`)
    const tools = ["sh", "sed", "cat", "sleep", "mkdir", "ln", "rm"]
    const needed = ["dirname", "readlink", "sha256sum", "tar", "gzip"]
    OfflineBundle.toolsIn(at("tools"), [...tools, ...needed])
    const { status, output } = OfflineBundle.isolated(
      folder,
      ["--net"],
      `exec env -i HOME=${at("home")} PATH=${at("tools")} sh ${at("session.sh")}\n`
    )
    assert.strictEqual(status, 0, output)
    assert.include(output, "networks: lo\n")
    assert.include(output, `${archive("x64")}: OK\n`)
    assert.include(output, "NOT COMPLIANT   web/build-7: 1 reason")
    assert.include(output, "the gate ends with 1\n")
    assert.include(output, `\n${green}`)
    assert.include(output, `\nattestry ${version}, Node 22.`)
    assert.include(output, `\nattestry-server ${version}\n`)
    assert.include(output, "\npage 200\n")
    assert.include(output, "\nno network\n")
    assert.match(output, /removed .*\nremoved .*\nthe server has stopped\n$/, output)
  })

  it("has digests, a statement and a signature that verify, and others do not", () => {
    const verify = (...args: ReadonlyArray<string>) =>
      OfflineBundle.run([
        process.execPath,
        join(Repository.root, "scripts/release/verify.mjs"),
        at("release"),
        ...args
      ])
    assert.include(
      OfflineBundle.succeed(["sha256sum", "--check", "SHA256SUMS"], { cwd: at("release") }),
      "OK"
    )
    const right = verify("--key", at("key.pub"))
    assert.strictEqual(right.status, 0, right.output)
    assert.include(right.output, "6 digests and 4 subjects are right")
    assert.include(right.output, "signature: right")
    const { publicKey } = generateKeyPairSync("ed25519", {
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" }
    })
    writeFileSync(at("other.pub"), publicKey)
    assert.include(verify("--key", at("other.pub")).output, "the key has not signed this")
    const statement = JSON.parse(file(`attestry-${version}.provenance.json`))
    assert.strictEqual(statement._type, "https://in-toto.io/Statement/v1")
    assert.strictEqual(statement.predicateType, "https://slsa.dev/provenance/v1")
    const bill = `attestry-${version}-linux-x64.cdx.json`
    const before = file(bill)
    writeFileSync(at("release", bill), `${before} `)
    const changed = verify()
    writeFileSync(at("release", bill), before)
    assert.strictEqual(changed.status, 1)
    assert.include(changed.output, `${bill} is `)
  })

  it("has a valid bill of materials with every package that it contains, and those inside our files", async () => {
    for (const platform of Object.keys(MACHINES)) {
      const text = file(`attestry-${version}-linux-${platform}.cdx.json`)
      const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
      assert.isNull(await validator.validate(text))
      const home = at(platform, `attestry-${version}`)
      assert.strictEqual(readFileSync(join(home, "sbom.cdx.json"), "utf8"), text)
      const components: ReadonlyArray<{ readonly purl?: string }> = JSON.parse(text).components
      const listed = new Set(components.map(({ purl }) => purl))
      const installed = OfflineBundle.filesBelow(join(home, "lib"))
        .filter((path) => /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path))
        .map((path) => JSON.parse(readFileSync(join(home, "lib", path), "utf8")))
        .map(({ name, version: its }) => `pkg:npm/${String(name).replace("@", "%40")}@${its}`)
      assert.isAbove(installed.length, 50)
      assert.deepStrictEqual(
        installed.filter((purl) => !listed.has(purl)),
        []
      )
      for (const name of ["preact", "%40codemirror/view", "saxes", `node-linux-${platform}`])
        assert.isTrue(
          [...listed].some((purl) => purl?.startsWith(`pkg:npm/${name}@`) === true),
          name
        )
      assert.isTrue(
        [...listed].some((purl) => purl?.startsWith("pkg:generic/postgresql@") === true)
      )
    }
  })

  it("has programs of its platform alone, and the same files on both", () => {
    const listOf = (platform: string) =>
      OfflineBundle.filesBelow(at(platform)).map((path) =>
        path.replace(`linux-${platform}`, "linux")
      )
    assert.deepStrictEqual(listOf("arm64"), listOf("x64"))
    for (const [platform, machine] of Object.entries(MACHINES)) {
      const home = at(platform, `attestry-${version}`)
      const programs = OfflineBundle.filesBelow(home).flatMap((path) => {
        const found = OfflineBundle.machineOf(join(home, path))
        return found === undefined ? [] : [{ path, found }]
      })
      assert.includeMembers(
        programs.map(({ path }) => path.replace(/^.*\/native\//, "")),
        ["node/bin/node", "bin/postgres", "bin/initdb"]
      )
      assert.deepStrictEqual(
        programs.filter(({ found }) => found !== machine),
        []
      )
    }
  })

  it(
    "has the same bytes when it is made again, elsewhere and with other habits",
    () => {
      mkdirSync(at("again-tmp"))
      const habits = { TMPDIR: at("again-tmp"), TZ: "Asia/Tokyo", LC_ALL: "C" }
      const mask = process.umask(0o077)
      try {
        const options = ["--platform", "linux-arm64"]
        OfflineBundle.make(at("again"), at("packed"), { options, env: habits })
      } finally {
        process.umask(mask)
      }
      const made = readFileSync(at("again", archive("arm64")))
      assert.isTrue(made.equals(readFileSync(at("release", archive("arm64")))))
    },
    BUILD_MS_MAX
  )
})

describe("a clone", () => {
  it(
    "installs both programs below a prefix, and uses nothing of the clone afterwards",
    async () => {
      const script = join(Repository.root, "scripts/release/install.mjs")
      const options = ["--packed", at("packed"), "--prefix", at("prefix")]
      OfflineBundle.succeed([process.execPath, script, ...options], { cwd: folder })
      const server = at("prefix/lib/node_modules/@attestry/server")
      const { output } = OfflineBundle.run(["find", server, "-type", "l", "-lname", "/*"])
      assert.strictEqual(output, "")
      const program = (name: string) =>
        OfflineBundle.succeed([at("prefix/bin", name), "version"], { cwd: folder })
      assert.include(program("attestry"), `attestry ${version}, Node ${process.versions.node}`)
      assert.strictEqual(program("attestry-server"), `attestry-server ${version}\n`)
      const running = await startServer(at("prefix/lib"))
      try {
        assert.strictEqual((await fetch(`${running.url}/acme/flows`)).status, 200)
      } finally {
        await running.stop()
      }
    },
    BUILD_MS_MAX
  )
})

describe("the images", () => {
  it("run as an ordinary user on a read-only file system, and stop when they are told to", () => {
    const { status, output } = ImageRun.run(folder, at("x64", `attestry-${version}`))
    assert.strictEqual(status, 0, output)
    assert.strictEqual(
      output,
      [
        `healthy as ${OfflineBundle.user.uid}`,
        "the first key is in its file",
        `attestry-server ${version}`,
        "ends with 0",
        ""
      ].join("\n")
    )
  })

  it("of the command line have every file that it needs", () => {
    const image = ImageFile.parse(Repository.read("deploy/cli.Dockerfile"))
    const copies = ImageFile.copiesOf(image)
    assert.isAbove(copies.length, 2)
    for (const { from, to } of copies) {
      const source = ImageFile.filled(from, new Map([["VERSION", version]]))
      mkdirSync(dirname(at("cli", to)), { recursive: true })
      cpSync(at("x64", source), at("cli", to), { recursive: true })
    }
    const [program = ""] = ImageFile.commandOf(ImageFile.textOf(image, "ENTRYPOINT"))
    const env = { PATH: at("tools") }
    assert.include(
      OfflineBundle.succeed([at("cli", program), "version"], { env }),
      `attestry ${version}, `
    )
    assert.include(OfflineBundle.succeed([at("cli", program), "help"], { env }), "attest")
  })
})
