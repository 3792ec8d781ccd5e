/** The golden output of reports of docker, of clouds and of other programs, on each store. */
import { join } from "node:path"
import { afterAll, beforeAll, it } from "vitest"
import { player } from "../../shared/Play.js"
import { folder } from "../../shared/Run.js"
import { onEveryStore } from "../../shared/TestDeployment.js"
import * as CloudAnswers from "./CloudAnswers.js"
import * as FakeCloud from "./FakeCloud.js"

onEveryStore("what reports print", (deployment) => {
  const fake: { cloud?: FakeCloud.FakeCloud } = {}
  const engine = CloudAnswers.engineOf()
  const socket = join(folder(), "docker.sock")
  beforeAll(async () => {
    fake.cloud = await FakeCloud.start()
    fake.cloud.answer = CloudAnswers.answer
    await new Promise<void>((resolve) => engine.listen(socket, resolve))
  })
  afterAll(async () => {
    engine.close()
    await fake.cloud?.stop()
  })
  const play = player({ cwd: folder(), deployment })
  const report = (kind: string, more: ReadonlyArray<string>, env: { [name: string]: string }) =>
    play(`report-${kind}`, (form) => ["report", kind, `${kind}-${form}`, "--create", ...more], {
      machine: () => ({ env })
    })
  const variables = () =>
    CloudAnswers.variablesOf({ url: fake.cloud?.url ?? "", host: fake.cloud?.host ?? "" })

  it("of docker", () => report("docker", [], { DOCKER_HOST: `unix://${socket}` }))

  it("of container tasks, functions and buckets", async () => {
    await report("ecs", [], variables().signed)
    await report("lambda", [], variables().signed)
    await report("s3", ["--bucket", "www"], variables().signed)
  })

  it("of web apps, with a digest that is unknown", () =>
    report(
      "azure-apps",
      ["--endpoint", fake.cloud?.url ?? "", "--digests-source", "logs"],
      variables().apps
    ))

  it("of serverless runtimes", () =>
    report(
      "cloud-run",
      ["--endpoint", fake.cloud?.url ?? "", "--project", "shop", "--region", "eu-west1"],
      variables().serverless
    ))

  it("of another program's report", async () => {
    const unit = { digests: { app: CloudAnswers.digest("e") }, creationTimestamp: 1 }
    const stdin = JSON.stringify({ artifacts: [unit] })
    const argv = (form: string) => ["report", "json", `json-${form}`, "-", "--kind", "server"]
    await play("report-json", (form) => [...argv(form), "--create"], { machine: () => ({ stdin }) })
  })
})
