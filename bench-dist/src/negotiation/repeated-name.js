/** A text with what makes it the name of a member, or a bracket. */
const TOKEN = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}[\]]/gs;
/**
 * The first name that an object has twice, or undefined. JSON.parse keeps the last of them without
 * a word; another reader of the same body may have decided by the first (RFC 8259 section 4).
 * @param json valid JSON
 */
export function repeatedName(json) {
    const open = [];
    for (const [token, text, colon] of json.matchAll(TOKEN)) {
        if (token === '{')
            open.push(new Set());
        else if (token === '[')
            open.push(undefined);
        else if (token === '}' || token === ']')
            open.pop();
        else if (colon !== undefined) {
            const name = text.includes('\\') ? JSON.parse(`"${text}"`) : text;
            if (open.at(-1).has(name))
                return name;
            open.at(-1).add(name);
        }
    }
    return undefined;
}
//# sourceMappingURL=repeated-name.js.map