/** Dockerfiles as their parsed instructions, and the rules that they keep. */
import {
  type Copy,
  DockerfileParser,
  type From,
  type Instruction,
  type Label
} from "dockerfile-ast"

/** A parsed Dockerfile. */
export interface ImageFile {
  readonly instructions: ReadonlyArray<Instruction>
  /** The instructions of the last stage, which is the image. */
  readonly image: ReadonlyArray<Instruction>
  /** The arguments before the first stage, with their defaults. */
  readonly defaults: ReadonlyMap<string, string>
}

const isKeyword = (keyword: string) => (instruction: Instruction) =>
  instruction.getKeyword() === keyword

const wordsOf = (instruction: Instruction): ReadonlyArray<string> =>
  instruction.getArguments().map((argument) => argument.getValue())

/** Reads the text of a Dockerfile. */
export const parse = (text: string): ImageFile => {
  const instructions = DockerfileParser.parse(text).getInstructions()
  const first = instructions.findIndex(isKeyword("FROM"))
  const last = instructions.findLastIndex(isKeyword("FROM"))
  const defaults = instructions.slice(0, first).flatMap((instruction): Array<[string, string]> => {
    const [, name, value] = /^([^=]+)=(.*)$/.exec(wordsOf(instruction)[0] ?? "") ?? []
    return name === undefined || value === undefined ? [] : [[name, value]]
  })
  return { instructions, image: instructions.slice(last), defaults: new Map(defaults) }
}

/** A word with the values of variables that have one. */
export const filled = (word: string, values: ReadonlyMap<string, string>): string =>
  word.replaceAll(/\$\{?(\w+)\}?/g, (found, name: string) => values.get(name) ?? found)

/** The words of the last instruction with a keyword in the image; none if there is no such instruction. */
export const lastWords = ({ image }: ImageFile, keyword: string): ReadonlyArray<string> => {
  const found = image.findLast(isKeyword(keyword))
  return found === undefined ? [] : wordsOf(found)
}

/** The text behind a keyword in the image, as it is written. */
export const textOf = ({ image }: ImageFile, keyword: string): string =>
  image.findLast(isKeyword(keyword))?.getArgumentsContent() ?? ""

/** The words of a command in the form of a JSON array; none for another form. */
export const commandOf = (text: string): ReadonlyArray<string> => {
  const [array] = /\[.*\]$/s.exec(text) ?? []
  const parsed: unknown = array === undefined ? [] : JSON.parse(array)
  return Array.isArray(parsed) ? parsed.map(String) : []
}

/** The variables of the image. */
export const variablesOf = ({ image }: ImageFile): ReadonlyMap<string, string> =>
  new Map(
    image.filter(isKeyword("ENV")).flatMap((instruction) =>
      wordsOf(instruction).flatMap((word): Array<[string, string]> => {
        const [, name, value] = /^(\w+)=(.*)$/.exec(word) ?? []
        return name === undefined || value === undefined ? [] : [[name, value]]
      })
    )
  )

/** The copies of the image, each from a path to a path. */
export const copiesOf = ({
  image
}: ImageFile): ReadonlyArray<{ readonly from: string; readonly to: string }> =>
  image.filter(isKeyword("COPY")).map((instruction) => {
    const [from = "", to = ""] = wordsOf(instruction)
    return { from, to }
  })

const flagsOf = (instruction: Instruction): ReadonlyArray<string> =>
  (instruction as Copy).getFlags().map((flag) => `${flag.getName()}=${flag.getValue()}`)

const isFrom = (instruction: Instruction): instruction is From => isKeyword("FROM")(instruction)

/** Bases whose content is not fixed: without a tag, or with the one that moves. */
const baseProblems = ({ instructions, defaults }: ImageFile): ReadonlyArray<string> => {
  const froms = instructions.filter(isFrom)
  const stages = froms.flatMap((from) => from.getBuildStage() ?? [])
  return froms
    .map((from) => filled(from.getImage() ?? "", defaults))
    .filter((base) => base !== "scratch" && !stages.some((stage) => isStage(base, stage)))
    .filter((base) => !/:[\w.-]+$|@sha256:[0-9a-f]{64}$/.test(base) || base.endsWith(":latest"))
    .map((base) => `is built on ${base}, which is no fixed version`)
}

/** Whether a base is a stage, or one of several stages by the platform. */
const isStage = (base: string, stage: string): boolean =>
  base === stage || (base.includes("$") && stage.startsWith(base.slice(0, base.indexOf("$"))))

const NETWORK = /\b(?:apt|apt-get|apk|dnf|yum|curl|wget|npm|npx|pnpm|pip3?|git)\b|https?:/

const stepProblems = ({ instructions }: ImageFile): ReadonlyArray<string> =>
  instructions.flatMap((instruction) => {
    const words = wordsOf(instruction)
    const keyword = instruction.getKeyword()
    if (keyword === "RUN" && NETWORK.test(instruction.getTextContent()))
      return [`uses a network in RUN ${words[0]}`]
    if (
      keyword === "ADD" &&
      !words.slice(0, -1).every((word) => /^[\w${}.-]+\.tar\.gz$/.test(word))
    )
      return [`adds ${words[0]}, which is no archive of the bundle`]
    if (keyword === "COPY" && !flagsOf(instruction).some((flag) => /^chown=\d+:\d+$/.test(flag)))
      return [`copies ${words[0]} without a numeric --chown`]
    return []
  })

const LABELS = [
  "title",
  "description",
  "source",
  "documentation",
  "licenses",
  "version",
  "revision"
]

const labelProblems = ({ image }: ImageFile): ReadonlyArray<string> => {
  const names = image
    .filter(isKeyword("LABEL"))
    .flatMap((instruction) => (instruction as Label).getProperties())
    .map((property) => property.getName())
  return LABELS.filter((name) => !names.includes(`org.opencontainers.image.${name}`)).map(
    (name) => `has no label ${name}`
  )
}

const runProblems = (file: ImageFile): ReadonlyArray<string> => {
  const [user = ""] = lastWords(file, "USER")
  const [health = ""] = lastWords(file, "HEALTHCHECK")
  const check = commandOf(textOf(file, "HEALTHCHECK"))
  return [
    ...(/^[1-9]\d*:[1-9]\d*$/.test(user) ? [] : [`runs as ${user || "root"}`]),
    ...(commandOf(textOf(file, "ENTRYPOINT")).length > 0 ? [] : ["has no entry point as an array"]),
    ...(health === "NONE" || check.length > 0 ? [] : ["has no HEALTHCHECK as an array"])
  ]
}

/** Every rule that a Dockerfile breaks. */
export const problemsOf = (file: ImageFile): ReadonlyArray<string> => [
  ...baseProblems(file),
  ...stepProblems(file),
  ...labelProblems(file),
  ...runProblems(file)
]
