/** Ids are positive whole numbers of 63 bits, as text without leading zeros. */
const ID = /^[1-9]\d{0,18}$/;
const MAX_ID = 2n ** 63n - 1n;
export const isId = (text) => ID.test(text) && BigInt(text) <= MAX_ID;
/** The URI of an object: opaque to callers, without host, base path or version. */
export const uriOf = (prefix, id) => `${prefix}/${String(id)}`;
/** The id in a text that is an id or the URI of one kind of object; undefined when it is neither. */
export function idIn(text, prefix) {
    if (isId(text))
        return text;
    const id = text.startsWith(`${prefix}/`) ? text.slice(prefix.length + 1) : '';
    return isId(id) ? id : undefined;
}
//# sourceMappingURL=uri.js.map