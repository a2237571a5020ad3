export type PatternNode =
  | {
      readonly kind: "set";
      readonly set: CharacterSet;
      readonly other?: string;
    }
  | { readonly kind: "anchor" }
  | { readonly kind: "sequence"; readonly items: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly items: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly item: PatternNode; readonly min: number; readonly max: number };

type PatternReading = "exact" | "loose";

/**
 * Parses the syntax that RE2 and JavaScript have in common.
 *
 * @param reading "loose" parses more of RE2's syntax, but not with its full meaning: a text that the tree allows may
 * not match
 * @returns undefined for other syntax
 */
export function readPattern(pattern: string, reading: PatternReading = "exact"): PatternNode | undefined {
  return new PatternReader(pattern, reading).read();
}

/** Maximum depth of nested groups, to limit the use of the stack. */
const deepestGroup = 50;

class PatternReader {
  readonly #pattern: string;
  readonly #isLoose: boolean;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, reading: PatternReading) {
    this.#pattern = pattern;
    this.#isLoose = reading === "loose";
  }

  read(): PatternNode | undefined {
    const tree = this.#choice();
    return this.#at === this.#pattern.length ? tree : undefined;
  }

  #choice(): PatternNode | undefined {
    const items: PatternNode[] = [];
    do {
      const item = this.#sequence();
      if (item === undefined) return undefined;
      items.push(item);
    } while (this.#take("|"));
    return items.length === 1 ? items[0] : { kind: "choice", items };
  }

  #sequence(): PatternNode | undefined {
    const items: PatternNode[] = [];
    while (this.#at < this.#pattern.length && !"|)".includes(this.#pattern[this.#at] ?? "")) {
      const item = this.#repeated();
      if (item === undefined) return undefined;
      items.push(item);
    }
    return { kind: "sequence", items };
  }

  #repeated(): PatternNode | undefined {
    const item = this.#single();
    if (item === undefined) return undefined;
    const rest = this.#pattern.slice(this.#at, this.#at + 16);
    const count = /^(?:([*+?])|\{(\d{1,4})(?:(,)(\d{0,4}))?\})\??/.exec(rest);
    if (count === null) return item;
    this.#at += count[0].length;
    const min = count[1] === undefined ? Number(count[2]) : count[1] === "+" ? 1 : 0;
    const open = count[1] === "*" || count[1] === "+" || (count[3] !== undefined && count[4] === "");
    const max = open ? Number.POSITIVE_INFINITY : count[1] === "?" ? 1 : Number(count[4] || count[2]);
    return item.kind === "anchor" ? undefined : { kind: "repeat", item, min, max };
  }

  #single(): PatternNode | undefined {
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    if (character === "^" || character === "$") return { kind: "anchor" };
    if (character === ".") return { kind: "set", set: complement(setOf("\n")) };
    if (character === "(") return this.#group();
    if (character === "[") return this.#class();
    if (character === "\\") {
      if (this.#isLoose && this.#takeMatch(/[AzbB]/y) !== undefined) return { kind: "anchor" };
      const set = this.#escape();
      return set === undefined ? undefined : { kind: "set", set };
    }
    return "*+?{".includes(character) ? undefined : { kind: "set", set: setOf(character), ...otherOf(character) };
  }

  #group(): PatternNode | undefined {
    if (this.#isLoose) {
      if (this.#takeMatch(/\?[imsU]+(?:-[imsU]+)?\)/y) !== undefined) return { kind: "anchor" };
      this.#takeMatch(/\?P?<\w+>|\?[imsU]*(?:-[imsU]+)?:/y);
    } else {
      this.#take("?:");
    }
    if (this.#pattern[this.#at] === "?") return undefined;
    if (++this.#depth > deepestGroup) return undefined;
    const inner = this.#choice();
    this.#depth--;
    return this.#take(")") && inner !== undefined
      ? { kind: "sequence", items: inner.kind === "sequence" ? inner.items : [inner] }
      : undefined;
  }

  #class(): PatternNode | undefined {
    const negated = this.#take("^");
    // One engine reads it as the end of the class, the other as its first member.
    if (this.#pattern[this.#at] === "]") return undefined;
    let set = emptySet();
    let otherThan: { readonly other?: string } = {};
    for (;;) {
      if (this.#at >= this.#pattern.length) return undefined;
      if (this.#take("]")) break;
      const from = this.#member();
      if (from === undefined) return undefined;
      if (typeof from === "string" && !negated) otherThan = { ...otherOf(from), ...otherThan };
      if (this.#pattern[this.#at] === "-" && this.#pattern[this.#at + 1] !== "]" && typeof from === "string") {
        this.#at++;
        const to = this.#member();
        if (typeof to !== "string") return undefined;
        set = union(set, rangeOf(from, to));
      } else {
        set = union(set, typeof from === "string" ? setOf(from) : from);
      }
    }
    return { kind: "set", set: negated ? complement(set) : set, ...otherThan };
  }

  #member(): string | CharacterSet | undefined {
    if (this.#isLoose) {
      const name = this.#takeMatch(/\[:\^?[a-z]+:\]/y);
      if (name !== undefined) return namedSet(name);
    }
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    if (character === "[") return undefined;
    if (character !== "\\") return character;
    const next = this.#pattern[this.#at] ?? "";
    // V8 cannot express RE2's meaning of it inside a class.
    if (next === "S") return undefined;
    if (/\w/.test(next)) return this.#escape();
    this.#at++;
    return next === "" ? undefined : next;
  }

  #escape(): CharacterSet | undefined {
    if (this.#isLoose) {
      const property = this.#takeMatch(/[pP](?:[A-Z]|\{\^?\w+\})/y);
      if (property !== undefined) return propertySet(property);
    }
    const character = this.#pattern[this.#at++] ?? "";
    const known = classes[character];
    if (known !== undefined) return known;
    const control = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v" }[character];
    if (control !== undefined) return setOf(control);
    return /[^\w]/.test(character) ? setOf(character) : undefined;
  }

  /** @param expression sticky */
  #takeMatch(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #take(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}

function otherOf(character: string): { readonly other?: string } {
  return character > "\u007f" ? { other: character } : {};
}

/** Whether each of the characters 0 to 127 is a member. The last element is set if any other character is a member. */
export type CharacterSet = Uint8Array;

/** Index of all characters outside of ASCII. */
const beyondAscii = 128;

export function emptySet(): CharacterSet {
  return new Uint8Array(beyondAscii + 1);
}

function setOf(characters: string): CharacterSet {
  const set = emptySet();
  for (const character of characters) set[placeOf(character)] = 1;
  return set;
}

function rangeOf(from: string, to: string): CharacterSet {
  return emptySet().fill(1, placeOf(from), placeOf(to) + 1);
}

function placeOf(character: string): number {
  return Math.min(character.codePointAt(0) ?? 0, beyondAscii);
}

export function union(a: CharacterSet, b: CharacterSet): CharacterSet {
  return a.map((member, place) => member | (b[place] ?? 0));
}

/** Returns the complement. Characters outside of ASCII stay members, because no set contains all of them. */
function complement(set: CharacterSet): CharacterSet {
  return set.map((member, place) => (place === beyondAscii ? 1 : 1 - member));
}

export function overlap(a: CharacterSet, b: CharacterSet): boolean {
  return a.some((member, place) => member !== 0 && b[place] !== 0);
}

const digits = rangeOf("0", "9");
const letters = union(rangeOf("a", "z"), rangeOf("A", "Z"));
const word = [letters, digits, setOf("_")].reduce(union);
const space = setOf(" \t\n\r\f");

const classes: Readonly<Record<string, CharacterSet | undefined>> = {
  d: digits,
  D: complement(digits),
  w: word,
  W: complement(word),
  s: space,
  S: complement(space),
};

function namedSet(name: string): CharacterSet | undefined {
  const [, negation, className = ""] = /^\[:(\^?)([a-z]+):\]$/.exec(name) ?? [];
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
  ]).get(className);
  return set !== undefined && negation === "^" ? complement(set) : set;
}

/** Returns the ASCII part of the set of `pL` or `p{Lu}`, or of its complement with `P`. */
function propertySet(property: string): CharacterSet | undefined {
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
