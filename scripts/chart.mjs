/**
 * Writes the parts of the Helm chart that the code has: settings in `values.yaml`, `values.schema.json`, and the version
 * of the packages in `Chart.yaml` and in the rendered manifests. With `--version` it writes the version alone; everything
 * else needs the build. With `--check` it only reports whether the files are up to date.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const ROOT = join(import.meta.dirname, "..")
const CHART = "deploy/chart"
const MANIFESTS = "deploy/kubernetes"
const isCheck = process.argv.includes("--check")
const isVersionOnly = process.argv.includes("--version")

const read = (path) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : "")

const write = (path, text) => {
  if (text === read(path)) return
  if (!isCheck) writeFileSync(join(ROOT, path), text)
  else {
    process.stderr.write(`${path}: run \`node scripts/chart.mjs\`\n`)
    process.exitCode = 1
  }
}

const { version } = JSON.parse(read("packages/server/package.json"))

write(
  `${CHART}/Chart.yaml`,
  read(`${CHART}/Chart.yaml`)
    .replace(/^version: .*$/m, `version: ${version}`)
    .replace(/^appVersion: .*$/m, `appVersion: "${version}"`)
)

for (const name of readdirSync(join(ROOT, MANIFESTS)))
  write(
    `${MANIFESTS}/${name}`,
    read(`${MANIFESTS}/${name}`)
      .replace(/^( +image: attestry(?:-cli)?:).*$/gm, `$1${version}`)
      .replace(/^( +app\.kubernetes\.io\/version: ).*$/gm, `$1"${version}"`)
  )

if (!isVersionOnly) {
  const [PrintedJson, ValuesSchema, Values] = await Promise.all([
    import("./chart/json.mjs"),
    import("./chart/schema.mjs"),
    import("./chart/values.mjs")
  ])
  const values = Values.renewed(read(`${CHART}/values.yaml`))
  write(`${CHART}/values.yaml`, values)
  write(`${CHART}/values.schema.json`, PrintedJson.print(ValuesSchema.of(values)))
}
