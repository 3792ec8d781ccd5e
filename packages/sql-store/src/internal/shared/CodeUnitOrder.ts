/**
 * The order of texts in JavaScript, for statements whose rows core orders too.
 *
 * PostgreSQL compares the bytes of UTF-8, which is the order of code points. JavaScript compares code units, in which
 * characters beyond U+FFFF begin with a surrogate and so come before those from U+E000 to U+FFFF.
 */

/** The last character, U+10FFFF. */
const LAST = "chr(1114111)"

/**
 * An expression whose bytes are in the order of the code units of a column: each character from U+E000 to U+FFFF
 * stands behind the last one. WHY the letters: they keep the last character itself before those. WHY the lengths: most
 * texts have ASCII alone, and stay as they are.
 */
export const codeUnits = (column: string): string =>
  `case when octet_length(${column}) = length(${column}) then ${column}
    else regexp_replace(replace(${column}, ${LAST}, ${LAST} || 'a'),
      '([\\uE000-\\uFFFF])', ${LAST} || 'b\\1', 'g')
  end`
