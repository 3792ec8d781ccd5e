/** A private authority and certificates of it, made by `openssl` for one run. */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { folder } from "../shared/Run.js"

/** A certificate with its key, as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** An authority, and what it signs. */
export interface Authority {
  /** The file of its own certificate. */
  readonly file: string
  /** A certificate for a subject, such as `IP:127.0.0.1`, that is valid for so many days; -1 ended yesterday. */
  readonly sign: (subject: string, days?: number) => Certificate
  /** A certificate that is valid in years to come. */
  readonly signLater: (subject: string) => Certificate
}

const openssl = (args: ReadonlyArray<string>): void => {
  const { status, stderr } = spawnSync("openssl", args, { encoding: "utf8" })
  if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`)
}

/** Makes an authority. */
export const authority = (): Authority => {
  const root = folder()
  const at = (name: string) => join(root, name)
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
  openssl([
    ...made,
    "-days",
    "2",
    "-subj",
    "/CN=Private authority",
    "-keyout",
    at("ca.key"),
    "-out",
    at("ca.pem")
  ])
  let count = 0
  /** A request for a certificate, and where its files are. */
  const request = (subject: string) => {
    const name = `c${++count}`
    const file = (suffix: string) => at(`${name}.${suffix}`)
    writeFileSync(file("ext"), `subjectAltName=${subject}\n`)
    const key = ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl([...key, "-subj", "/CN=server", "-keyout", file("key"), "-out", file("csr")])
    const read = (): Certificate => ({
      cert: readFileSync(file("pem"), "utf8"),
      key: readFileSync(file("key"), "utf8")
    })
    return { file, read }
  }
  return {
    file: at("ca.pem"),
    signLater: (subject) => {
      const { file, read } = request(subject)
      const settings = [
        "[ca]",
        "default_ca=own",
        "[own]",
        `database=${file("db")}`,
        `new_certs_dir=${root}`,
        `serial=${file("serial")}`,
        "default_md=sha256",
        "policy=any",
        "[any]",
        "commonName=supplied"
      ]
      writeFileSync(file("cnf"), `${settings.join("\n")}\n`)
      writeFileSync(file("db"), "")
      writeFileSync(file("serial"), "7000\n")
      openssl([
        "ca",
        "-batch",
        "-notext",
        "-config",
        file("cnf"),
        "-extfile",
        file("ext"),
        "-startdate",
        "20980101000000Z",
        "-enddate",
        "20990101000000Z",
        "-cert",
        at("ca.pem"),
        "-keyfile",
        at("ca.key"),
        "-in",
        file("csr"),
        "-out",
        file("pem")
      ])
      return read()
    },
    sign: (subject, days = 2) => {
      const { file, read } = request(subject)
      const dates = ["-days", String(days)]
      const by = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial"]
      openssl([
        "x509",
        "-req",
        "-in",
        file("csr"),
        ...by,
        ...dates,
        "-extfile",
        file("ext"),
        "-out",
        file("pem")
      ])
      return read()
    }
  }
}
