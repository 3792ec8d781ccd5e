/** Where the credentials of AWS come from: variables, roles, profiles, a browser. */
import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { folder } from "../../shared/Run.js"
import { awsReports, KEYS, SECRET } from "./AwsReports.js"
import type * as FakeCloud from "./FakeCloud.js"

const { cloud, report } = awsReports()

describe("credentials of the cloud", () => {
  const Expiration = "2099-01-01T00:00:00Z"
  const session = (accessKeyId: string) => ({
    AccessKeyId: accessKeyId,
    SecretAccessKey: SECRET,
    Token: "t",
    Expiration
  })
  const assumed = (action: string) =>
    `<${action}Response><${action}Result><Credentials><AccessKeyId>ASIAROLE</AccessKeyId>` +
    `<SecretAccessKey>${SECRET}</SecretAccessKey><SessionToken>tok</SessionToken>` +
    `<Expiration>${Expiration}</Expiration></Credentials></${action}Result></${action}Response>`
  const roles = ({ url, headers, body }: FakeCloud.CloudRequest): FakeCloud.CloudAnswer => {
    if (url.pathname === "/creds") return { body: session("AKIAC") }
    if (url.pathname === "/latest/api/token") return { body: "imds" }
    if (url.pathname.endsWith("/security-credentials/")) return { body: "role" }
    if (url.pathname.endsWith("/security-credentials/role")) return { body: session("AKIAM") }
    const [, action] = /Action=(AssumeRole\w*)/.exec(body) ?? []
    if (action !== undefined) return { body: assumed(action) }
    if (url.pathname === "/federation/credentials")
      return headers["x-amz-sso_bearer_token"] === "signed-in" &&
        url.searchParams.get("role_name") === "reader"
        ? {
            body: {
              roleCredentials: {
                accessKeyId: "ASIASSO",
                secretAccessKey: SECRET,
                sessionToken: "tok",
                expiration: Date.parse(Expiration)
              }
            }
          }
        : { status: 401, body: { message: "not signed in" } }
    return { body: { Functions: [] } }
  }
  const signer = () =>
    /Credential=(\w+)\//.exec(String(cloud().requests.at(-1)?.headers.authorization))?.[1]
  const with_ = async (env: { readonly [name: string]: string }, home = folder()) => {
    cloud().answer = roles
    const ran = await report("lambda", [], { AWS_REGION: "eu-west-1", ...env }, home)
    return ran.code === 0 ? signer() : ran.stderr
  }

  it("come from variables, a web identity, a container's and a machine's role", async () => {
    const token = join(folder(), "token")
    writeFileSync(token, "jwt\n")
    assert.strictEqual(await with_(KEYS), "AKIA1")
    const identity = { AWS_ROLE_ARN: "arn:role", AWS_WEB_IDENTITY_TOKEN_FILE: token }
    assert.strictEqual(await with_(identity), "ASIAROLE")
    const container = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${cloud().url}/creds` }
    assert.strictEqual(await with_(container), "AKIAC")
    const machine = {
      AWS_EC2_METADATA_DISABLED: "false",
      AWS_EC2_METADATA_SERVICE_ENDPOINT: cloud().url
    }
    assert.strictEqual(await with_(machine), "AKIAM")
  })

  it("come from profiles: keys, roles on other profiles, programs", async () => {
    const home = folder()
    mkdirSync(join(home, ".aws"))
    writeFileSync(
      join(home, ".aws/credentials"),
      `[default]\naws_access_key_id = AKIAFILE\naws_secret_access_key = ${SECRET}\n`
    )
    writeFileSync(
      join(home, ".aws/config"),
      "[profile ops]\nrole_arn = arn:ops\nsource_profile = default\n" +
        `[profile prog]\ncredential_process = ${process.execPath} -e "console.log('{}')"\n`
    )
    assert.strictEqual(await with_({}, home), "AKIAFILE")
    assert.strictEqual(await with_({ AWS_PROFILE: "ops" }, home), "ASIAROLE")
    assert.include(await with_({ AWS_PROFILE: "prog" }, home), "there are no credentials of AWS")
    assert.include(await with_({ AWS_PROFILE: "gone" }, home), "profile: [gone]")
  })

  it("come from a browser by the session that `aws sso login` keeps", async () => {
    const home = folder()
    const cache = join(home, ".aws/sso/cache")
    mkdirSync(cache, { recursive: true })
    writeFileSync(
      join(home, ".aws/config"),
      "[profile web]\nsso_session = corp\nsso_account_id = 123456789012\nsso_role_name = reader\n" +
        "[sso-session corp]\nsso_region = eu-west-1\nsso_start_url = https://corp.example.org/start\n"
    )
    assert.include(await with_({ AWS_PROFILE: "web" }, home), "aws sso login")
    writeFileSync(
      join(cache, `${createHash("sha1").update("corp").digest("hex")}.json`),
      JSON.stringify({ accessToken: "signed-in", expiresAt: Expiration })
    )
    assert.strictEqual(await with_({ AWS_PROFILE: "web" }, home), "ASIASSO")
  })

  it("are missing with a way out, and never go to a host that is not trusted", async () => {
    assert.include(await with_({}), "there are no credentials")
    const hostile = { AWS_CONTAINER_CREDENTIALS_FULL_URI: "http://evil.example.org/x" }
    assert.include(await with_(hostile), "URL not accepted")
    const { AWS_REGION: _, ...keys } = KEYS
    cloud().answer = roles
    const ran = await report("lambda", [], keys)
    assert.deepStrictEqual([ran.code, ran.stderr.includes("--region")], [2, true])
  })
})

describe("the settings of a machine", () => {
  const regionIn = async (config: string, env: { readonly [name: string]: string } = {}) => {
    const home = folder()
    mkdirSync(join(home, ".aws"))
    writeFileSync(
      join(home, ".aws/credentials"),
      `[default]\naws_access_key_id = AKIAFILE\naws_secret_access_key = ${SECRET}\n`
    )
    writeFileSync(join(home, ".aws/config"), config)
    cloud().answer = () => ({ body: { Functions: [] } })
    await report("lambda", [], env, home)
    const { authorization } = cloud().requests.at(-1)?.headers ?? {}
    return /Credential=(\w+)\/\d+\/([^/]+)/.exec(String(authorization))?.slice(1)
  }

  it("are profiles of two files, without what is nested", async () => {
    assert.deepStrictEqual(
      await regionIn("[default]\ns3 =\n  region = x\nregion = eu-west-1\n# note\n"),
      ["AKIAFILE", "eu-west-1"]
    )
  })

  it("name programs by words, some of them quoted", async () => {
    const printed = { Version: 1, AccessKeyId: "AKIAPROG", SecretAccessKey: SECRET }
    const program = join(folder(), "give key.js")
    writeFileSync(
      program,
      `console.log(process.argv[2] === "a b" && ${JSON.stringify(JSON.stringify(printed))})`
    )
    assert.deepStrictEqual(
      await regionIn(
        `[profile ops]\nregion = eu-west-1\ncredential_process = ${process.execPath} "${program}" "a b"\n`,
        { AWS_PROFILE: "ops" }
      ),
      ["AKIAPROG", "eu-west-1"]
    )
  })
})
