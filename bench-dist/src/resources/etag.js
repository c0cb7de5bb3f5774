/** The ETag follows what was written (decisions: PATCH), so it is the row's revision. */
export const etagOf = (revision) => `"${revision}"`;
export const setETag = (response, revision) => {
    response.setHeader('ETag', etagOf(revision));
};
/**
 * Whether If-None-Match names a tag (RFC 9110 section 13.1.2): a list of tags, compared weakly,
 * or `*`.
 */
export function namesTag(header, etag) {
    if (header === undefined)
        return false;
    return header
        .split(',')
        .map((tag) => tag.trim().replace(/^W\//, ''))
        .some((tag) => tag === etag || tag === '*');
}
//# sourceMappingURL=etag.js.map