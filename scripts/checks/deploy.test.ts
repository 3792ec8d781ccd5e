/** Deployment files and the operator's document say what the code says; no Docker and no cluster is needed. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Either from "effect/Either"
import { assert, describe, it } from "vitest"
import * as LogKey from "../../packages/transparency-log/src/note/LogKey.js"
import * as DeployFiles from "./deploy/DeployFiles.js"
import * as Repository from "./shared/Repository.js"

const DOCKERFILE = "deploy/Dockerfile"
const UNIT = "deploy/attestry.service"
const COMPOSE = "deploy/compose.yaml"
const KUBERNETES = "deploy/kubernetes/attestry.yaml"
const PROGRAM = "scripts/release/bundle/bin/attestry-server"

/** The files of a reporter, which have the settings of the command line. */
const REPORTER = [
  "deploy/kubernetes/reporter.yaml",
  "deploy/attestry-report.service",
  "deploy/cli.Dockerfile",
  "deploy/kubernetes/reporter-cronjob.yaml",
  "deploy/chart/templates/_reporter.tpl"
]

/** Checked by `admission.test.ts`; their settings are those of the command line too. */
const ADMISSION = [
  "deploy/kubernetes/admission.yaml",
  "deploy/chart/templates/admission-deployment.yaml"
]

const valuesIn = (path: string, key: string): ReadonlyArray<DeployFiles.Value> =>
  DeployFiles.yamlFiles()
    .filter((file) => file.path === path)
    .flatMap(({ documents }) => documents)
    .flatMap((document) => DeployFiles.valuesOf(document, key))

describe("the deployment files", () => {
  it("are there, and are well-formed", () => {
    for (const path of [DOCKERFILE, UNIT, COMPOSE, KUBERNETES]) assert.isTrue(Repository.has(path))
    assert.deepStrictEqual(
      DeployFiles.yamlFiles().flatMap(({ problems }) => problems),
      []
    )
    assert.include(valuesIn(KUBERNETES, "kind"), "ConfigMap")
  })

  it("name only settings that the server has, and so does the operator's document", () => {
    const known = DeployFiles.settings()
    assert.isAbove(known.size, 10)
    const files = Repository.pathsUnder("deploy").filter(
      (path) => ![...REPORTER, ...ADMISSION].includes(path)
    )
    const unknown = [...files, "docs/OPERATING.md"].flatMap((path) =>
      [...DeployFiles.namedSettings(Repository.read(path))]
        .filter((name) => !known.has(name))
        .map((name) => `${path} ${name}`)
    )
    assert.deepStrictEqual(unknown, [])
  })

  it("let servers log in as a role that is no superuser", () => {
    const [url] = valuesIn(COMPOSE, "ATTESTRY_DATABASE_URL")
    const role = /^postgres:\/\/([a-z]+):/.exec(String(url))?.[1]
    assert.notInclude(valuesIn(COMPOSE, "POSTGRES_USER"), role)
    assert.include(
      Repository.read("deploy/database.sh"),
      `create role ${role} login createrole password`
    )
  })

  it("sign the evidence log, with a key that is on no volume of the database", () => {
    const [compose] = DeployFiles.yamlFiles().flatMap(({ path, documents }) =>
      path === COMPOSE ? documents : []
    )
    const mountsOf = (service: string) =>
      DeployFiles.valuesOf(compose ?? null, service)
        .flatMap((found) => DeployFiles.valuesOf(found, "volumes"))
        .flatMap((volumes) => (Array.isArray(volumes) ? volumes.map(String) : []))
    const [made, used] = valuesIn(COMPOSE, "ATTESTRY_LOG_KEY_FILE").map(String)
    assert.strictEqual(made, used)
    const volume = `log:${dirname(used ?? "")}`
    assert.include(mountsOf("log-key"), volume)
    assert.include(mountsOf("attestry"), volume)
    assert.notInclude(mountsOf("database").join(), "log:")
    assert.include(
      Repository.read(DOCKERFILE),
      `--mode=700 /var/lib/attestry ${dirname(used ?? "")}\n`
    )

    const [file] = valuesIn(KUBERNETES, "ATTESTRY_LOG_KEY_FILE").map(String)
    assert.include(valuesIn(KUBERNETES, "mountPath"), dirname(file ?? ""))
    assert.include(valuesIn(KUBERNETES, "secretName"), "attestry-log")
    assert.include(
      Repository.read(KUBERNETES),
      "secret generic attestry-log --namespace attestry --from-file=key="
    )
  })

  it("make a key that the server reads, once", () => {
    const folder = mkdtempSync(join(tmpdir(), "attestry-log-key-"))
    try {
      const file = join(folder, "key")
      const [entrypoint] = valuesIn(COMPOSE, "entrypoint")
      const [shell = "", ...args] = (Array.isArray(entrypoint) ? entrypoint : []).map((word) =>
        String(word).replaceAll("$$", "$")
      )
      const make = () => {
        const env = { ...process.env, ATTESTRY_LOG_KEY_FILE: file }
        assert.strictEqual(spawnSync(shell, args, { env }).status, 0)
        return readFileSync(file, "utf8")
      }
      const first = make()
      const keys = Either.getOrThrow(LogKey.parse(first))
      assert.deepStrictEqual(
        keys.map(({ generation, seed }) => [generation, seed.byteLength]),
        [[1, 32]]
      )
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.strictEqual(make(), first)
      const [said] = /\(umask 077; .*\)/.exec(Repository.read(KUBERNETES)) ?? []
      assert.strictEqual(spawnSync("sh", ["-c", said ?? "false"], { cwd: folder }).status, 0)
      const other = LogKey.parse(readFileSync(join(folder, "log-key"), "utf8"))
      assert.lengthOf(Either.getOrThrow(other), 1)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("use the port that the server listens on", () => {
    const port = DeployFiles.port()
    assert.strictEqual(Number(DeployFiles.found(DOCKERFILE, /EXPOSE (\d+)/)), port)
    assert.strictEqual(Number(DeployFiles.found(DOCKERFILE, /ATTESTRY_PORT=(\d+)/)), port)
    assert.strictEqual(Number(DeployFiles.found("deploy/nginx.conf", /attestry:(\d+)/)), port)
    assert.deepStrictEqual(valuesIn(KUBERNETES, "containerPort"), [port])
    assert.deepStrictEqual(valuesIn(KUBERNETES, "ATTESTRY_PORT"), [String(port)])
    assert.deepStrictEqual(valuesIn(COMPOSE, "expose"), [[String(port)]])
  })

  it("ask the probes that the server answers", () => {
    const probes = DeployFiles.probes()
    assert.includeMembers([...probes], ["/live", "/ready", "/metrics"])
    const asked = valuesIn(KUBERNETES, "httpGet").flatMap((probe) =>
      DeployFiles.valuesOf(probe, "path")
    )
    assert.sameMembers([...new Set(asked)], ["/live", "/ready"])
    assert.include(probes, DeployFiles.found(DOCKERFILE, /ATTESTRY_PORT \+ '(\/[a-z]+)'/))
    for (const probe of ["/live", "/ready", "/metrics"]) {
      assert.include(Repository.read("docs/OPERATING.md"), `\`${probe}\``)
    }
  })

  it("wait longer for the end than the server takes", () => {
    const seconds = DeployFiles.stopSeconds()
    const waits = [
      Number(DeployFiles.found(UNIT, /TimeoutStopSec=(\d+)/)),
      ...valuesIn(KUBERNETES, "terminationGracePeriodSeconds").map(Number),
      ...valuesIn(COMPOSE, "stop_grace_period").map((text) => Number.parseInt(String(text), 10))
    ]
    assert.lengthOf(waits, 3)
    for (const wait of waits) assert.isAbove(wait, seconds)
  })

  it("start it with the settings of V8 that `pnpm start` has, and the operator's document names them", () => {
    const { scripts } = JSON.parse(Repository.read("package.json"))
    const settings = DeployFiles.namedV8Settings(scripts.start)
    assert.isAbove(settings.length, 0)
    const line = (path: string, pattern: RegExp) =>
      DeployFiles.namedV8Settings(DeployFiles.found(path, pattern))
    assert.deepStrictEqual(line(PROGRAM, /^exec ([\s\S]*)$/m), settings)
    for (const setting of settings) {
      assert.include(Repository.read("docs/OPERATING.md"), setting)
    }
  })

  it("start the server's own program, by that of the bundle", () => {
    const server = JSON.parse(Repository.read("packages/server/package.json"))
    const program = String(server.bin["attestry-server"]).replace("./", "")
    assert.include(Repository.read(PROGRAM), `/@attestry/server/${program}" "$@"`)
    assert.include(
      Repository.read(DOCKERFILE),
      'ENTRYPOINT ["/usr/lib/attestry/bin/attestry-server"]'
    )
    assert.include(Repository.read(UNIT), "ExecStart=/usr/lib/attestry/bin/attestry-server\n")
  })
})

describe("the files of a reporter", () => {
  const [MANIFEST = "", SERVICE = "", IMAGE = "", CRON_JOB = ""] = REPORTER
  const valuesInBoth = (key: string) => [MANIFEST, CRON_JOB].flatMap((path) => valuesIn(path, key))

  it("name only settings that the command line has", () => {
    const known = DeployFiles.commandLineSettings()
    assert.isAbove(known.size, 10)
    const unknown = REPORTER.flatMap((path) =>
      [...DeployFiles.namedSettings(Repository.read(path))].filter((name) => !known.has(name))
    )
    assert.deepStrictEqual(unknown, [])
  })

  it("call a command line that parses, with a file of reporters that does", async () => {
    for (const args of valuesInBoth("args"))
      assert.strictEqual(DeployFiles.parsedCommand(args), "report all")
    const line = DeployFiles.found(SERVICE, /^ExecStart=\S+ (.*)$/m)
    assert.strictEqual(DeployFiles.parsedCommand(line.split(" ")), "report all")
    const [reporters] = valuesIn(MANIFEST, "reporters.yaml")
    const entries = await DeployFiles.reporterEntries(String(reporters))
    assert.deepStrictEqual(entries, ["prod kubernetes", "prod-infra kubernetes"])
  })

  it("ask for the probes of the port that is opened, without more rights than reading pods", () => {
    const [port] = valuesIn(MANIFEST, "containerPort")
    assert.deepStrictEqual(
      valuesInBoth("args").map((args) => JSON.stringify(args).includes(`"${port}"`)),
      [true, false]
    )
    assert.sameMembers(
      valuesIn(MANIFEST, "httpGet").flatMap((probe) => DeployFiles.valuesOf(probe, "path")),
      ["/live", "/ready"]
    )
    assert.deepStrictEqual(valuesIn(MANIFEST, "resources").slice(0, 1), [["pods", "namespaces"]])
    assert.deepStrictEqual(valuesIn(MANIFEST, "verbs"), [["get", "list", "watch"]])
    assert.deepStrictEqual(valuesInBoth("runAsNonRoot"), [true, true])
    assert.deepStrictEqual(valuesInBoth("readOnlyRootFilesystem"), [true, true])
    assert.deepStrictEqual(valuesIn(CRON_JOB, "concurrencyPolicy"), ["Replace"])
  })

  it("start the program that the package has", () => {
    const { bin } = JSON.parse(Repository.read("packages/cli/package.json"))
    const program = String(bin.attestry).replace("./", "")
    const started = Repository.read("scripts/release/bundle/bin/attestry")
    assert.include(started, `/@attestry/cli/${program}" "$@"`)
    assert.include(Repository.read(SERVICE), "ExecStart=/usr/lib/attestry/bin/attestry report all")
    assert.include(Repository.read(IMAGE), 'ENTRYPOINT ["/usr/lib/attestry/bin/attestry"]')
  })
})

describe("the operator's document", () => {
  it("leaves the key and the state of the evidence log out of a backup of the embedded store", () => {
    const folder = mkdtempSync(join(tmpdir(), "attestry-backup-"))
    try {
      mkdirSync(join(folder, "attestry-data/base"), { recursive: true })
      for (const name of ["log-key", "log-state.json", "PG_VERSION", "base/1"])
        writeFileSync(join(folder, "attestry-data", name), "x")
      const document = Repository.read("docs/OPERATING.md")
      assert.notMatch(document, /cp -a attestry-data/)
      const command = DeployFiles.found(
        "docs/OPERATING.md",
        /^(tar --directory attestry-data .*)$/m
      )
      assert.strictEqual(spawnSync("sh", ["-c", command], { cwd: folder }).status, 0)
      const kept = spawnSync("tar", ["-tf", "backup.tar"], { cwd: folder, encoding: "utf8" })
      const names = kept.stdout.split("\n")
      assert.includeMembers(names, ["./PG_VERSION", "./base/1"])
      assert.deepStrictEqual(
        names.filter((name) => name.includes("log-")),
        []
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("lists the settings as the code has them", () => {
    const script = join(Repository.root, "scripts/configuration.mjs")
    const { status, stderr } = spawnSync(process.execPath, [script, "--check"], {
      encoding: "utf8"
    })
    assert.strictEqual(stderr, "")
    assert.strictEqual(status, 0)
  })

  it("names the metrics that the server has", () => {
    const source = Repository.read("packages/http/src/shared/internal/RequestMetrics.ts")
    const metrics = [...source.matchAll(/"(attestry_[a-z_]+)"/g)].map(([, name]) => name ?? "")
    assert.isNotEmpty(metrics)
    for (const name of metrics) assert.include(Repository.read("docs/OPERATING.md"), `\`${name}\``)
  })
})
