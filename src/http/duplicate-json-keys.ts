/**
 * The next token and the characters before it: a bracket, or a string with the colon that makes it the
 * name of a member. Each match begins where the last one ended (`y`), so that no character is read twice.
 */
const TOKEN = /[^"{}[\]]*(?:([{}[\]])|"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?)/gsy;

/**
 * The first name that occurs twice in one object, or undefined. JSON.parse silently keeps the last value; another
 * reader of the same body may have decided by the first (RFC 8259 section 4).
 * @param json valid JSON
 * @param value the result of JSON.parse, which has fewer names than the text if one occurs twice
 */
export const findDuplicateKey = (json: string, value: unknown): string | undefined =>
  countNames(json) === countKeys(value) ? undefined : findRepeated(json);

function findRepeated(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (const [, bracket, text, colon] of json.matchAll(TOKEN)) {
    if (bracket === '{') open.push(new Set());
    else if (bracket === '[') open.push(undefined);
    else if (bracket !== undefined) open.pop();
    else if (colon !== undefined) {
      const name = text!.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text!;
      if (open.at(-1)!.has(name)) return name;
      open.at(-1)!.add(name);
    }
  }
  return undefined;
}

/** How many strings of a JSON text are names of members. */
function countNames(json: string): number {
  let count = 0;
  for (let at = json.indexOf('"'); at !== -1;) {
    let next = endOfString(json, at) + 1;
    while (WHITE_SPACE.has(json.charCodeAt(next))) next++;
    if (json.charCodeAt(next) === COLON) count++;
    at = json.indexOf('"', next);
  }
  return count;
}

const COLON = 0x3a;
const BACKSLASH = 0x5c;
const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The place of the quotation mark that ends a string: it follows an even number of backslashes. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countKeys(item);
  else for (const part of Object.values(value)) count += 1 + countKeys(part);
  return count;
}
