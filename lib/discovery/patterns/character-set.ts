/**
 * Sets of characters for the classes of patterns. ASCII characters are exact; all other characters count as one
 * character.
 */

/** Whether each of the characters 0 to 127 is a member. The last element is set if any other character is a member. */
export type CharacterSet = Uint8Array;

/** Index of all characters outside of ASCII. */
const beyondAscii = 128;

export function emptySet(): CharacterSet {
  return new Uint8Array(beyondAscii + 1);
}

export function setOf(characters: string): CharacterSet {
  const set = emptySet();
  for (const character of characters) set[placeOf(character)] = 1;
  return set;
}

export function rangeOf(from: string, to: string): CharacterSet {
  return emptySet().fill(1, placeOf(from), placeOf(to) + 1);
}

function placeOf(character: string): number {
  return Math.min(character.codePointAt(0) ?? 0, beyondAscii);
}

export function union(a: CharacterSet, b: CharacterSet): CharacterSet {
  return a.map((member, place) => member | (b[place] ?? 0));
}

/** Returns the complement. Characters outside of ASCII stay members, because no set contains all of them. */
export function complement(set: CharacterSet): CharacterSet {
  return set.map((member, place) => (place === beyondAscii ? 1 : 1 - member));
}

export function overlap(a: CharacterSet, b: CharacterSet): boolean {
  return a.some((member, place) => member !== 0 && b[place] !== 0);
}

const digits = rangeOf("0", "9");
const letters = union(rangeOf("a", "z"), rangeOf("A", "Z"));
const word = [letters, digits, setOf("_")].reduce(union);
const space = setOf(" \t\n\r\f");

/** Sets by the letter of their escape sequence, for example `\d`. */
export const classes: Readonly<Record<string, CharacterSet | undefined>> = {
  d: digits,
  D: complement(digits),
  w: word,
  W: complement(word),
  s: space,
  S: complement(space),
};

/** Returns the set of `[:alpha:]`, or of `[:^alpha:]` for its complement. */
export function namedSet(name: string): CharacterSet | undefined {
  const [, negation, own = ""] = /^\[:(\^?)([a-z]+):\]$/.exec(name) ?? [];
  const set = new Map([
    ["alpha", letters],
    ["alnum", union(letters, digits)],
    ["ascii", rangeOf("\0", "\x7f")],
    ["blank", setOf(" \t")],
    ["cntrl", union(rangeOf("\0", "\x1f"), setOf("\x7f"))],
    ["digit", digits],
    ["graph", rangeOf("!", "~")],
    ["lower", rangeOf("a", "z")],
    ["print", rangeOf(" ", "~")],
    ["punct", setOf("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")],
    ["space", union(space, setOf("\v"))],
    ["upper", rangeOf("A", "Z")],
    ["word", word],
    ["xdigit", [digits, rangeOf("a", "f"), rangeOf("A", "F")].reduce(union)],
  ]).get(own);
  return set !== undefined && negation === "^" ? complement(set) : set;
}

/** Returns the ASCII part of the set of `pL` or `p{Lu}`, or of its complement with `P`. */
export function propertySet(property: string): CharacterSet | undefined {
  const [, kind, negation, name = ""] = /^([pP])\{?(\^?)(\w+)\}?$/.exec(property) ?? [];
  const isNegated = (kind === "P") !== (negation === "^");
  try {
    const isMember = new RegExp(`^\\${isNegated ? "P" : "p"}{${name.length > 2 ? `Script=${name}` : name}}$`, "u");
    const set = emptySet();
    for (let place = 0; place < beyondAscii; place++) if (isMember.test(String.fromCharCode(place))) set[place] = 1;
    return set;
  } catch {
    return undefined;
  }
}
