/** Constructs that published source does without; each rule says what it found and where. */
import { at, type Finding } from "../shared/Finding.js"
import {
  argumentsOf,
  isNode,
  type Node,
  nameOf,
  type SourceFile,
  textOf
} from "../shared/SourceFile.js"
import { isConstant } from "./Constant.js"

/** A rule: the nodes it is about, and what to say about one that breaks it. */
type Rule = (node: Node, file: SourceFile) => string | undefined

const isCallOf = (node: Node, object: string, property: string): boolean =>
  node.type === "MemberExpression" &&
  nameOf(node.object) === object &&
  nameOf(node.property) === property

const applied =
  (rule: Rule) =>
  (file: SourceFile): ReadonlyArray<Finding> =>
    file.nodes.flatMap((node) => {
      const says = rule(node, file)
      return says === undefined ? [] : [at(file, node.loc.start.line, says)]
    })

/** `as any`, and `any` in any other place. */
export const anything = applied(({ type }) => (type === "TSAnyKeyword" ? "says `any`" : undefined))

/** A value that is claimed to be there. */
export const nonNull = applied(({ type, definite }) =>
  type === "TSNonNullExpression" || definite === true ? "claims that a value is there" : undefined
)

const HTML = /^(?:dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|srcdoc)$/

/** Text that a browser would read as HTML. */
export const htmlText = applied((node) => {
  const isName = node.type === "Identifier" || node.type === "JSXIdentifier"
  return isName && HTML.test(nameOf(node) ?? String(node.name)) ? "gives text as HTML" : undefined
})

/** Output that no logger sees. */
export const output = applied((node) =>
  node.type === "MemberExpression" && nameOf(node.object) === "console"
    ? "writes to the console"
    : undefined
)

/** Time and chance that no test can set. */
export const ambient = applied((node) => {
  if (isCallOf(node, "Date", "now")) return "takes the time from `Date.now`"
  if (isCallOf(node, "Math", "random")) return "takes chance from `Math.random`"
  const bare = node.type === "NewExpression" && argumentsOf(node).length === 0
  return bare && nameOf(node.callee) === "Date" ? "takes the time from `new Date()`" : undefined
})

const GLOBALS: ReadonlySet<string> = new Set(["globalThis", "window", "self"])

/** Requests that pass by the guarded client. */
export const request = applied((node) => {
  if (node.type !== "CallExpression" || !isNode(node.callee)) return undefined
  const { callee } = node
  const direct = callee.type === "Identifier" && callee.name === "fetch"
  const global = callee.type === "MemberExpression" && GLOBALS.has(nameOf(callee.object) ?? "")
  return direct || (global && nameOf(callee) === "fetch") ? "calls `fetch`" : undefined
})

/** Regular expressions whose text is not in the source. */
export const builtRegExp = applied((node, file) => {
  const isCall = node.type === "NewExpression" || node.type === "CallExpression"
  if (!isCall || nameOf(node.callee) !== "RegExp") return undefined
  const [pattern] = argumentsOf(node)
  return pattern === undefined || isConstant(file, pattern)
    ? undefined
    : `builds a regular expression from \`${textOf(file, pattern)}\``
})

const STATEMENTS: ReadonlySet<string> = new Set([
  "unsafe",
  "literal",
  "query",
  "execute",
  "executeRaw",
  "executeValues",
  "executeStream",
  "executeUnprepared"
])

/** The text of a statement that is given a name: `{ name: "…", text: "select …" }`. */
const namedText = ({ type, properties }: Node): Node | undefined => {
  const members =
    type === "ObjectExpression" && Array.isArray(properties) ? properties.filter(isNode) : []
  const member = (key: string) => members.find((each) => nameOf(each.key) === key)?.value
  const text = member("text")
  return isNode(member("name")) && isNode(text) ? text : undefined
}

const isStatementCall = ({ type, callee }: Node): boolean =>
  type === "CallExpression" &&
  isNode(callee) &&
  callee.type === "MemberExpression" &&
  STATEMENTS.has(nameOf(callee) ?? "")

/** SQL whose text is not in the source. */
export const builtSql = applied((node, file) => {
  const statement = isStatementCall(node) ? argumentsOf(node)[0] : namedText(node)
  return statement === undefined ||
    namedText(statement) !== undefined ||
    isConstant(file, statement)
    ? undefined
    : `builds SQL from \`${textOf(file, statement)}\``
})

const OPTIONS: ReadonlySet<string> = new Set(["some", "none", "map"])

/** Whether a value is an Option, or a list or an object that is written out and holds one. */
const holdsOption = (node: unknown): boolean => {
  if (!isNode(node)) return false
  const { callee, elements, properties, type, value } = node
  if (type === "CallExpression")
    return isNode(callee) && nameOf(callee.object) === "Option" && OPTIONS.has(nameOf(callee) ?? "")
  if (type === "ObjectProperty") return holdsOption(value)
  const parts = type === "ArrayExpression" ? elements : properties
  return Array.isArray(parts) && parts.some(holdsOption)
}

/** Options in an equality that takes nothing and something for the same. */
export const looseOptions = applied((node) =>
  node.type === "CallExpression" &&
  isNode(node.callee) &&
  isCallOf(node.callee, "assert", "deepStrictEqual") &&
  argumentsOf(node).some(holdsOption)
    ? "compares an Option with `assert.deepStrictEqual`"
    : undefined
)

const EMPTY_STATE: ReadonlySet<string> = new Set(["Map", "Set", "WeakMap", "WeakSet"])

/** What makes a value that changes: an empty collection, a cache, a semaphore. */
const isState = (init: unknown): boolean => {
  if (!isNode(init)) return false
  const { callee, type } = init
  if (type === "NewExpression")
    return EMPTY_STATE.has(nameOf(callee) ?? "") && argumentsOf(init).length === 0
  return (
    type === "CallExpression" &&
    isNode(callee) &&
    (isCallOf(callee, "BoundedCache", "make") || nameOf(callee) === "unsafeMakeSemaphore")
  )
}

/** State of a module, which all layers of a process share and no layer provides. */
export const moduleState = (file: SourceFile): ReadonlyArray<Finding> =>
  file.statements
    .flatMap((statement) => (isNode(statement.declaration) ? statement.declaration : statement))
    .filter(({ type }) => type === "VariableDeclaration")
    .flatMap(({ kind, declarations }) =>
      (Array.isArray(declarations) ? declarations.filter(isNode) : [])
        .filter(({ init }) => kind === "let" || isState(init))
        .map(({ id, loc }) => at(file, loc.start.line, `keeps state in \`${nameOf(id)}\``))
    )

const DECLARING: ReadonlySet<string> = new Set([
  "VariableDeclarator",
  "FunctionDeclaration",
  "ClassDeclaration",
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
  "TSEnumDeclaration"
])

const EMPTY_NAME = /(?:^|[a-z0-9])(?:Utils?|Helpers?|Common|Manager)$|^(?:utils?|helpers?)$/

/** Declarations with a name that says nothing about what is inside. */
export const emptyNames = applied(({ type, id }) =>
  DECLARING.has(type) && EMPTY_NAME.test(nameOf(id) ?? "")
    ? `is called \`${nameOf(id)}\``
    : undefined
)

/** Comments that switch the compiler off. */
export const silencedCompiler = (file: SourceFile): ReadonlyArray<Finding> =>
  file.comments
    .filter(({ text }) => /@ts-(?:ignore|nocheck)\b/.test(text))
    .map(({ firstLine }) => at(file, firstLine, "silences the compiler"))
