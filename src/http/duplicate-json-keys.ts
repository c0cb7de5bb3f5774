/**
 * The next token and the characters before it: a bracket, or a string with the colon that makes it the
 * name of a member. Each match begins where the last one ended (`y`), so that no character is read twice.
 */
const TOKEN = /[^"{}[\]]*(?:([{}[\]])|"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?)/gsy;

/**
 * The first name that occurs twice in one object, or undefined. JSON.parse silently keeps the last value;
 * another reader of the same body may have decided by the first (RFC 8259 section 4).
 * @param json valid JSON
 */
export function findDuplicateKey(json: string): string | undefined {
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
