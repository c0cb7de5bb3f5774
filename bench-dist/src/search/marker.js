import { isId } from '../resources/uri.js';
/** Between the index name and the position (interface: Search result envelope). */
const SEPARATOR = '¤';
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** `Users¤<position>`: opaque to the caller, and no row number, so that changes move nothing. */
export function formatMarker(index, { title, id }) {
    return `${index}${SEPARATOR}${Buffer.from(`${id}\n${title}`).toString('base64url')}`;
}
/** Reads a marker of one index; undefined when it is of another or cannot be read. */
export function parseMarker(index, marker) {
    const prefix = `${index}${SEPARATOR}`;
    const position = marker.startsWith(prefix) ? marker.slice(prefix.length) : '';
    if (!/^[A-Za-z0-9_-]+$/.test(position))
        return undefined;
    const bytes = Buffer.from(position, 'base64url');
    // One place has one marker: what decodes to the same bytes in another spelling was tampered with.
    if (bytes.toString('base64url') !== position)
        return undefined;
    try {
        const [id = '', ...title] = utf8.decode(bytes).split('\n');
        const text = title.join('\n');
        return title.length > 0 && isId(id) && !text.includes('\0') ? { id, title: text } : undefined;
    }
    catch {
        return undefined;
    }
}
//# sourceMappingURL=marker.js.map