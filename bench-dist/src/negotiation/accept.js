/**
 * Whether an Accept header admits a media type (RFC 9110 section 12.5.1): the most specific range
 * that matches decides, a weight of 0 refuses. A missing or empty header is any type.
 */
export function admits(accept, mediaType) {
    if (accept === undefined || accept.trim() === '')
        return true;
    const [type] = mediaType.split('/');
    let best = { specificity: -1, weight: 0 };
    for (const range of accept.split(',')) {
        const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
        const specificity = [`*/*`, `${type}/*`, mediaType].indexOf(name);
        if (specificity < 0)
            continue;
        const weight = weightOf(parameters);
        if (specificity > best.specificity ||
            (specificity === best.specificity && weight > best.weight))
            best = { specificity, weight };
    }
    return best.weight > 0;
}
function weightOf(parameters) {
    const written = parameters.find((parameter) => /^q\s*=/.test(parameter));
    if (written === undefined)
        return 1;
    const value = written.replace(/^q\s*=\s*/, '');
    return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(value) ? Number(value) : 0;
}
//# sourceMappingURL=accept.js.map