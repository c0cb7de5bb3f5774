import { invalid } from '../errors/refusals.js';
/** Most query parameters of one request; more are refused, because one that vanishes widens a result. */
const MAX_PARAMETERS = 64;
/** Longest value of a query parameter in characters. */
const MAX_VALUE = 2048;
/** Older portals send the ¤ of a search marker as Latin-1 (decisions: Search). */
const LATIN1_PARAMETERS = new Set(['searchIndexBottom', 'searchIndexTop']);
const parsed = new WeakMap();
/**
 * The query parameters of a request, parsed once. Nothing is dropped and nothing is repaired: the
 * framework's own parser loses parameters after the 1,000th and turns bad UTF-8 into U+FFFD.
 * @throws Refusal 400 naming every parameter that cannot be read
 */
export function queryOf(request) {
    let query = parsed.get(request);
    if (!query)
        parsed.set(request, (query = parseQueryString(rawQuery(request.url ?? ''))));
    return query;
}
/** The part of a request target after its first question mark. */
export function rawQuery(url) {
    const mark = url.indexOf('?');
    return mark < 0 ? '' : url.slice(mark + 1);
}
/**
 * Parses `a=1&b=2`. A plus sign is a blank, as portals' forms send it.
 * @throws Refusal 400 for bad percent-encoding or UTF-8, NUL, more than 64 parameters, long values
 */
export function parseQueryString(raw) {
    const query = new Map();
    const bad = [];
    const pairs = raw.split('&').filter(Boolean);
    if (pairs.length > MAX_PARAMETERS)
        throw invalid([{ name: 'query', message: `at most ${MAX_PARAMETERS} parameters` }]);
    for (const pair of pairs) {
        const equals = pair.indexOf('=');
        const name = decode(equals < 0 ? pair : pair.slice(0, equals));
        if (name === undefined) {
            bad.push({ name: 'query', message: 'a parameter name is not valid UTF-8' });
            continue;
        }
        const written = equals < 0 ? '' : pair.slice(equals + 1);
        const value = decode(written, LATIN1_PARAMETERS.has(name));
        const fault = faultOf(value);
        if (value === undefined || fault !== undefined)
            bad.push({ name, message: fault });
        else
            query.set(name, [...(query.get(name) ?? []), value]);
    }
    if (bad.length > 0)
        throw invalid(bad);
    return query;
}
function faultOf(value) {
    if (value === undefined)
        return 'not valid UTF-8 in percent-encoding';
    if (value.includes('\0'))
        return 'the character NUL is not allowed';
    return value.length > MAX_VALUE ? `at most ${MAX_VALUE} characters` : undefined;
}
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
function decode(text, latin1 = false) {
    const blanked = text.replaceAll('+', ' ');
    if (!/[%\u0080-\uffff]/.test(blanked))
        return blanked;
    if (/%(?![0-9a-fA-F]{2})/.test(blanked))
        return undefined;
    const bytes = Buffer.from(blanked.replace(/%([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))), 
    // Node hands request targets over as Latin-1, one character a byte.
    'latin1');
    try {
        return utf8.decode(bytes);
    }
    catch {
        return latin1 ? bytes.toString('latin1') : undefined;
    }
}
/**
 * The value of a parameter that must be given exactly once and not be blank.
 * @throws Refusal 400 naming it
 */
export function requiredParameter(request, name) {
    const values = queryOf(request).get(name) ?? [];
    if (values.length > 1)
        throw invalid([{ name, message: 'given more than once' }]);
    if (!values[0])
        throw invalid([{ name, message: 'is required' }]);
    return values[0];
}
//# sourceMappingURL=query-string.js.map