/** `attestry config …`: shows every effective setting with its source, and edits the profiles of this machine. */
import type { Job } from "../job/Job.js"
import * as Profiles from "../settings/Profiles.js"
import type { Settings, Sourced } from "../settings/Settings.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import type { Host } from "../shared/Host.js"
import * as Table from "../shared/Table.js"
import { resolveTrail } from "../trail/TrailName.js"

interface Row {
  readonly name: string
  readonly value: string | null
  readonly source: string | null
}

const rowOf = (name: string, setting: Sourced<string> | undefined): Row => ({
  name,
  value: setting?.value ?? null,
  source: setting?.source ?? null
})

const jobText = ({ ci, commit, branch, pullRequest }: Job): string =>
  [
    pullRequest === undefined ? ci : `${ci}, pull request ${pullRequest}`,
    ...(commit === undefined ? [] : [`commit ${commit}`]),
    ...(branch === undefined ? [] : [`branch ${branch}`])
  ].join(", ")

const keyRow = ({ key, keyProblem }: Settings): Row => ({
  name: "key",
  value: key === undefined ? null : "(hidden)",
  source: key?.source ?? keyProblem ?? null
})

const rowsOf = async (context: CommandContext): Promise<ReadonlyArray<Row>> => {
  const settings = await context.settings()
  const job = await context.job()
  return [
    rowOf("profile", settings.profile),
    rowOf("url", settings.url),
    rowOf("org", settings.org),
    rowOf("flow", settings.flow),
    rowOf("trail", await resolveTrail(context)),
    keyRow(settings),
    rowOf("ca_file", settings.caFile),
    {
      name: "job",
      value: jobText(job),
      source: job.notes.length === 0 ? null : job.notes.join("; ")
    }
  ]
}

/** Runs `attestry config show`. */
export const show: CommandModule = {
  run: async (context) => {
    const rows = await rowsOf(context)
    return {
      value: {
        schema: "attestry.cli/config/v1",
        settings: Object.fromEntries(
          rows.map(({ name, value, source }) => [name, { value, source }])
        )
      },
      lines: (style) =>
        Table.lines(
          rows.map(({ name, value, source }) => [
            name,
            value === null ? "–" : style.text(value),
            style.tint("dim", style.text(source ?? ""))
          ])
        )
    }
  }
}

/** Runs `attestry config path`. */
export const path: CommandModule = {
  run: async ({ host }) => {
    const file = Profiles.path(host)
    return {
      value: { schema: "attestry.cli/config-path/v1", path: file },
      quiet: file,
      lines: () => [file]
    }
  }
}

/** Runs `attestry config use`, which selects the current profile. */
export const use: CommandModule = {
  run: async ({ host }, args) => {
    const [name = ""] = args.positionals
    const { profile } = await Profiles.find(host, name)
    Profiles.write(host, { ...(await Profiles.read(host)), current: name })
    return {
      value: {
        schema: "attestry.cli/profile/v1",
        name,
        url: profile?.url,
        org: profile?.org ?? null
      },
      quiet: name,
      lines: (style) => [`profile ${name} is used from now on: ${style.text(profile?.url)}`]
    }
  }
}

const SETTABLE = ["org", "timeout", "ca_file", "url"] as const

type Settable = (typeof SETTABLE)[number]

const FIELDS = { org: "org", timeout: "timeout", ca_file: "caFile", url: "url" } as const

const keyOf = (name: string): Settable => {
  const key = SETTABLE.find((each) => each === name)
  if (key === undefined) throw usage(`\`${name}\` cannot be set: there is ${SETTABLE.join(", ")}`)
  return key
}

/** The profile of the flag or the current one; fails if there is none. */
const profileOf = async (host: Host, args: Arguments): Promise<Profiles.Profile> => {
  const { profile } = await Profiles.find(host, args.text("profile"))
  if (profile === undefined) throw usage("there is no profile", "run: attestry login")
  return profile
}

/** Writes one profile in the place of the one of the same name. */
const replace = async (host: Host, changed: Profiles.Profile): Promise<void> => {
  const file = await Profiles.read(host)
  const profiles = file.profiles.map((each) => (each.name === changed.name ? changed : each))
  Profiles.write(host, { ...file, profiles })
}

/** Runs `attestry config set`. */
export const set: CommandModule = {
  run: async ({ host }, args) => {
    const [name = "", value = ""] = args.positionals
    const key = keyOf(name)
    const profile = await profileOf(host, args)
    if (key === "url" && profile.key !== undefined)
      throw usage("the key of a profile belongs to its address", "run: attestry login --url URL")
    await replace(host, { ...profile, [FIELDS[key]]: value })
    return {
      value: { schema: "attestry.cli/profile-setting/v1", profile: profile.name, name: key, value },
      lines: (style) => [`${key} of profile ${profile.name} is ${style.text(value)}`]
    }
  }
}

/** Runs `attestry config unset`, which removes a value from a profile; it succeeds for a value that is not set. */
export const unset: CommandModule = {
  run: async ({ host }, args) => {
    const [name = ""] = args.positionals
    const key = keyOf(name)
    const profile = await profileOf(host, args)
    const { [FIELDS[key]]: before, ...others } = profile
    if (before !== undefined)
      await replace(host, { ...others, name: profile.name, url: profile.url })
    return {
      value: {
        schema: "attestry.cli/profile-setting/v1",
        profile: profile.name,
        name: key,
        value: null
      },
      lines: () => [
        `${key} of profile ${profile.name} ${before === undefined ? "was not set" : "is removed"}`
      ]
    }
  }
}
