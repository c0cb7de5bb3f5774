/**
 * What is between two tokens, and the next: a bracket, or a text with what makes it the name of a
 * member. It goes on where the last one ended (y) and so never looks at anything twice.
 */
const TOKEN = /[^"{}[\]]*(?:([{}[\]])|"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?)/gsy;

/**
 * The first name that an object has twice, or undefined. JSON.parse keeps the last of them without
 * a word; another reader of the same body may have decided by the first (RFC 8259 section 4).
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
