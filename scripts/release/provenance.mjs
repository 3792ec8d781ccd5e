/**
 * How the files of a release were made: an in-toto statement with a predicate of SLSA provenance, and with a key its
 * signature, as an envelope in DSSE.
 */
import { execFileSync } from "node:child_process"
import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto"
import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { NODE_VERSION, PLATFORMS } from "./platforms.mjs"

const root = join(import.meta.dirname, "../..")
const REPOSITORY = "https://github.com/attestry/attestry"
const PAYLOAD_TYPE = "application/vnd.in-toto+json"

/** The SHA-256 digest of a file, as hexadecimal digits. */
export const sha256Of = (file) => createHash("sha256").update(readFileSync(file)).digest("hex")

const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()

/** The commit that is built, and whether files differ from it. */
const source = () => ({
  uri: `git+${REPOSITORY}`,
  digest: { gitCommit: git("rev-parse", "HEAD") },
  annotations: { uncommittedChanges: git("status", "--porcelain") !== "" }
})

const nodeArchives = () =>
  PLATFORMS.map(({ name, nodeIntegrity }) => ({
    uri: `pkg:npm/node-${name}@${NODE_VERSION}`,
    digest: {
      sha512: Buffer.from(nodeIntegrity.replace("sha512-", ""), "base64").toString("hex")
    }
  }))

/** The workflow that builds, or the program that a person runs. */
const builderOf = ({ GITHUB_SERVER_URL, GITHUB_WORKFLOW_REF }) =>
  GITHUB_WORKFLOW_REF === undefined
    ? `${REPOSITORY}/blob/main/scripts/release/bundle.mjs`
    : `${GITHUB_SERVER_URL}/${GITHUB_WORKFLOW_REF}`

const invocationOf = ({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID }) =>
  GITHUB_RUN_ID === undefined
    ? {}
    : { invocationId: `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}` }

/** The statement about files, as text. */
export const statementOf = ({ version, files, epoch }, env = process.env) => {
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: files.map((file) => ({ name: basename(file), digest: { sha256: sha256Of(file) } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: `${REPOSITORY}/blob/main/docs/INSTALLING.md#verify-a-download`,
        externalParameters: { repository: REPOSITORY, version },
        internalParameters: { sourceDateEpoch: epoch },
        resolvedDependencies: [
          source(),
          { uri: "pnpm-lock.yaml", digest: { sha256: sha256Of(join(root, "pnpm-lock.yaml")) } },
          ...nodeArchives()
        ]
      },
      runDetails: { builder: { id: builderOf(env) }, metadata: invocationOf(env) }
    }
  }
  return `${JSON.stringify(statement, null, 2)}\n`
}

/** The bytes that DSSE signs. */
const encoded = (type, body) =>
  Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${body.length} `), body])

const keyIdOf = (publicKey) =>
  createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("hex")

/** The envelope around a statement, signed with an Ed25519 key in PEM. */
export const envelopeOf = (statement, pem) => {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== "ed25519")
    throw new Error(`the key is of type ${key.asymmetricKeyType}, and should be of ed25519`)
  const body = Buffer.from(statement)
  const sig = sign(null, encoded(PAYLOAD_TYPE, body), key).toString("base64")
  const envelope = {
    payloadType: PAYLOAD_TYPE,
    payload: body.toString("base64"),
    signatures: [{ keyid: keyIdOf(createPublicKey(key)), sig }]
  }
  return `${JSON.stringify(envelope, null, 2)}\n`
}

/** The statement in an envelope; throws unless the holder of the key signed it. */
export const opened = (text, pem) => {
  const { payloadType, payload, signatures } = JSON.parse(text)
  const body = Buffer.from(payload, "base64")
  const key = createPublicKey(pem)
  const isSigned = signatures.some(({ sig }) =>
    verify(null, encoded(payloadType, body), key, Buffer.from(sig, "base64"))
  )
  if (payloadType !== PAYLOAD_TYPE || !isSigned) throw new Error("the key has not signed this")
  return body.toString("utf8")
}
