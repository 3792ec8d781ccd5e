/** Walks the elements of XML without recursion. */
import type { XmlElement } from "../Format.js"

/** The calls of a walk: at the begin and at the end of each element, in the order of the file. */
export interface XmlVisitor {
  /** Called with the parent; undefined for the root. Returns whether to visit the children. */
  readonly begin: (element: XmlElement, parent: XmlElement | undefined) => boolean
  readonly end?: (element: XmlElement) => void
}

/** Visits an element and everything below it. */
export const walk = (root: XmlElement, { begin, end }: XmlVisitor): void => {
  const open: Array<{ readonly element: XmlElement; next: number; readonly last: number }> = []
  const enter = (element: XmlElement): void => {
    const last = begin(element, open.at(-1)?.element) ? element.children.length : 0
    open.push({ element, next: 0, last })
  }
  enter(root)
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const child = frame.next < frame.last ? frame.element.children[frame.next] : undefined
    frame.next += 1
    if (child !== undefined) enter(child)
    else {
      open.pop()
      end?.(frame.element)
    }
  }
}
